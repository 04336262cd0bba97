"""The source's algorithms exactly as printed."""
