"""Sound to speech intervals and words: voice activity (Silero) and Whisper, live and after the call."""
