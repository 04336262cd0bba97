"""Searches for concrete runs that contradict what a script states."""
