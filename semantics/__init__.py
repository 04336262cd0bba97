"""Occurrences, instances, traces, the five operators and the meaning of expressions."""
