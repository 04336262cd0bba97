"""Comparison of two reports."""
