"""Code generated for one expression from the source's steps."""
