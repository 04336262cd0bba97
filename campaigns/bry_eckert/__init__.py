"""Campaigns against engines for rules: random programs and histories, judges, relations, wrong engines."""
