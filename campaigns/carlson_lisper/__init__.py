"""Cases of the algebra of Carlson and Lisper and how a detector is judged by them."""
