"""Missionaries and cannibals: a boat carries all across a river.

Nowhere, in the boat or on a bank, may cannibals outnumber missionaries who are there.

    searchkit run --plugin examples/missionaries.py missionaries
    searchkit run --plugin examples/missionaries.py missionaries -p pairs=5 -p boat=3 --boards
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from searchkit import Parameter, Problem, Step, hookimpl
from searchkit.registry import RegisterPuzzle

State = tuple[int, int, bool]
"""Missionaries on the left bank, cannibals there, and whether the boat is there."""


@attrs.frozen
class Missionaries(Problem[State, str]):
    """`pairs` missionaries and as many cannibals; the boat carries 1 to `boat` people."""

    pairs: int
    boat: int

    undirected = True  # any crossing can be made again the other way

    def initial_states(self) -> list[State]:
        """All on the left bank."""
        return [(self.pairs, self.pairs, True)]

    def goal_states(self) -> list[State]:
        """All on the right bank."""
        return [(0, 0, False)]

    def is_goal(self, state: State) -> bool:
        """Whether the left bank is empty."""
        return state == (0, 0, False)

    def successors(self, state: State) -> Iterator[Step[str, State]]:
        """Every crossing that leaves everybody safe."""
        missionaries, cannibals, left = state
        arrow, sign = ("→", -1) if left else ("←", 1)
        for m in range(self.boat + 1):
            for c in range(self.boat + 1 - m):
                after = (missionaries + sign * m, cannibals + sign * c)
                if m + c and is_safe(m, c) and self.is_allowed(*after):
                    yield Step(f"{arrow}{'M' * m}{'C' * c}", (*after, not left))

    def is_allowed(self, m: int, c: int) -> bool:
        """Whether `m` missionaries and `c` cannibals may be on the left, the rest right."""
        right = (self.pairs - m, self.pairs - c)
        return min(m, c, *right) >= 0 and is_safe(m, c) and is_safe(*right)

    def render(self, state: State) -> str:
        """The banks, and the boat on the river between them."""
        m, c, left = state
        river = "⊔~~~~~" if left else "~~~~~⊔"
        here, there = people(m, c), people(self.pairs - m, self.pairs - c)
        return f"{here:<{2 * self.pairs}} {river} {there}".rstrip()


def is_safe(missionaries: int, cannibals: int) -> bool:
    """Whether these may be together in one place."""
    return missionaries == 0 or missionaries >= cannibals


def people(missionaries: int, cannibals: int) -> str:
    """A letter for each of them."""
    return "M" * missionaries + "C" * cannibals


@hookimpl
def searchkit_register_puzzles(register: RegisterPuzzle) -> None:
    """Register the puzzle."""
    register(
        "missionaries",
        lambda pairs, boat: Missionaries(int(pairs), int(boat)),
        summary="cross the river, and let cannibals never outnumber missionaries",
        parameters=[
            Parameter("pairs", "3", "how many missionaries, and how many cannibals"),
            Parameter("boat", "2", "how many people the boat carries"),
        ],
    )
