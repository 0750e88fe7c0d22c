"""Random problems whose operators flip fixed bits; what they are is in tables.

All have the same kernels, so that a module is made only for each number of operators, symmetries
and tables of the index.
"""

from __future__ import annotations

import random
from functools import reduce
from operator import xor
from typing import Any, NamedTuple

from hypothesis import strategies as st

from searchkit.capabilities import Symmetry
from searchkit.linear_index import moved_bits
from searchkit.packed import PackedProblem
from tests.support.packed_graphs import MovesPieces

OPERATORS = 32
CHAIN_OPERATORS = 24
NEVER = (0, 1)
"""Mask and wanted bits of an operator that is never legal."""
PLACES = (63, 0, 31, 32, 62, 1, 7, 40, 2, 33, 50, 61, 16, 3)
"""The bits that random problems use, the highest one first."""


class ToggleTables(NamedTuple):
    flips: tuple[int, ...]
    masks: tuple[int, ...]
    wanted: tuple[int, ...]
    goals: tuple[int, ...]


class Toggles(PackedProblem[int]):
    """Operator `i` is legal where the bits of its mask are the wanted ones."""

    def __init__(self, tables: Any, starts: tuple[int, ...]) -> None:
        self.tables = tables
        self.starts = starts

    def initial_states(self):
        return self.starts

    def goal_states(self):
        return self.tables.goals

    def operators(self, control):
        return range(len(self.tables.flips))

    def action(self, state, operator):
        return operator

    def at_goal(self, state):
        for number in range(len(self.tables.goals)):  # noqa: SIM110  (kernels have no generators)
            if state == self.tables.goals[number]:
                return True
        return False

    def legal(self, state, control, operator):
        return state & self.tables.masks[operator] == self.tables.wanted[operator]

    def apply(self, state, control, operator):
        return state ^ self.tables.flips[operator]

    def toggles(self):
        return self.tables.flips


class UndirectedToggles(Toggles):
    """For operators that do not flip the bits that make them legal."""

    undirected = True


class SymmetricToggles(Toggles):
    """The operators come in runs, one for each map of `group`: where it takes the first of them.

    A map tells where it moves the lowest bits; the others stay in their places.
    """

    def __init__(self, tables: Any, starts: tuple[int, ...], group: tuple[Any, ...]) -> None:
        super().__init__(tables, starts)
        self.group = group

    def symmetries(self):
        return [
            Symmetry(str(bits), state_map, action_map, bits)
            for bits in self.group
            for state_map, action_map in [self._maps(bits)]
        ]

    def _maps(self, bits):
        order = len(self.group)

        def state_map(state):
            return image_of(state, bits)

        def action_map(action):
            run, place = divmod(action, order)
            both = tuple(bits[each] for each in self.group[place])
            return run * order + self.group.index(both)

        return state_map, action_map


class PieceTables(NamedTuple):
    flips: tuple[int, ...]
    masks: tuple[int, ...]
    wanted: tuple[int, ...]
    goals: tuple[int, ...]
    before: tuple[int, ...]
    after: tuple[int, ...]


class Pieces(MovesPieces, Toggles):
    """The same where each operator moves a piece from one place to another."""


def image_of(state, bits):
    """The state with its lowest bits moved."""
    return moved_bits(state, bits) | state >> len(bits) << len(bits)


def total(words):
    """The sum, exclusive or."""
    return reduce(xor, words, 0)


def spread(number, places=PLACES):
    """The word whose bits at `places` are those of a small number."""
    return moved_bits(number, places)


def tables(operators, goals=(), count=OPERATORS):
    """Tables of `operators` (flips, mask, wanted), and of others that are never legal."""
    idle = (operators[0][0] if operators else 0, *NEVER)
    rows = [*operators, *[idle] * (count - len(operators))]
    assert len(rows) == count
    return ToggleTables(*zip(*rows, strict=True), tuple(goals))


def piece_tables(operators, goals=(), count=CHAIN_OPERATORS):
    """Tables of `operators` (flips, mask, wanted, before, after)."""
    flat = tables([each[:3] for each in operators], goals, count)
    pieces = [each[3:] for each in operators] + [(0, 0)] * (count - len(operators))
    return PieceTables(*flat, *zip(*pieces, strict=True))


