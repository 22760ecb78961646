"""Agents that the visits of a test's studio call: `python:studio_nurse:nurse`."""

from spoken_agent import SpokenAgent


def nurse() -> SpokenAgent:
    """Asks two questions, and hangs up."""
    return SpokenAgent(("Hello, how can I help you?", "How long have you had it?", "Please rest. Goodbye."))


def patient_nurse() -> SpokenAgent:
    """Asks, and waits for as long as it takes."""
    return SpokenAgent(("Hello, how can I help you?", "How long have you had it?", *["Go on, please."] * 20))
