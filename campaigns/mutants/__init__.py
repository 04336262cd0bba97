"""Detectors that are wrong on purpose, and how many cases it takes to find them."""
