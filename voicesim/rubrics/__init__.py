"""Rubrics out of evidence: documents to facts with quotes, facts to weighted criteria, criteria to a case and back.

It is one road from a document to a check: each file is a station of it, and none is of use without the ones before.
"""
