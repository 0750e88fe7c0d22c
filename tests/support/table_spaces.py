"""Random packed spaces of words scattered over all 64 bits, of two kinds of kernels only.

What a space is like is in its tables: all tests together need two modules of machine code.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Any, NamedTuple

from hypothesis import strategies as st

from searchkit import Step
from searchkit.capabilities import Symmetry
from searchkit.packed import PackedProblem

SLOTS = 4
INDEX_BITS = 6
WORD = st.integers(0, 2**64 - 1)
HIGHEST_BIT = 1 << 63


class ScatteredTables(NamedTuple):
    following: tuple[tuple[int, ...], ...]
    """By place and operator; -1 where it is not legal."""
    words: tuple[int, ...]
    """The state of each place, whose lowest bits are the place."""


class Scattered(PackedProblem[int]):
    """A directed graph."""

    def __init__(
        self, following: Sequence[Sequence[int]], words: Sequence[int], starts: Sequence[int]
    ) -> None:
        rows = [tuple(row) for row in following]
        self.tables = ScatteredTables(tuple(rows), tuple(words))
        self.starts = [words[start] for start in starts]

    def initial_states(self) -> list[int]:
        return self.starts

    def goal_states(self) -> list[int]:
        return [self.tables.words[-1]]

    def operators(self, control: int) -> range:
        return range(SLOTS)

    def action(self, state: int, operator: int) -> int:
        return operator

    def at_goal(self, state: int) -> bool:
        return state == self.tables.words[len(self.tables.words) - 1]

    def legal(self, state: int, control: int, operator: int) -> bool:
        return self.tables.following[state & 63][operator] >= 0

    def apply(self, state: int, control: int, operator: int) -> int:
        return self.tables.words[self.tables.following[state & 63][operator]]


class UndirectedScattered(Scattered):
    undirected = True


class WideScattered(PackedProblem[tuple[int, int]]):
    """The same graphs, of states of two words: the first has few values, the second the place."""

    words = 2

    def __init__(self, narrow: Scattered) -> None:
        self.narrow = narrow
        self.tables = narrow.tables
        self.undirected = narrow.undirected

    def initial_states(self) -> list[tuple[int, int]]:
        return [(word >> 6 & 3, word) for word in self.narrow.starts]

    def goal_states(self) -> list[tuple[int, int]]:
        last = self.tables.words[-1]
        return [(last >> 6 & 3, last)]

    def operators(self, control: int) -> range:
        return range(SLOTS)

    def action(self, state: tuple[int, int], operator: int) -> int:
        return operator

    def at_goal(self, state: tuple[int, int]) -> bool:
        return state[1] == self.tables.words[len(self.tables.words) - 1]

    def legal(self, state: tuple[int, int], control: int, operator: int) -> bool:
        return self.tables.following[state[1] & 63][operator] >= 0

    def apply(self, state: tuple[int, int], control: int, operator: int) -> tuple[int, int]:
        after = self.tables.words[self.tables.following[state[1] & 63][operator]]
        return after >> 6 & 3, after


class TokenTables(NamedTuple):
    following: tuple[tuple[int, ...], ...]
    """By label and slot; -1 if there is no step."""
    shifts: tuple[int, ...]
    """By operator."""
    goals: tuple[int, ...]
    """The start, with the tokens in every order."""


TOKENS = (0, 32, 56)
"""Where the bytes of three tokens are in a word."""
TOKEN_SLOTS = 2


class Tokens(PackedProblem[tuple[int, int]]):
    """Three tokens walk about one graph, one step at a time: any two can be exchanged.

    A vertex is labelled with a byte; the highest byte of a word is a token's.
    """

    def __init__(
        self, labels: Sequence[int], edges: Sequence[tuple[int, int]], start: Sequence[int]
    ) -> None:
        rows = [[-1] * TOKEN_SLOTS for _ in range(256)]
        for source, target in edges:
            rows[labels[source]][rows[labels[source]].index(-1)] = labels[target]
        shifts = [shift for shift in TOKENS for _ in range(TOKEN_SLOTS)]
        there = [labels[vertex] for vertex in start]
        goals = tuple(word_of(order) for order in permutations(there))
        self.tables = TokenTables(tuple(map(tuple, rows)), tuple(shifts), goals)
        self.start = word_of(there)

    def initial_states(self) -> list[int]:
        return [self.start]

    def goal_states(self) -> list[int]:
        return list(dict.fromkeys(self.tables.goals))

    def operators(self, control: int) -> range:
        return range(len(TOKENS) * TOKEN_SLOTS)

    def action(self, state: int, operator: int) -> tuple[int, int]:
        return divmod(operator, TOKEN_SLOTS)

    def at_goal(self, state: int) -> bool:
        for goal in self.tables.goals:  # noqa: SIM110  (kernels know no generators)
            if state == goal:
                return True
        return False

    def legal(self, state: int, control: int, operator: int) -> bool:
        label = state >> self.tables.shifts[operator] & 255
        return self.tables.following[label][operator & 1] >= 0

    def apply(self, state: int, control: int, operator: int) -> int:
        label = state >> self.tables.shifts[operator] & 255
        after = self.tables.following[label][operator & 1]
        return state ^ (label ^ after) << self.tables.shifts[operator]

    def predecessors(self, state: int) -> Iterator[Step[int, tuple[int, int]]]:
        for token, shift in enumerate(TOKENS):
            label = state >> shift & 255
            for before, row in enumerate(self.tables.following):
                for slot, after in enumerate(row):
                    if after == label:
                        yield Step((token, slot), state ^ (label ^ before) << shift)

    def symmetries(self) -> list[Symmetry[int, tuple[int, int]]]:
        return [_exchange(order) for order in permutations(range(len(TOKENS)))]


class UndirectedTokens(Tokens):
    undirected = True


def _exchange(order: tuple[int, ...]) -> Symmetry[int, tuple[int, int]]:
    """Token i takes the place of token `order[i]`."""
    bits = list(range(64))
    for token, other in enumerate(order):
        for bit in range(8):
            bits[TOKENS[token] + bit] = TOKENS[other] + bit

    def state_map(state: int) -> int:
        labels = [0] * len(order)
        for token, other in enumerate(order):
            labels[other] = state >> TOKENS[token] & 255
        return word_of(labels)

    return Symmetry(
        f"{order}", state_map, lambda action: (order[action[0]], action[1]), tuple(bits)
    )


def word_of(labels: Sequence[int]) -> int:
    return sum(label << shift for label, shift in zip(labels, TOKENS, strict=True))


def canonical(problem: Any, state: int) -> int:
    """The smallest of the images, by the symmetries' own maps."""
    return min(each.state_map(state) for each in problem.symmetries())


