"""Metamorphic relations between cases, and the laws as test suites."""
