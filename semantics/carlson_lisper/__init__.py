"""The algebra of Carlson and Lisper: operators as data, syntax, denotation, intervals, relations."""
