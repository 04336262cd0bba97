"""Claims in the API: by name, proved, tested, as data."""
