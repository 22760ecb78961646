"""The wire to an agent, one file each."""
