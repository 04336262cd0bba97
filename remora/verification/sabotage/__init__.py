"""Sabotages of the verifier: every part that can say yes is broken, and a check has to notice."""
