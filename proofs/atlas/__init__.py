"""The atlas in this room: the search for each cell, its proofs, and the committed record."""
