"""The kernels of best-first search."""
