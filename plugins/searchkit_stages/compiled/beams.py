"""Solutions in stages with a beam: the best states at the end of each stage go on to the next."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from itertools import pairwise
from typing import Any

import numpy as np

from searchkit.compiled.specialise.entries import direct
from searchkit.compiled.specialise.module import python_state
from searchkit.running.task import Task
from searchkit_stages.compiled.kernels.beams import BRANCH_DEPTH, BRANCHED, ENDS, SEEN, Stack, Ways
from searchkit_stages.compiled.kernels.tables import OUT_OF_BUDGET
from searchkit_stages.compiled.tables import StageTable, States, descents, spend
from searchkit_stages.stage import MOST_ENDS, MOST_SLACK

INFO = 8


class BeamTable:
    """A table of distances, and its machine code, called directly."""

    def __init__(self, table: StageTable) -> None:
        """Load the machine code, or make it."""
        module, tables, none = table.spec.module, table.spec.head[0], table.spec.empty(0)
        distances = table.record.far
        arguments = (tables, table.spec.lists, distances, *_room(table, none), 0)
        measured = (tables, distances, none, np.zeros(0, dtype=np.int64))
        self.table = table
        self.branch = direct(module.branch, *arguments)
        self.measure = direct(module.measure, *measured)

    def distances(self, states: States) -> np.ndarray[Any, Any]:
        """How far the goal of the stage is from each state; -1 if there is no way."""
        distances = np.zeros(len(states), dtype=np.int64)
        self.measure(self.table.spec.head[0], self.table.record.far, states, distances)
        return distances

    def ways(
        self, task: Task, states: States
    ) -> Generator[None, None, tuple[Ways, np.ndarray[Any, Any]]]:
        """Many ways from each state to goals of the stage, and the ends of the ways."""
        spec = self.table.spec
        room = _room(self.table, states)
        _, ways, _, info = room
        result = OUT_OF_BUDGET
        while result == OUT_OF_BUDGET:
            info[BRANCHED] = info[SEEN] = 0
            result = self.branch(
                spec.head[0], spec.lists, self.table.record.far, *room, task.budget
            )
            spend(task, int(info[BRANCHED]), int(info[SEEN]))
            if result == OUT_OF_BUDGET:
                yield
        made = int(info[ENDS])
        ways = ways._replace(lengths=ways.lengths[:made], parents=ways.parents[:made])
        return ways, ways.states[np.arange(made) * ways.width + ways.lengths]


def _room(table: StageTable, states: States) -> tuple[States, Ways, Stack, np.ndarray[Any, Any]]:
    """The arguments of `branch` after the distances, but for the budget."""
    empty = table.spec.empty
    width = table.worst + MOST_SLACK + 1
    ends = len(states) * MOST_ENDS
    lengths, parents = np.zeros((2, ends), np.int64)
    info = np.zeros(INFO, dtype=np.int64)
    info[BRANCH_DEPTH] = -1
    stack = Stack(empty(width + 1), np.zeros(width + 1, np.int64))
    return states, Ways(empty(ends * width), lengths, parents, width), stack, info


def best_of_beam(
    task: Task, tables: Sequence[BeamTable], start: Any
) -> Generator[None, None, States]:
    """The states of a path from a start through all stages; empty if there is no way.

    The best state of a beam goes down the last table. Yields where the budget is spent.
    """
    most = task.algorithm.beam
    states = tables[0].table.spec.states([start])
    kept = _best(tables[0], states, np.zeros(1, dtype=np.int64), most)
    states, costs, paths = states[kept], np.zeros(len(kept), dtype=np.int64), [states] * len(kept)
    for stage, following in pairwise(tables):
        ways, ends = yield from stage.ways(task, states)
        costs = costs[ways.parents] + ways.lengths
        kept = _best(following, ends, costs, most)
        paths = [np.concatenate([paths[ways.parents[i]], _steps_of(ways, i)]) for i in kept]
        states, costs = np.ascontiguousarray(ends[kept]), costs[kept]
    if not paths:
        return states
    way = yield from descents(task, (tables[-1].table,), [python_state(states[0])])
    return np.concatenate([paths[0], way.states[1:]])


def _steps_of(ways: Ways, i: int) -> States:
    """The states of a way after its start."""
    first = i * ways.width
    steps: States = ways.states[first + 1 : first + ways.lengths[i] + 1]
    return steps


def _best(stage: BeamTable, states: States, costs: Any, most: int) -> list[int]:
    """The numbers of the states of least cost and distance, each once."""
    distances = stage.distances(states)
    order = np.argsort(costs + distances, kind="stable")
    first: dict[Any, int] = {}
    for i in order[distances[order] >= 0].tolist():
        first.setdefault(python_state(states[i]), i)
        if len(first) == most:
            break
    return list(first.values())
