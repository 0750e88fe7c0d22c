"""Kernels of a puzzle, compiled without any engine, and compared with what Python makes of them."""

from functools import cache
from types import ModuleType

import numpy as np

from searchkit.compiled.specialise.dialect import machine_dialect
from searchkit.compiled.specialise.kernel_text import text_of
from searchkit.compiled.specialise.module import (
    PROBLEM_KERNELS,
    _class_text,
    _fields,
    _template,
    overrides,
    python_state,
    state_array,
    tables_for,
)
from searchkit.kernel_language.collector import Collector
from searchkit.packed import PackedHeuristic, ZeroEstimate

CALL_ALL = """
@njit(error_model="numpy")
def call_all(problem, heuristic, states, operators, numbers, children):
    for i in range(len(operators)):
        state = load(states, i)
        control = problem_control(problem, state)
        operator = operators[i]
        numbers[i, 0] = control
        numbers[i, 1] = problem_at_goal(problem, state)
        numbers[i, 2] = problem_legal(problem, state, control, operator)
        numbers[i, 3] = problem_cost(problem, state, control, operator)
        numbers[i, 4] = heuristic_estimate(heuristic, state)
        child = problem_apply(problem, state, control, operator)
        store(children, i, child)
        if INCREMENTAL:
            numbers[i, 5] = heuristic_change(heuristic, state, control, operator, child)
"""
RANK_ALL = """
@njit(error_model="numpy")
def rank_all(problem, states, ranks):
    for i in range(len(ranks)):
        ranks[i] = problem_rank(problem, states[i])


@njit(error_model="numpy")
def unrank_all(problem, ranks, states):
    for i in range(len(ranks)):
        states[i] = problem_unrank(problem, ranks[i])
"""


def module_with(problem, heuristic, kernels, extra):
    """A module with the kernels of a problem and a heuristic, and the text `extra`."""
    collector = Collector(machine_dialect)
    for name in (*kernels, "control"):
        collector.method(problem, "problem", name)
    incremental = overrides(heuristic, PackedHeuristic, "change")
    for name in ("estimate", "change") if incremental else ("estimate",):
        collector.method(heuristic, "heuristic", name)
    fields = _fields("ProblemTables", problem) | _fields("HeuristicTables", heuristic)
    names = [f"word if index == {i} else state[{i}]" for i in range(problem.words)]
    words = "words_one" if problem.words == 1 else "words_many"
    return compiled(
        _template("prelude"),
        _template("arithmetic"),
        f"WORDS = {problem.words}",
        *(_class_text(name, listed) for name, listed in fields.items()),
        f"INCREMENTAL = {incremental}",
        _template(words).replace("REPLACED", ", ".join(names)),
        text_of(collector),
        extra,
    )


@cache
def compiled(*texts):
    """Puzzles whose kernels have the same text share the machine code."""
    module = ModuleType("kernels")
    exec("\n\n".join(texts), module.__dict__)
    return module


def check_kernels(problem, heuristic, states):
    pairs = [
        (state, operator)
        for state in states
        for operator in problem.operators(problem.control(state))
    ]
    module = module_with(problem, heuristic, PROBLEM_KERNELS, CALL_ALL)
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
        if module.INCREMENTAL:
            assert row[5] == heuristic.change(state, control, operator, child)


def check_ranks(problem, ranks):
    """Machine code on all `ranks`, Python on some; the states of these."""
    module = module_with(problem, ZeroEstimate(), ["rank", "unrank"], RANK_ALL)
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
