"""Language models: one client for every server that speaks OpenAI's API."""
