"""Functions that call themselves, in the text of a kernel: where their values lie.

While a rule is translated, such a function is a loop `@routine`, in which a line `@call` stands for
each call of itself; `blocks` makes lines of these that Python knows.
"""

from __future__ import annotations

from typing import Any, NamedTuple

ENTRY, CALL, ROUTINE = "@entry", "@call ", "@routine "
LINKS = 2
"""The first cells of an activation: the block to go on with, and where the activation before is."""
SIZE, LAST = "stack_size", "stack_last"
"""How many cells each activation has, and where the last one may begin."""
MOST_STACK = 1 << 16
"""How many cells all activations have together at most."""


class Routine:
    """A function that calls itself, where another calls it.

    `pointer` names where its activation is, `result` what it returns (None if that is nothing, or
    lies in memory). An activation has some `cells`; Python has at most some `frames` for each.
    """

    def __init__(self, key: Any, pointer: str, result: str | None) -> None:
        self.key, self.pointer, self.result = key, pointer, result
        self.cells, self.frames = LINKS, 1


class Call(NamedTuple):
    """A call of a function by itself: where its activation is, and its arguments by their names."""

    routine: int
    at: str
    given: tuple[tuple[str, str], ...]


class Activations:
    """All routines of a kernel, one for each loop of the text, and their calls, by number."""

    def __init__(self) -> None:
        self.routines: list[Routine] = []
        self.calls: list[Call] = []

    def begun(self, routine: Routine) -> tuple[int, Routine]:
        """The number of another loop, and its routine: one that is known, if it has the key."""
        known = [each for each in self.routines if each.key == routine.key]
        self.routines.append(known[0] if known else routine)
        return len(self.routines) - 1, self.routines[-1]
