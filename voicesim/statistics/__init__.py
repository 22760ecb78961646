"""What can be said over many calls, and how sure: pure functions of numbers; nothing here knows what a call is."""
