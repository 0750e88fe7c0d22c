"""Tables of the ways to the goals of a stage, made backwards from them, and the paths down.

Distances modulo 3 are enough to find the way where every step can be taken back: G. Cooperman and
L. Finkelstein, New methods for using Cayley graphs in interconnection networks, 1992.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Generator, Sequence
from itertools import pairwise
from typing import Any

import attrs
import numpy as np

from searchkit import UnsuitableError
from searchkit.compiled.specialise.entries import DirectCalls
from searchkit.compiled.specialise.module import python_state
from searchkit.compiled.specialise.prepare import Specialised, specialise
from searchkit.running.task import Task
from searchkit_stages.compiled.kernels import beams
from searchkit_stages.compiled.kernels import tables as kernels
from searchkit_stages.compiled.kernels.beams import BRANCH_DEPTH, BRANCHED, ENDS, SEEN, Stack, Ways
from searchkit_stages.compiled.kernels.tables import OUT_OF_BUDGET
from searchkit_stages.stage import (
    MOST_ENDS,
    MOST_SLACK,
    Stage,
    no_goal,
    wrong_cost,
    wrong_number,
)

STATES_AT_ONCE = 1 << 16
FIRST_FRONTIER = 1 << 12
MOST_KEPT = 1 << 28
"""Bytes of tables that are kept for later searches."""
NARROW_BITS = 32
"""Entries of up to this many bits take half a word each."""


@attrs.frozen(eq=False)
class StageTable:
    """The entries of a stage (see the kernels), and how many states are how far from its goals.

    The distances themselves are in `record.far`, if they were asked for; else it is empty.
    """

    stage: Stage
    spec: Specialised
    record: kernels.Table
    layers: tuple[int, ...]

    @property
    def bytes(self) -> int:
        """What the table takes."""
        return int(self.record.entries.nbytes + self.record.far.nbytes)

    @property
    def worst(self) -> int:
        """The most steps that the stage can need."""
        return len(self.layers) - 1


Tables = tuple[StageTable, ...]
"""Those of the stages of a plan."""

_kept: OrderedDict[Stage, StageTable] = OrderedDict()


def stage_tables(
    stages: Sequence[Stage], task: Task | None = None, *, far: bool = False
) -> Generator[None, None, Tables]:
    """The tables of `stages`, made where no earlier call has left them; in slices.

    With `far` they hold the distances themselves, too.
    """
    tables = []
    for stage in stages:
        table = _kept.get(stage)
        if table is None or (far and not len(table.record.far)):
            table = yield from _made(stage, task, far)
            _keep(table)
        tables.append(table)
    return tuple(tables)


def _keep(table: StageTable) -> None:
    _kept[table.stage] = table
    held = sum(each.bytes for each in _kept.values())
    while held > MOST_KEPT and len(_kept) > 1:
        held -= _kept.popitem(last=False)[1].bytes


def load_stage(stage: Stage) -> Specialised:
    """The machine code for the kernels of a stage, with its tables."""
    return specialise(stage, None, (kernels, beams))


def _made(stage: Stage, task: Task | None, far: bool) -> Generator[None, None, StageTable]:
    """O(states x operators) time; 4 or 8 bytes a state, and two layers of states meanwhile."""
    spec = load_stage(stage)
    module, problem_tables, lists = spec.module, spec.head[0], spec.lists
    place_bits = (lists.widest - 1).bit_length()
    is_narrow = stage.ranks << place_bits + 2 <= 1 << NARROW_BITS
    table = kernels.Table(
        entries=np.full(stage.ranks, kernels.UNSEEN, dtype=np.uint32 if is_narrow else np.int64),
        far=np.full(stage.ranks if far else 0, kernels.TOO_FAR, dtype=np.uint8),
        ranks=stage.ranks,
        place_bits=place_bits,
    )
    frontier, found = spec.empty(FIRST_FRONTIER), spec.empty(FIRST_FRONTIER)
    info = np.zeros(4, dtype=np.int64)
    layers: list[int] = []
    at_end = stage.ranks
    while True:
        if task is not None:
            arrays = 2 * (frontier.nbytes + found.nbytes)
            task.reserve(table.entries.nbytes + table.far.nbytes + arrays)
        end = min(at_end, int(info[kernels.AT]) + STATES_AT_ONCE)
        if not layers:
            result = module.mark_goals(problem_tables, table, found, info, end)
        else:
            result = module.expand(
                problem_tables, lists, table, len(layers), frontier, found, info, end
            )
        yield
        if result == kernels.FULL:
            found = np.concatenate([found, spec.empty(len(found))])
        elif result == kernels.WRONG_NUMBER:
            raise wrong_number(stage, int(info[kernels.LOOKED]))
        elif result == kernels.WRONG_COST:
            raise wrong_cost(stage)
        elif info[kernels.AT] == at_end:
            made = int(info[kernels.MADE])
            if made == 0:
                break
            layers.append(made)
            if far and len(layers) > kernels.TOO_FAR:
                raise UnsuitableError(
                    f"{type(stage).__name__}: a stage takes more than {kernels.TOO_FAR - 1} steps; "
                    "use beam=1"
                )
            frontier, found = found, frontier
            at_end = made
            info[:] = 0
    if not layers:
        raise no_goal(stage)
    return StageTable(stage, spec, table, tuple(layers))


States = np.ndarray[Any, Any]


def spend(task: Task, expanded: int, generated: int) -> None:
    """Take what was done from the budget, and count it."""
    task.budget -= expanded
    task.counters.expanded += expanded
    task.counters.generated += generated


@attrs.frozen(eq=False)
class JoinedPaths:
    """kernels.Paths one after the other: path `i` is `states[begins[i]:begins[i + 1]]`.

    That of a start without a way is empty.
    """

    states: States
    begins: np.ndarray[Any, Any]

    @classmethod
    def of(cls, paths: Sequence[States]) -> JoinedPaths:
        """Put them one after the other."""
        return cls(np.concatenate(paths), np.cumsum([0, *map(len, paths)]))

    def each(self) -> list[States]:
        """The paths one by one."""
        begins = self.begins.tolist()
        return [self.states[begin:end] for begin, end in pairwise(begins)]

    def ends(self) -> States:
        """The last states of all paths that are not empty."""
        last: States = self.states[self.begins[1:][np.diff(self.begins) > 0] - 1]
        return last


def descents(
    task: Task, tables: Tables, starts: Sequence[Any]
) -> Generator[None, None, JoinedPaths]:
    """The states of a path from each start down the tables of one plan.

    Yields where the budget is spent. The paths have no loops.
    """
    width = 1 + sum(table.worst for table in tables)
    spec = tables[0].spec
    states = spec.empty(len(starts) * width)
    states[::width] = spec.states(list(starts))
    paths = kernels.Paths(states, np.zeros(len(starts), dtype=np.int64), width)
    info = np.zeros(4, dtype=np.int64)
    for table in tables:
        spec = table.spec
        result = kernels.OUT_OF_BUDGET
        while result == kernels.OUT_OF_BUDGET:
            info[kernels.STEPS], info[kernels.LOOKED] = task.budget, 0
            result = spec.module.descend(spec.head[0], spec.lists, table.record, paths, info)
            spend(task, task.budget - int(info[kernels.STEPS]), int(info[kernels.LOOKED]))
            if result == kernels.OUT_OF_BUDGET:
                yield
    joined = kernels.Joined(
        spec.empty(int(paths.lengths.sum()) + len(starts)),
        np.zeros(len(starts) + 1, dtype=np.int64),
        np.full(1 << (8 * width).bit_length(), -1, dtype=np.int64),
    )
    spec.module.join(paths, joined)
    return JoinedPaths(joined.states[: joined.begins[-1]], joined.begins)


INFO = 8


class BeamTable:
    """A table of distances, and its machine code, called directly."""

    def __init__(self, table: StageTable) -> None:
        self.table, self.calls = table, DirectCalls()

    def distances(self, states: States) -> np.ndarray[Any, Any]:
        """How far the goal of the stage is from each state; -1 if there is no way."""
        distances = np.zeros(len(states), dtype=np.int64)
        spec, far = self.table.spec, self.table.record.far
        self.calls(spec.module, "measure", spec.head[0], far, states, distances)
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
            result = self.calls(
                spec.module, "branch", spec.head[0], spec.lists, self.table.record.far,
                *room, task.budget,
            )  # fmt: skip
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
