"""Beam search over packed states: two sets of states in hash tables.

Lowerre, "The HARPY speech recognition system" (1976); Bisiani, "Beam search" (1987). Zhang,
"Complete anytime beam search" (1998).
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Any
from weakref import proxy

import attrs
import numpy as np

from searchkit.compiled.breadth_first.expansion import batch_after, batch_for
from searchkit.compiled.breadth_first.kernels import beam
from searchkit.compiled.breadth_first.kernels.beam import Ended, Info, Number, Numbered, Sets
from searchkit.compiled.breadth_first.kernels.expansion import Batch
from searchkit.compiled.specialise.costs import cost_range, wrong_estimate
from searchkit.compiled.specialise.entries import DirectCalls
from searchkit.compiled.specialise.kernels import successors
from searchkit.compiled.specialise.module import python_state
from searchkit.compiled.specialise.prepare import Specialised, specialise
from searchkit.compiled.states.kernels import state_set
from searchkit.compiled.states.state_set import CHILDREN_AT_ONCE, ENTERED_AT_ONCE, Store
from searchkit.engines.anytime import best_cost, is_enough, note_solution
from searchkit.limits import LimitKind
from searchkit.packed import CarriedHeuristic
from searchkit.problem import INFINITY
from searchkit.running.task import Outcome, Task, aside, seldom
from searchkit.solutions.from_parents import along

NO_LIMIT = 1 << 62
NUMBER_BYTES = 8
FEW = 512
"""Rows that are sorted in one call."""
CHOOSING_BYTES = 48
"""What choosing the beam takes for a while, for each state found."""


def beam_search(task: Task) -> Generator[None, None, Outcome]:
    """Expand the best states of a layer to the next, until that has a goal.

    Exactly the states that the reference engine expands, in the same order. A state that is or
    was in the beam takes 8 bytes a word and 38 more; those of the next layer as many. What its
    heuristic carries is held for the last two layers.
    """
    search = _Beam.prepare(task)
    yield
    found = yield from search.solution()
    return found or Outcome(gave_up=LimitKind.WIDTH if search.is_narrow else search.gave_up)


def complete_beam_search(task: Task) -> Generator[None, None, Outcome]:
    """Search with beams twice as wide each until one has left nothing out.

    Exactly the states that the reference engine expands, in the same order. Memory as for
    `beam_search`; a state that is reached at a smaller g takes that once more.
    """
    search = _Beam.prepare(task, is_complete=True)
    search.begin_again(search.width, best_cost(task) - 1)
    yield
    while True:
        found = yield from search.solution()
        if not search.is_left:
            cost = INFINITY if found is None or found.cost is None else found.cost
            least = min(search.least_left_out, cost, best_cost(task))
            task.counters.prove(least if least < INFINITY else 0)
        if found is not None:
            note_solution(task, found, width=search.width)
        if search.is_left or not search.is_narrow or is_enough(task):
            return task.partial or Outcome(cut=bool(search.info[Info.CUT]))
        search.begin_again(2 * search.width, best_cost(task) - 1)


@attrs.define(eq=False, repr=False)
class _NumberedStore(Store):
    """Which has a row of numbers for each state."""

    numbers: np.ndarray[Any, Any] = attrs.field(
        init=False, factory=lambda: np.zeros((0, len(Number)), dtype=np.int64)
    )
    twins: int = attrs.field(default=0, init=False)
    """How many rows are of states that have a later one, by which they are found."""
    words: int = 0
    """How many words are carried with each state."""
    ahead: int = attrs.field(default=0, init=False)
    """How many states, of the layer before, have their words before those of the set."""
    memo: np.ndarray[Any, Any] = attrs.field(
        init=False, factory=lambda: np.zeros(0, dtype=np.int64)
    )

    @property
    def row(self) -> Numbered:
        """What kernels take."""
        return Numbered(self.record, self.numbers)

    @property
    def bytes(self) -> int:
        """The memory of the set."""
        sets = self.states.nbytes + self.table.nbytes
        return int(sets + self.numbers.nbytes + self.memo.nbytes)

    def _bytes_for(self, capacity: int) -> int:
        numbers = capacity * len(Number) + (self.ahead + capacity) * self.words
        return Store._bytes_for(self, capacity) + NUMBER_BYTES * numbers

    def _set_capacity(self, capacity: int) -> None:
        Store._set_capacity(self, capacity)
        self.numbers.resize((capacity, len(Number)), refcheck=False)
        self.memo.resize((self.ahead + capacity) * self.words, refcheck=False)

    def make_room(self, count: int) -> Generator[None, None, None]:
        """Make room for that many more states."""
        while self.count + count > self.capacity:
            before = self.capacity
            yield from self.grow()
            if self.capacity <= before:
                raise MemoryError

    def words_of(self, rows: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The words carried with some states."""
        words: np.ndarray[Any, Any] = self.memo.reshape(-1, max(1, self.words))[self.ahead + rows]
        return words

    def carry(self, rows: np.ndarray[Any, Any]) -> None:
        """Forget all states, but keep the words of those in `rows` ahead."""
        if self.words:
            kept, self.ahead = self.words_of(rows).reshape(-1), len(rows)
            size = (self.ahead + self.capacity) * self.words
            if len(self.memo) < size:
                self.memo.resize(size, refcheck=False)
            self.memo[: len(kept)] = kept
        self.clear()

    def clear(self) -> None:
        """Forget all states."""
        self.table[:] = 0
        self.count = self.twins = 0

    def enter_all(self) -> Generator[None, None, None]:
        """Fill the empty table, in slices."""
        if not self.twins:
            yield from Store.enter_all(self)
            return
        for begin in range(0, self.count, ENTERED_AT_ONCE):
            end = min(self.count, begin + ENTERED_AT_ONCE)
            self.spec.module.enter_latest(self.record, begin, end)
            yield

    def add_again(self, rows: np.ndarray[Any, Any]) -> None:
        """Hold those in `rows`, for which there is room, also where they are held already."""
        begin, self.count = self.count, self.count + len(rows)
        self.states[begin : self.count] = rows
        self.twins += int(self.spec.module.enter_latest(self.record, begin, self.count))


