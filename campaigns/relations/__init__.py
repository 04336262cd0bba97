"""Metamorphic relations: what the detections on two related cases have to do with each other."""
