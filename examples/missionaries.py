"""Missionaries and cannibals: a boat carries all across a river.

Nowhere, in the boat or on a bank, may cannibals outnumber missionaries who are there.

    searchkit run --plugin examples/missionaries.py missionaries --draw
    searchkit run --plugin examples/missionaries.py missionaries -p pairs=5 -p boat=3
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from searchkit import Parameter, Problem, Step, hookimpl
from searchkit.hookspecs import RegisterPuzzle

State = tuple[int, int, bool]
"""Missionaries on the left bank, cannibals there, and whether the boat is there."""


@attrs.frozen
class Missionaries(Problem[State, str]):
    pairs: int = attrs.field(converter=int, validator=attrs.validators.ge(1))
    boat: int = attrs.field(converter=int, validator=attrs.validators.ge(1))

    undirected = True  # any crossing can be made again the other way

    def initial_states(self) -> list[State]:
        return [(self.pairs, self.pairs, True)]

    def goal_states(self) -> list[State]:
        return [(0, 0, False)]

    def is_goal(self, state: State) -> bool:
        return state == (0, 0, False)

    def successors(self, state: State) -> Iterator[Step[str, State]]:
        missionaries, cannibals, left = state
        arrow, sign = ("→", -1) if left else ("←", 1)
        for m in range(self.boat + 1):
            for c in range(self.boat + 1 - m):
                after = (missionaries + sign * m, cannibals + sign * c)
                if m + c > 0 and is_safe(m, c) and self.are_banks_safe(*after):
                    yield Step(f"{arrow}{people(m, c)}", (*after, not left))

    def are_banks_safe(self, m: int, c: int) -> bool:
        """Whether `m` missionaries and `c` cannibals may be on the left, the others right."""
        right = (self.pairs - m, self.pairs - c)
        return min(m, c, *right) >= 0 and is_safe(m, c) and is_safe(*right)

    def render(self, state: State) -> str:
        """The people on the banks, and the boat on the river."""
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
    register(
        "missionaries",
        Missionaries,
        summary="cross the river, and let cannibals never outnumber missionaries",
        parameters=[
            Parameter("pairs", 3, "how many missionaries, and how many cannibals"),
            Parameter("boat", 2, "how many people the boat carries"),
        ],
    )
