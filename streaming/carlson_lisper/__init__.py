"""Detection of patterns of Carlson and Lisper in keyed streams."""
