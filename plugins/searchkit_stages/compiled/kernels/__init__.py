"""The kernels of solving in stages."""
