"""The register machine, made from the pattern's automaton."""
