"""Rules over events with intervals and their relational algebra (Bry and Eckert, 2007 and 2008)."""
