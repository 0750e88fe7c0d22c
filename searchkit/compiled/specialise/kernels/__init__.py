"""Kernels that every family uses: machine words, heuristics, and what stands for the problem."""
