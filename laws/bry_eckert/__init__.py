"""Records about the rules of Bry and Eckert."""
