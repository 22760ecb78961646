"""The judge that needs no model: cue words, question form, negation."""
