"""The compiled engine: of one search, and of many starts at once.

Paths are made shorter by optimal search between the ends of windows (see the kernels).
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any

import attrs
import numpy as np

from searchkit import Problem
from searchkit.compiled.depth_first.refinement import CompiledPath, Refiner
from searchkit.compiled.specialise.module import python_state
from searchkit.engines.refinement import check_end, refined, shortest, up_to_goal
from searchkit.packed import ZeroHeuristic
from searchkit.running.making import search_clock
from searchkit.running.task import Outcome, Task
from searchkit.solutions.optimal_graph import value_of
from searchkit_stages.compiled.tables import (
    BeamTable,
    JoinedPaths,
    States,
    Tables,
    best_of_beam,
    descents,
    load_stage,
    stage_tables,
)
from searchkit_stages.stage import Plan, Stages, no_way, plans_of

NO_BUDGET = 1 << 62


@attrs.frozen(eq=False)
class _Prepared:
    """What all searches of a problem share: machine code, and the tables of each plan."""

    refiner: Refiner
    tables: list[Tables]
    beams: list[list[BeamTable]]

    @classmethod
    def of(
        cls, task: Task, plans: Sequence[Plan], refiner: Refiner
    ) -> Generator[None, None, _Prepared]:
        """Made where no earlier search has; in slices."""
        by_beams = task.algorithm.beam > 1
        tables = []
        for plan in plans:
            tables.append((yield from stage_tables(plan, task, far=by_beams)))
            yield from descents(task, tables[-1], [])
        beams = [list(map(BeamTable, each)) for each in tables] if by_beams else []
        return cls(refiner, tables, beams)

    def paths(self, task: Task) -> Generator[None, None, list[JoinedPaths]]:
        """Of each plan, the path from each start; it is empty where there is none."""
        found = []
        for number, tables in enumerate(self.tables):
            if self.beams:
                paths = []
                for start in task.starts:
                    path = yield from best_of_beam(task, self.beams[number], start)
                    paths.append(path)
                found.append(JoinedPaths.of(paths))
            else:
                found.append((yield from descents(task, tables, task.starts)))
        return found

    def compiled_paths(self, paths: Sequence[States]) -> list[CompiledPath]:
        """The paths, to be made shorter."""
        return [CompiledPath(self.refiner, path, len(path) - 1) for path in paths]


def in_stages(task: Task) -> Generator[None, None, Outcome]:
    """Go down the tables of each plan from each start, and shorten what was found.

    O(steps) time, or O(steps x beam), and `effort` expansions; the tables are made where earlier
    searches have not.
    """
    plans, refiner = _load(task)
    yield
    began = search_clock()
    prepared = yield from _Prepared.of(task, plans, refiner)
    task.counters.setup_seconds += search_clock() - began
    task.counters.generated += len(task.starts)
    task.reserve(sum(table.bytes for tables in prepared.tables for table in tables))
    paths = []
    for found in (yield from prepared.paths(task)):
        for start, path in zip(task.starts, found.each(), strict=True):
            if not len(path):
                raise no_way(task.problem, start)
            paths.append(path)
    return (yield from refined(task, prepared.compiled_paths(paths)))


def many_in_stages(
    problem: Problem[Any, Any], algorithm: Stages, starts: Sequence[Any]
) -> Callable[[Sequence[Any]], tuple[States, np.ndarray[Any, Any]]]:
    """What solves some of `starts`: the states of all paths, and where each begins and ends.

    O(steps) time for each start without `effort` and `beam`.
    """

    def task_of(starts: Sequence[Any], budget: int = 0) -> Task:
        return Task(
            problem=problem, algorithm=algorithm, heuristic=ZeroHeuristic(),
            starts=tuple(starts), budget=budget,
        )  # fmt: skip

    first = task_of(starts[:1])
    plans, refiner = _load(first)
    prepared = value_of(_Prepared.of(first, plans, refiner))

    plainly = algorithm.beam == 1 and not algorithm.effort
    goals: set[Any] = set()
    """The ends that were asked: most starts lead to the same one."""

    def solved(starts: Sequence[Any]) -> tuple[States, np.ndarray[Any, Any]]:
        found = value_of(prepared.paths(task_of(starts, NO_BUDGET)))
        best = found[0]
        if not plainly or len(found) > 1:
            each = zip(starts, *(paths.each() for paths in found), strict=True)
            best = JoinedPaths.of([shortened(start, paths) for start, *paths in each])
        for end in map(python_state, np.unique(best.ends(), axis=0)):
            if end not in goals:
                check_end(problem, end)
                goals.add(end)
        return best.states, best.begins

    def shortened(start: Any, paths: list[States]) -> States:
        paths = [path for path in paths if len(path)]
        path = min(paths, key=len, default=refiner.spec.empty(0))
        if plainly or len(path) < 2:
            return path
        effort = algorithm.effort
        own = task_of([start], effort)
        best = value_of(shortest(own, prepared.compiled_paths(paths), effort))
        return refiner.spec.states(up_to_goal(problem, best.states()))

    return solved


def _load(task: Task) -> tuple[list[Plan], Refiner]:
    """The plans, and the machine code, where an earlier search has not left it."""
    plans = plans_of(task.problem, task.algorithm.states, task.algorithm.plans)
    for stage in plans[0]:
        load_stage(stage)
    return plans, Refiner(task.problem)
