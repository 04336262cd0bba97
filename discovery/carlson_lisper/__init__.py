"""Laws and cheaper patterns of the algebra of Carlson and Lisper."""
