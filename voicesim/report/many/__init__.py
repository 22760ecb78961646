"""Pages about many calls: the suite page, on which a team decides, and the comparison of agents."""
