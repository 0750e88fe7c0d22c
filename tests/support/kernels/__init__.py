"""Kernel files of tests."""
