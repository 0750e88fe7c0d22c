"""The rules in Python tell the steps of a few states, and goals among them: no code is made."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import AStar, BreadthFirst, UniformCost, solve
from searchkit.compiled.breadth_first import expansion
from searchkit.compiled.specialise import listing
from searchkit.compiled.specialise.plain import plainly
from searchkit.compiled.states import solutions
from searchkit.errors import ProblemError
from tests.support.packed_graphs import (
    ExpandedGraph,
    ExpandedUnitGraph,
    Graph,
    GraphTables,
    UnitGraph,
    WideGraph,
    graphs,
)

KINDS = [
    (BreadthFirst(), UnitGraph, True),
    (BreadthFirst(), ExpandedUnitGraph, True),
    (UniformCost(), Graph, False),
    (UniformCost(), ExpandedGraph, False),
    (AStar(), WideGraph, False),
]


def answers(problem, algorithm, engine):
    """The number of solutions, one, and all of them."""
    found = [
        solve(problem, algorithm, engine=engine, want=want) for want in ("count", "one", "all")
    ]
    listed = list(found[2].solutions or ())[:50]
    return *((each.status, each.cost) for each in found), found[0].count, listed


@pytest.mark.spread
@pytest.mark.parametrize(("algorithm", "kind", "unit"), KINDS)
@pytest.mark.parametrize("few", [0, 3, listing.FEW])
@settings(max_examples=6, deadline=None)
@given(st.data())
def test_random_graphs(algorithm, kind, unit, few, data):
    problem = kind(*data.draw(graphs(unit=unit)))
    with pytest.MonkeyPatch.context() as patches, plainly():
        patches.setattr(listing, "FEW", few)
        compiled = answers(problem, algorithm, "compiled")
    expected = answers(problem, algorithm, "reference")
    assert compiled == expected


TWO_WAYS = UnitGraph(
    GraphTables(
        ((1, 2, -1, -1), (3, -1, -1, -1), (3, -1, -1, -1), (-1, -1, -1, -1)),
        ((1,) * 4,) * 4, (0, 0, 0, 1),
    ), (0,),
)  # fmt: skip


@pytest.mark.parametrize("few", [0, listing.FEW])
def test_machine_code_is_asked_after_a_few(few, monkeypatch):
    asked = []
    for module in (expansion, solutions):
        plain = module.list_successors
        monkeypatch.setattr(
            module, "list_successors", lambda *given, plain=plain: asked.append(1) or plain(*given)
        )
    monkeypatch.setattr(listing, "FEW", few)
    with plainly():
        assert answers(TWO_WAYS, BreadthFirst(), "compiled")[3] == 2
    assert bool(asked) == (few == 0)


@pytest.mark.parametrize("few", [0, listing.FEW])
def test_a_cycle_of_steps_that_cost_nothing_is_named(few, monkeypatch):
    monkeypatch.setattr(listing, "FEW", few)
    cycle = GraphTables(
        ((1, -1, -1, -1), (0, 2, -1, -1), (-1,) * 4), ((0,) * 4, (0, 1, 0, 0), (0,) * 4), (0, 0, 1)
    )
    with plainly(), pytest.raises(ProblemError, match="a cycle of zero-cost steps goes"):
        solve(Graph(cycle, (0,)), UniformCost(), engine="compiled", want="count")
