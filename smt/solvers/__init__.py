"""Solvers: Z3 and cvc5 behind one protocol, their processes, the portfolio."""
