"""The kernels of depth-first search."""
