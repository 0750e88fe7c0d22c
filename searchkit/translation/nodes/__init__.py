"""Rules as typed nodes: another way from an author's object to the kernels."""
