"""The relational algebra of events: plans, their rewriting, distances and relevance."""
