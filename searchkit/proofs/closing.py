"""The pass that closes all states below a bound, by which nothing below it is a solution."""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable, Iterable
from heapq import heappop, heappush
from itertools import count
from typing import Any, ClassVar

import attrs

from searchkit.algorithms import Algorithm
from searchkit.errors import VerificationError
from searchkit.heuristic import Heuristic
from searchkit.problem import INFINITY
from searchkit.running.task import Outcome, Task

Closed = Iterable[tuple[Any, int]]
"""States with the cost of reaching them."""
Sink = Callable[[Task, Closed], Generator[None, None, None]]
"""What becomes of them, in slices; states are those of the task's problem."""


@attrs.frozen(repr=False, eq=False)
class Closing(Algorithm):
    """Closes all states whose g + h is within the limit of cost, and finds no goal below `below`.

    What is closed, goals apart, goes to `sink` at the end.
    """

    heuristic: Heuristic[Any, Any]
    below: int
    sink: Sink
    engine: Any = None
    """One that has closed these states before, where that is so."""

    name: ClassVar[str] = "closing"
    summary: ClassVar[str] = "all states below a bound"
    uses_heuristic: ClassVar[bool] = True
    engines = {"reference": "proofs.closing:closing", "compiled": "proofs.closing_compiled:closing"}  # noqa: RUF012

    def goal_at(self, cost: int) -> None:
        """Raise if a goal may not be there."""
        if cost < self.below:
            raise VerificationError(
                f"no proof can be written: a solution costs {cost}, where it was said that none "
                f"costs less than {self.below}"
            )


def closing(task: Task) -> Generator[None, None, Outcome]:
    """Dijkstra's algorithm (1959) among the states whose g + h is within the limit."""
    problem, counters, key_of, tie = task.problem, task.counters, task.problem.key, count()
    most = min(task.max_cost, float(1 << 1000))  # a dead end is beyond it, whatever the limit
    closed: dict[Hashable, tuple[Any, int] | None] = {}
    best: dict[Hashable, int] = {}
    queue: list[tuple[int, int, Hashable, Any]] = []
    counters.containers = (queue, best, closed)

    def reach(state: Any, g: int) -> None:
        key = key_of(state)
        if g < best.get(key, INFINITY) and g + task.estimate(state) <= most:
            best[key] = g
            heappush(queue, (g, next(tie), key, state))

    for start in task.starts:
        counters.generated += 1
        reach(start, 0)
    listed = task.lister()
    while queue:
        g, _, key, state = heappop(queue)
        if key in closed:
            continue
        if problem.is_goal(state):
            task.algorithm.goal_at(g)
            closed[key] = None
            continue
        if counters.expanded >= task.pause_at:
            task.at_hand = state
            yield
        closed[key] = state, g
        counters.expanded += 1
        steps = listed(task.successors(state))
        counters.generated += len(steps)
        for action, child, cost in map(tuple, steps):
            reach(child, g + task.legal_cost(action, cost))
        counters.note(len(queue), len(best))
    task.is_all_expanded = True
    yield from task.algorithm.sink(task, filter(None, closed.values()))
    return Outcome(cut=True)
