"""What the kernels of sliding puzzles look up."""

from __future__ import annotations

from typing import NamedTuple


class Tables(NamedTuple):
    """What the kernels of `SlidingPuzzle` look up: see `Packing` and `Ranking`."""

    goal: int
    ones: int
    highs: int
    each: int
    room: int
    front: int
    odd: int
    apart: tuple[tuple[int, ...], ...]


class WideTables(NamedTuple):
    """What the kernels of `WideSlidingPuzzle` look up: see `Packing`."""

    goal: tuple[int, ...]
    bits: int
    per_word: int
    shift: tuple[int, ...]
    unit: tuple[tuple[int, ...], ...]
    field: tuple[tuple[int, ...], ...]
    ones: tuple[int, ...]
    highs: tuple[int, ...]
    apart: tuple[tuple[int, ...], ...]
