"""Fields of tables that are numbers of the machine code, and tables of several arrays."""

from __future__ import annotations

import ast
from typing import NamedTuple

import numpy as np
import pytest

from searchkit import BreadthFirst, solve
from searchkit.compiled.breadth_first.kernels import expansion
from searchkit.compiled.specialise.dialect import machine_dialect
from searchkit.compiled.specialise.module import specialised, tables_for
from searchkit.compiled.specialise.plain import plainly
from searchkit.errors import CompilationError
from searchkit.kernel_language.collector import Collector
from searchkit.kernel_language.program import Program
from searchkit.packed import PackedProblem


class Tables(NamedTuple):
    size: int
    steps: tuple


class Hops(PackedProblem[int]):
    """Numbers up to a size: each may be left by steps of one of several rows."""

    constants = ("size",)

    def __init__(self, size):
        rows = (np.array([1, 2]), np.array([2, 3]), np.array([5, 7]))
        self.tables = Tables(size, rows)

    def initial_states(self):
        return [0]

    def operators(self, control):
        return range(6)

    def action(self, state, operator):
        return operator

    def legal(self, state, control, operator):
        return self.apply(state, control, operator) <= self.tables.size

    def apply(self, state, control, operator):
        which = state % 3
        row = self.tables.steps[which]
        other = self.tables.steps[2 - which]
        return state + int(row[operator & 1]) + (int(other[1]) if operator > 3 else 0)

    def at_goal(self, state):
        return state == self.tables.size


def text_of(problem):
    collector = Collector(machine_dialect, with_constants=True)
    collector.add(Program.of(problem), "problem", "at_goal")
    return ast.unparse(collector.made["problem_at_goal"])


def test_constants_are_in_the_text():
    assert "== 17" in text_of(Hops(17))
    assert "size" not in text_of(Hops(17))
    Hops.constants = ()
    try:
        assert "searchkit_tables.size" in text_of(Hops(17))
    finally:
        Hops.constants = ("size",)


def test_each_value_has_its_own_machine_code():
    for size in (23, 40):
        answers = [
            solve(Hops(size), BreadthFirst(), engine=engine)
            for engine in ("reference", "compiled", "checked")
        ]
        assert len({(each.cost, each.statistics.expanded) for each in answers}) == 1


@pytest.mark.parametrize("name", ["steps", "absent"])
def test_only_ints_can_be_constants(name, monkeypatch):
    monkeypatch.setattr(Hops, "constants", (name,))
    with pytest.raises(CompilationError, match=f"constants names '{name}', but tables has no int"):
        solve(Hops(5), BreadthFirst(), engine="compiled")


class Unused(NamedTuple):
    size: int
    steps: tuple
    other: tuple


class OneStep(Hops):
    """Looks at `other` only where the size is 0."""

    def __init__(self, size):
        self.tables = Unused(size, (np.array([1, 2]),), (1, 2, 3))

    def apply(self, state, control, operator):
        if self.tables.size == 0:
            return state + self.tables.other[operator]
        return state + int(self.tables.steps[0][operator & 1])


def test_tables_that_are_not_looked_up_are_left_out():
    problem = OneStep(17)
    with plainly():
        module = specialised(problem, None, [expansion], GOALS=0, LISTED=0, IMAGES=0)
    assert tables_for(module, "ProblemTables", problem)._fields == ("steps", "number_of_controls")
    assert solve(problem, BreadthFirst(), engine="compiled").cost == 9
