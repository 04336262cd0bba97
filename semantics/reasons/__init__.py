"""Reasons: why something is found in a log at a time, or is not; per system its derivations and nearest misses."""
