"""The kernels of search in stages."""
