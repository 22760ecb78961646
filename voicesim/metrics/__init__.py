"""Recording and transcript to numbers: pure functions of what sounded when."""
