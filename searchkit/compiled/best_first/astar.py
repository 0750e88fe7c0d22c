"""A* and uniform-cost search over packed states: a hash table and a bucket queue.

Hart, Nilsson & Raphael (1968); Dijkstra (1959). The queue in buckets: Dial, "Shortest-path
forest with topological ordering" (1969); Burns et al., "Implementing fast heuristic search
code" (SoCS 2012).
"""

from __future__ import annotations

import random
from collections.abc import Generator, Iterator, Sequence
from typing import Any, ClassVar, Self
from weakref import ref

import attrs
import numpy as np

from searchkit.compiled.best_first.closed_list import ClosedTable, LineLayout
from searchkit.compiled.best_first.kernels import astar, closed_list, open_list, sweep
from searchkit.compiled.best_first.kernels.open_list import Info
from searchkit.compiled.best_first.kernels.order import Order
from searchkit.compiled.best_first.kernels.prefetching import Queue, Room
from searchkit.compiled.best_first.kernels.reaching import Ended
from searchkit.compiled.best_first.open_list import OpenList
from searchkit.compiled.best_first.retrace import one_path, optimal_states
from searchkit.compiled.specialise.costs import cost_range, wrong_estimate
from searchkit.compiled.specialise.entries import DirectCalls
from searchkit.compiled.specialise.growable import Account
from searchkit.compiled.specialise.listing import room_after
from searchkit.compiled.specialise.module import python_state
from searchkit.compiled.specialise.prepare import Specialised, gives_floats, specialise
from searchkit.errors import ProblemError
from searchkit.kernel_language.floats import word_of
from searchkit.packed import has_expand
from searchkit.problem import INFINITY, Costs, name_of
from searchkit.running.making import search_clock
from searchkit.running.task import Outcome, Task, aside, keep_lists
from searchkit.transforms.packed_chains import PackedChains

CHUNK, CHUNK_OF_FLOATS = 32, 4
"""Of floats, many have a bucket of their own."""
ROOTS = 32
QUEUE = 1024
CHILDREN = 1024
"""The listed successors of a state that there is room for at first."""
MOST_LISTED = 1 << 14
"""The most successors of a state where they are no operators."""
LEAST_SLOTS = 4
"""Of a line of the table."""
AHEAD_LINES = 1 << 15
"""A table of fewer lines (2 MB) stays in the cache without looking ahead."""
AHEAD_SECONDS, AHEAD_STATES = 1e-6, 64
"""Looking ahead runs rules twice: not where a state, on an average of so many, takes longer."""
MARK_BITS = 8, 16, 32
"""What a mark has at first, and where a larger g is met."""
MOST_NARROW = 90
"""Where the estimate of a start is larger, g may well be more than a narrow mark can say."""
NO_LIMIT = 1 << 40
MOST_G = 1 << 30
MOST_ORDER = (1 << 31) - 1


def best_first(task: Task) -> Generator[None, None, Outcome]:
    """Expand the open state of smallest f = g + h until that is a goal.

    Expands, generates and re-opens exactly the states that the reference engine does, in the
    same order. Memory: about 12 to 20 bytes a stored state of one word, and 10 an open one; no
    parents are kept.
    """
    return BestFirst.search(task)


