"""What can be read off English words without a model: sentences, questions, negation, cues, quotes."""
