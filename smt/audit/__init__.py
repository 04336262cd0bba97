"""Audit of proofs: axioms that are needed, stability under equivalent texts."""
