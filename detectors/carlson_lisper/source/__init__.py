"""The algorithms of the source, their steps, the transformation, resource bounds."""
