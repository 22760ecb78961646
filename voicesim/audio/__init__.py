"""Samples: the rate and tick of a call, levels, edges of speech, resampling and G.711."""
