"""Rules over events with intervals, detected in streams."""
