"""Programs of rules at the command line and in Python."""
