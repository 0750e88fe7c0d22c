"""Pancake sorting for searchkit, with and without burnt sides."""

from __future__ import annotations

import random

from searchkit import Parameter, hookimpl
from searchkit.hookspecs import RegisterHeuristic, RegisterPuzzle
from searchkit_pancakes.heuristics import Gap
from searchkit_pancakes.puzzle import Pancakes, WidePancakes
from searchkit_pancakes.stacks import MOST_PANCAKES, Stacks

__all__ = ["Gap", "Pancakes", "Stacks", "WidePancakes", "burnt_pancakes", "pancakes"]


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


@hookimpl
def searchkit_register_puzzles(register: RegisterPuzzle) -> None:
    """Register both kinds of stacks."""
    size = f"the number of pancakes, from 1 to {MOST_PANCAKES}"
    register(
        "pancakes",
        pancakes,
        summary="sort a stack by turning over its top",
        parameters=[Parameter("size", 10, size)],
    )
    register(
        "burnt-pancakes",
        burnt_pancakes,
        summary="pancakes whose burnt sides must come to lie down",
        parameters=[Parameter("size", 7, size)],
    )


@hookimpl
def searchkit_register_heuristics(register: RegisterHeuristic) -> None:
    """Register the gap heuristic."""
    register(
        "gap",
        Gap,
        suits=lambda problem: isinstance(problem, Pancakes),
        summary="the neighbours that are none in the goal",
    )
