"""Randomized trace campaigns on Spark: generate, fan out, judge, minimise, resume."""
