"""One live call: clock, pacer, play-out, recorder, session."""
