"""What people write (YAML): cases, personas and audio profiles, as frozen, validated models."""
