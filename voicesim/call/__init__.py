"""One live call: clock, pacer, timeline, recorder, session."""
