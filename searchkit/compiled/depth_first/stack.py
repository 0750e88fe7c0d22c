"""Depth-first search with an explicit stack, in slices, with a transposition table if wanted."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple
from weakref import ref

import attrs
import numpy as np

from searchkit.bits import WORD_BITS
from searchkit.compiled.depth_first.kernels.deepening import (
    FILTER,
    Aside,
    Info,
    Known,
    Path,
    Tried,
    Waiting,
)
from searchkit.compiled.depth_first.resumable import MOST_BOUND, Slices
from searchkit.compiled.depth_first.tables import Table
from searchkit.compiled.specialise.costs import wrong_cost, wrong_cost_from
from searchkit.compiled.specialise.module import python_state
from searchkit.compiled.specialise.operators import EndedLists, OperatorLists, stop_of
from searchkit.engines.transpositions import leads_back
from searchkit.packed import MOST_CANDIDATES

FIRST_CAPACITY = 256


class MaskedLists(NamedTuple):
    """The operators of each node as the bits of a word, and its control state.

    `following` has a row of 64 for each node: which node an operator leads to, -1 if that must be
    read off the state. The first node of a control state, in `begins`, has its number.
    """

    masks: np.ndarray[Any, Any]
    controls: np.ndarray[Any, Any]
    following: np.ndarray[Any, Any]
    begins: np.ndarray[Any, Any]

    @classmethod
    def of(cls, lists: OperatorLists) -> MaskedLists:
        """The lists as words, which they must fit into."""
        begins = np.arange(len(lists.controls))
        nodes = np.repeat(begins, np.diff(lists.first))
        masks = np.zeros(len(begins), dtype=np.int64)
        np.bitwise_or.at(masks, nodes, np.int64(1) << lists.operators)
        following = np.full((len(masks), WORD_BITS), -1, dtype=np.int32)
        following[nodes, lists.operators] = lists.following
        return cls(masks, lists.controls.astype(np.uint32), following, begins)

    @staticmethod
    def fit(lists: OperatorLists) -> bool:
        """Whether the operators of each list are bits of a word, in ascending order."""
        operators = lists.operators
        if len(operators) == 0 or operators.min() < 0 or operators.max() >= MOST_CANDIDATES:
            return False
        ascends, begins = np.diff(operators) > 0, lists.first[1:-1]
        ascends[begins[(begins > 0) & (begins < len(operators))] - 1] = True
        return bool(ascends.all())


@attrs.frozen
class Level:
    """A state of the path; what is left to try there is from `place` to `end`, unless closed.

    Those are places in the operator lists, or in `children`: listed ones with their operators (0 if
    none are kept) and costs.
    """

    state: Any
    g: int
    slack: int
    place: int
    end: int
    memo: list[int]
    children: list[tuple[Any, int, int]]
    is_expanded: bool = True
    is_closed: bool = False

    @property
    def is_open(self) -> bool:
        """Whether there is anything left to try."""
        return not self.is_expanded or (self.place < self.end and not self.is_closed)

    def closed(self) -> Level:
        """The same state with nothing left to try; its place says what was tried."""
        return attrs.evolve(self, is_closed=True, children=[])

    def with_states(self, name: Callable[[Any], Any]) -> Level:
        """The same, with other names for states."""
        children = [(name(child), *step) for child, *step in self.children]
        return attrs.evolve(self, state=name(self.state), children=children)


@attrs.define(eq=False, repr=False)
class Stack(Slices):
    """The states on the current path, and what is left to try at each; see the kernels."""

    table: Table = attrs.field(factory=Table)
    kernel = "search"
    _closed: Sequence[int] = attrs.field(init=False, default=())
    """Where the first states of the path would be gone on from, if others had not done so."""

    def __attrs_post_init__(self) -> None:
        super().__attrs_post_init__()
        if self._is_listed or self.table.kind:
            self.task.stores.append(ref(self))

    def _first(self) -> tuple[Any, tuple[Any, ...]]:
        spec, table, filtered = self.spec, self.table, np.zeros(FILTER, dtype=np.int32)
        memo = np.zeros(FIRST_CAPACITY * self.spec.carried, dtype=np.int64)
        columns = np.zeros((3, FIRST_CAPACITY), dtype=np.int64)
        path = Path(*(spec.empty(FIRST_CAPACITY), *columns, memo))
        lists = spec.lists if self._is_listed else EndedLists.of(spec.lists)
        if not (self._is_listed or table.kind):
            self.more = Aside(filtered, *self._no_roots())
            if spec.module.MASKS:
                tried = Tried(*np.zeros((2, FIRST_CAPACITY), dtype=np.int64))
                return MaskedLists.of(spec.lists), (path, tried)
            return lists, (path,)
        self.more = Known(filtered, table.slots, table.images)
        children = spec.children(FIRST_CAPACITY if self._is_listed else 0)
        numbers = np.zeros((2, FIRST_CAPACITY), dtype=np.int64)
        return lists, (path, Waiting(*(*children, *numbers, spec.empty(FIRST_CAPACITY))))

    @property
    def _arrays(self) -> tuple[Any, ...]:
        path, *waiting = self.records
        return path, *(waiting or [0]), self.more

    @property
    def _is_listed(self) -> bool:
        return bool(self.spec.module.LISTED)

    @property
    def fixed_bytes(self) -> int:
        """What the table takes, and the filter."""
        return 4 * FILTER + self.table.bytes

    def begin(
        self, state: np.ndarray[Any, Any], node: int, slack: int, bound: int = MOST_BOUND
    ) -> None:
        """Start with one state, whose children within `slack` are to be tried.

        Where estimates are carried along as a part of `slack`, `bound` shows those below 0.
        """
        path, self._closed = self.records[0], ()
        stored = 0 if self.table.begin(bound) else int(self.info[Info.STORED])
        path.states[0], path.slacks[0], path.costs[0] = state, slack, 0
        path.places[0] = 0 if self._is_listed else self.lists.begins[node]
        if self.spec.module.MASKS:
            self.records[1].nodes[0] = node
        if self.spec.carried:
            self.spec.module.remember(self.spec.head[1], path.memo, 0, path.states, 1)
        self.filtered[:] = 0
        self._reset(pending=1, bound=bound)
        if self.table.kind:
            self.more = self.more._replace(slots=self.table.slots)
            waiting = self.records[1]
            waiting.names[0] = self.spec.states([self.table.name_of(python_state(state))])[0]
            waiting.excesses[0] = self.info[Info.NEXT_EXCESS]
            self.info[Info.STORED] = stored

    @property
    def filtered(self) -> np.ndarray[Any, Any]:
        """The states of the path, counted by their hashes."""
        filtered: np.ndarray[Any, Any] = self.more.filtered
        return filtered

    def rest(self) -> tuple[Level, ...]:
        """What is left of the search."""
        path, memory, count = self.records[0], self.spec.carried, self.depth + 1
        ends = self._ends(path.places[:count])
        memo = path.memo[: count * memory].reshape(count, memory).tolist()
        columns = path.costs[:count], path.slacks[:count], self._places(), ends
        rows = [
            Level(python_state(state), g, slack, place, end, words, self._listed(place, end))
            for state, (g, slack, place, end), words in zip(
                path.states[:count], np.stack(columns, axis=1).tolist(), memo, strict=True
            )
        ]
        rows[: len(self._closed)] = [row.closed() for row in rows[: len(self._closed)]]
        if self.info[Info.PENDING]:
            rows[-1] = attrs.evolve(rows[-1], is_expanded=False, children=[])
        return tuple(rows)

    def _listed(self, place: int, end: int) -> list[tuple[Any, int, int]]:
        """The children from a place on, with the operators and costs of the steps to them."""
        if not self._is_listed or end <= place:
            return []
        states, costs, operators = (column[place:end] for column in self.records[1][:3])
        nothing = [0] * len(states)
        return list(
            zip(
                map(python_state, states),
                operators.tolist() or nothing,
                costs.tolist() or nothing,
                strict=True,
            )
        )

    def _places(self) -> np.ndarray[Any, Any]:
        """Behind what was tried of each state of the path."""
        places: np.ndarray[Any, Any] = self.records[0].places[: self.depth + 1].copy()
        places[: len(self._closed)] = self._closed
        return places

    def _ends(self, places: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
        """Where the lists end that places are in."""
        if self._is_listed:
            listed: np.ndarray[Any, Any] = self.records[1].ends[: len(places)]
            return listed
        stops = np.flatnonzero(self.lists.operators == stop_of(self.spec.lists))
        found: np.ndarray[Any, Any] = stops[np.searchsorted(stops, places)]
        return found

    def resume(self, rest: Sequence[Level], bound: int) -> None:
        """Go on with what was left of a search without a table."""
        left = [child for row in rest for child in row.children]
        while len(self.states) < max(len(rest) + 2, len(left)):
            self._grow()
        path, memory, module = self.records[0], self.spec.carried, self.spec.module
        path.states[: len(rest)] = self.spec.states([row.state for row in rest])
        if left:
            states, operators, costs = zip(*left, strict=True)
            waiting = self.records[1]
            waiting.states[: len(left)] = self.spec.states(list(states))
            waiting.operators[: len(left)] = operators[: len(waiting.operators)]
            waiting.costs[: len(left)] = costs[: len(waiting.costs)]
        self._closed = [] if self._is_listed else [row.place for row in rest if row.is_closed]
        listed = 0
        for i, row in enumerate(rest):
            path.places[i] = row.end if row.is_closed else row.place
            if self._is_listed:
                path.places[i], listed = listed, listed + len(row.children)
                self.records[1].ends[i] = listed
            path.slacks[i], path.costs[i] = row.slack, row.g
            path.memo[i * memory : (i + 1) * memory] = row.memo
        self.filtered[:] = 0
        pending = not rest[-1].is_expanded
        if module.CYCLES == 2:
            module.mark_path(path.states, self.filtered, len(rest) - pending)
        self._reset(pending=pending, bound=bound)
        self.info[Info.DEPTH] = len(rest) - 1

    def operators(self) -> list[int]:
        """After FOUND: the operators along `path`; behind each is the place to go on from."""
        if self.spec.module.MASKS:
            return self.records[1].tried[: self.depth + 1].tolist()  # type: ignore[no-any-return]
        if self._is_listed:
            return []
        return [int(operator) for operator in self.lists.operators[self._places() - 1]]

    def _in_use(self) -> tuple[tuple[Any, int], ...]:
        return tuple((column, self.depth + 1) for column in self.records[0][:3])

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
        """After WRONG_COST: which step it was."""
        state, place = self.states[self.depth], self.records[0].places[self.depth]
        if self._is_listed:
            return wrong_cost_from(self.task, self.spec, state)
        return wrong_cost(self.task, self.spec, state, int(self.lists.operators[place]))

    def leads_back(self) -> Exception:
        """After CYCLE: a state with a grade was met twice."""
        return leads_back(self.task.problem, python_state(self.states[self.depth + 1]))
