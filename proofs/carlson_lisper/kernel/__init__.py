"""The kernel: what Rocq checks, and what is written for it."""
