"""Executable checks of claims: exhaustive, random, by truth tables; counterexamples."""
