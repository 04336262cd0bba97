"""Results on the terminal: instances, trees, timelines."""
