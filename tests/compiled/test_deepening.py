"""The compiled deepening engines do what the reference engines do, state by state."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from packed_graphs import (
    CarriedEstimate,
    Graph,
    TableEstimate,
    UnitGraph,
    WideEstimate,
    WideGraph,
    estimates,
    graphs,
)

from searchkit import IDDFS, IDAStar, Limits, solve

GIVEN_UP = Limits(nodes=3000, depth=25)


def agree(problem, algorithm, **options):
    """Solve with both engines; the results must be equal in all that can be."""
    reference = solve(problem, algorithm, engine="reference", **options)
    compiled = solve(problem, algorithm, engine="compiled", **options)
    assert compiled.engine == "compiled"
    for name in ("status", "cost", "limit", "lower_bound", "count", "complete", "optimal"):
        assert getattr(compiled, name) == getattr(reference, name), name
    ours, theirs = compiled.statistics, reference.statistics
    for name in ("expanded", "generated", "max_frontier", "stored"):
        assert getattr(ours, name) == getattr(theirs, name), name
    assert [(row.bound, row.expanded, row.generated) for row in ours.iterations] == [
        (row.bound, row.expanded, row.generated) for row in theirs.iterations
    ]
    assert (compiled.solution is None) == (reference.solution is None)
    if compiled.solution is not None:
        assert compiled.solution == reference.solution
    if compiled.solutions is not None:
        assert list(compiled.solutions) == list(reference.solutions)
    return compiled


cycles = st.sampled_from(["path", "parent"])
wanted = st.sampled_from(["one", "all", "count"])
most = st.sampled_from([None, 1, 2])


@settings(deadline=None, max_examples=150)
@given(st.data(), graphs(), cycles, wanted, most)
def test_ida_star_agrees_with_the_reference(data, graph, cycles, want, most):
    tables, starts = graph
    kind = data.draw(st.sampled_from([TableEstimate, CarriedEstimate]))
    values = data.draw(estimates(tables, dead_ends=kind is TableEstimate))
    agree(
        Graph(*graph), IDAStar(kind(values), cycles),
        want=want, max_solutions=most, limits=GIVEN_UP,
    )  # fmt: skip


@settings(deadline=None, max_examples=100)
@given(graphs(unit=True), cycles, wanted)
def test_iddfs_agrees_with_the_reference(graph, cycles, want):
    agree(UnitGraph(*graph), IDDFS(cycles), want=want, limits=GIVEN_UP)


@settings(deadline=None, max_examples=100)
@given(st.data(), graphs(), cycles, wanted)
def test_states_of_200_bits(data, graph, cycles, want):
    values = data.draw(estimates(graph[0]))
    agree(
        WideGraph(*graph), IDAStar(WideEstimate(values), cycles), want=want, limits=GIVEN_UP
    )  # fmt: skip


@settings(deadline=None, max_examples=60)
@given(graphs(), cycles, st.integers(0, 40), st.integers(0, 6))
def test_limits_stop_both_at_the_same_state(graph, cycles, nodes, depth):
    limits = Limits(nodes=nodes, depth=depth)
    agree(Graph(*graph), IDDFS(cycles), want="all", limits=limits)


def test_a_problem_that_is_not_packed_has_no_compiled_engine():
    from searchkit import Problem, Step, UnsuitableError

    class Count(Problem):
        def initial_states(self):
            return [0]

        def successors(self, state):
            return [Step(1, state + 1)]

        def is_goal(self, state):
            return state == 3

    with pytest.raises(UnsuitableError, match="Count is no PackedProblem"):
        solve(Count(), IDDFS(), engine="compiled")
    result = solve(Count(), IDDFS())
    assert result.engine == "reference"
    assert result.engine_reason == "Count is no PackedProblem"
