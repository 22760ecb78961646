"""Small scripted systems behind an agent's tools: deterministic, with state, and as strict as real ones."""
