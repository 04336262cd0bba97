"""Proof scripts of lemmas and theorems: their obligations."""
