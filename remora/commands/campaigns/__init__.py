"""`remora campaign` and its commands."""
