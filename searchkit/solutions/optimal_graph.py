"""Optimal solutions, listed and counted from the distances of the states that lie on them.

Engines need not store actions: once the distance to the goal is known for every state on an
optimal solution, the solutions are exactly the paths along which that distance falls by the
cost of each step. All engines list them in one order, that of a depth-first search which
takes steps as `successors` gives them.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Generator, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import compress, islice
from types import MappingProxyType
from typing import Any, TypeVar

from searchkit.capabilities import HasGoalStates
from searchkit.errors import ProblemError
from searchkit.packed import PackedProblem, packed_step, packed_steps, successors_of
from searchkit.problem import Problem, Step
from searchkit.result import Solution
from searchkit.running.task import Counters, Run, legal_cost, whole_cost, wrong_cost


class Distances(ABC):
    """The distance to the goal of each state on an optimal solution."""

    are_few: bool = False
    """Whether they are so few that machine code takes longer to be made than to count without."""

    @abstractmethod
    def are_at(self, states: Sequence[Any], distances: Sequence[int]) -> Sequence[bool]:
        """For each of some states, whether it lies on an optimal solution at this distance."""

    @abstractmethod
    def counting(self, run: Run, starts: Sequence[Any]) -> Generator[None, None, int]:
        """Count the solutions from `starts`, which lie on some, as a sliced engine.

        `run` is that of the counting; the number is exact.
        """


T = TypeVar("T")
REMEMBERED = 1 << 14
"""For how many states a listing keeps the steps that stay on optimal solutions."""
MOST_CYCLES = 1 << 13
"""How many cycles of zero-cost steps, which no problem may have, a listing avoids at most.

