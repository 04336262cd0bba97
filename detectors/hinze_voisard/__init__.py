"""Engines for the profiles of Hinze and Voisard."""
