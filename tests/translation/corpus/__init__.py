"""Ordinary problems as people write them: what the translator is tried on."""
