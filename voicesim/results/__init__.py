"""What many calls came to: a suite's folder, read back, and what is computed from it."""
