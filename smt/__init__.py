"""Obligations, solver back ends, verdicts and counterexamples."""
