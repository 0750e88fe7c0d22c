"""The compiled engine: of one search, and of many starts at once."""

from __future__ import annotations

from collections.abc import Callable, Generator, Sequence
from typing import Any

import attrs
import numpy as np

from searchkit import Problem, ZeroHeuristic
from searchkit.compiled.specialise.module import python_state
from searchkit.running.making import search_clock
from searchkit.running.task import Outcome, Task
from searchkit_stages.algorithm import Stages
from searchkit_stages.compiled.beams import Beam, Calls
from searchkit_stages.compiled.descents import Descents
from searchkit_stages.compiled.path_refinement import CompiledPath, Refiner
from searchkit_stages.compiled.tables import Tables, load_stage, stage_tables
from searchkit_stages.refinement import check_end, refined, shortest, up_to_goal
from searchkit_stages.slices import finished
from searchkit_stages.stage import Plan, no_way, plans_of

States = np.ndarray[Any, Any]
NO_BUDGET = 1 << 62


@attrs.frozen(eq=False)
class _Prepared:
    """What all searches of a problem share: tables and machine code."""

    refiner: Refiner
    tables: list[Tables]
    calls: list[Calls]
    """Of each plan, if there are beams."""

    @classmethod
    def of(
        cls, task: Task, plans: Sequence[Plan], refiner: Refiner
    ) -> Generator[None, None, _Prepared]:
        """Made where no earlier search has; in slices."""
        by_beams = task.algorithm.beam > 1
        tables = []
        for plan in plans:
            tables.append((yield from stage_tables(plan, task, far=by_beams)))
            Descents.of(tables[-1], []).advance(0)
        return cls(refiner, tables, [Calls.of(some) for some in tables] if by_beams else [])

    def paths(self, task: Task) -> Generator[None, None, list[list[States]]]:
        """Of each plan, the path from each start; it is empty where there is none."""
        found: list[list[States]] = []
        for i, tables in enumerate(self.tables):
            parts: list[Descents | Beam] = [Descents.of(tables, task.starts)]
            if self.calls:
                most = task.algorithm.beam
                parts = [Beam.of(tables, self.calls[i], most, [start]) for start in task.starts]
            found.append([])
            for part in parts:
                while not part.done:
                    left = part.advance(task.budget)
                    task.counters.expanded += task.budget - left
                    task.budget = left
                    if not part.done:
                        yield
                task.counters.generated += part.generated
                found[-1] += part.paths()
        return found

    def compiled_paths(self, paths: Sequence[States]) -> list[CompiledPath]:
        """The paths, to be made shorter."""
        return [CompiledPath.of(self.refiner, path, len(path) - 1) for path in paths]


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
        for start, path in zip(task.starts, found, strict=True):
            if not len(path):
                raise no_way(task.problem, start)
            paths.append(path)
    return (yield from refined(task, prepared.compiled_paths(paths)))


def many_in_stages(
    problem: Problem[Any, Any], algorithm: Stages, starts: Sequence[Any]
) -> Callable[[Sequence[Any]], list[States]]:
    """What solves some of `starts`: the states of a path from each, empty if there is none.

    O(steps) time for each start without `effort` and `beam`.
    """

    def task_of(starts: Sequence[Any], budget: int = 0) -> Task:
        return Task(
            problem=problem, algorithm=algorithm, heuristic=ZeroHeuristic(),
            starts=tuple(starts), budget=budget,
        )  # fmt: skip

    first = task_of(starts[:1])
    plans, refiner = _load(first)
    prepared = finished(_Prepared.of(first, plans, refiner))

    def solved(starts: Sequence[Any]) -> list[States]:
        found = finished(prepared.paths(task_of(starts, NO_BUDGET)))
        return [shortened(start, paths) for start, *paths in zip(starts, *found, strict=True)]

    def shortened(start: Any, paths: list[States]) -> States:
        paths = [path for path in paths if len(path)]
        path = min(paths, key=len, default=refiner.spec.empty(0))
        if len(path):
            check_end(problem, python_state(path[-1]))
        if len(path) < 2 or (algorithm.beam == 1 and not algorithm.effort):
            return path
        effort = algorithm.effort
        own = task_of([start], effort)
        best = finished(shortest(own, prepared.compiled_paths(paths), effort))
        return refiner.spec.states(up_to_goal(problem, best.states()))

    return solved


def _load(task: Task) -> tuple[list[Plan], Refiner]:
    """The plans, and the machine code, where an earlier search has not left it."""
    plans = plans_of(task.problem, task.algorithm.states, task.algorithm.plans)
    for stage in plans[0]:
        load_stage(stage)
    refiner = Refiner.of(task.problem)
    if task.algorithm.effort and task.starts:
        refiner.load(task.starts[0])
    return plans, refiner
