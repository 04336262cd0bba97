"""Laws that nobody wrote down: found, proved, and put to use."""
