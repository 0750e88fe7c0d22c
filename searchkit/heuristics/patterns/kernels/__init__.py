"""The kernels that build pattern databases."""
