"""Proof scripts and errata of the algebra of Carlson and Lisper."""
