"""Event algebras as settings: which instances pair, which of them are selected, and what is consumed."""
