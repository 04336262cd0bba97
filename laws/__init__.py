"""Every claim of the algebra as one record, and the executable check of each."""
