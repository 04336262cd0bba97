"""Detection in the API: traces in, instances out."""
