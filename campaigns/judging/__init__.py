"""Judging of many cases: isolation, limits, minimising, regressions."""
