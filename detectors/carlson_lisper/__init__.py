"""Detectors of the algebra of Carlson and Lisper."""
