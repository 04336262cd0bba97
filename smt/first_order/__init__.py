"""First-order provers without arithmetic: obligations as TPTP problems, and the programs that are asked."""
