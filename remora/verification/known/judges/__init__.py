"""Known answers about those who judge: campaigns, gates, judges of engines, decisions on forgetting, benchmarks."""
