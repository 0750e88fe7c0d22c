"""Optimal solutions, listed and counted from the distances of the states that lie on them.

Engines need not store actions: once the distance to the goal is known for every state on an
optimal solution, the solutions are exactly the paths along which that distance falls by the
cost of each step. All engines list them in one order, that of a depth-first search which
takes steps as `successors` gives them.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator
from typing import Any

from searchkit.errors import ProblemError
from searchkit.problem import Problem, Step
from searchkit.result import Solution


class OptimalGraph:
    """The graph of the states on optimal solutions; see `searchkit.result.Solutions`.

    `remaining` maps the key of each such state to its distance from the goal. Listing takes
    O(length x branching) calls of the problem per solution and memory for one path; counting
    expands every state of the graph once and is exact for any number of solutions.
    """

    def __init__(
        self,
        problem: Problem[Any, Any],
        starts: Iterable[Any],
        cost: int,
        remaining: dict[Hashable, int],
        *,
        most: float = float("inf"),
    ) -> None:
        self.cost = cost
        self._problem = problem
        self._remaining = remaining
        self._most = most
        self._starts = [start for start in starts if remaining.get(problem.key(start)) == cost]

    def _steps(self, state: Any) -> Iterator[Step[Any, Any]]:
        """The steps out of `state` that stay on optimal solutions."""
        key, remaining = self._problem.key, self._remaining
        left = remaining[key(state)]
        for step in self._problem.successors(state):
            if remaining.get(key(step[1])) == left - step[2]:
                yield Step(*step)

    def __iter__(self) -> Iterator[Solution[Any, Any]]:
        listed = 0
        for start in self._starts:
            for solution in self._from(start):
                if listed >= self._most:
                    return
                listed += 1
                yield solution

    def _from(self, start: Any) -> Iterator[Solution[Any, Any]]:
        problem = self._problem
        if problem.is_goal(start):
            yield Solution(start, ())
            return
        path: list[Step[Any, Any]] = []
        on_path = {problem.key(start)}
        stack = [self._steps(start)]
        while stack:
            for step in stack[-1]:
                if problem.is_goal(step.state):
                    yield Solution(start, (*path, step))
                    continue
                key = problem.key(step.state)
                if key in on_path:
                    continue  # a zero-cost cycle
                on_path.add(key)
                path.append(step)
                stack.append(self._steps(step.state))
                break
            else:
                stack.pop()
                if path:
                    on_path.discard(problem.key(path.pop().state))

    def count(self) -> int:
        """How many solutions there are: O(states on solutions) in time and memory."""
        ways: dict[Hashable, int] = {}
        total = sum(self._count_from(start, ways) for start in self._starts)
        return total if total <= self._most else int(self._most)

    def _count_from(self, start: Any, ways: dict[Hashable, int]) -> int:
        key, is_goal = self._problem.key, self._problem.is_goal
        pending: set[Hashable] = set()
        stack = [start]
        while stack:
            state = stack[-1]
            here = key(state)
            if here in ways:
                stack.pop()
            elif is_goal(state):
                ways[here] = 1
            elif here in pending:
                ways[here] = sum(ways[key(step.state)] for step in self._steps(state))
                pending.discard(here)
            else:
                pending.add(here)
                for step in self._steps(state):
                    child = key(step.state)
                    if child in pending:
                        raise _zero_cost_cycle(self._problem, step.state)
                    if child not in ways:
                        stack.append(step.state)
        return ways[key(start)]


def _zero_cost_cycle(problem: Problem[Any, Any], state: Any) -> ProblemError:
    return ProblemError(
        f"a cycle of zero-cost steps goes through state {problem.format_state(state)}; "
        "every cycle must have a positive cost"
    )


def trace_back(
    goals: Iterable[Hashable],
    parents: Callable[[Hashable], Iterable[Hashable]],
    remaining: Callable[[Hashable], int],
) -> dict[Hashable, int]:
    """The distance to the goal of every state from which `goals` were reached via `parents`."""
    result: dict[Hashable, int] = {}
    stack = list(goals)
    while stack:
        key = stack.pop()
        if key not in result:
            result[key] = remaining(key)
            stack.extend(parents(key))
    return result


def along(
    problem: Problem[Any, Any], starts: Iterable[Any], path: list[Hashable]
) -> tuple[int, dict[Hashable, int]]:
    """The cost of the path through the states with the keys `path`, and what remains at each.

    Between two states the cheapest step counts. O(length x branching) calls of the problem.
    """
    key_of = problem.key
    state = next(start for start in starts if key_of(start) == path[0])
    costs = [0]
    for key in path[1:]:
        step = min(
            (step for step in problem.successors(state) if key_of(step[1]) == key),
            key=lambda found: found[2],
        )
        state = step[1]
        costs.append(costs[-1] + step[2])
    return costs[-1], {key: costs[-1] - g for key, g in zip(path, costs, strict=True)}
