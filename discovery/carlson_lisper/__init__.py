"""Discovery in the algebra of Carlson and Lisper."""
