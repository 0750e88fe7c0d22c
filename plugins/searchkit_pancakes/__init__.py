"""Pancake sorting for searchkit, with and without burnt sides."""

from __future__ import annotations

from typing import TYPE_CHECKING

from searchkit import Parameter, hookimpl
from searchkit.hookspecs import RegisterHeuristic, RegisterPuzzle
from searchkit.later import Later, exports, instances

if TYPE_CHECKING:
    from searchkit_pancakes.puzzle import Gap, Pancakes, burnt_pancakes, pancakes, stacks
else:
    __getattr__ = exports(__name__, {"puzzle": "Gap Pancakes burnt_pancakes pancakes stacks"})

__all__ = ["Gap", "Pancakes", "burnt_pancakes", "pancakes", "stacks"]


@hookimpl
def searchkit_register_puzzles(register: RegisterPuzzle) -> None:
    """Register both kinds of stacks."""
    size = "the number of pancakes, from 1 to 60"
    register(
        "pancakes",
        Later("searchkit_pancakes.puzzle:pancakes"),
        summary="sort a stack by turning over its top",
        parameters=[Parameter("size", 10, size)],
    )
    register(
        "burnt-pancakes",
        Later("searchkit_pancakes.puzzle:burnt_pancakes"),
        summary="pancakes whose burnt sides must end up underneath",
        parameters=[Parameter("size", 7, size)],
    )


@hookimpl
def searchkit_register_heuristics(register: RegisterHeuristic) -> None:
    """Register the gap heuristic."""
    register(
        "gap",
        Later("searchkit_pancakes.puzzle:gap"),
        suits=instances("searchkit_pancakes.puzzle:Pancakes"),
        summary="the neighbours that are not neighbours in the goal",
    )
