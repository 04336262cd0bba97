"""Profiles, evaluated continuously in streams."""
