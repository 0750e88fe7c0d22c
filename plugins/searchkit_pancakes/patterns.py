"""Pattern databases of pancakes: only some pancakes are told apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from searchkit.heuristics.patterns import PiecePatterns
from searchkit.pattern_space import Pattern

if TYPE_CHECKING:
    from searchkit_pancakes.puzzle import Pancakes


class PancakePatterns(PiecePatterns):
    """Where some pancakes are, and which of their sides is up; every turn counts.

    The inverse of a stack without burnt sides, for which place and pancake change roles, is as
    far from being in order, so both are looked up.
    """

    def __init__(self, problem: Pancakes, groups: Sequence[Pattern]) -> None:
        size, turns = problem.stacks.size, 2 if problem.stacks.burnt else 1
        goal = [0] * size
        for place in range(size):
            content = problem.pancake(problem.goal, place)
            goal[content // turns] = place * turns + content % turns
        after = {}
        for operator in problem.operators(0):
            row = []
            for code in range(size * turns):
                place, side = divmod(code, turns)
                turned = 1 - side if turns == 2 and place < operator else side
                row.append(problem.place_after(place, operator) * turns + turned)
            after[operator] = row
        super().__init__(
            problem, groups, puzzle="burnt-pancakes" if turns == 2 else "pancakes",
            places=size, after=after, goal=goal, turns=turns, dual=True,
        )  # fmt: skip

    def content(self, state: Any, place: int) -> int:
        """Kernel: the pancake at a place, and its side."""
        return int(self.problem.pancake(state, place))
