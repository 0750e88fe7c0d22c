"""Whole spaces of packed states, layer by layer: as hash tables, ranks, bitmaps or sorted files."""
