"""The parameterised event algebra of Hinze and Voisard."""
