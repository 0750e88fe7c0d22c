"""The reference engine: down a plain table for each stage, then path refinement by recursion."""

from __future__ import annotations

from collections.abc import Generator, Iterator
from itertools import pairwise
from typing import Any

import attrs

from searchkit import ProblemError
from searchkit.capabilities import HasBoundBetween
from searchkit.engines.refinement import Sweep, refined
from searchkit.running.task import Counters, Outcome, Task
from searchkit.solutions.from_parents import without_loops
from searchkit_stages.stage import (
    MOST_ENDS,
    MOST_SLACK,
    MOST_SPENT,
    Stage,
    no_goal,
    no_way,
    plans_of,
    wrong_cost,
    wrong_number,
)

UNSEEN = 255


def in_stages(task: Task) -> Generator[None, None, Outcome]:
    """Go down the tables of each plan from each start, and shorten what was found.

    The tables take O(states x operators) time in each search, and a byte a state.
    """
    problem, algorithm = task.problem, task.algorithm
    plans = plans_of(problem, algorithm.states, algorithm.plans)
    tables: dict[Stage, bytearray] = {}
    for stage in dict.fromkeys(stage for plan in plans for stage in plan):
        tables[stage] = bytearray([UNSEEN]) * stage.ranks
        task.counters.containers = tuple(tables.values())
        yield from _fill(tables[stage], stage)
    task.counters.generated += len(task.starts)
    paths = []
    for plan in plans:
        own = [_Tabulated(stage, tables[stage], task.counters) for stage in plan]
        for start in task.starts:
            states = yield from _by_beam(own, start, algorithm.beam)
            if not states:
                raise no_way(problem, start)
            paths.append(_PlainPath(problem, [states[i] for i in without_loops(states)]))
    return (yield from refined(task, paths, grant=1))


@attrs.define(eq=False)
class _Tabulated:
    """A stage with its distances."""

    stage: Stage
    table: bytearray
    counters: Counters

    def distance(self, state: Any) -> int:
        """How far the goal of the stage is, `UNSEEN` if there is no way."""
        rank = self.stage.rank(state)
        return self.table[rank] if 0 <= rank < self.stage.ranks else UNSEEN

    def expand(self, state: Any) -> Iterator[Any]:
        """The neighbours, counted."""
        self.counters.expanded += 1
        for child in _children(self.stage, state):
            self.counters.generated += 1
            yield child

    def down(self, states: list[Any]) -> Generator[None, None, list[Any]]:
        """The states and those on the way from the last to the goal; empty if there is none."""
        distance = self.distance(states[-1])
        if distance == UNSEEN:
            return []
        while distance:
            yield
            distance -= 1
            for child in self.expand(states[-1]):
                if self.distance(child) == distance:
                    states.append(child)
                    break
        return states

    def ways(self, start: Any) -> Generator[None, None, list[list[Any]]]:
        """Ways to the goal, the shortest first: see the constants of `searchkit_stages.stage`."""
        ends: list[list[Any]] = []
        left = MOST_SPENT
        for slack in range(MOST_SLACK + 1):
            limit = self.distance(start) + slack
            stack = [iter([start])]
            path: list[Any] = []
            while stack:
                state = next(stack[-1], None)
                if state is None:
                    stack.pop()
                    path = path[:-1]
                    continue
                depth, distance = len(path), self.distance(state)
                if depth + distance > limit or (depth > 1 and state == path[-2]):
                    continue
                if distance == 0:
                    if depth == limit:
                        ends.append([*path, state])
                        if len(ends) == MOST_ENDS:
                            return ends
                    continue
                if left == 0:
                    return ends
                yield
                left -= 1
                path.append(state)
                stack.append(self.expand(state))
        return ends


def _by_beam(stages: list[_Tabulated], start: Any, most: int) -> Generator[None, None, list[Any]]:
    """The path of the best state of a beam; empty if there is no way."""
    if most == 1:
        path = [start]
        for stage in stages:
            path = path and (yield from stage.down(path))
        return path
    beam = _best([[start]], stages[0], most)
    for stage, following in pairwise(stages):
        longer = []
        for path in beam:
            for way in (yield from stage.ways(path[-1])):
                longer.append([*path, *way[1:]])  # noqa: PERF401  (it yields)
        beam = _best(longer, following, most)
    return (yield from stages[-1].down(beam[0])) if beam else []


