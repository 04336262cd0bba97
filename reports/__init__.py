"""Results rendered for people and for other tools."""
