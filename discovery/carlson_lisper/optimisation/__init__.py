"""The cheapest pattern that says the same, and what of a pattern never matters."""
