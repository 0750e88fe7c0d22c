"""Kernels as text: where they are written, what they may hold, and what they use."""
