"""Numbers and verdicts to pages and tables for people."""
