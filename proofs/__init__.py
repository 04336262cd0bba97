"""The committed proof record: obligations, their standing, and certificates."""
