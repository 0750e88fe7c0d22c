"""Bidirectional search by bitmaps ends at every expansion limit as the reference engine does."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import Bidirectional, Limits, Step, solve
from searchkit.compiled.layers.linear_tables import LinearSpace
from tests.support.toggle_spaces import Toggles, toggle_spaces


class Backward(Toggles):
    """Toggles that can be taken back, and only where they can be done."""

    def predecessors(self, state):
        return [
            Step(self.action(before, operator), before)
            for operator, flips in enumerate(self.toggles())
            if self.legal(before := state ^ flips, 0, operator)
        ]


def answer(problem, engine, nodes, want="all"):
    limits = Limits(expansions=nodes)
    result = solve(problem, Bidirectional(), engine=engine, limits=limits, want=want)
    statistics = result.statistics
    return (
        result.status, result.limit, result.cost, result.lower_bound, statistics.expanded,
        statistics.generated,
    )  # fmt: skip


@settings(max_examples=30, deadline=None)
@given(toggle_spaces(2, 5), st.integers(0, 40))
def test_expansion_limits(space, nodes):
    problem = Backward(*space)
    linear = LinearSpace.of(problem, list(problem.initial_states()), [])
    inside = [goal for goal in problem.goal_states() if linear.canonical(goal)]
    if not inside or len(inside) < len(list(problem.goal_states())):
        return  # those that no sum of toggles leads to are left out
    whole = answer(problem, "reference", None)
    for limit in (nodes, whole[4]):
        found, expected = (answer(problem, kind, limit) for kind in ("compiled", "reference"))
        if found[1] is not None:  # amid a layer, which bitmaps expand in the order of their numbers
            found, expected = found[:-1], expected[:-1]
        assert found == expected
    assert answer(problem, "compiled", None) == whole
    found, first = (answer(problem, kind, None, "one") for kind in ("compiled", "reference"))
    assert found == whole  # the last layer, too, where the reference engine stops within it
    assert found[:4] == first[:4]
    assert found[4:] >= first[4:]
