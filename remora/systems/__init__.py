"""Systems at the command line and in Python: what each command does with a text of their languages."""
