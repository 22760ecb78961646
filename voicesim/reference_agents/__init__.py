"""Agents to test against: one brain, two architectures. They know nothing of the caller."""
