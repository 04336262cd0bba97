"""Statements about streams: their text, their meaning, equations in the abstract."""
