"""How good a judge is: labels by people, what comes of a comparison with them, and better wordings."""
