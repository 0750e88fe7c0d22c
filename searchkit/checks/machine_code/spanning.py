"""All states that can be reached, with all their steps, as arrays: for any costs."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from searchkit.checks.machine_code.kernels import spanning
from searchkit.checks.machine_code.kernels.spanning import Ended, Info
from searchkit.compiled.breadth_first.kernels import state_set
from searchkit.compiled.breadth_first.state_set import Store, StoredStates
from searchkit.compiled.specialise.prepare import specialise
from searchkit.errors import ProblemError
from searchkit.explore.state_graph import StateGraph
from searchkit.packed import PackedProblem
from searchkit.running.task import Run

AT_ONCE = 1 << 17
"""States that are expanded before Python is asked again."""

if TYPE_CHECKING:
    pass


def packed_space(
    problem: PackedProblem[Any],
    roots: list[Any],
    most: int,
    listener: Callable[[str], None] = lambda text: None,
) -> StateGraph | None:
    """What can be reached from `roots`; None if these are more than `most` states.

    O(states + steps) time; 22 bytes per state of one word, and 8 per step.
    """
    import numpy as np  # noqa: PLC0415  (takes long to import)

    files = (state_set, spanning)
    spec = specialise(problem, None, roots, files, WIDEST=lambda lists: lists.widest)
    module, store = spec.module, Store(spec, Run(problem=problem))
    store.begin(roots)
    info = np.array([store.count, 0, 0], dtype=np.int64)
    result = Ended.OUT_OF_BUDGET
    while result != Ended.ALL_FOUND:
        result = module.discover(
            *spec.head, *store.arrays, store.capacity, info, min(AT_ONCE, most + 1)
        )
        store.count = int(info[Info.COUNT])
        listener(f"{int(info[Info.NEXT]):,} of {store.count:,} states expanded")
        if store.count > most:
            return None
        if result == Ended.SET_FULL:
            deque(store.grow(), maxlen=0)
    states, steps = store.count, int(info[Info.STEPS])
    first = np.zeros(states + 1, dtype=np.int64)
    target = np.empty(steps, dtype=np.int32)
    cost = np.empty(steps, dtype=np.int32)
    goals = np.zeros(states, dtype=np.bool_)
    if not module.link(*spec.head, *store.arrays, states, first, target, cost, goals):
        raise ProblemError(f"{type(problem).__name__}: apply does not say the same twice")
    rows = store.states[:states]
    return StateGraph(
        states=StoredStates(rows),
        first=first,
        target=target,
        cost=cost,
        goals=goals,
        rows=rows,
    )
