"""The steps by which the studio's tables came to be what they are."""
