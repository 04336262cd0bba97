"""Claims and definitions with one thing changed: what has to be refuted."""
