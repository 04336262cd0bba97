"""Discovery: equations that hold, the laws they follow from, and the cheapest pattern that says the same."""
