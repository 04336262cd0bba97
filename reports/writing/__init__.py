"""Formats of a report: HTML, Markdown, JUnit XML."""
