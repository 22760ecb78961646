"""What the tool log, the clock and the sound prove: checks that no model is asked about."""
