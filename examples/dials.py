"""A lock with three dials, opened in stages: one dial after another.

A switch turns a dial by 1, up or down, and all dials behind it. `stage_plans` says how the
algorithm `stages` gets to the goal: the switches of the dials that are at 0 are left alone.

    searchkit run examples/dials.py --algo stages
    searchkit run examples/dials.py --start 999
"""

from typing import NamedTuple

import attrs

from searchkit import PackedProblem, ParseError, hookimpl
from searchkit_stages import Stage

DIALS = 3


class Number(NamedTuple):
    """The tables of a stage: which dial it brings to 0."""

    number: int


def turned(state, operator):
    """The dials after a switch; each has four bits, the first the lowest."""
    for dial in range(operator >> 1, DIALS):
        digit = state >> 4 * dial & 15
        after = (digit + (9 if operator & 1 else 1)) % 10
        state ^= (digit ^ after) << 4 * dial
    return state


@attrs.frozen
class Dial(Stage):
    """Bring one dial to 0; those before it stay, for their switches are left alone."""

    tables: Number
    ranks = 10

    def operators(self, control):
        return range(2 * self.tables.number, 2 * DIALS)

    def apply(self, state, control, operator):
        return turned(state, operator)

    def rank(self, state):
        return state >> 4 * self.tables.number & 15

    def unrank(self, index):
        return index << 4 * self.tables.number

    def at_goal(self, state):
        return self.rank(state) == 0


class Lock(PackedProblem[str]):
    """Bring all dials to 0."""

    undirected = True

    def __init__(self, start=0x385):
        self.start = start

    def initial_states(self):
        return [self.start]

    def operators(self, control):
        return range(2 * DIALS)

    def action(self, state, operator):
        return f"{operator >> 1}{'+-'[operator & 1]}"

    def apply(self, state, control, operator):
        return turned(state, operator)

    def at_goal(self, state):
        return state == 0

    def stage_plans(self, most_states):
        return [[Dial(Number(dial)) for dial in range(DIALS)]]

    def with_start(self, state):
        return Lock(state)

    def format_state(self, state):
        return "".join(str(state >> 4 * dial & 15) for dial in range(DIALS))

    def parse(self, text):
        if len(text) != DIALS or not set(text) <= set("0123456789"):
            raise ParseError(f"{text!r} is not {DIALS} digits, like 583")
        return sum(int(digit) << 4 * dial for dial, digit in enumerate(text))


@hookimpl
def searchkit_register_puzzles(register):
    register("dials", Lock, summary="a lock with three dials, opened in stages")
