"""Proofs of optimality as files, and the program that checks them, which stands by itself."""
