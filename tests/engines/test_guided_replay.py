"""The operators that an engine came by are replayed alone, where the rules agree with them."""

from __future__ import annotations

import pytest

from searchkit import IDAStar, solve
from searchkit.compiled.specialise.plain import plainly
from searchkit.solutions.optimal_graph import OptimalGraph
from searchkit_pancakes import Pancakes

PUZZLE = Pancakes.read("3 1 2 5 4 6")
RESULT = solve(PUZZLE, IDAStar(), engine="reference")
STATES = RESULT.solution.states
REMAINING = {state: RESULT.cost - i for i, state in enumerate(STATES)}
OPERATORS = dict(zip(STATES, (count - 2 for count in RESULT.actions), strict=False))
"""The first operator turns over two pancakes."""


def replayed(operators):
    graph = OptimalGraph(PUZZLE, [PUZZLE.start], RESULT.cost, REMAINING, operators=operators)
    return next(iter(graph))


@pytest.mark.parametrize("wrong", [-1, 0, 3, 5])
def test_a_wrong_operator_is_none_of_the_solution(wrong):
    assert replayed(OPERATORS) == RESULT.solution
    for state in STATES[:-1]:
        assert replayed({**OPERATORS, state: wrong}) == RESULT.solution
    assert replayed({STATES[1]: wrong}) == RESULT.solution


def test_each_state_of_a_solution_has_one_operator_applied(monkeypatch):
    known, applied = {}, []
    made, apply = OptimalGraph.__init__, PUZZLE.apply

    def noting_operators(self, *arguments, **named):
        known.update(named["operators"])
        made(self, *arguments, **named)

    def noting(state, control, operator):
        applied.append(operator)
        return apply(state, control, operator)

    monkeypatch.setattr(OptimalGraph, "__init__", noting_operators)
    with plainly():
        result = solve(PUZZLE, IDAStar(cycles="parent"), engine="compiled")
    assert result.solution == RESULT.solution
    assert known == OPERATORS
    monkeypatch.setitem(vars(PUZZLE), "apply", noting)
    assert replayed(known) == RESULT.solution
    assert applied == [count - 2 for count in result.actions]
