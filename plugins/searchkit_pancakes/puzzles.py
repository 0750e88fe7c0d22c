"""The registered puzzles: shuffled stacks, plain and burnt."""

from __future__ import annotations

import random

from searchkit_pancakes.puzzle import Pancakes
from searchkit_pancakes.stacks import Stacks


def pancakes(size: int = 10) -> Pancakes:
    """A shuffled stack, the same for every call.

    >>> puzzle = pancakes(6)
    >>> puzzle.format_state(puzzle.start)
    '5 3 2 1 6 4'
    """
    return _shuffled(size, burnt=False)


def burnt_pancakes(size: int = 7) -> Pancakes:
    """A shuffled stack whose pancakes have a burnt side, the same for every call."""
    return _shuffled(size, burnt=True)


def _shuffled(size: int, *, burnt: bool) -> Pancakes:
    puzzle = Pancakes.of(Stacks(size, burnt))
    return puzzle.with_start(puzzle.random_state(random.Random(0)))
