"""`remora bench`."""
