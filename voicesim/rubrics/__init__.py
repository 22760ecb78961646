"""Rubrics out of evidence: documents to facts with quotes, facts to weighted criteria, criteria to a case and back."""
