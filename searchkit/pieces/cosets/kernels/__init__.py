"""Kernels that build tables of cosets."""
