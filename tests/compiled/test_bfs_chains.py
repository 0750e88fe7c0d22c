"""Breadth-first search of chains that have no bitmaps: in hash tables, as the reference engine."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from searchkit import BreadthFirst, LimitKind, Limits, solve
from searchkit.compiled.breadth_first import expansion
from searchkit.compiled.specialise.plain import plainly
from searchkit.transforms import ChainMoves, FirstStepFixed, fix_first_step
from searchkit_peg import hoppers, peg
from tests.compiled.test_chain_successors import Dance
from tests.support.both_engines import agree
from tests.support.toggle_spaces import Pieces, pegs, wandering_pieces

wanted = st.sampled_from(["one", "all", "count"])


@settings(deadline=None, max_examples=40)
@given(pegs() | wandering_pieces(), wanted, st.integers(0, 60), st.data())
def test_some_chains_out_of_the_start(space, want, nodes, data):
    problem = ChainMoves(Pieces(*space))
    start = problem.initial_states()[0]
    steps = list(problem.successors(start))
    kept = data.draw(st.lists(st.sampled_from(steps), unique=True)) if steps else []
    fixed = FirstStepFixed(problem, start, steps, [[step.action] for step in kept])
    with plainly():
        # Bitmaps find solutions by walking back, which nothing says how to do here.
        agree(problem, BreadthFirst(), want=want, limits=Limits(expansions=3000))
        agree(fixed, BreadthFirst(), want=want, limits=Limits(expansions=nodes))
        agree(fixed, BreadthFirst(), want=want, limits=Limits(expansions=3000))


def test_several_words_and_control_states(monkeypatch):
    with plainly():
        agree(ChainMoves(Dance()), BreadthFirst(), want="all")
    monkeypatch.setattr(expansion, "CHILDREN_AT_ONCE", 1)
    with plainly():
        agree(ChainMoves(Dance()), BreadthFirst(), want="all")
        # Where a state has more chains than there is room for at first.
        problem = fix_first_step(peg("triangle5", vacant="4", target="any"))
        agree(problem, BreadthFirst(), want="count")


def test_hoppers_as_machine_code():
    assert agree(fix_first_step(hoppers()), BreadthFirst(), want="count").count == 18


def test_at_the_memory_limit():
    fixed = fix_first_step(peg())
    found = solve(fixed, BreadthFirst(), engine="compiled", limits=Limits(memory=3_000_000))
    assert found.limit is LimitKind.MEMORY
    assert found.statistics.bytes <= 3_000_000
