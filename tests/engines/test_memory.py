"""The estimate of bytes, held against what Python has really taken."""

import gc
import sys
import tracemalloc
from dataclasses import dataclass

import attrs
import pytest

from searchkit import (
    IDDFS,
    AStar,
    Bidirectional,
    BreadthFirst,
    IDAStar,
    Limits,
    Problem,
    Step,
    solve,
)
from searchkit.running.memory import GrowingTables, estimate_bytes


@attrs.frozen
class Slotted:
    x: int
    y: int
    rest: tuple


@attrs.frozen(slots=False)
class Unslotted:
    x: int
    y: int
    rest: tuple


@dataclass(frozen=True)
class Data:
    x: int
    y: int
    rest: tuple


class ByHand:
    __slots__ = ("rest", "x", "y")

    def __init__(self, x, y, rest):
        self.x, self.y, self.rest = x, y, rest


def rows(x, y, rest):
    return ((x,) * 4, (y,) * 4, [rest])


KINDS = [Slotted, Unslotted, Data, ByHand, rows]
kinds = pytest.mark.parametrize("make", KINDS, ids=lambda make: make.__name__)
few_kinds = pytest.mark.parametrize(
    "make",
    [
        Slotted,
        rows,
        *(pytest.param(make, marks=pytest.mark.slow) for make in (Unslotted, Data, ByHand)),
    ],
    ids=lambda make: make.__name__,
)


class Grid(Problem):
    undirected = True

    def __init__(self, make):
        self.make = make
        self.tables = list(range(10**6))

    def state(self, x, y):
        return (x, y, self.make(x + 1000, y + 1000, (x + 2000, y + 3000, str(x))))

    def initial_states(self):
        return [self.state(0, 0)]

    def goal_states(self):
        return [self.state(10**6, 0)]

    def is_goal(self, state):
        return state[0] == 10**6

    def key(self, state):
        return state[:2]

    def successors(self, state):
        x, y, _ = state
        for dx, dy in ((1, 0), (-1, 0), (0, 1), (0, -1)):
            yield Step((dx, dy), self.state(x + dx, y + dy))


@pytest.mark.spread("bidirectional-rows")
@few_kinds
@pytest.mark.parametrize(
    "algorithm", [BreadthFirst(), Bidirectional(), AStar()], ids=lambda each: each.name
)
def test_the_estimate_of_a_search(make, algorithm, monkeypatch):
    real = 0

    def spy(containers):
        nonlocal real
        real = tracemalloc.get_traced_memory()[0] - before
        return estimate_bytes(containers)

    problem = Grid(make)
    solve(problem, algorithm, limits=Limits(expansions=1))  # imports what is not to be counted
    monkeypatch.setattr("searchkit.running.driver.estimate_bytes", spy)
    gc.collect()
    tracemalloc.start()
    try:
        before = tracemalloc.get_traced_memory()[0]
        result = solve(problem, algorithm, limits=Limits(expansions=600))
    finally:
        tracemalloc.stop()
    assert 0.7 * real < result.statistics.bytes < 1.4 * real


def measured(container):
    return estimate_bytes([container]) - sys.getsizeof(container)


def test_entries_that_grow():
    real = sum(sys.getsizeof(bytes(number)) for number in range(5000))
    assert measured([bytes(number) for number in range(5000)]) == pytest.approx(real, rel=0.1)
    states = {bytes(number): None for number in range(5000)}
    assert measured(states) == pytest.approx(real, rel=0.1)


def test_what_is_shared_counts_once():
    shared = [float(number) for number in range(10_000)]
    own = sys.getsizeof(shared) + 10_000 * 24
    states = [(shared, number) for number in range(2000)]
    assert measured(states) < 2 * (own + 2000 * (56 + 28))


def test_a_key_of_several_containers_counts_once():
    states = {(number, number + 1000): number for number in range(1000)}
    together = estimate_bytes([states, set(states), list(states)])
    containers = sum(map(sys.getsizeof, (states, set(states), list(states))))
    assert together - containers == pytest.approx(measured(states), rel=0.1)


def test_problems_and_classes_are_no_part_of_states():
    problem = Grid(rows)
    assert measured([(problem, Grid, number) for number in range(100)]) < 20_000


def test_circles_and_depth_come_to_an_end():
    circle = []
    circle.append(circle)
    deep = ()
    for _ in range(100_000):
        deep = (deep,)
    assert measured([circle, deep]) > 0


@pytest.mark.parametrize("make", [dict.fromkeys, set], ids=["dict", "set"])
def test_tables_that_will_grow_are_foreseen(make):
    """While a table is copied to a larger one, both are there."""
    tables = GrowingTables()
    container = make(range(0))
    before, foreseen = 0, 0
    for number in range(200_000):
        container.add(number) if make is set else container.setdefault(number)
        size = sys.getsizeof(container)
        if size > before and number > 60_000:
            assert foreseen >= size, number
        before = size
        if number % 1000 == 0:
            foreseen = tables.bytes_ahead([container])
    full = tables.bytes_ahead([container])
    assert tables.bytes_ahead([container]) <= full
    small = make(range(10))
    tables.bytes_ahead([small])
    assert tables.bytes_ahead([small, [1, 2]]) in (0, 2 * sys.getsizeof(small))


def test_tables_that_do_not_grow_are_not():
    tables, container = GrowingTables(), dict.fromkeys(range(43_000))  # of 43,690 at most
    assert tables.bytes_ahead([container]) > 0
    assert tables.bytes_ahead([container]) == 0


@pytest.mark.parametrize("algorithm", [IDDFS(), IDAStar()])
def test_states_on_all_solutions_are_counted(algorithm):
    """Every state of this tree is on one of them, and depth-first search keeps their distances."""

    class Tree(Problem):
        def initial_states(self):
            return [1]

        def successors(self, state):
            return [Step(bit, 2 * state + bit) for bit in range(2)]

        def is_goal(self, state):
            return state >= 1 << 8

        def heuristic(self, state):
            return 9 - state.bit_length()

    one, every = (
        solve(Tree(), algorithm, want=want, engine="reference") for want in ("one", "all")
    )
    assert every.statistics.bytes > one.statistics.bytes + 511 * 32
