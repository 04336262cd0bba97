"""Wrong detectors, as data."""
