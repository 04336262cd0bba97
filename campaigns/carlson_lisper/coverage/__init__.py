"""Coverage: which behaviours of the detectors the cases meet."""
