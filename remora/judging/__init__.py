"""The judging of detectors: cases put to them, failures made small, and the gate that decides by the results."""
