"""Interval languages of ground expressions, by which equivalence is decided."""