def _best(paths: list[list[Any]], stage: _Tabulated, most: int) -> list[list[Any]]:
    """Those of least length and distance, each end once."""
    ends: dict[Any, list[Any]] = {}
    for path in sorted(paths, key=lambda path: len(path) + stage.distance(path[-1])):
        if stage.distance(path[-1]) < UNSEEN:
            ends.setdefault(path[-1], path)
    return list(ends.values())[:most]


def _children(stage: Stage, state: Any) -> Iterator[Any]:
    for step in stage.successors(state):
        if step.cost != 1:
            raise wrong_cost(stage)
        yield step.state


def _fill(table: bytearray, stage: Stage) -> Generator[None, None, None]:
    """Breadth-first search from the goals of the stage."""
    layer = []
    for index in range(stage.ranks):
        state = stage.unrank(index)
        if stage.rank(state) != index:
            raise wrong_number(stage, stage.rank(state))
        if stage.at_goal(state):
            table[index] = 0
            layer.append(state)
        if index % 256 == 0:
            yield
    if not layer:
        raise no_goal(stage)
    depth = 0
    while layer:
        depth += 1
        if depth == UNSEEN:
            raise ProblemError(f"{type(stage).__name__}: it takes {UNSEEN} steps or more")
        found = []
        for number, state in enumerate(layer):
            if number % 256 == 0:
                yield
            for child in _children(stage, state):
                index = stage.rank(child)
                if not 0 <= index < stage.ranks:
                    raise wrong_number(stage, index)
                if table[index] == UNSEEN:
                    table[index] = depth
                    found.append(child)
        layer = found


@attrs.define(eq=False)
class _PlainPath:
    """A path that is made shorter by recursion; see `searchkit.engines.refinement.Path`."""

    problem: Any
    path: list[Any]
    expanded: int = 0
    generated: int = 0
    sweeping: Iterator[Sweep] = attrs.field(factory=lambda: iter(()))

    @property
    def length(self) -> int:
        """The steps that the path has now."""
        return len(self.path) - 1

    def states(self) -> list[Any]:
        """The states from start to goal."""
        return self.path

    def begin_sweep(self, window: int, stride: int, back: int) -> None:
        """Begin with the first window."""
        self.sweeping = self._sweep(window, stride, back)

    def advance(self, budget: int) -> tuple[Sweep, int, int]:
        """Go on for up to `budget` expansions."""
        self.expanded = self.generated = 0
        sweep = Sweep.AMID
        while sweep is Sweep.AMID and self.expanded < budget:
            sweep = next(self.sweeping)
        return sweep, self.expanded, self.generated

    def _sweep(self, window: int, stride: int, back: int) -> Iterator[Sweep]:
        """Yields before each expansion, and at the end."""
        begin = 0
        while begin == 0 or begin + window <= self.length:
            end = min(begin + window, self.length)
            shorter = yield from self._between(self.path[begin], self.path[end], end - begin - 1)
            if shorter is not None:
                self.path[begin : end + 1] = shorter
                begin = max(0, begin - back)
            elif end - begin == self.length:
                yield Sweep.PROVED
                return
            else:
                begin += stride
        yield Sweep.ENDED

    def _between(
        self, start: Any, target: Any, most: int
    ) -> Generator[Sweep, None, list[Any] | None]:
        """A shortest path of up to `most` steps, by IDA*; None if there is none."""
        bound = self._bound(start, target)
        while bound <= most:
            over: list[int] = []
            found = yield from self._within([start], None, target, bound, over)
            if found is not None or not over:
                return found
            bound += min(over)
        return None

    def _within(
        self, path: list[Any], back: int | None, target: Any, bound: int, over: list[int]
    ) -> Generator[Sweep, None, list[Any] | None]:
        problem, state = self.problem, path[-1]
        control = problem.control(state)
        yield Sweep.AMID
        self.expanded += 1
        for operator in problem.operators(control):
            if operator == back or not problem.legal(state, control, operator):
                continue
            child = problem.apply(state, control, operator)
            self.generated += 1
            f = len(path) + self._bound(child, target)
            if f > bound:
                over.append(f - bound)
            elif child == target:
                return [*path, child]
            else:
                after = problem.inverse(control, operator)
                found = yield from self._within([*path, child], after, target, bound, over)
                if found is not None:
                    return found
        return None

    def _bound(self, state: Any, target: Any) -> int:
        if not isinstance(self.problem, HasBoundBetween):
            return 0
        return self.problem.bound_to(state, self.problem.aim(target))
