"""Kernels of a puzzle, compiled without any engine, and compared with what Python makes of them."""

import numpy as np

from searchkit.compiled.specialise.module import (
    python_state,
    specialised,
    state_array,
    tables_for,
)
from searchkit.packed import PackedHeuristic
from tests.support.kernels import call_all, rank_all


def check_kernels(problem, heuristic, states):
    pairs = [
        (state, operator)
        for state in states
        for operator in problem.operators(problem.control(state))
    ]
    module = specialised(problem, heuristic, (call_all,))
    before = state_array([state for state, _ in pairs], problem.words)
    after = np.zeros_like(before)
    numbers = np.zeros((len(pairs), 6), dtype=np.int64)
    module.call_all(
        tables_for(module, "ProblemTables", problem),
        tables_for(module, "HeuristicTables", heuristic),
        before,
        np.array([operator for _, operator in pairs], dtype=np.int64),
        numbers,
        after,
    )
    for row, result, (state, operator) in zip(numbers.tolist(), after, pairs, strict=True):
        control = problem.control(state)
        child = problem.apply(state, control, operator)
        assert row[:5] == [
            control,
            problem.at_goal(state),
            problem.legal(state, control, operator),
            problem.cost(state, control, operator),
            heuristic.estimate(state),
        ]
        assert python_state(result) == child
        if type(heuristic).change is not PackedHeuristic.change:
            assert row[5] == heuristic.change(state, control, operator, child)


def check_ranks(problem, ranks):
    """Machine code on all `ranks`, Python on some; the states of these."""
    module = specialised(problem, None, (rank_all,))
    tables = tables_for(module, "ProblemTables", problem)
    states = np.zeros_like(ranks)
    module.unrank_all(tables, ranks, states)
    again = np.zeros_like(ranks)
    module.rank_all(tables, states, again)
    assert (again == ranks).all()
    some = [python_state(state) for state in states[::97]]
    for rank, state in zip(ranks[::97].tolist(), some, strict=True):
        assert problem.unrank(rank) == state
        assert problem.rank(state) == rank
    return some
