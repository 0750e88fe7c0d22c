"""The whole state space of a problem, if it is small enough."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from searchkit.capabilities import HasGoalStates
from searchkit.checks.machine_code.kernel_calls import goals_of, steps_from, with_steps
from searchkit.checks.machine_code.kernels import single_calls
from searchkit.compiled.plan import plan_kernels
from searchkit.compiled.specialise.failures import blaming_kernels
from searchkit.compiled.states.kernels import state_set
from searchkit.compiled.states.state_set import Store, StoredStates
from searchkit.explore.state_graph import StateGraph
from searchkit.limits import LimitKind, Limits
from searchkit.packed import PackedProblem
from searchkit.problem import Problem
from searchkit.result import Statistics
from searchkit.running.task import Run, legal_cost
from searchkit.solving.plan import EngineChoice, Ran, choose

PLAIN_STATES = 200_000
COMPILED_STATES = 2_000_000
"""How many states are explored where no number is given."""
TELL_EVERY = 1 << 12
AT_ONCE = 1 << 14
"""States whose steps are made by machine code before they are looked up."""

Listener = Callable[[str], None]


def whole_space(
    problem: Problem[Any, Any],
    max_states: int | None,
    engine: EngineChoice,
    listener: Listener,
) -> StateGraph | None:
    """Everything that can be reached from the starts and the listed goals; None if too much.

    Goals are expanded like other states. O(states + steps) time and memory.
    """
    roots = list(problem.initial_states())
    if isinstance(problem, HasGoalStates):
        roots += problem.goal_states()

    def run(kind: str, limits: Limits, tried: object) -> Ran[StateGraph | None]:
        if kind == "compiled":
            assert isinstance(problem, PackedProblem)
            most = limits.expansions or COMPILED_STATES
            with blaming_kernels(problem):
                found = packed_space(problem, roots, most, listener)
        else:
            most = limits.expansions or PLAIN_STATES
            found = plain_space(problem, roots, most, listener)
        limit = LimitKind.EXPANSIONS if found is None else None
        return Ran(found=found, limit=limit, statistics=Statistics(expanded=most))

    plan = choose(engine, lambda: plan_kernels(problem), insist=False)
    return plan.carry_out(Limits(expansions=max_states), run).found


def plain_space(
    problem: Problem[Any, Any], roots: list[Any], most: int, listener: Listener
) -> StateGraph | None:
    """The same by the problem's own steps, one by one."""
    number: dict[Hashable, int] = {}
    states: list[Any] = []
    for root in roots:
        if number.setdefault(problem.key(root), len(states)) == len(states):
            states.append(root)
    first, target, cost, goals = [0], [], [], []
    for state in states:  # grows as it goes
        if len(states) > most:
            return None
        goals.append(bool(problem.is_goal(state)))
        for action, after, paid in problem.successors(state):
            index = number.setdefault(problem.key(after), len(states))
            if index == len(states):
                states.append(after)
            target.append(index)
            cost.append(legal_cost(problem, action, paid))
        first.append(len(target))
        if len(first) % TELL_EVERY == 0:
            listener(f"{len(first):,} of {len(states):,} states expanded")
    return StateGraph(
        states=states,
        first=np.array(first, dtype=np.int64),
        target=np.array(target, dtype=np.int64),
        cost=np.array(cost, dtype=np.int64),
        goals=np.array(goals, dtype=np.bool_),
    )


def packed_space(
    problem: PackedProblem[Any],
    roots: list[Any],
    most: int,
    listener: Listener,
) -> StateGraph | None:
    """The same by machine code: for any costs.

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
