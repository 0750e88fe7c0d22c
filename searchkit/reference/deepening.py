"""Iterative deepening: depth-first search again and again, with a growing bound on f.

Slate & Atkin, "Chess 4.5" (1977) for depth; Korf, "Depth-first iterative-deepening: an
optimal admissible tree search" (1985) for cost and for IDA*.
"""

from __future__ import annotations

from collections.abc import Generator, Hashable, Iterator
from typing import Any

from searchkit.algorithms import cycle_pruning
from searchkit.errors import UnsuitableError
from searchkit.heuristic import Heuristic
from searchkit.problem import Step
from searchkit.running.task import LOOK_EVERY, Outcome, Round, Task, deepen


def deepening(task: Task, h: Heuristic[Any, Any], cycles: str) -> Generator[None, None, Outcome]:
    """Raise the bound on f = g + h to the smallest value pruned, until a goal is within it.

    If an iteration prunes nothing by its bound, every path without a cycle was tried and
    there is no solution. Memory O(depth); time O(paths of f up to the optimal cost).
    """
    if task.algorithm.operator_pruning and not task.every:
        raise UnsuitableError("operator_pruning is for the compiled engine; leave it out")
    cycles = cycle_pruning(task.problem, cycles)
    roots = [(start, task.estimate(start)) for start in task.starts]
    return deepen(
        task,
        roots,
        lambda start, estimate, this: _depth_first(task, h, (start, estimate), cycles, this),
    )


def _depth_first(
    task: Task, h: Heuristic[Any, Any], root: tuple[Any, float], cycles: str, this: Round
) -> Generator[None, None, None]:
    """Try every path from the `root` with f up to the bound that has no cycle."""
    (start, estimate), bound = root, this.bound
    numerator, denominator = this.weight.numerator, this.weight.denominator
    problem, counters, every = task.problem, task.counters, task.every
    successors, is_goal, key_of, after = (
        problem.successors, problem.is_goal, problem.key, h.after
    )  # fmt: skip
    legal_costs = task.legal_costs
    keys: list[Hashable] = [key_of(start)]
    costs = [0]
    counters.waiting(1)
    counters.holding(1)
    if is_goal(start):
        this.found(keys, costs)
        return
    back = set(keys)  # where a step would close a cycle
    by_path = cycles == "path"
    yield
    counters.expanded += 1
    stack: list[tuple[Iterator[Step[Any, Any]], Any, int, float]] = [
        (iter(successors(start)), start, 0, estimate)
    ]
    counters.containers = (stack, keys, costs, back)
    while stack:
        steps, state, g, here = stack[-1]
        for step in steps:
            action, child, cost = step
            if cost.__class__ is not int or cost not in legal_costs:
                cost = task.legal_cost(action, cost)
            key = key_of(child)
            if key in back if by_path else key in keys[-2:]:
                continue
            counters.generated += 1
            if counters.generated % LOOK_EVERY == 0:
                yield
            child_h = after(here, state, step)
            if child_h.__class__ is not int or child_h < 0:
                child_h = task.plain_estimate(child_h, child)
            child_g = g + cost
            f = denominator * child_g + numerator * child_h
            if not f <= bound:
                this.prune(f)
                continue
            if is_goal(child):
                this.found([*keys, key], [*costs, child_g])
                if every:
                    task.partial = Outcome(cost=int(this.cost), remaining=this.remaining)
                if not every or this.solutions >= task.max_solutions:
                    return
                continue
            yield
            counters.expanded += 1
            keys.append(key)
            costs.append(child_g)
            if by_path:
                back.add(key)
            stack.append((iter(successors(child)), child, child_g, child_h))
            if len(stack) > counters.max_frontier:
                counters.waiting(len(stack))
                counters.holding(len(stack))
            break
        else:
            stack.pop()
            costs.pop()
            key = keys.pop()
            if by_path:
                back.discard(key)
