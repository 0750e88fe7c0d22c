"""Kernels of parts: objects with kernels and tables of their own, within each other."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import IDDFS, IDAStar, Limits, solve
from searchkit.compiled.depth_first.kernels import deepening
from searchkit.compiled.specialise.module import specialised
from searchkit.errors import CompilationError
from searchkit.packed import PackedHeuristic, PackedProblem
from tests.support.packed_graphs import (
    OPERATORS,
    EstimateTables,
    Graph,
    GraphTables,
    estimates,
    graphs,
)

GIVEN_UP = Limits(expansions=2000, cost=20)
LESS = 0


def less(value: int) -> int:
    """At most `LESS` below the value."""
    return max(value - LESS, 0)


class Values:
    """A table of estimates."""

    def __init__(self, values: tuple[int, ...]) -> None:
        self.tables = EstimateTables(values)

    def value(self, state: int) -> int:
        return less(self.tables.values[state])


class Larger:
    """No tables: two parts of one class."""

    parts = ("left", "right")

    def __init__(self, left: Any, right: Any) -> None:
        self.left = left
        self.right = right

    def value(self, state: int) -> int:
        return int(max(self.left.value(state), self.right.value(state)))


class Late(NamedTuple):
    first: int
    later: tuple[int, ...]


class LateValues:
    """Other tables, and a part whose path, with underscores, is that of another."""

    parts = ("right",)

    def __init__(self, values: tuple[int, ...]) -> None:
        self.tables = Late(values[0], values[1:])
        self.right = Values(values)

    def value(self, state: int) -> int:
        if state == 0:
            return self.tables.first
        return int(max(self.tables.later[state - 1], self.right.value(state)))


class OuterTables(NamedTuple):
    arrays: tuple[Any, ...]
    values: tuple[int, ...]


class Outer(PackedHeuristic):
    """The largest of six tables, at various depths. `left_right` is also the path left.right."""

    name = "outer"
    parts = ("left", "left_right", "alone")

    def __init__(self, rows: list[tuple[int, ...]]) -> None:
        self.tables = OuterTables((np.array(rows[0]), np.array([0])), rows[1])
        self.left = Larger(Values(rows[2]), Values(rows[3]))
        self.left_right = LateValues(rows[4])
        self.alone = Values(rows[5])

    def estimate(self, state: int) -> int:
        best = max(int(self.tables.arrays[0][state]), self.tables.values[state])
        best = max(best, self.tables.arrays[1][0], self.left.value(state))
        return int(max(best, self.left_right.value(state), self.alone.value(state)))


class Rules:
    """The moves of a graph."""

    def __init__(self, tables: GraphTables) -> None:
        self.tables = tables

    def after(self, state: int, operator: int) -> int:
        return self.tables.following[state][operator]


class OnlyGoals(NamedTuple):
    goals: tuple[int, ...]


class InParts(PackedProblem[int]):
    """A graph whose moves are those of a part."""

    parts = ("rules",)

    def __init__(self, tables: GraphTables, starts: tuple[int, ...]) -> None:
        self.rules = Rules(tables)
        self.tables = OnlyGoals(tables.goals)
        self.starts = starts

    def initial_states(self):
        return self.starts

    def operators(self, control):
        return range(OPERATORS)

    def action(self, state, operator):
        return operator

    def at_goal(self, state):
        return self.tables.goals[state] != 0

    def legal(self, state, control, operator):
        return self.rules.after(state, operator) >= 0

    def apply(self, state, control, operator):
        return self.rules.after(state, operator)


def agree(problem, algorithm):
    results = [
        solve(problem, algorithm, engine=engine, limits=GIVEN_UP)
        for engine in ("reference", "compiled")
    ]
    told = [
        (each.status, each.cost, each.solution, each.statistics.expanded, each.statistics.generated)
        for each in results
    ]
    assert told[0] == told[1]
    return results[1]


@settings(deadline=None, max_examples=30)
@given(st.data(), graphs())
def test_nested_parts(data, graph):
    rows = [data.draw(estimates(graph[0])) for _ in range(6)]
    agree(Graph(*graph), IDAStar(Outer(rows), "path"))


@pytest.mark.parametrize("which", range(6))
def test_every_part_is_asked_for_its_own_values(which):
    """On a line, only the part that knows the distances saves work."""
    count = 12
    rows = tuple((min(i + 1, count - 1), -1, -1, max(i - 1, 0)) for i in range(count))
    goals = tuple(int(i == count - 1) for i in range(count))
    problem = Graph(GraphTables(rows, ((1, 1, 1, 1),) * count, goals), (1,))
    exact = tuple(count - 1 - i for i in range(count))
    values = [exact if i == which else (0,) * count for i in range(6)]
    assert agree(problem, IDAStar(Outer(values), "path")).statistics.expanded == count - 2


@settings(deadline=None, max_examples=50)
@given(graphs(unit=True))
def test_problems_have_parts_too(graph):
    agree(InParts(*graph), IDDFS("path"))


def test_an_edit_of_what_a_part_calls_is_never_run_as_it_was(monkeypatch):
    count = 12
    rows = tuple((min(i + 1, count - 1), -1, -1, max(i - 1, 0)) for i in range(count))
    goals = tuple(int(i == count - 1) for i in range(count))
    problem = Graph(GraphTables(rows, ((1, 1, 1, 1),) * count, goals), (1,))
    exact = tuple(count - 1 - i for i in range(count))
    heuristic = Outer([(0,) * count] * 5 + [exact])

    before = agree(problem, IDAStar(heuristic, "path")).statistics.expanded
    monkeypatch.setitem(globals(), "LESS", 4)
    after = agree(problem, IDAStar(heuristic, "path")).statistics.expanded
    assert before < after
    monkeypatch.undo()
    assert agree(problem, IDAStar(heuristic, "path")).statistics.expanded == before


class Wrong(PackedHeuristic):
    """Its part, and the names of its parts, are to be set."""

    name = "wrong"
    parts: Any = ("part",)
    part: Any = None

    def estimate(self, state):
        return self.part.value(state)


class NotListed(Wrong):
    parts = ()


class NoKernel:
    tables = None


class Cyclic(Values):
    parts = ("part",)


def cyclic():
    made = Cyclic((0, 0))
    made.part = Values((0, 0))
    made.part.parts = ("back",)
    made.part.back = made
    return made


def on_the_instance():
    made = Values((0, 0))
    made.value = lambda state: 0
    return made


class Words:
    tables = ("no", "named", "tuple")

    def value(self, state):
        return 0


class UsesTables(Wrong):
    def estimate(self, state):
        return self.part.tables.values[state]


class HasSameName(Wrong):
    class SameName(NamedTuple):
        part: int

    tables = SameName(1)


@pytest.mark.parametrize(
    ("kind", "part", "parts", "told"),
    [
        (Wrong, None, ("part",), r"Wrong: there is no part 'part'; set self.part"),
        (Wrong, 5, ("part",), r"int: kernel value is None; it must be a plain method"),
        (Wrong, NoKernel(), ("part",), r"NoKernel: kernel value is None; it must be a plain"),
        (Wrong, Values((0, 0)), ("part", "other"), r"Wrong: there is no part 'other'"),
        (Wrong, Values((0, 0)), ("part", "part"), r"Wrong: the part 'part' needs a name of its"),
        (Wrong, Values((0, 0)), ("part", "_other"), r"Wrong: the part '_other' needs a name of"),
        (Wrong, Values((0, 0)), "part", r"Wrong: parts is 'part'; it must be a tuple of names"),
        (Wrong, Values((0, 0)), ("part", 5), r"Wrong: parts is .*; it must be a tuple of names"),
        (Wrong, Values((0, 0)), None, r"Wrong: parts is None; it must be a tuple of names"),
        (Wrong, Words(), ("part",), r"Words: tables is .*; it must be a named tuple"),
        (Wrong, cyclic(), ("part",), r"Values: the part 'back' contains itself"),
        (Wrong, on_the_instance(), ("part",), r"Values: kernel value is set on the instance"),
        (NotListed, Values((0, 0)), (), r"NotListed: .*uses self.part; .*objects named in parts"),
        (UsesTables, Values((0, 0)), ("part",), r"UsesTables: kernel estimate, .*uses self.part;"),
        (HasSameName, Values((0, 0)), ("part",), r"HasSameName: the part 'part' needs a name of"),
    ],
)
def test_one_line_says_what_is_wrong(kind, part, parts, told):
    graph = Graph(GraphTables(((1, -1, -1, -1),) * 2, ((1, 1, 1, 1),) * 2, (0, 1)), (0,))
    heuristic = kind()
    heuristic.part = Values((0, 0))
    heuristic.estimate(0) if kind is not UsesTables else None
    heuristic.part, heuristic.parts = part, parts
    with pytest.raises(CompilationError, match=told) as caught:
        specialised(graph, heuristic, (deepening,))
    assert "\n" not in str(caught.value)


def test_a_kernel_on_the_instance_is_refused_when_its_class_was_compiled():
    """The module of the class was used instead."""
    graph = Graph(GraphTables(((1, -1, -1, -1),) * 2, ((1, 1, 1, 1),) * 2, (0, 1)), (0,))
    values = [(1, 0)] * 6
    agree(graph, IDAStar(Outer(values), "path"))
    heuristic = Outer(values)
    heuristic.alone.value = lambda state: 0
    with pytest.raises(CompilationError, match="Values: kernel value is set on the instance"):
        solve(graph, IDAStar(heuristic, "path"), engine="compiled")
