"""Patterns, expressions over event types, at the command line."""
