"""Many calls: repeats and their summary."""
