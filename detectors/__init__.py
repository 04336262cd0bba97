"""Detectors of events behind one small protocol."""
