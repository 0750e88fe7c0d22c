"""Solutions in stages: the way down a table for each, then the shortening of what was found."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import TYPE_CHECKING, Any

from searchkit.algorithms import Stages
from searchkit.compiled.stages.beams import Beam, Calls
from searchkit.compiled.stages.descents import Descents
from searchkit.compiled.stages.path_refinement import CompiledPath, Windows
from searchkit.compiled.stages.stage_tables import StageTable, load_stage, stage_tables
from searchkit.heuristic import ZeroHeuristic
from searchkit.running.making import search_clock
from searchkit.running.task import Outcome, Task
from searchkit.stages import (
    no_way,
    outcome_of,
    plans_of,
    shortened,
    up_to_goal,
)

if TYPE_CHECKING:
    import numpy as np

Tables = tuple[StageTable, ...]


def in_stages(task: Task) -> Generator[None, None, Outcome]:
    """Go down the tables of each plan from each start, and shorten what was found.

    O(steps) time, or O(steps x beam), and `effort` expansions; the tables are made where earlier
    searches have not.
    """
    problem: Any = task.problem
    algorithm = task.algorithm
    plans = plans_of(problem, algorithm)
    for stage in plans[0]:
        load_stage(stage)
    windows = Windows.of(problem)
    if algorithm.effort and task.starts:
        windows.load(task.starts[0])
    yield
    began = search_clock()
    tables: list[Tables] = []
    for plan in plans:
        tables.append((yield from stage_tables(plan, task, far=algorithm.beam > 1)))
        Descents.of(tables[-1], []).advance(0)
    calls = [Calls.of(some) for some in tables] if algorithm.beam > 1 else []
    task.counters.setup_seconds += search_clock() - began
    task.counters.generated += len(task.starts)
    task.reserve(sum(table.bytes for some in tables for table in some))
    if algorithm.beam > 1:
        found = yield from _by_beams(task, tables, calls)
    else:
        found = yield from _straight_down(task, tables)
    paths = [CompiledPath.of(windows, path, len(path) - 1) for path in found]
    task.counters.holding(sum(path.length for path in paths))
    if not paths:
        return Outcome()
    return outcome_of(task, (yield from shortened(task, paths, algorithm.effort)))


def _straight_down(
    task: Task, tables: list[Tables]
) -> Generator[None, None, list[np.ndarray[Any, Any]]]:
    """The path of each plan from each start."""
    paths = []
    for some in tables:
        descents = Descents.of(some, task.starts)
        while not descents.done:
            left = descents.advance(task.budget)
            task.counters.expanded += task.budget - left
            task.budget = left
            if not descents.done:
                yield
        task.counters.generated += descents.generated
        for i, (start, length) in enumerate(zip(task.starts, descents.lengths, strict=True)):
            if length < 0:
                raise no_way(task.problem, start)
            paths.append(descents.path(i)[: length + 1])
    return paths


def _by_beams(
    task: Task, tables: list[Tables], calls: list[Calls]
) -> Generator[None, None, list[np.ndarray[Any, Any]]]:
    """The best path of each plan from each start, by beams."""
    paths = []
    for some, own in zip(tables, calls, strict=True):
        for start in task.starts:
            beam = Beam.of(some, own, task.algorithm.beam, [start])
            while not beam.done:
                left = beam.advance(task.budget)
                task.counters.expanded += task.budget - left
                task.budget = left
                if not beam.done:
                    yield
            task.counters.generated += beam.generated
            if beam.path is None:
                raise no_way(task.problem, start)
            paths.append(beam.path)
    return paths


def shortest_path(
    problem: Any, found: Sequence[np.ndarray[Any, Any]], windows: Windows, effort: int
) -> np.ndarray[Any, Any]:
    """The states of the shortest that becomes of the paths `found`, with so many expansions."""
    paths = [CompiledPath.of(windows, path, len(path) - 1) for path in found]
    task = Task(
        problem=problem, algorithm=Stages(effort=effort), heuristic=ZeroHeuristic(),
        starts=(paths[0].states()[0],), budget=effort,
    )  # fmt: skip
    shortening = shortened(task, paths, effort)
    try:
        next(shortening)
    except StopIteration as stopped:
        return windows.spec.states(up_to_goal(problem, stopped.value.states()))
    raise AssertionError("the budget is the effort")
