"""Patterns in the API: explained, compared, drawn."""
