"""The algebra of Carlson and Lisper for solvers: obligations, countermodels, derivations."""
