"""Laws of the algebra of Carlson and Lisper: found, followed step by step, and measured as tests."""
