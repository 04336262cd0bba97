"""The claims about the algebra of Carlson and Lisper, as records."""
