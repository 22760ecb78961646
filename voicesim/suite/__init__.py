"""Many calls: the plan, the workers, what was made already, and the steps after each.

Sweeps, replays, comparisons and load are plans of their own, and share everything after the plan.
"""
