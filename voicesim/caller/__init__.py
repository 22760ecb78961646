"""The simulated patient: ear (what was heard), mind (what to say), floor (when to say it)."""
