"""All states that can be reached, with all their steps, as arrays: for any costs."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable
from typing import Any

import numpy as np

from searchkit.checks.machine_code.kernel_calls import goals_of, steps_from, with_steps
from searchkit.checks.machine_code.kernels import single_calls
from searchkit.compiled.states.kernels import state_set
from searchkit.compiled.states.state_set import Store, StoredStates
from searchkit.explore.state_graph import StateGraph
from searchkit.packed import PackedProblem
from searchkit.running.task import Run

AT_ONCE = 1 << 14
"""States whose steps are made before they are looked up."""


def packed_space(
    problem: PackedProblem[Any],
    roots: list[Any],
    most: int,
    listener: Callable[[str], None] = lambda text: None,
) -> StateGraph | None:
    """What can be reached from `roots`; None if these are more than `most` states.

    O(states + steps) time; 22 bytes per state of one word, and 8 per step.
    """
    files = (state_set, single_calls)
    spec = with_steps(problem, None, files, WIDEST=lambda lists: lists.widest)
    module, store = spec.module, Store(spec, Run(problem=problem))
    store.begin(roots)
    numbers, targets, costs, goals = [], [], [], []
    at = 0
    while at < store.count <= most:
        end = min(store.count, at + AT_ONCE)
        found = steps_from(spec, store.states, at, end)
        made = len(found.costs)
        while store.count + made > store.capacity:
            deque(store.grow(), maxlen=0)
        store.count = int(module.insert(store.record, found.children[:made], store.count))
        target = np.empty(made, dtype=np.int64)
        module.locate(store.record, found.children, target)
        numbers.append(np.bincount(found.sources - at, minlength=end - at))
        targets.append(target.astype(np.int32))
        costs.append(found.costs.astype(np.int32))
        goals.append(goals_of(spec, store.states, at, end))
        at = end
        listener(f"{at:,} of {store.count:,} states expanded")
    if store.count > most:
        return None
    rows = store.states[: store.count]
    return StateGraph(
        states=StoredStates(rows),
        first=np.concatenate([[0], np.cumsum(np.concatenate(numbers))]),
        target=np.concatenate(targets),
        cost=np.concatenate(costs),
        goals=np.concatenate(goals),
        rows=rows,
    )