Where states are on many of them, it would go on without end.
"""


def value_of(running: Generator[Any, None, T]) -> T:
    """What a generator returns, run to its end."""
    while True:
        try:
            next(running)
        except StopIteration as stopped:
            value: T = stopped.value
            return value


class NotReplayedError(ProblemError):
    """A solution that was found is none when it is replayed, or costs something else."""


class OptimalGraph:
    """The graph of the states on optimal solutions; see `searchkit.result.Solutions`.

    `remaining` maps the key of each such state to its distance from the goal, or is what an engine
    knows of them. `operators` are those of the single solution that is wanted, see `Outcome`;
    `by_kernels` says that kernels find them where these were made of rules.
    Listing takes O(length x branching) calls of the problem per solution and memory
    for one path; counting expands every state of the graph once and is exact for any number of
    solutions.
    """

    def __init__(
        self,
        problem: Problem[Any, Any],
        starts: Iterable[Any],
        cost: int,
        remaining: Mapping[Hashable, int] | Distances,
        *,
        most: float = float("inf"),
        operators: Mapping[Hashable, int] = MappingProxyType({}),
        by_kernels: bool = False,
    ) -> None:
        self.cost = cost
        self._problem = problem
        self._successors = successors_of(problem)
        self._most = most
        starts = list(starts)
        self._distances = remaining if isinstance(remaining, Distances) else None
        self._remaining = {} if isinstance(remaining, Distances) else remaining
        self._operators = operators
        self._steps: Callable[[Any, int], Iterable[Step[Any, Any]]] = self._keyed_steps
        self._by_kernels = by_kernels
        if operators or by_kernels:
            self._steps = self._guided_steps
        if self._distances is not None:
            self._steps = lru_cache(REMEMBERED)(self._known_steps)
            inside = self._distances.are_at(starts, [cost] * len(starts))
        else:
            inside = [self._remaining.get(problem.key(start)) == cost for start in starts]
        self._starts = list(compress(starts, inside))

    @property
    def is_in_arrays(self) -> bool:
        """Whether an engine counts by machine code."""
        return self._distances is not None and not self._distances.are_few

    def _guided_steps(self, state: Any, left: int) -> Iterable[Step[Any, Any]]:
        """The step that is known to stay on the solution, if the rules agree, else all of them."""
        key, remaining = self._problem.key, self._remaining
        here = key(state)
        operator = self._operator(state, left) if self._by_kernels else self._operators.get(here)
        step = None if operator is None else packed_step(self._problem, state, operator)
        if step is None or step.cost.__class__ is not int or remaining.get(here) != left:
            return self._keyed_steps(state, left)
        stays = remaining.get(key(step.state)) == left - step.cost
        return [step] if stays else self._keyed_steps(state, left)

    def _operator(self, state: Any, left: int) -> int | None:
        """The first operator that stays on the solution as kernels have it; the rules decide."""
        problem: Any = self._problem
        key, remaining = problem.key, self._remaining
        try:
            for _, control, operator, child in packed_steps(problem, state):
                cost = problem.cost(state, control, operator)
                if cost > 0 and remaining.get(key(child)) == left - cost:
                    found: int = operator
                    return found
        except ProblemError:  # as the rules may say better
            pass
        return None

    def _keyed_steps(self, state: Any, left: int) -> Iterator[Step[Any, Any]]:
        """The steps out of `state`, `left` from the goal, that stay on optimal solutions."""
        key, remaining = self._problem.key, self._remaining
        if remaining.get(key(state)) != left:
            raise not_replayed(self._problem, self._starts)
        for action, child, cost in self._successors(state):
            whole = 1 if cost.__class__ is int and cost == 1 else whole_cost(cost)
            if whole is None:
                raise wrong_cost(self._problem, action, cost)
            if remaining.get(key(child)) == left - whole:
                yield Step(action, child, whole)

    def _known_steps(self, state: Any, left: int) -> Sequence[Step[Any, Any]]:
        """The same, of states that the engine has in arrays."""
        assert self._distances is not None
        steps = [
            Step(action, child, legal_cost(self._problem, action, cost))
            for action, child, cost in self._successors(state)
        ]
        inside = self._distances.are_at(
            [step.state for step in steps], [left - step.cost for step in steps]
        )
        return list(compress(steps, inside))

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
        on_path, left, cycles = {problem.key(start)}, self.cost, 0
        stack = [iter(self._steps(start, left))]
        # Where keys merge states that differ, distances lead to dead ends, each of which is met in
        # as many ways as there are paths to it.
        dead: set[tuple[Hashable, int]] = set()
        is_dead = [True]
        while stack:
            for step in stack[-1]:
                if problem.is_goal(step.state):
                    is_dead[-1] = False
                    yield Solution(start, (*path, step))
                    continue
                key = problem.key(step.state)
                if key in on_path:
                    is_dead[-1] = False
                    cycles += 1
                    if cycles > MOST_CYCLES:
                        raise zero_cost_cycle(problem, step.state)
                    continue
                if (key, left - step.cost) in dead:
                    continue
                on_path.add(key)
                path.append(step)
                left -= step.cost
                stack.append(iter(self._steps(step.state, left)))
                is_dead.append(True)
                break
            else:
                stack.pop()
                nothing = is_dead.pop()
                if path:
                    last = path.pop()
                    key = problem.key(last.state)
                    on_path.discard(key)
                    if nothing:
                        dead.add((key, left))
                    else:
                        is_dead[-1] = False
                    left += last.cost
        if nothing or dead:
            found = "solutions cannot be listed, as a state on some has no step that leads on"
            raise not_replayed(problem, self._starts, found)

    def count(self) -> int:
        """How many solutions there are: O(states on solutions) in time and memory."""
        return value_of(self.counting(Run(problem=self._problem)))

    def counting(self, run: Run) -> Generator[None, None, int]:
        """Count in slices, like an engine, so that counting can be stopped."""
        total = 0
        if self._distances is not None and self.is_in_arrays:
            total = yield from self._distances.counting(run, self._starts)
        else:
            ways: dict[Hashable, int] = {}
            run.counters.containers = (ways,)
            for start in self._starts:
                total += yield from self._count_from(start, ways, run.counters)
        return total if total <= self._most else int(self._most)

    def _count_from(
        self, start: Any, ways: dict[Hashable, int], counters: Counters
    ) -> Generator[None, None, int]:
        key, is_goal = self._problem.key, self._problem.is_goal
        children: dict[Hashable, list[Hashable]] = {}  # of the states on the current path
        stack = [(start, self.cost)]
        while stack:
            state, left = stack[-1]
            here = key(state)
            if here in ways:
                stack.pop()
            elif is_goal(state):
                ways[here] = 1
            elif here in children:
                ways[here] = sum(ways[child] for child in children.pop(here))
                counters.holding(len(ways))
                yield
            else:
                yield
                counters.expanded += 1
                children[here] = []
                for step in self._steps(state, left):
                    child = key(step.state)
                    if child in children:
                        raise zero_cost_cycle(self._problem, step.state)
                    children[here].append(child)
                    if child not in ways:
                        stack.append((step.state, left - step.cost))
        return ways[key(start)]


def zero_cost_cycle(problem: Problem[Any, Any], state: Any) -> ProblemError:
    """The error to raise where the ways through a state have no end."""
    return ProblemError(
        f"a cycle of zero-cost steps goes through state {problem.format_state(state)}; "
        "every cycle must have a positive cost"
    )


def not_replayed(
    problem: Problem[Any, Any],
    starts: Iterable[Any],
    found: str = "the solution cannot be replayed",
) -> NotReplayedError:
    """The error to raise where a solution that was found is none when it is replayed."""
    cause = (
        "successors gave other states or costs the second time, states were changed in place "
        "or lack __eq__ and __hash__, or the engine is wrong"
    )
    if isinstance(problem, PackedProblem):
        cause = (
            "kernels gave other states or costs the second time, or others as machine code; "
            "engine='checked' finds where"
        )
    nameless = _without_equality(problem, starts)
    if nameless is not None:
        cause = (
            f"{nameless.__name__} lacks __eq__ and __hash__, so that equal states differ; "
            "define both, or key(state)"
        )
    elif isinstance(problem, HasGoalStates):
        wrong = [goal for goal in problem.goal_states() if not problem.is_goal(goal)]
        if wrong:
            cause = f"goal_states lists {problem.format_state(wrong[0])}, which is_goal denies"
    return NotReplayedError(f"{type(problem).__name__}: {found}: {cause}")


def _without_equality(problem: Problem[Any, Any], starts: Iterable[Any]) -> type | None:
    """The class of keys near `starts` that are equal to nothing but themselves."""
    for start in starts:
        near = [start, *(step[1] for step in islice(problem.successors(start), 8))]
        for cls in map(type, map(problem.key, near)):
            if not any("__eq__" in vars(base) for base in cls.__mro__ if base is not object):
                return cls
    return None
