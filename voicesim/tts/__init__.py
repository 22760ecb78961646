"""Text to the caller's clean voice: synthesizers, accents and the words they can speak."""
