"""Engines that evaluate rules step by step (Bry and Eckert, 2007 Section 4, 2008 Section 2.4)."""
