"""Pegs."""
