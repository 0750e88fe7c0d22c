"""The kernels of sets of states."""
