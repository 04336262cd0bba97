"""The errata of Hinze and Voisard, as records."""