def counter(bits, parallel):
    """Operators that count up, from 0 to 2**bits - 1: `parallel[i]` of them carry into bit `i`."""
    return [
        ((2 << bit) - 1, (2 << bit) - 1, (1 << bit) - 1)
        for bit in range(bits)
        for _ in range(parallel[bit])
    ]


def cube(bits):
    """Operators that flip any one bit."""
    return [(1 << bit, 0, 0) for bit in range(bits)]


def operators_on(bits, count, rng):
    """Operators over the lowest bits of a number: what they flip, their masks and wanted bits."""
    made = []
    for _ in range(count):
        places = [rng.randrange(bits) for _ in range(rng.randrange(3))] if bits else []
        mask = total(1 << place for place in set(places))
        flips = rng.getrandbits(bits) & rng.choice([-1, mask | rng.getrandbits(bits), mask])
        made.append((flips, mask, rng.getrandbits(bits) & mask))
    return made


rngs = st.integers(0, 2**32).map(random.Random)


@st.composite
def toggle_spaces(draw: Any, *widths: int) -> tuple[ToggleTables, tuple[int, ...]]:
    """Tables of operators on so many bits, and one to three starts."""
    bits = draw(st.sampled_from(widths))
    count = draw(st.sampled_from(range(OPERATORS + 1)))
    rng = draw(rngs)
    operators = [tuple(map(spread, each)) for each in operators_on(bits, count, rng)]
    outside = rng.choice([0, 1 << 60, 1 << 63])
    first = spread(rng.getrandbits(bits)) ^ outside
    starts = [first]
    for _ in range(draw(st.integers(0, 2))):
        flips = [rng.choice(operators)[0] for _ in range(2)] if operators else [1 << 63]
        starts.append(first ^ total(flips))
    goals = [spread(rng.getrandbits(bits)) ^ outside for _ in range(draw(st.integers(0, 8)))]
    return tables(operators, dict.fromkeys(goals)), tuple(dict.fromkeys(starts))


def undirected(space: tuple[ToggleTables, Any]) -> tuple[ToggleTables, Any]:
    """The space with operators that do not ask for the bits that they flip."""
    found, starts = space
    rows = [
        (flips, mask & ~flips, wanted & ~flips) if (mask, wanted) != NEVER else (flips, *NEVER)
        for flips, mask, wanted in zip(found.flips, found.masks, found.wanted, strict=True)
    ]
    return tables(rows, found.goals), starts


@st.composite
def pegs(draw: Any) -> tuple[PieceTables, tuple[int, ...]]:
    """Jumps between any three of some cells: a peg over a peg, which is taken, into a hole."""
    cells, count = draw(st.sampled_from(range(3, 10))), draw(st.integers(0, CHAIN_OPERATORS))
    rng = draw(rngs)
    operators = []
    for _ in range(count):
        start, over, land = rng.sample(range(cells), 3)
        mask = 1 << start | 1 << over | 1 << land
        operators.append((*map(spread, (mask, mask, mask ^ 1 << land)), start, land))
    full = 2**cells - 1
    start = full & ~(rng.getrandbits(cells) & rng.getrandbits(cells))
    goals = {rng.getrandbits(cells) for _ in range(draw(st.integers(0, 5)))}
    return piece_tables(operators, map(spread, goals)), (spread(start),)


@st.composite
def wandering_pieces(draw: Any) -> tuple[PieceTables, tuple[int, ...]]:
    """A few operators of some pieces, which may run in circles, and one or two starts."""
    count, rng = draw(st.integers(0, 7)), draw(rngs)
    pieces = rng.sample([0, 1, 255], 2)
    operators = [
        (*map(spread, each), rng.choice(pieces), rng.choice(pieces))
        for each in operators_on(3, count, rng)
    ]
    starts = {rng.randrange(8) for _ in range(draw(st.integers(1, 2)))}
    goals = {rng.randrange(8) for _ in range(draw(st.integers(0, 2)))}
    return piece_tables(operators, map(spread, goals)), tuple(map(spread, starts))
