"""The states on optimal solutions as a set in arrays, and the solutions counted there."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Any

import attrs
import numpy as np

from searchkit.compiled.specialise import listing
from searchkit.compiled.specialise.costs import cost_range
from searchkit.compiled.specialise.kernels import successors
from searchkit.compiled.specialise.listing import FewSteps, list_successors, room_after
from searchkit.compiled.specialise.prepare import Specialised, specialise
from searchkit.compiled.states.kernels import state_set, ways
from searchkit.compiled.states.kernels.ways import Ended, Ways
from searchkit.compiled.states.state_set import Store
from searchkit.running.task import Run, Task
from searchkit.solutions.optimal_graph import Distances, zero_cost_cycle

FIRST_CHILDREN = 256
LEAST_BUDGET = 1 << 10
Rows = np.ndarray[Any, Any]


@attrs.frozen(eq=False, repr=False)
class StoredDistances(Distances):
    """The states on optimal solutions, with their distances to the goal.

    Takes 8 bytes per word and 14 for each state; counting takes 9 bytes more, and 8 for each
    further word of the largest number.
    """

    store: Store
    """In the order of the distances."""
    distances: np.ndarray[Any, Any]

    @classmethod
    def of(cls, task: Task, rows: Rows, distances: np.ndarray[Any, Any]) -> StoredDistances:
        """Of different states, in any order."""
        held = task.counters.bytes
        task.reserve(held + 3 * rows.nbytes + 4 * distances.nbytes)
        order = np.argsort(distances, kind="stable")
        store = Store(_specialised(task), task)
        store.begin_with(rows[order])
        return cls(store, distances[order])

    @property
    def are_few(self) -> bool:  # type: ignore[override]
        """See `FewSteps`."""
        return len(self.distances) <= listing.FEW

    @property
    def _spec(self) -> Specialised:
        return self.store.spec

    @property
    def _bytes(self) -> int:
        return self.store.bytes + self.distances.nbytes

    def are_at(self, states: Sequence[Any], distances: Sequence[int]) -> list[bool]:
        """For each of some states, whether it lies on an optimal solution at this distance."""
        if not states:
            return []
        places = self.store.locate(self._spec.states(list(states)))
        far = self.distances[np.maximum(places, 0)]
        found: list[bool] = ((places >= 0) & (far == distances)).tolist()
        return found

    def counting(self, run: Run, starts: Sequence[Any]) -> Generator[None, None, int]:
        """Count the ways from each state, those nearest to a goal first."""
        spec, module, count = self._spec, self._spec.module, len(self.distances)
        run.reserve(self._bytes + 9 * count)
        counted, numbers = np.zeros(count, dtype=np.uint8), np.zeros((count, 1), dtype=np.int64)
        room, at, left = spec.children(FIRST_CHILDREN), 0, count
        yield
        while left:
            ended, at = module.count_ways(
                spec.head[0], spec.lists, self.store.record,
                Ways(self.distances, counted, numbers), room, at, max(run.budget, LEAST_BUDGET),
            )  # fmt: skip
            if ended < 0:
                room = room_after(run, spec, ended, self.store.states[at], room)
            elif ended == Ended.TOO_MANY:
                run.reserve(self._bytes + count + 2 * numbers.nbytes + 8 * count)
                numbers = np.hstack([numbers, np.zeros((count, 1), dtype=np.int64)])
            elif ended == Ended.DONE:
                waiting = np.flatnonzero(counted == 0)
                if len(waiting) == left:
                    raise zero_cost_cycle(run.problem, self._on_cycle(run, counted))
                at, left = int(waiting[0]) if len(waiting) else 0, len(waiting)
            if ended == Ended.OUT_OF_BUDGET:
                run.budget = 0
            if run.budget <= LEAST_BUDGET:
                yield
        places = self.store.locate(spec.states(list(starts)))
        halves = numbers[places].view(np.uint64).tolist()
        return sum(word << (64 * i) for row in halves for i, word in enumerate(row))

    def _on_cycle(self, run: Run, counted: np.ndarray[Any, Any]) -> Any:
        """A state on a cycle of steps of cost 0, of those whose ways cannot be counted."""
        state, met = self.store.state(int(np.flatnonzero(counted == 0)[0])), set()
        while state not in met:
            met.add(state)
            after = [step[1] for step in run.problem.successors(state) if step[2] == 0]
            places = self.store.locate(self._spec.states(after))
            open_ones = (places >= 0) & (counted[np.maximum(places, 0)] == 0)
            state = after[int(np.flatnonzero(open_ones)[0])]
        return state


class StepsOut:
    """A growing set of states, and the steps out of them."""

    def __init__(self, task: Task, rows: Rows) -> None:
        self._task, self._spec = task, _specialised(task)
        self._store = Store(self._spec, task)
        self._store.begin_with(rows)
        self._room = self._spec.children(FIRST_CHILDREN)
        self._few = FewSteps(self._spec)

    @property
    def count(self) -> int:
        """How many states there are."""
        return self._store.count

    @property
    def bytes(self) -> int:
        """The memory of the set."""
        return self._store.bytes

    def states(self, begin: int, end: int) -> Rows:
        """The states from `begin` to `end`, in the order in which they were added."""
        return self._store.states[begin : min(end, self.count)]

    def add(self, rows: Rows) -> None:
        """Add those of some states that are new."""
        self._store.add(rows)

    def steps_from(self, begin: int, end: int) -> tuple[Rows, Rows, Rows]:
        """The successors of the states from `begin` to `end`.

        Of each, from which state it is, counted from `begin`, and the cost of the step.
        """
        rows = self.states(begin, end)
        few = self._few.listed(rows)
        if few is not None:
            return few.states, few.sources, few.costs
        self._room, ends = list_successors(self._task, self._spec, rows, self._room)
        made = int(ends[-1]) if len(ends) else 0
        sources = np.repeat(np.arange(len(rows)), np.diff(ends, prepend=0))
        costs = self._room.costs[:made] if len(self._room.costs) else np.ones(made, dtype=np.int64)
        return self._room.states[:made], sources, costs


def _specialised(task: Task) -> Specialised:
    roots = (state_set, successors, ways)
    return specialise(task.problem, None, roots, **cost_range(task))
