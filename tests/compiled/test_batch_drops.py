"""By how much slacks fall in a batch, and what is above the bound, whatever the estimates are."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from searchkit.compiled.depth_first.kernels.batched import FAR, MOST_DROP, PRUNED, Batch
from searchkit.compiled.depth_first.kernels.pruning import NO_EXCESS
from searchkit.compiled.specialise.module import specialised, tables_for
from searchkit.compiled.specialise.plain import plainly
from searchkit.packed import DEAD_END, PackedProblem
from tests.support.kernels import one_batch
from tests.support.packed_graphs import CarriedEstimate, Graph, GraphTables, TableEstimate

STATES = 12
NUMBERS = (0, 1, 2, 3, 59, 60, 61, 62, 63, 64, 65, 120, 130)


class Unit(Graph):
    """Without costs of its own."""

    cost = PackedProblem.cost


@pytest.mark.parametrize("kind", [CarriedEstimate, TableEstimate])
@given(data=st.data())
def test_drops_and_the_least_excess(kind, data):
    several = st.lists(st.integers(-1, STATES - 1), min_size=STATES, max_size=STATES)
    after = data.draw(several)
    # Of estimates that are carried, few are far apart: a fall by more than 1 ends the batch.
    falls = st.lists(st.sampled_from(NUMBERS), min_size=STATES, max_size=STATES)
    values = data.draw(falls)
    if kind is TableEstimate and data.draw(st.booleans()):
        values[0] = DEAD_END
    slack = data.draw(st.sampled_from(NUMBERS))
    states = data.draw(st.lists(st.integers(0, STATES - 1), min_size=1, max_size=16))
    graph = Unit(
        GraphTables(tuple((a,) * 4 for a in after), ((1,) * 4,) * STATES, (0,) * STATES), ()
    )
    estimate = kind(tuple(values))
    with plainly():
        module = specialised(
            graph, estimate, (one_batch,), G_WEIGHT=1, H_WEIGHT=1, LANES=0, LISTED=False
        )
    room = len(states) + 7
    batch = Batch(*(np.zeros(room, dtype=np.int64) for _ in range(3)))
    batch.states[: len(states)] = states
    tables = (
        tables_for(module, "ProblemTables", graph),
        tables_for(module, "HeuristicTables", estimate),
    )
    present, legal, least = module.make_children(*tables, batch, len(states), slack, 0)

    steps = [(i, state, after[state]) for i, state in enumerate(states) if after[state] >= 0]
    assert legal == len(steps)
    if kind is CarriedEstimate:
        drops = {i: 1 + values[child] - values[state] for i, state, child in steps}
        excesses = [drop - slack for drop in drops.values() if drop > slack]
    else:
        drops = {i: 1 if values[child] <= slack - 1 else PRUNED for i, _, child in steps}
        above = (values[child] - (slack - 1) for _, _, child in steps if values[child] != DEAD_END)
        excesses = [excess for excess in above if excess > 0]
    within = {i: drop for i, drop in drops.items() if drop <= slack and drop != PRUNED}
    if any(drop < 0 for drop in drops.values()):
        assert present == -1
        return
    if any(drop > MOST_DROP for drop in within.values()):
        assert present == -1
    elif present != -1 or slack < FAR:  # what is far is not looked at where it may be within
        assert present == sum(1 << drop for drop in set(within.values()))
        assert least == min(excesses, default=NO_EXCESS)
    if present >= 0:
        assert batch.children[: len(states)].tolist() == [after[state] for state in states]
        for drop in set(within.values()):
            found = [i for i in range(room) if batch.drops[i] == drop]
            assert found == [i for i in within if within[i] == drop]