@attrs.define(eq=False, repr=False)
class _Beam:
    task: Task
    spec: Specialised
    past: _NumberedStore
    """The states that are or were in the beam, the present ones from `begin` on."""
    found: _NumberedStore
    """Those of the next layer."""
    width: int
    is_complete: bool = False
    """Whether it goes on for cheaper goals than it has found, and takes states again."""
    begin: int = 0
    is_left: bool = False
    """Whether a solution was good enough before the end."""
    is_narrow: bool = False
    """Whether a state was left out as the beam was full."""
    least_left_out: float = INFINITY
    """The smallest f of such a state."""
    info: np.ndarray[Any, Any] = attrs.field(init=False)
    _batch: Batch = attrs.field(init=False)
    _goal: np.ndarray[Any, Any] = attrs.field(init=False)
    _calls: DirectCalls = attrs.field(factory=DirectCalls, init=False)

    @classmethod
    def prepare(cls, task: Task, *, is_complete: bool = False) -> _Beam:
        spec = specialise(
            task.problem, task.heuristic, (state_set, successors, beam), **cost_range(task),
            WIDEST=lambda lists: lists.widest,
        )  # fmt: skip
        past = _NumberedStore(spec, task)
        found = _NumberedStore(spec, task, proxy(past), words=spec.carried)
        past.other = proxy(found)
        return cls(task, spec, past, found, task.algorithm.width, is_complete)

    def __attrs_post_init__(self) -> None:
        widest = self.spec.module.WIDEST
        children, states = max(CHILDREN_AT_ONCE, widest), max(1, CHILDREN_AT_ONCE // widest)
        self._batch = batch_for(self.spec.children(children), states)
        self._goal = self.spec.empty(1)
        self.info = np.zeros(len(Info), dtype=np.int64)
        self.begin_again(self.width, NO_LIMIT)

    def begin_again(self, width: int, most: float) -> None:
        """Be a search with a beam of that width, for solutions that cost at most so much."""
        self.width, self.is_narrow, self.least_left_out = width, False, INFINITY
        self.info[:] = 0
        self.info[Info.COST_LIMIT] = self.spec.word_of(min(self.task.max_cost, most, NO_LIMIT))
        self.info[Info.GOAL_PARENT] = -1
        self.info[Info.AGAIN] = self.is_complete
        self.past.clear()
        self.found.ahead = 0
        self.found.clear()

    def solution(self) -> Generator[None, None, Outcome | None]:
        """The cheapest solution of the first layer that has a goal, or of all if complete."""
        task, info = self.task, self.info
        first = self._starts()
        if first is not None:
            return along(task, [first], 0)
        while self.found.count:
            yield from aside(task, self._choose())
            yield from self._expand()
            if info[Info.GOAL_PARENT] >= 0:
                if not self.is_complete:
                    break
                yield from aside(task, self._leave_dearer())
                if self.found.count:
                    note_solution(task, self._to_goal(), width=self.width)
                    if is_enough(task):
                        self.is_left = True
                        break
        return None if info[Info.GOAL_PARENT] < 0 else self._to_goal()

    @seldom
    def _leave_dearer(self) -> Generator[None, None, None]:
        """Leave out of the next layer what does not lead to a cheaper goal."""
        info, found = self.info, self.found
        most = min(self.spec.number_of(info[Info.COST_LIMIT]), int(info[Info.GOAL_G]) - 1)
        info[Info.COST_LIMIT] = self.spec.word_of(most)
        self.task.reserve(self.past.bytes + found.bytes + CHOOSING_BYTES * found.count)
        kept = np.flatnonzero(self._sums(found.numbers[: found.count]) <= most)
        if len(kept) < found.count:
            found.count = len(kept)  # they are looked up no more
            for at in range(0, len(kept), ENTERED_AT_ONCE):
                rows = kept[at : at + ENTERED_AT_ONCE]
                found.states[at : at + len(rows)] = found.states[rows]
                found.numbers[at : at + len(rows)] = found.numbers[rows]
                if found.words:
                    words, begin = found.words_of(rows).reshape(-1), found.ahead + at
                    found.memo[begin * found.words :][: len(words)] = words
                yield

    def _estimates(self, numbers: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The h of some rows."""
        h = np.ascontiguousarray(numbers[:, Number.H])
        return h.view(np.float64) if self.spec.module.FLOATS else h

    def _sums(self, numbers: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """The f = g + h of some rows."""
        sums: np.ndarray[Any, Any] = numbers[:, Number.G] + self._estimates(numbers)
        return sums

    @property
    def gave_up(self) -> LimitKind | None:
        """The limit for which something else was left out."""
        return LimitKind.COST if self.info[Info.CUT] else None

    def _starts(self) -> Any | None:
        """Put the starts into the first layer; the first of them that is a goal, if any is."""
        task, info, counters = self.task, self.info, self.task.counters
        estimates: dict[Any, float] = {}
        least = INFINITY
        for start in task.starts:
            counters.generated += 1
            estimate = self.spec.heuristic(start)
            least = min(least, estimate)
            if estimate > self.spec.number_of(info[Info.COST_LIMIT]) or estimate == INFINITY:
                info[Info.CUT] |= task.is_cut(estimate)
            elif task.problem.is_goal(start):
                return start
            else:
                estimates.pop(start, None)
                estimates[start] = estimate
        self.past.begin([])
        self.found.begin(list(estimates))
        for number, estimate in enumerate(estimates.values()):
            self.found.numbers[number] = -1, 0, self.spec.word_of(estimate), number
        if self.found.words and isinstance(self.spec.heuristic, CarriedHeuristic):
            for number, start in enumerate(estimates):
                words = [0] * self.found.words
                self.spec.heuristic.begun(start, words)
                self.found.memo[number * len(words) :][: len(words)] = words
        info[Info.ENTRIES] = len(estimates)
        counters.prove(least if least < INFINITY else 0)
        return None

    @seldom
    def _choose(self) -> Generator[None, None, None]:
        """Make the beam of the best states found."""
        past, found = self.past, self.found
        choosing = CHOOSING_BYTES + 2 * NUMBER_BYTES * found.words
        self.task.reserve(past.bytes + found.bytes + choosing * found.count)
        numbers, width = found.numbers[: found.count], self.width
        best = _best(numbers, self._estimates(numbers), width)
        if width < found.count:
            left_out = np.ones(found.count, dtype=bool)
            left_out[best] = False
            least = self._sums(numbers[left_out]).min().item()
            self.is_narrow, self.least_left_out = True, min(self.least_left_out, least)
        yield from past.make_room(len(best))
        self.begin = past.count
        past.numbers[past.count : past.count + len(best)] = found.numbers[best]
        for at in range(0, len(best), ENTERED_AT_ONCE):
            past.add_again(found.states[best[at : at + ENTERED_AT_ONCE]])
            yield
        found.carry(best)

    def _expand(self) -> Generator[None, None, None]:
        """Expand the beam; the next layer is in `found` then."""
        task, info, counters = self.task, self.info, self.task.counters
        info[Info.NEXT], info[Info.END] = self.begin, self.past.count
        info[Info.AHEAD] = self.found.ahead
        while True:
            info[Info.EXPANDED] = info[Info.GENERATED] = info[Info.MOST] = 0
            info[Info.FOUND] = self.found.count
            given = self._arguments(min(task.budget, NO_LIMIT))
            result = self._calls(self.spec.module, "expand_beam", *given)
            self.found.count = int(info[Info.FOUND])
            task.budget -= int(info[Info.EXPANDED])
            counters.expanded += int(info[Info.EXPANDED])
            counters.generated += int(info[Info.GENERATED])
            counters.waiting(int(info[Info.MOST]))
            counters.frontier = self.past.count - int(info[Info.NEXT]) + self.found.count
            if info[Info.EXPANDED]:
                counters.holding(self.past.count - self.past.twins + self.found.count)
            if result == Ended.LAYER_DONE:
                return
            if result == Ended.OUT_OF_BUDGET:
                yield
            elif result == Ended.SET_FULL:
                yield from self.found.make_room(len(self._batch.hashes))
            elif result == Ended.WRONG_ESTIMATE:
                raise wrong_estimate(self.spec, self._goal[0])
            else:
                row, held = self.past.states[info[Info.NEXT]], self.past.bytes + self.found.bytes
                self._batch = batch_after(task, self.spec, result, row, self._batch, held)

    def _arguments(self, budget: int) -> tuple[Any, ...]:
        return (
            *self.spec.head[:2], self.spec.lists,
            Sets(self.past.row, self.found.row, self._goal, self.found.memo),
            self._batch, self.info, budget,
        )  # fmt: skip

    def _to_goal(self) -> Outcome:
        """The solution that ends at the cheapest goal."""
        return along(self.task, self._path(), int(self.info[Info.GOAL_G]))

    def _path(self) -> list[Any]:
        """The states from a start to the goal; none but the first is a start."""
        path, at = [python_state(self._goal[0])], int(self.info[Info.GOAL_PARENT])
        starts, past = set(self.task.starts), self.past
        while at >= 0 and path[-1] not in starts:
            if past.twins:
                at = int(past.locate(past.states[at : at + 1])[0])
            path.append(past.state(at))
            at = int(past.numbers[at, Number.PARENT])
        return path[::-1]


def _best(
    numbers: np.ndarray[Any, Any], h: np.ndarray[Any, Any], width: int
) -> np.ndarray[Any, Any]:
    """The indexes of the best rows, by f = g + h, then h, then the time when they were found."""
    f, time = numbers[:, Number.G] + h, numbers[:, Number.ENTRY]
    if len(f) <= FEW or h.dtype.kind == "f":
        return np.lexsort((time, h, f))[:width]
    keys = [each - each.min() for each in (f, h, time)]
    bits = [int(each.max()).bit_length() for each in keys]
    if sum(bits) >= 63:
        return np.lexsort((time, h, f))[:width]
    key = (keys[0] << bits[1] | keys[1]) << bits[2] | keys[2]
    if width < len(key):
        chosen = np.argpartition(key, width - 1)[:width]
        return chosen[np.argsort(key[chosen])]
    return np.argsort(key)
