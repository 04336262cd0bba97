"""All instances of a pattern: kept as a graph, listed with constant delay, counted without being listed."""
