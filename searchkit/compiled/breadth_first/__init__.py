"""Breadth-first search over packed states with a hash table."""
