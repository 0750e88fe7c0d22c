"""BIDA* over packed states (Manzini, "BIDA*: an improved perimeter search algorithm", 1995).

The perimeter is a hash table of two bits a slot: 3 if a state that falls there is near, 2 if it is
in the layer before the last, 1 if it is in the last one, 0 if none falls there. Of several states
the nearest counts, so that no estimate is too large.
"""

from __future__ import annotations

from collections.abc import Generator
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np

from searchkit.bits import shift_right
from searchkit.compiled.breadth_first.expansion import HashedLayers
from searchkit.compiled.breadth_first.kernels import perimeter
from searchkit.compiled.breadth_first.kernels.expansion import Goals
from searchkit.compiled.depth_first.deepening import deepening
from searchkit.compiled.specialise.costs import cost_range
from searchkit.compiled.specialise.prepare import gives_floats, specialise
from searchkit.compiled.states.state_set import bytes_for
from searchkit.engines.perimeter import Perimeter
from searchkit.errors import CompilationError
from searchkit.heuristics.maximum import maximum
from searchkit.packed import DEAD_END, CarriedHeuristic, PackedHeuristic, ZeroHeuristic
from searchkit.problem import INFINITY, name_of
from searchkit.running.task import Outcome, Run, Task, aside

Rows = np.ndarray[Any, Any]

FIRST, SECOND, MASK = 0xFF51AFD7ED558CCD, 0xC4CEB9FE1A85EC53, 0xFFFFFFFFFFFFFFFF
NEAR = 3
SLOTS_PER_STATE, LEAST_SLOTS = 16, 2
"""How many slots there are for a state where there is room, and how many at least: some states
that are far fall where near ones do."""
LEAST_BYTES, MOST_BYTES = 1 << 10, (1 << 30) - 1
"""Of the table: slots are fewer than 2**32."""
STORED = 4
"""One part of so many is for layers that are stored, the others for the table."""
SHARE = 0.75
"""Of the memory limit, what a perimeter takes at most."""
MARKED_AT_ONCE = CHILDREN_AT_ONCE = 1 << 16


def bida_star(task: Task) -> Generator[None, None, Outcome]:
    """IDA* with the larger of two estimates: that of the task, and what the perimeter says.

    A quarter of the memory is for layers of states, of 8 bytes a word and 6 more each. Layers
    that do not fit are marked in the table without being stored, again each time one is added.
    """
    own = task.heuristic
    if gives_floats(own):
        raise CompilationError(
            f"{name_of(task.problem)}: bida is not for estimates with a decimal point; "
            "use whole numbers"
        )
    near = _HashedPerimeter(task)
    task.heuristic = _larger(near.bounds, own)
    try:
        return (yield from deepening(task, near.grow))
    finally:
        task.heuristic = own


class _Tables(NamedTuple):
    """The table, four slots in a byte; `said`: how many slots, the last layer, the bound beyond."""

    table: Any
    said: Any


class _Near(PackedHeuristic):
    """What a perimeter says of states of one word."""

    name = "perimeter"

    def __init__(self, tables: _Tables) -> None:
        self.tables = tables

    def estimate(self, state: Any) -> int:
        """Kernel: the bound on the distance to a goal."""
        return self.bound(state)

    def bound(self, hashed: int) -> int:
        """Kernel: what is said of a state whose words were mixed; see `words.mixed`."""
        mixed = (hashed ^ shift_right(hashed, 33)) * FIRST & MASK
        mixed = (mixed ^ shift_right(mixed, 33)) * SECOND & MASK
        mixed = mixed ^ shift_right(mixed, 33)
        slot = shift_right(shift_right(mixed, 32) * int(self.tables.said[0]), 32)
        found = int(self.tables.table[slot >> 2]) >> 2 * (slot & 3) & 3
        if found == 0:
            return int(self.tables.said[2])
        return int(self.tables.said[1]) + 1 - found if found < NEAR else 0


class _WideNear(_Near):
    """What a perimeter says of states of several words."""

    def estimate(self, state: Any) -> int:
        """Kernel: the bound on the distance to a goal."""
        mixed = state[0]
        for word in range(1, len(state)):
            mixed = (mixed ^ shift_right(mixed, 33)) * FIRST + state[word] & MASK
        return self.bound(mixed)


class _Larger(PackedHeuristic):
    """The larger of what a perimeter says and of another estimate, both from scratch."""

    parts = ("near", "own")

    def __init__(self, near: _Near, own: PackedHeuristic) -> None:
        self.near, self.own, self.name = near, own, own.name

    def estimate(self, state: Any) -> int:
        """Kernel: the larger one."""
        return max(self.near.estimate(state), self.own.estimate(state))


def _larger(near: _Near, own: Any) -> Any:
    """The larger of both; where the other is not carried along, from scratch."""
    if not isinstance(own, PackedHeuristic) or isinstance(own, ZeroHeuristic):
        return near
    is_recomputed = type(own).change is PackedHeuristic.change
    is_carried = isinstance(own, CarriedHeuristic)
    return _Larger(near, own) if is_recomputed and not is_carried else maximum(near, own)


