"""Profiles at the command line."""
