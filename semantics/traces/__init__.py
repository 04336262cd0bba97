"""Event logs in files: rows, formats, the order of time."""
