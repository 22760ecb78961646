"""The studio's tables, one file a theme; importing this makes all of them known."""

from voicesim.studio.tables import audit, cases, people, reviews, visits

__all__ = ["audit", "cases", "people", "reviews", "visits"]
