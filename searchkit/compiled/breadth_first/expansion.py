"""Expanding one layer after another of a set of states, in slices."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Generator, Sequence
from typing import Any

import attrs
import numpy as np

from searchkit.capabilities import Symmetry
from searchkit.compiled.breadth_first.kernels import expansion
from searchkit.compiled.breadth_first.kernels.expansion import (
    Batch,
    Ended,
    Folding,
    Goals,
    Info,
    Known,
)
from searchkit.compiled.specialise import listing
from searchkit.compiled.specialise.costs import cost_range
from searchkit.compiled.specialise.entries import DirectCalls
from searchkit.compiled.specialise.images import image_tables, map_of
from searchkit.compiled.specialise.kernels import canonical, successors
from searchkit.compiled.specialise.kernels.canonical import ImageTables
from searchkit.compiled.specialise.kernels.children import Children
from searchkit.compiled.specialise.listing import FewSteps, list_successors, room_after
from searchkit.compiled.specialise.module import python_state
from searchkit.compiled.specialise.prepare import Specialised, specialise
from searchkit.compiled.states.kernels import state_set
from searchkit.compiled.states.state_set import CHILDREN_AT_ONCE, Store, StoredStates
from searchkit.engines.explored import KeptLayers
from searchkit.running.task import Run

FOUND_AT_ONCE = 1 << 16
LOOKED_UP_AT_ONCE = 1 << 14
ONE = image_tables([])
"""The tables without symmetries, which all searches share."""


@attrs.define(eq=False, repr=False)
class HashedLayers(KeptLayers):
    """A set of states whose layers are contiguous, and the place where expanding goes on.

    The layers are those of the reference engine, in its order. `starts[d]` is the index of the
    first state of layer d, and the last entry that of the layer which is being found. Up to
    symmetry, the states are canonical ones. All are kept, unless it `forgets`.
    """

    store: Store
    images: ImageTables
    symmetries: Sequence[Symmetry[Any, Any]] = ()
    forgets: bool = False
    """Whether layers before the last two may be dropped where there is no more room."""
    starts: list[int] = attrs.field(init=False, factory=lambda: [0])
    info: np.ndarray[Any, Any] = attrs.field(init=False)
    few: FewSteps = attrs.field(init=False)
    """Lists steps without machine code."""
    _batch: Batch = attrs.field(init=False)
    _folding: Folding = attrs.field(init=False)
    _calls: DirectCalls = attrs.field(factory=DirectCalls, init=False)

    @classmethod
    def prepare(
        cls,
        task: Run,
        goals: Goals,
        *,
        forgets: bool = False,
        symmetries: Sequence[Symmetry[Any, Any]] = (),
    ) -> HashedLayers:
        """The layers of the problem of `task`, with goals looked for as `goals` says."""
        words: int = getattr(task.problem, "words", 1)
        images = image_tables(map(map_of, symmetries), words) if symmetries else ONE
        roots = (*(canonical,) * (images.count > 1), state_set, successors, expansion)
        spec = specialise(
            task.problem, None, roots, **cost_range(task),
            GOALS=goals, WIDEST=lambda lists: lists.widest, IMAGES=images.count,
        )  # fmt: skip
        return cls(task, Store(spec, task), images, symmetries, forgets)

    def __attrs_post_init__(self) -> None:
        spec = self.store.spec
        self.few = FewSteps(spec)
        batch = max(1, CHILDREN_AT_ONCE // spec.module.WIDEST)
        self._batch = batch_for(spec.children(batch * spec.module.WIDEST), batch)
        self._folding = self._folded()
        self.info = np.zeros(len(Info), dtype=np.int64)

    def _folded(self) -> Folding:
        """What children become, with room for as many as the batch has."""
        children = len(self._batch.hashes) if self.store.spec.module.IMAGES > 1 else 0
        return Folding(self.images, np.empty(children, dtype=np.int64))

    def begin(self, roots: list[Any]) -> None:
        """Make the first layer."""
        self.store.begin(list(map(python_state, self.canonical(roots))))
        self.starts = [0, self.store.count]
        self.task.counters.generated += len(roots)
        self.task.counters.holding(self.store.count)
        if roots:
            self.enter(len(roots), self.store.count)

    def canonical(self, states: list[Any]) -> np.ndarray[Any, Any]:
        """The states that stand for some, up to symmetry, as an array."""
        rows = self.store.spec.states(states)
        if self.store.spec.module.IMAGES > 1:
            self.store.spec.module.canonical_states(self.images, rows)
        return rows

    def contains(self, states: Sequence[Any], depth: int) -> list[bool]:
        """For each of some states, whether a layer holds it or a symmetric one."""
        return [
            index >= 0 and bisect_right(self.starts, index) - 1 == depth
            for index in self.store.locate(self.canonical(list(states)))
        ]

    @property
    def fresh(self) -> int:
        """How many states of the next layer were found."""
        return self.store.count - self.starts[-1]

    @property
    def goals_found(self) -> int:
        """How many goals were found in the layer that was made last, or states that others met."""
        return int(self.info[Info.GOALS_FOUND])

    def _arguments(self, budget: int) -> tuple[Any, ...]:
        spec = self.store.spec
        other = self.store if self.store.other is None else self.store.other
        head = (spec.head[0], spec.lists, Known(self.store.record, other.record))
        return *head, self._batch, self._folding, self.info, budget

    def _expand(self, budget: int) -> int:
        self.info[Info.COUNT] = self.store.count
        result = self._calls(self.store.spec.module, "expand", *self._arguments(budget))
        self.store.count = int(self.info[Info.COUNT])
        return int(result)

    def grow(self) -> Generator[None, None, int]:
        """Make the next layer, or its part up to the first goal or meeting if that is wanted."""
        yield from self._expand_layer(look=False)
        if self.fresh:
            found, states = self.fresh, int(self.info[Info.STATES])
            self.starts.append(self.store.count)
            self.enter(states or found, found)
            return found
        return 0

    def has_more(self) -> Generator[None, None, bool]:
        """Whether there is a next layer, of which nothing is kept."""
        result = yield from self._expand_layer(look=True)
        return result == Ended.DEEPER

    def _expand_layer(self, *, look: bool) -> Generator[None, None, int]:
        """Expand the last layer, or only until a new state is met; how that ended."""
        task, info = self.task, self.info
        counters = task.counters
        info[Info.NEXT], info[Info.END] = self.starts[-2:]
        info[Info.MOST] = info[Info.GOALS_FOUND] = info[Info.STATES] = 0
        info[Info.LOOK] = look
        if self.other is not None:
            info[Info.LAST] = self.other.starts[-2]
        while True:
            info[Info.EXPANDED] = info[Info.GENERATED] = 0
            result = self._expand(task.budget)
            task.budget -= int(info[Info.EXPANDED])
            counters.expanded += int(info[Info.EXPANDED])
            counters.generated += int(info[Info.GENERATED])
            self._note()
            if result == Ended.OUT_OF_BUDGET:
                yield
            elif result == Ended.SET_FULL:
                yield from self._make_room()
            elif result < 0:
                store = self.store
                given = result, store.states[info[Info.NEXT]], self._batch, store.bytes
                self._batch = batch_after(task, store.spec, *given)
                self._folding = self._folded()
            else:
                return result

    def _note(self) -> None:
        counters, other = self.task.counters, self.other
        waiting, held = (other.size, other.store.count) if other is not None else (0, 0)
        counters.waiting(int(self.info[Info.MOST]) + waiting)
        counters.frontier = self.starts[-1] - int(self.info[Info.NEXT]) + self.fresh + waiting
        counters.holding(self.store.count - self._forgettable + held)

    @property
    def _forgettable(self) -> int:
        """How many states need not be kept: those of layers before the last two."""
        return self.starts[-3] if self.forgets and len(self.starts) > 2 else 0

    def _make_room(self) -> Generator[None, None, None]:
        """Forget what may be forgotten if that frees a third, or else make the set larger."""
        dropped = self._forgettable
        if dropped * 3 < self.store.capacity:
            before = self.store.capacity
            yield from self.store.grow()
            if self.store.capacity <= before:  # too little for the children of one state
                raise MemoryError
            return
        self.starts = [max(0, start - dropped) for start in self.starts]
        self.info[Info.NEXT] -= dropped
        self.info[Info.END] -= dropped
        yield from self.store.forget(dropped)

    def goals(self) -> list[int]:
        """The indexes of the goals of the last layer."""
        module, store = self.store.spec.module, self.store
        begin, end = self.starts[-2:]
        few = self._last_goals(begin, end)
        if few is not None:
            return few
        found = np.empty(FOUND_AT_ONCE, dtype=np.int64)
        goals: list[int] = []
        while begin < end:
            count = module.goals_among(store.spec.head[0], store.states, begin, end, found)
            goals += found[:count].tolist()
            begin = goals[-1] + 1 if count == FOUND_AT_ONCE else end
        return goals

    def _last_goals(self, begin: int, end: int) -> list[int] | None:
        """The goals of a layer by the rules in Python, if they are among its last few states.

        There is the first goal that was found: after it, no state was expanded.
        """
        problem, state, wanted = self.store.spec.problem, self.store.state, self.goals_found
        goals: list[int] = []
        for at in reversed(range(max(begin, end - listing.FEW), end)):
            if problem.is_goal(state(at)):
                goals.insert(0, at)
            if wanted and len(goals) == wanted:
                return goals
        return None if wanted or end - begin > listing.FEW else goals

    def steps_from(
        self, indexes: Any, by: HashedLayers | None = None
    ) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """The steps out of stored states: where each state is in `indexes`, and its successor.

        Successors that are not stored have negative indexes. The steps are those of `by`, if it is
        given: of the other end of a search, say.
        """
        listing = self if by is None else by
        source, successors = listing.successors_of(self.store.states[indexes])
        return source, self.store.locate(successors)

    def successors_of(self, rows: Any) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
        """The successors of states as an array, and where each state is in `rows`."""
        spec = self.store.spec
        few = self.few.listed(rows)
        if few is not None:
            return few.sources, few.states
        room = spec.children(len(rows) * spec.lists.widest)
        children, ends = list_successors(self.task, spec, rows, room)
        counts = np.diff(ends, prepend=0)
        return np.repeat(np.arange(len(rows)), counts), children.states[: counts.sum()]

    def farthest(self) -> Sequence[Any]:
        """The states of the last layer reached, in the order in which they were."""
        ends = (self.starts[-1], self.store.count) if self.partial else self.starts[-2:]
        return StoredStates(self.store.states[slice(*ends)]).listed()


def batch_for(children: Children, states: int) -> Batch:
    """Room for the children of some states."""
    hashes = np.empty(len(children.states), dtype=np.int64)
    return Batch(children, hashes, np.empty(states, dtype=np.int64))


def batch_after(run: Run, spec: Specialised, why: int, row: Any, batch: Batch, held: int) -> Batch:
    """Room as `room_after` gives, where `held` bytes are in use elsewhere."""
    room = room_after(run, spec, why, row, batch.children)
    if room is batch.children:
        return batch
    run.reserve(held + sum(each.nbytes for each in room))
    return batch_for(room, len(batch.ends))


def common(
    one: HashedLayers, other: HashedLayers
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """The indexes on both sides of the states in both last layers, in the order of `one`."""
    begin, end = one.starts[-2:]
    found = np.concatenate([
        other.store.locate(one.store.states[at : min(end, at + LOOKED_UP_AT_ONCE)])
        for at in range(begin, end, LOOKED_UP_AT_ONCE)
    ])  # fmt: skip
    places = np.flatnonzero(found >= other.starts[-2])
    return places + begin, found[places]
