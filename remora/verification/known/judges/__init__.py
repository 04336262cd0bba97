"""Known answers about those who judge detectors: campaigns, gates, judges of engines, decisions on forgetting, engines in doubt."""
