"""Transcript and rubric to verdicts, with the quote behind each, and a score computed in code."""
