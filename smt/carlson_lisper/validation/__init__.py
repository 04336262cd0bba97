"""Translation validation: the text that is made for one pattern does what the proved steps do."""
