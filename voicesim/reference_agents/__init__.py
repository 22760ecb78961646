"""Agents to test against: one brain, three architectures. They know nothing of the caller."""
