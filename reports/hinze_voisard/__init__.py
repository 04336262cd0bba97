"""The report's parts about profiles."""
