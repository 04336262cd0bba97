"""Finite automata over letters: construction, inclusion, shortest words."""
