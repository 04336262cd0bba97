"""Array kernels: loops over columns, dense letters, many traces side by side."""
