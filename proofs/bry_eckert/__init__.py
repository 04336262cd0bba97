"""Evidence about the rules of Bry and Eckert."""
