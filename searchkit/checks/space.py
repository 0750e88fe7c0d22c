"""The whole state space of a problem, if it is small enough."""

from __future__ import annotations

from collections.abc import Callable, Hashable
from typing import Any

import numpy as np

from searchkit.capabilities import HasGoalStates
from searchkit.checks.machine_code.spanning import packed_space
from searchkit.compiled.plan import plan_kernels
from searchkit.compiled.specialise.failures import blaming_kernels
from searchkit.explore.state_graph import StateGraph
from searchkit.limits import LimitKind, Limits
from searchkit.packed import PackedProblem
from searchkit.problem import Problem
from searchkit.result import Statistics
from searchkit.running.task import legal_cost
from searchkit.solving.plan import EngineChoice, Ran, choose

PLAIN_STATES = 200_000
COMPILED_STATES = 2_000_000
"""How many states are explored where no number is given."""
TELL_EVERY = 1 << 12

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
