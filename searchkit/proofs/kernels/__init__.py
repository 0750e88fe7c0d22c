"""Kernel files, which write the lists of proofs."""
