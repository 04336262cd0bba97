"""Which behaviours of the detectors a campaign has met, and which it never did."""
