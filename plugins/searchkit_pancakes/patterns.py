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

    The inverse of a stack, for which place and pancake change roles, is as far from being in order,
    so both are looked up.
    """

    def __init__(self, problem: Pancakes, groups: Sequence[Pattern]) -> None:
        size, turns = problem.size, 1 + problem.burnt
        goal = [0] * size
        for place, (pancake, side) in enumerate(problem.unpack(problem.goal)[0]):
            goal[pancake] = place * turns + side
        after = {}
        for operator in problem.operators(0):
            row = []
            for code in range(size * turns):
                place, side = divmod(code, turns)
                is_turned = turns == 2 and place < problem.action(problem.goal, operator)
                turned = 1 - side if is_turned else side
                row.append(problem.place_after(place, operator) * turns + turned)
            after[operator] = row
        super().__init__(
            problem, groups, puzzle="burnt-pancakes" if turns == 2 else "pancakes",
            places=size, after=after, goal=goal, turns=turns, dual=True,
        )  # fmt: skip

    def content(self, state: Any, place: int) -> int:
        """Kernel: the pancake at a place, and its side."""
        code = self.problem.field(state, place)
        if self.tables.turns == 1:
            return int(code)
        bits = self.tables.bits
        return int(code << 1 & (1 << bits) - 1 | code >> bits - 1)
