"""Recording to utterances and words on the call clock."""
