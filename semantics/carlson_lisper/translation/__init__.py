"""Translation of patterns into the languages of other engines, and what changes in meaning."""
