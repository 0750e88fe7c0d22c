"""Korf's hundred 15-puzzles: R. E. Korf, Depth-First Iterative-Deepening, 1985."""

from __future__ import annotations

from bench.paths import KORF

MOST_NODES = 40_000_000
"""The instances up to this many nodes of IDA* are run: 45, with 485,479,660 nodes in all."""

EASIEST = 540_860
"""The nodes of number 79, the easiest."""


def korf_rows(most_nodes: int) -> list[str]:
    """The rows `id,start,length,nodes` of the instances that take at most so many nodes."""
    rows = KORF.read_text().splitlines()[1:]
    return [row for row in rows if int(row.rpartition(",")[2]) <= most_nodes]
