"""Optimal solutions, listed, counted and reconstructed from what an engine has found."""
