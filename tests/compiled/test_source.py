"""What cannot be compiled is named in one line; the reference engine then does the work."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from searchkit import IDDFS, solve
from searchkit.errors import CompilationError
from searchkit.packed import PackedProblem

NAMES = ["a", "b"]
TOO_LONG = 1 << 70
BIGGEST = (1 << 64) - 1
PLACE = r"\S*test_source.py:\d+"


class Walk(PackedProblem[int]):
    def initial_states(self):
        return [0]

    def operators(self, control):
        return range(2)

    def action(self, state, operator):
        return operator

    def at_goal(self, state):
        return state >= 5

    def apply(self, state, control, operator):
        return state + 1 + operator


class UsesSelf(Walk):
    step = 1

    def apply(self, state, control, operator):
        return state + self.step


class UsesList(Walk):
    def apply(self, state, control, operator):
        return state + len(NAMES[operator])


class UsesText(Walk):
    def at_goal(self, state):
        return state >= int("5")


class UsesTooLong(Walk):
    def at_goal(self, state):
        return state >= 5 and state != TOO_LONG


class UsesStatic(Walk):
    @staticmethod
    def apply(state, control, operator):
        return state + 1


class Wrong(Walk):
    def at_goal(self, state):
        return state.real_name >= 5


class CallsSuper(Walk):
    def apply(self, state, control, operator):
        return super().apply(state, control, operator)


class HasPrivate(Walk):
    def apply(self, state, control, operator):
        return self.__one(state)

    def __one(self, state):
        return state + 1


class ReturnsNothing(Walk):
    def at_goal(self, state):
        state >= 5  # noqa: B015


def set_on_the_instance():
    walk = Walk()
    walk.at_goal = lambda state: state >= 3
    return walk


class Ragged(NamedTuple):
    rows: tuple


class HasRaggedTable(Walk):
    tables = Ragged(((1, 2), (3,)))


def make_closure():
    step = 1

    class Closure(Walk):
        def apply(self, state, control, operator):
            return state + step

    return Closure


@pytest.mark.parametrize(
    ("kind", "told"),
    [
        (
            UsesSelf,
            r"^UsesSelf: kernel apply, PLACE: uses self.step; kernels may use self.tables and",
        ),
        (UsesList, r"^UsesList: kernel apply, PLACE: uses NAMES, which is list; kernels may use"),
        (UsesTooLong, r"^UsesTooLong: kernel at_goal, PLACE: uses .*which has more than 64 bits"),
        (UsesStatic, r"^UsesStatic: kernel apply is <staticmethod.*; it must be a plain method"),
        (make_closure(), r"^Closure: kernel apply, PLACE: uses variables of the function"),
        (
            CallsSuper,
            r"^CallsSuper: kernel apply, PLACE: calls super; call the other kernel by a name of",
        ),
        (
            HasPrivate,
            r"^HasPrivate: kernel apply, PLACE: uses .__one; names begin with one underscore",
        ),
        (
            ReturnsNothing,
            r"^ReturnsNothing: kernel at_goal, PLACE: holds an expression that",
        ),
        (set_on_the_instance, r"^Walk: kernel at_goal is set on the instance; define it in"),
        (
            HasRaggedTable,
            r"^HasRaggedTable: table rows has rows of different lengths",
        ),
        (
            UsesText,
            r"^UsesText: kernel at_goal, PLACE: holds '5', a str; kernels",
        ),
    ],
)
def test_one_line_names_the_kernel(kind, told):
    with pytest.raises(
        CompilationError, match=told.replace("PLACE", r"\S*test_source.py:\d+")
    ) as caught:
        solve(kind(), IDDFS(), engine="compiled")
    assert "\n" not in str(caught.value)


def test_auto_falls_back_to_the_reference_engine():
    class Far(UsesSelf):
        def at_goal(self, state):
            return state >= 15

    class NearEnough(Walk):
        def at_goal(self, state):
            return state >= 40

    result = solve(Far(), IDDFS())  # more than the trial of 30,000 expansions
    assert (result.cost, result.engine) == (15, "reference")
    assert result.statistics.expanded > 30_000
    assert "uses self.step" in result.engine_reason
    result = solve(NearEnough(), IDDFS())
    assert (result.cost, result.engine, result.engine_reason) == (20, "compiled", None)


def test_the_highest_bit():
    class High(Walk):
        """Words with the highest bit, in constants, tables and states."""

        tables = Ragged((1 << 63, BIGGEST))

        def initial_states(self):
            return [1 << 63]

        def at_goal(self, state):
            return state == BIGGEST

        def apply(self, state, control, operator):
            if operator == 0:
                return state ^ self.tables.rows[0]
            return (state | 0xFFFFFFFFFFFFFFFE) ^ self.tables.rows[1] & 1

    reference = solve(High(), IDDFS(), engine="reference")
    compiled = solve(High(), IDDFS(), engine="compiled")
    assert reference.solution == compiled.solution
    assert compiled.solution.states[-1] == BIGGEST
