"""Clean voice to what the line delivers: band, codec, noise and loss; seeded and logged."""
