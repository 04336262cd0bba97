"""Parts of the report that speak of the algebra of Carlson and Lisper."""
