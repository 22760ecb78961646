"""Evidence from the web: one file a source, asked politely; nothing else in voicesim needs any of them."""