def _specialised(
    task: Task, mark_bits: int, order: Order, *, looks_ahead: bool = False
) -> tuple[Specialised, LineLayout]:
    packed: Any = PackedChains.of(task.problem)
    is_listed, layout = has_expand(packed), LineLayout(packed.words, mark_bits)
    table: dict[str, Any] = layout.constants()
    spec = specialise(
        packed,
        task.heuristic,
        (closed_list, open_list, astar, sweep),
        skip_inverses=True,
        kept=task.kept,
        **table,
        SPARE=lambda lists: 16 + (MOST_LISTED // LEAST_SLOTS if is_listed else lists.widest),
        MOST_LISTED=lambda lists: MOST_LISTED if is_listed else lists.widest,
        CHUNK=CHUNK_OF_FLOATS if gives_floats(task.heuristic) else CHUNK,
        ROOTS=ROOTS,
        QUEUE=QUEUE,
        AHEAD=looks_ahead,
        ORDER=order,
        MOST_ORDER=word_of(MOST_ORDER) if gives_floats(task.heuristic) else MOST_ORDER,
        MOST_G=min(MOST_G, (1 << (mark_bits - 1)) - 3),
        **cost_range(task),
    )
    return spec, layout


@attrs.define(eq=False, repr=False, slots=False)
class BestFirst:
    """The lists of a search in the order of f."""

    order: ClassVar[Order] = Order.BY_F

    task: Task
    account: Account
    spec: Specialised
    layout: LineLayout
    closed: ClosedTable = attrs.field(init=False)
    open: OpenList = attrs.field(init=False)
    room: Room = attrs.field(init=False)
    pace: float = attrs.field(default=INFINITY, init=False)
    """The seconds that a state took in the fastest slice."""
    is_growing: bool = attrs.field(default=False, init=False)
    """Whether the table is being changed, so that nothing can be looked up."""
    _calls: DirectCalls = attrs.field(factory=DirectCalls, init=False)
    """What expands states, of a module."""
    _ahead: Specialised | None = attrs.field(default=None, init=False)
    """What looks ahead as well, once that is worth while: few searches are so large."""

    @classmethod
    def search(cls, task: Task) -> Generator[None, None, Outcome]:
        """Search from the starts of a task."""
        engine = cls.prepare(task)
        engine.begin()
        yield
        return (yield from engine.run())

    @classmethod
    def prepare(cls, task: Task) -> Self:
        """Make the lists, and load or make the machine code."""
        engine = cls(task, Account(task), *_specialised(task, cls._mark_bits(task), cls.order))
        engine.closed = ClosedTable(engine.spec, engine.layout, engine.account)
        task.stores.append(ref(engine))
        engine.open = OpenList(engine.spec, engine.account, engine.spec.lists.widest)
        spec = engine.spec
        queue = Queue(spec.empty(QUEUE), *np.zeros((3, QUEUE), dtype=np.int64))
        children = spec.children(CHILDREN if spec.module.LISTED else 0)
        engine.room = Room(queue, children, np.zeros(2 * spec.carried, dtype=np.int64))
        return engine

    @classmethod
    def _mark_bits(cls, task: Task) -> int:
        """Few where every g is probably small: more states then share a line of memory."""
        if task.problem.costs is Costs.INTEGER:
            return MARK_BITS[2]
        least = min((task.heuristic(start) for start in task.starts), default=0)
        return MARK_BITS[cls.order is not Order.BY_F or least > MOST_NARROW]

    def run(self) -> Generator[None, None, Outcome]:
        """Search until a goal comes first, or all of equal f if every solution is wanted."""
        task = self.task
        goals: list[Any] = []
        bound = NO_LIMIT
        while (yield from self.until_goal(self.spec.word_of(bound))):
            goal = self.goal()
            g = self.closed.cost_of(goal)
            if not goals or g < bound:  # cheaper only if the heuristic was inadmissible
                bound, goals = g, []
            goals.append(goal)
            if not task.every:
                break
            if task.partial is None:
                task.partial = yield from aside(task, one_path(task, self.spec, self.closed, goal))
        keep_lists(self)
        if not goals:
            return Outcome(cut=bool(self.open.info[Info.CUT]))
        if not task.every:
            return (yield from one_path(task, self.spec, self.closed, goals[0]))
        remaining = yield from optimal_states(task, self.spec, self.closed, goals)
        return Outcome(cost=bound, remaining=remaining)

    def until_goal(self, last_f: int) -> Generator[None, None, bool]:
        """Expand states until a goal comes first; False if none does with f up to `last_f`.

        That is what kernels have for it: see `Specialised.word_of`.
        """
        while True:
            result = self._advance(self.task.budget, last_f)
            self._count()
            if result in (Ended.DONE, Ended.FOUND):
                return bool(result == Ended.FOUND)
            if result == Ended.OUT_OF_BUDGET:
                yield
            else:
                self.is_growing = True
                yield from self._make_room(result)
                self.is_growing = False

    def goal(self) -> Any:
        """The goal that came first."""
        return python_state(self.open.noted())

    def begin(self) -> None:
        """Put the starts into both lists."""
        task, module, info = self.task, self.spec.module, self.open.info
        for start in task.starts:
            self._make_room_now()
            estimate = self.spec.heuristic(start)
            if estimate < INFINITY and self._order_of(estimate) > MOST_ORDER:
                raise self._too_heavy()
            is_open = estimate < INFINITY and estimate <= task.max_cost
            if estimate < INFINITY and not is_open:
                info[Info.CUT] = 1
            module.insert(
                self.closed.record, self.open.record, info, self.spec.states([start]),
                self.spec.word_of(estimate if is_open else 0),
                self.spec.problem.control(start), is_open,
            )  # fmt: skip
        info[Info.MOST_WAITING] = info[Info.WAITING]
        self._count()

    def _order_of(self, estimate: float) -> float:
        """The order of a start."""
        return estimate

    def _make_room_now(self) -> None:
        """Room for one more start."""
        info = self.open.info
        if info[Info.STORED] >= self.closed.most_stored:
            for _ in self.closed.grow():
                pass
        self.open.make_room()

    def _advance(self, budget: int, last_f: int) -> int:
        """Expand up to `budget` states; how it ended (`Ended`)."""
        spec, info, task = self._expanding(), self.open.info, self.task
        info[Info.MOST_STORED] = self.closed.most_stored
        before = int(info[Info.EXPANDED])
        info[Info.COST_LIMIT] = self.spec.word_of(min(task.max_cost, NO_LIMIT))
        info[Info.LAST_F] = last_f
        begin = search_clock()
        given = (
            *spec.head[:2], spec.lists, self.closed.record, self.open.record,
            self.room, info, min(budget, NO_LIMIT),
        )  # fmt: skip
        result: int = self._calls(spec.module, "best_first", *given)
        expanded = int(info[Info.EXPANDED]) - before
        task.budget -= expanded
        if expanded >= AHEAD_STATES:
            self.pace = min(self.pace, (search_clock() - begin) / expanded)
        return result

    def _expanding(self) -> Specialised:
        """What expands states now."""
        is_large = self.closed.lines > AHEAD_LINES and self.order is not Order.BY_H
        if not is_large or self.pace > AHEAD_SECONDS:
            return self.spec
        if self._ahead is None:
            bits = self.layout.mark_bits
            self._ahead = _specialised(self.task, bits, self.order, looks_ahead=True)[0]
        return self._ahead

    def _make_room(self, result: int) -> Iterator[None]:
        """Grow what is full."""
        if result == Ended.TABLE_FULL:
            yield from self.closed.grow()
        elif result == Ended.OPEN_FULL:
            self.open.grow_pool()
        elif result == Ended.BUCKETS_FULL:
            self.open.grow_buckets()
        elif result < 0:
            given = result, self.open.noted(), self.room.children
            children = room_after(self.task, self.spec, *given)
            self.room = self.room._replace(children=children)
            after = sum(array.nbytes for array in children)
            self.account.reserve("children", after + after // 2, after)
        elif result == Ended.TOO_WIDE:
            raise ProblemError(
                f"{name_of(self.task.problem)}: a state has more than {MOST_LISTED} "
                "steps; engine='reference' takes any number"
            )
        elif result == Ended.TOO_HEAVY:
            raise self._too_heavy()
        elif result == Ended.WRONG_ESTIMATE:
            raise wrong_estimate(self.spec, self.open.noted())
        elif self.layout.mark_bits < MARK_BITS[-1]:
            yield from self._widen()
        else:
            raise ProblemError(
                f"{name_of(self.task.problem)}: a cost above {MOST_G} is too much for the "
                "compiled engine; engine='reference' takes any"
            )

    def _widen(self) -> Iterator[None]:
        """Go on with marks that have room for larger costs."""
        bits = MARK_BITS[MARK_BITS.index(self.layout.mark_bits) + 1]
        spec, layout = _specialised(self.task, bits, self.order)
        lines = self.closed.lines * self.layout.slots // layout.slots + 1
        self.account.reserve("narrow", self.closed.bytes, self.closed.bytes)
        wide = ClosedTable(spec, layout, self.account, lines)
        yield from wide.copy_from(self.closed)
        self.closed, self.spec, self.layout, self.open.spec = wide, spec, layout, spec
        self._ahead = None
        self.account.reserve("narrow", 0, 0)

    def drawn(self, count: int, choose: random.Random) -> Sequence[Any]:
        """Some of the states met, at most `count`; none while the table is being changed."""
        return () if self.is_growing else self.closed.drawn(count, choose)

    def _too_heavy(self) -> ProblemError:
        return ProblemError(
            f"{name_of(self.task.problem)}: g + h above {MOST_ORDER} is too much for the "
            "compiled engine; engine='reference' takes any"
        )

    def _count(self) -> None:
        info, counters = self.open.info, self.task.counters
        counters.expanded = int(info[Info.EXPANDED])
        counters.generated = int(info[Info.GENERATED])
        counters.reopened = int(info[Info.REOPENED])
        counters.waiting(int(info[Info.WAITING]))
        counters.max_frontier = int(info[Info.MOST_WAITING])
        counters.holding(int(info[Info.STORED]))
        counters.prove(self._bound())

    def _bound(self) -> float:
        """A lower bound on the cost of all solutions not found yet."""
        return self.spec.number_of(self.open.info[Info.BOUND])