class _HashedPerimeter(Perimeter):
    """Layers that are stored, further ones that are not, and the table of what is near."""

    def __init__(self, task: Task) -> None:
        super().__init__(task)
        run, problem = task if task.backward is None else task.backward, task.problem
        room = int(min(task.algorithm.perimeter, task.max_bytes * SHARE))
        self.back = Run(
            problem=run.problem, counters=task.counters, stores=run.stores, kept=run.kept,
            max_bytes=task.max_bytes,
        )  # fmt: skip
        self.layers = HashedLayers.prepare(self.back, Goals.NONE)
        self.marking = specialise(run.problem, None, [perimeter], **cost_range(task))
        goals = {problem.key(goal): goal for goal in problem.goal_states()}  # type: ignore[attr-defined]
        self.layers.begin(list(goals.values()))
        self.back.max_bytes = max(room // STORED, self.layers.store.bytes)
        self.reached: list[int] = []
        """How many slots were taken by each layer beyond those that are stored."""
        self.is_full = False
        """Whether no more layers are stored."""
        self.depth = self.layers.depth
        self.table = np.zeros(
            min(max(LEAST_BYTES, room - room // STORED), MOST_BYTES), dtype=np.uint8
        )
        self.said = np.zeros(3, dtype=np.int64)
        kind = _Near if task.problem.words == 1 else _WideNear  # type: ignore[attr-defined]
        self.bounds = kind(_Tables(self.table, self.said))

    @property
    def sizes(self) -> list[int]:
        """The states of each layer."""
        return self.layers.sizes + self.reached

    @property
    def next_expansions(self) -> float:
        """The states of the last layer; those of all layers that are not stored, if it is none."""
        sizes = self.sizes
        if self.depth < 0 or not sizes[-1] or LEAST_SLOTS * self._marked > 4 * len(self.table):
            return INFINITY
        return sizes[-1] if self._has_room else sum(sizes[self.layers.depth :])

    @property
    def _marked(self) -> float:
        """The states up to the next layer, if it grows as the last one did."""
        return sum(self.sizes) + self.growth * self.sizes[-1]

    @property
    def _has_room(self) -> bool:
        """Whether the next layer is likely to fit among those that are stored."""
        words: int = self.back.problem.words  # type: ignore[attr-defined]
        return not self.is_full and bytes_for(words, int(self._marked)) <= self.back.max_bytes

    def deepen(self) -> Generator[None, None, None]:
        """Make another layer, and the table."""
        expected = self._marked
        self.is_full = not self._has_room
        if not self.is_full:
            try:
                self.is_whole = not (yield from self._stored())
            except MemoryError:  # what was met of the layer is left out
                self.is_full = True
        if self.is_full:
            self.layers.store.table = np.zeros(0, dtype=np.uint32)
            self.reached = [0] * (len(self.reached) + 1)
        self.depth = len(self.sizes) - 1
        yield from self._mark(expected)

    def _stored(self) -> Generator[None, None, int]:
        """Store the next layer; how many states it has."""
        growing = self.layers.grow()
        while True:
            self.back.budget = self.task.budget
            try:
                next(growing)
            except StopIteration as stopped:
                found: int = stopped.value
                return found
            finally:
                self.task.budget = self.back.budget
            yield

    def _mark(self, expected: float) -> Generator[None, None, None]:
        """Fill the table, with slots for as many states as are expected."""
        store, starts = self.layers.store, self.layers.starts
        used = int(min(max(LEAST_BYTES, expected * SLOTS_PER_STATE / 4), len(self.table)))
        self.task.reserve(store.bytes + used)
        self.table[:used] = 0
        beyond = DEAD_END if self.is_whole else self.depth + 1
        self.said[:] = 4 * used, self.depth, beyond
        yield from aside(self.task, self._mark_stored())
        if self.is_full:
            rows = store.states[slice(*starts[-2:])]
            yield from self._mark_below(rows, self.layers.depth + 1)

    def _mark_stored(self) -> Generator[None, None, None]:
        """Mark the layers that are stored."""
        store, starts = self.layers.store, self.layers.starts
        for depth, (begin, end) in enumerate(pairwise(starts)):
            for at in range(begin, end, MARKED_AT_ONCE):
                self._note(store.states[at : min(end, at + MARKED_AT_ONCE)], depth)
                yield

    def _mark_below(self, rows: Rows, depth: int) -> Generator[None, None, None]:
        """Mark what follows after states of the layer before `depth`, down to the last layer."""
        task, counters = self.task, self.task.counters
        most, at = max(1, CHILDREN_AT_ONCE // self.layers.store.spec.lists.widest), 0
        while at < len(rows):
            if task.budget <= 0:
                yield
                continue
            some = rows[at : at + min(most, task.budget)]
            _, children = self.layers.successors_of(some)
            at += len(some)
            task.budget -= len(some)
            counters.expanded += len(some)
            counters.generated += len(children)
            self.reached[depth - len(self.layers.sizes)] += self._note(children, depth)
            if depth < self.depth:
                yield from self._mark_below(np.unique(children, axis=0), depth + 1)

    def _note(self, rows: Rows, depth: int) -> int:
        """Mark states of a layer, of which the nearest in a slot counts; in how many new slots."""
        code = min(NEAR, self.depth - depth + 1)
        return int(self.marking.module.mark(rows, self.table, int(self.said[0]), code))
