"""Sections of a report as a reader meets them."""
