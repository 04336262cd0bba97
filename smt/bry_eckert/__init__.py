"""Rules over events with intervals as questions to a solver."""
