"""Node objects: an object for each operator of an expression, with what it stores (2007, Sections 4 and 5)."""
