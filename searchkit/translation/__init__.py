"""Ordinary problems as machine code: types of their states, layouts, rules translated."""
