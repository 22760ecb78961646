"""A Pipecat pipeline on SmallWebRTC: Silero, Whisper, the brain, hibari."""
