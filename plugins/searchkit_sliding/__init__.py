"""Sliding."""
