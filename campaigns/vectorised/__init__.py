"""Many traces of one expression at once: cases, oracle and judgement as arrays."""
