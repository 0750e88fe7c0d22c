"""Depth-first search within a bound on f = g + h, which can be left and gone on with."""

from __future__ import annotations

from collections.abc import Callable, Collection, Generator, Hashable, Iterable, Iterator
from itertools import chain, islice
from operator import add
from typing import Any, NamedTuple

import attrs

from searchkit.algorithms import cycle_pruning
from searchkit.capabilities import base_of_chains
from searchkit.engines.deepening import Round
from searchkit.engines.transpositions import leads_back
from searchkit.packed import PackedProblem, ZeroHeuristic
from searchkit.premises.asking import truth
from searchkit.problem import Step
from searchkit.reference.transpositions import Transpositions
from searchkit.running.task import ONE, Steps, Task

REMEMBERED = 1 << 12
MOST_REMEMBERED = 256
"""Of how many states steps are remembered, and how many of a state."""

Frame = tuple[Iterator[Step[Any, Any]], Hashable, Any, int, float, Collection[Hashable]]
"""Of a state on the current path: the steps that were not tried yet, key, state, g, h.

And the keys of the states that no step may lead back to.
"""


@attrs.define(eq=False, repr=False)
class Path:
    """Where a search is at each pause: the states on its path, and the one to be expanded next.

    The latter, if there is one, with its key, its g and h.
    """

    entering: tuple[Any, Hashable, int, float] | None = None
    frames: list[Frame] = attrs.field(factory=list)
    keys: set[Hashable] = attrs.field(factory=set)
    """Those of the frames."""


class Remembered(dict[Any, Any]):
    """What a rule says of states, that of some of them remembered, but no iterator."""

    def __init__(self, ask: Callable[[Any], Any]) -> None:
        super().__init__()
        self._ask = ask

    def __missing__(self, state: Any) -> Any:
        answer = self._ask(state)
        if len(self) < REMEMBERED and not isinstance(answer, Iterator):
            self[state] = answer
        return answer


class Rules(NamedTuple):
    """What a search asks of states, round by round."""

    successors: Steps
    is_goal: Callable[[Any], Any]


def remembered(task: Task) -> Rules | None:
    """The rules for chains of packed steps, answers for some states remembered; else None.

    A chain takes an expansion of its own to list, and each round meets the same states.
    """
    problem = task.problem
    if not isinstance(base_of_chains(problem), PackedProblem):
        return None

    def steps(state: Any) -> Iterable[Any]:
        given = iter(problem.successors(state))
        listed = list(islice(given, MOST_REMEMBERED))
        return listed if len(listed) < MOST_REMEMBERED else chain(listed, given)

    return Rules(Remembered(steps).__getitem__, Remembered(problem.is_goal).__getitem__)


def search(
    task: Task, this: Round, path: Path, rules: Rules | None, table: Transpositions | None = None
) -> Generator[None, None, None]:
    """Try what is left to try along a path, with f up to the bound, that leads to no cycle."""
    problem, counters, after = task.problem, task.counters, task.heuristic.after
    key_of, bound, f_of = task.key_of, this.bound, this.f
    successors, is_goal = rules or (task.successors, problem.is_goal)
    listed = task.lister(counting=False)
    from_scratch, legal_costs = task.from_scratch(), task.legal_costs
    guided = not isinstance(task.heuristic, ZeroHeuristic)
    by_path = cycle_pruning(problem, task.algorithm.cycles) == "path"
    stack, on_path = path.frames, path.keys
    # All solutions may pass more states than memory has room for.
    kept = [this.remaining] * task.every + ([] if table is None else [table.known])
    counters.containers = (stack, on_path, *kept)
    child_h: float = 0
    is_new, cost = path.entering is not None, 0
    if path.entering is not None:
        child, key, child_g, child_h = path.entering
    nothing: Frame = iter(()), None, None, 0, 0, on_path
    steps, parent, state, g, h, without = stack[-1] if stack else nothing
    while True:
        if is_new:
            if counters.expanded >= task.pause_at:
                path.entering, task.at_hand = (child, key, child_g, child_h), child
                yield
            if table is not None:
                table.enter(child, cost)
            counters.expanded += 1
            given = successors(child)
            steps = iter(given if given.__class__ is list else listed(given))
            if by_path:
                on_path.add(key)
            else:
                without = (key, parent) if stack else (key,)
            parent, state, g, h = key, child, child_g, child_h
            stack.append((steps, parent, state, g, h, without))
            if len(stack) > counters.max_frontier:
                counters.note(frontier=len(stack), stored=len(stack))
            is_new = False
        for step in steps:
            action, child, cost = step
            if cost is not ONE and (cost.__class__ is not int or cost not in legal_costs):
                cost = task.legal_cost(action, cost)
            key = child if key_of is None else key_of(child)
            if key in without:
                if table is not None and table.lasts:
                    raise leads_back(problem, child)
                continue
            counters.generated += 1
            f: float = (child_g := g + cost)
            if guided:
                child_h = after(h, state, step) if from_scratch is None else from_scratch(child)
                if child_h.__class__ is not int or child_h < 0:
                    child_h = task.plain_estimate(child_h, child)
                f = child_g + child_h if f_of is add else f_of(child_g, child_h)
            if not f <= bound:
                if f < this.next_bound:
                    this.prune(f)
                if table is not None:
                    table.prune(cost, child_h)
            elif (is_end := is_goal(child)) is not False and truth(problem, child, is_end):
                this.found([*[(frame[1], frame[3]) for frame in stack], (key, child_g)])
                if _is_enough(task, this, table):
                    return
            elif table is not None and (known := table.f_of(child, cost, child_g, bound)):
                this.prune(known)
            else:
                is_new = True
                break
        else:
            stack.pop()
            on_path.discard(parent)
            if table is not None:
                table.leave(g)
                counters.holding(len(stack) + len(table.known))
            if not stack:
                return
            steps, parent, state, g, h, without = stack[-1]


def _is_enough(task: Task, this: Round, table: Transpositions | None) -> bool:
    """Whether no more solutions are wanted, after one was found."""
    if table is not None:
        table.found()
    if task.every:
        task.partial = this.outcome()
    return not task.every or this.solutions >= task.max_solutions
