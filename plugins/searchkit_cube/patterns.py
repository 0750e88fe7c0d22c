"""Pattern databases of the 2x2x2 cube: only some corners are told apart."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from searchkit.heuristics.patterns import PiecePatterns
from searchkit.pattern_space import Pattern
from searchkit_cube.corners import BITS, FIELD, PIECES, TWIST, turn_table, unpack

if TYPE_CHECKING:
    from searchkit_cube.puzzle import Cube2

SIDES = 3


class CubePatterns(PiecePatterns):
    """The places and twists of some corners; every turn counts."""

    def __init__(self, problem: Cube2, groups: Sequence[Pattern]) -> None:
        table = turn_table()
        after = {}
        for operator in problem.operators(0):
            row = []
            for code in range(PIECES * SIDES):
                field = table[operator][code // SIDES | code % SIDES << TWIST]
                row.append((field & (1 << TWIST) - 1) * SIDES + (field >> TWIST))
            after[operator] = row
        goal = [place * SIDES + twist for place, twist in unpack(problem.goal)[:PIECES]]
        super().__init__(
            problem, groups, puzzle="cube2", places=PIECES, after=after, goal=goal, turns=SIDES
        )

    def content(self, state: Any, place: int) -> int:
        """Kernel: the corner in a place, and its twist."""
        found = 0
        for piece in range(PIECES):
            corner = state >> BITS * piece & FIELD
            if corner & ((1 << TWIST) - 1) == place:
                found = piece * SIDES + (corner >> TWIST)
        return found

    def locate(self, state: Any, image: int, group: int) -> int:
        """Kernel: the state has them side by side. O(pieces)."""
        word = 0
        for i in range(self.tables.sizes[group]):
            corner = state >> BITS * self.tables.pieces[group][i] & FIELD
            code = (corner & ((1 << TWIST) - 1)) * SIDES + (corner >> TWIST)
            word |= code << self.tables.bits * i
        return word
