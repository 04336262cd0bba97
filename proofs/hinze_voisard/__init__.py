"""The evidence for the errata of Hinze and Voisard."""
