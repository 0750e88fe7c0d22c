"""Depth-first search over listed successors, in slices, with a transposition table if wanted."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from functools import cache
from typing import Any
from weakref import ref

import attrs
import numpy as np

from searchkit.capabilities import Symmetry
from searchkit.compiled.depth_first.kernels.deepening import FILTER, Info
from searchkit.compiled.depth_first.kernels.listed import Known, Tables, Trail
from searchkit.compiled.depth_first.resumable import MOST_BOUND, Slices
from searchkit.compiled.specialise.costs import wrong_cost_from
from searchkit.compiled.specialise.growable import GrowableArray
from searchkit.compiled.specialise.images import check_images, image_tables, map_of
from searchkit.compiled.specialise.kernels.canonical import ImageTables
from searchkit.compiled.specialise.kernels.children import Children
from searchkit.compiled.specialise.module import python_state
from searchkit.engines.transpositions import lasts, leads_back, table_symmetries
from searchkit.errors import LawError
from searchkit.running.task import Task
from searchkit.symmetry import canonical_state

FIRST_CAPACITY = 256
WORD_BYTES = 8
LEAST_SLOTS = 8


@attrs.frozen(eq=False, repr=False)
class TablePlan:
    """What kind of table a search is to have, and the symmetries by which states are one there."""

    kind: Tables = Tables.NONE
    symmetries: Sequence[Symmetry[Any, Any]] = ()
    images: ImageTables = attrs.field(init=False)

    def __attrs_post_init__(self) -> None:
        maps = list(map(map_of, self.symmetries))
        images = image_tables(maps) if maps else _no_images()
        object.__setattr__(self, "images", images)

    @classmethod
    def of(cls, task: Task) -> TablePlan:
        """The plan for a search; raises `ProblemError` where symmetries are not what they say."""
        if not task.algorithm.table:
            return cls()
        symmetries = table_symmetries(task)
        check_images(type(task.problem).__name__, task.starts, 1, symmetries)
        return cls(Tables.LASTING if lasts(task.problem) else Tables.ITERATION, symmetries)


@cache
def _no_images() -> ImageTables:
    """The tables without symmetries, which all searches without a table share."""
    return image_tables([])


@attrs.frozen
class Level:
    """A state of the path, and the children left to try, with the costs and operators of the steps.

    Operators are 0 where none are kept. Children are None where the state is to be expanded.
    """

    state: Any
    g: int
    slack: int
    estimate: int
    children: list[tuple[Any, int, int]] | None

    @property
    def is_open(self) -> bool:
        """Whether there is anything left to try."""
        return self.children is None or bool(self.children)

    def closed(self) -> Level:
        """The same state with nothing left to try."""
        return attrs.evolve(self, children=[])

    def with_states(self, name: Callable[[Any], Any]) -> Level:
        """The same, with other names for states."""
        children = self.children
        if children is not None:
            children = [(name(child), *step) for child, *step in children]
        return attrs.evolve(self, state=name(self.state), children=children)


@attrs.define(eq=False, repr=False)
class Listed(Slices):
    """The states on the current path, and the children that wait; see the kernels."""

    plan: TablePlan = attrs.field(factory=TablePlan)
    _slots: GrowableArray | None = attrs.field(init=False, default=None)
    _bounds: tuple[int, int] = attrs.field(init=False, default=(-1, -1))

    kernel = "search_listed"
    carries = False

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        self.task.stores.append(ref(self))

    def _first(self) -> tuple[Any, tuple[Trail, Children]]:
        columns = np.zeros((6, FIRST_CAPACITY), dtype=np.int64)
        states, names = self.spec.empty(FIRST_CAPACITY), self.spec.empty(FIRST_CAPACITY)
        trail = Trail(*(states, *columns, names))
        self._forget()
        return self.spec.lists, (trail, self.spec.children(FIRST_CAPACITY))

    @property
    def fixed_bytes(self) -> int:
        """What the table takes, and the filter."""
        return 4 * FILTER + self._words * WORD_BYTES

    @property
    def _words(self) -> int:
        """The words of the table: as many slots as fit into the memory that it may take."""
        if self.plan.kind == Tables.NONE:
            return 0
        slot = self.spec.problem.words + 1
        return slot * max(LEAST_SLOTS, int(self.task.algorithm.table) // (slot * WORD_BYTES))

    def _forget(self) -> None:
        """Make the table empty."""
        self._slots = GrowableArray(np.int64, 0)  # what it takes is accounted for before
        self.more = Known(np.zeros(FILTER, dtype=np.int32), self._slots.array, self.plan.images)

    def begin(
        self, state: np.ndarray[Any, Any], node: int, slack: int, bound: int = MOST_BOUND
    ) -> None:
        """Start with one state, whose children within `slack` are to be tried."""
        stored, is_new = int(self.info[Info.STORED]), (slack, bound) != self._bounds
        if is_new and self.plan.kind == Tables.ITERATION:
            stored = 0
            self._forget()
        assert self._slots is not None
        if len(self._slots.array) < self._words:
            self._slots.grow(self._words)
            self.more = self.more._replace(slots=self._slots.array)
        self._bounds = slack, bound
        trail = self.records[0]
        trail.states[0], trail.slacks[0], trail.names[0] = state, slack, state
        if self.plan.symmetries:
            name = canonical_state(python_state(state), self.plan.symmetries)
            trail.names[0] = self.spec.states([name])[0]
        trail.places[0] = trail.ends[0] = trail.costs[0] = 0
        self.more.filtered[:] = 0
        self._reset(pending=1, bound=bound)
        trail.excesses[0] = self.info[Info.NEXT_EXCESS]
        if self.spec.module.INCREMENTAL:
            trail.estimates[0] = self.spec.heuristic.estimate(python_state(state))
        self.info[Info.SOLVED], self.info[Info.STORED] = -1, stored

    def rest(self) -> tuple[Level, ...]:
        """What is left of the search."""
        (trail, children), count = self.records, self.depth + 1
        columns = (trail.costs, trail.slacks, trail.estimates, trail.places, trail.ends)
        rows = []
        for i, (g, slack, estimate, place, end) in enumerate(
            zip(*(column[:count].tolist() for column in columns), strict=True)
        ):
            states = map(python_state, children.states[place:end])
            costs = children.costs[place:end].tolist() or [1] * (end - place)
            operators = children.operators[place:end].tolist() or [0] * (end - place)
            left = list(zip(states, costs, operators, strict=True))
            rows.append(Level(python_state(trail.states[i]), g, slack, estimate, left))
        if self.info[Info.PENDING]:
            rows[-1] = attrs.evolve(rows[-1], children=None)
        return tuple(rows)

    def resume(self, rest: Sequence[Level], bound: int) -> None:
        """Go on with what was left of a search without a table."""
        lists = [row.children or [] for row in rest]
        left = [each for row in lists for each in row]
        while len(self.states) < len(rest) + 2 or len(self.records[1].states) < len(left):
            self._grow()
        trail, children = self.records
        trail.states[: len(rest)] = self.spec.states([row.state for row in rest])
        if left:
            states, costs, operators = zip(*left, strict=True)
            children.states[: len(left)] = self.spec.states(list(states))
            if len(children.costs):
                children.costs[: len(left)] = costs
            if len(children.operators):
                children.operators[: len(left)] = operators
        place = 0
        for i, (row, waiting) in enumerate(zip(rest, lists, strict=True)):
            trail.slacks[i], trail.costs[i], trail.places[i] = row.slack, row.g, place
            trail.estimates[i] = row.estimate
            place += len(waiting)
            trail.ends[i] = place
        self.more.filtered[:] = 0
        pending = rest[-1].children is None
        if self.spec.module.CYCLES == 2:
            self.spec.module.mark_path(trail.states, self.more.filtered, len(rest) - pending)
        self._reset(pending=pending, bound=bound)
        self.info[Info.SOLVED], self.info[Info.DEPTH] = -1, len(rest) - 1

    def drawn(self, count: int, choose: random.Random) -> list[Any]:
        """Those of the current path, at most `count`; none before it has begun."""
        if not self.info[Info.EXPANDED]:
            return []
        places = choose.sample(range(self.depth + 1), min(count, self.depth + 1))
        return [python_state(self.states[place]) for place in places]

    @property
    def stored(self) -> int:
        """How many states the table holds."""
        return int(self.info[Info.STORED])

    def wrong_cost(self) -> Exception:
        """After WRONG_COST: which step out of the last state of the path it was."""
        return wrong_cost_from(self.task, self.spec, self.states[self.depth])

    def leads_back(self) -> LawError:
        """After CYCLE: a state with a grade was met twice."""
        trail, children = self.records
        place = int(trail.places[self.depth]) - 1
        return leads_back(self.task.problem, python_state(children.states[place]))
