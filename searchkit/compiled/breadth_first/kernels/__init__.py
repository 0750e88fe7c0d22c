"""The kernels of breadth-first search."""
