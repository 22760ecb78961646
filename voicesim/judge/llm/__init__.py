"""Language models as judges, on any server that speaks OpenAI's chat API."""
