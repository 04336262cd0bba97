"""Campaigns against engines for profiles: random profiles and traces, judges, relations, wrong engines."""
