"""The session folder, the only thing that crosses from the call to what is said about it."""