@st.composite
def scattered(draw: Any, *, undirected: bool) -> Scattered:
    """Graphs of some ten or, seldom, some sixty states; few of them have most of the edges."""
    count = draw(st.integers(1, 64) | st.just(64))
    high = draw(st.lists(WORD, min_size=count, max_size=count))
    words = [word >> INDEX_BITS << INDEX_BITS | place for place, word in enumerate(high)]
    rows = [[-1] * SLOTS for _ in range(count)]
    most = draw(st.sampled_from([count, count, 3]))  # few: their successors are all duplicates
    place, target = st.integers(0, count - 1), st.integers(0, min(most, count) - 1)
    edges = draw(st.lists(st.tuples(place, target), max_size=4 * count))
    edges += [(at, at + 1) for at in range(0, count - 1, draw(st.integers(1, 3)))]
    for source, to in edges:
        _add_edge(rows, source, to, undirected=undirected)
    starts = draw(st.lists(place, min_size=1, max_size=3, unique=True))
    return (UndirectedScattered if undirected else Scattered)(rows, words, starts)


def _add_edge(rows: list[list[int]], source: int, target: int, *, undirected: bool) -> None:
    if -1 not in rows[source] or (undirected and (-1 not in rows[target] or source == target)):
        return
    rows[source][rows[source].index(-1)] = target
    if undirected:
        rows[target][rows[target].index(-1)] = source


@st.composite
def tokens(draw: Any, *, undirected: bool) -> Tokens:
    """Up to 216 states; undirected graphs are paths and rings."""
    count = draw(st.integers(1, 6))
    labels = draw(st.lists(st.integers(0, 255), min_size=count, max_size=count, unique=True))
    vertex = st.integers(0, count - 1)
    start = draw(st.lists(vertex, min_size=3, max_size=3))
    if not undirected:
        row = st.lists(vertex, max_size=TOKEN_SLOTS)
        return Tokens(labels, [(at, to) for at in range(count) for to in draw(row)], start)
    steps = [(at, at + 1) for at in range(count - 1)]
    if count > 2 and draw(st.booleans()):
        steps.append((count - 1, 0))
    return UndirectedTokens(labels, steps + [step[::-1] for step in steps], start)


def ring(length: int = 6) -> UndirectedTokens:
    """Three tokens on a ring whose labels lie all over a byte: length**3 states."""
    labels = [(37 + 91 * place) % 256 for place in range(length)]
    steps = [(place, (place + 1) % length) for place in range(length)]
    return UndirectedTokens(labels, steps + [step[::-1] for step in steps], (0, 0, 0))


def one_way_ring(length: int = 5) -> Tokens:
    """The same one way only, with a chord."""
    labels = [(37 + 91 * place) % 256 for place in range(length)]
    steps = [(place, (place + 1) % length) for place in range(length)]
    return Tokens(labels, [*steps, (0, 2)], (0, 0, 0))


def path(length: int, *, undirected: bool) -> Scattered:
    """A walk along up to 64 places."""
    rows = [[-1] * SLOTS for _ in range(length)]
    for place in range(length - 1):
        _add_edge(rows, place, place + 1, undirected=undirected)
    words = [(place * 0x9E3779B97F4A7C15 % 2**58) << INDEX_BITS | place for place in range(length)]
    return (UndirectedScattered if undirected else Scattered)(rows, words, [0])
