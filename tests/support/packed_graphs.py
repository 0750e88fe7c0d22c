"""Random packed problems, all of a few classes, so that few modules need be compiled."""

from __future__ import annotations

import heapq
from typing import Any, NamedTuple

from hypothesis import strategies as st

from searchkit import Costs
from searchkit.bits import replace_word
from searchkit.packed import DEAD_END, PackedHeuristic, PackedProblem

OPERATORS = 4


class GraphTables(NamedTuple):
    following: tuple[tuple[int, ...], ...]
    """By state and operator; -1 where it is not legal."""
    costs: tuple[tuple[int, ...], ...]
    goals: tuple[int, ...]


class EstimateTables(NamedTuple):
    values: tuple[int, ...]


class Graph(PackedProblem[int]):
    """A directed graph; operator i of a state leads where the table says."""

    costs = Costs.INTEGER

    def __init__(self, tables: GraphTables, starts: tuple[int, ...]) -> None:
        self.tables = tables
        self.starts = starts

    def initial_states(self):
        return self.starts

    def operators(self, control):
        return range(OPERATORS)

    def action(self, state, operator):
        return operator

    def at_goal(self, state):
        return self.tables.goals[state] != 0

    def legal(self, state, control, operator):
        return self.tables.following[state][operator] >= 0

    def apply(self, state, control, operator):
        return self.tables.following[state][operator]

    def cost(self, state, control, operator):
        return self.tables.costs[state][operator]


class UnitGraph(Graph):
    """The same with unit costs."""

    costs = Costs.UNIT

    def cost(self, state, control, operator):
        return 1


class WideGraph(Graph):
    """The same, with the state in bits 40 and up of the third of four words: 200 bits."""

    words = 4

    def __init__(self, tables, starts):
        super().__init__(tables, starts)
        self.starts = tuple((7, 2**64 - 1, start << 40, 5 + start) for start in starts)

    def at_goal(self, state):
        return self.tables.goals[state[2] >> 40] != 0

    def legal(self, state, control, operator):
        return self.tables.following[state[2] >> 40][operator] >= 0

    def apply(self, state, control, operator):
        after = self.tables.following[state[2] >> 40][operator]
        return replace_word(replace_word(state, 2, after << 40), 3, 5 + after)

    def cost(self, state, control, operator):
        return self.tables.costs[state[2] >> 40][operator]


class ExpandedGraph(PackedProblem[int]):
    """The same as `Graph` by `expand`, with a copy of each second step, which is listed again."""

    costs = Costs.INTEGER

    def __init__(self, tables: GraphTables, starts: tuple[int, ...]) -> None:
        self.tables = tables
        self.starts = starts

    def initial_states(self):
        return self.starts

    def action(self, state, operator):
        return f"{state}:{operator}"

    def at_goal(self, state):
        return self.tables.goals[state] != 0

    def expand(self, state):
        for operator in range(OPERATORS):
            after = self.tables.following[state][operator]
            if after < 0:
                continue
            cost = self.tables.costs[state][operator]
            yield operator, after, cost
            if operator == 2:
                yield 7, after, cost
            elif state == after:
                return


class ExpandedUnitGraph(ExpandedGraph):
    """The same with unit costs."""

    costs = Costs.UNIT

    def expand(self, state):
        for operator in range(OPERATORS):
            if self.tables.following[state][operator] >= 0:
                yield operator, self.tables.following[state][operator]


class WideExpandedGraph(ExpandedGraph):
    """The same, with states as in `WideGraph`."""

    words = 4

    def __init__(self, tables, starts):
        super().__init__(tables, starts)
        self.starts = tuple((7, 2**64 - 1, start << 40, 5 + start) for start in starts)

    def at_goal(self, state):
        return self.tables.goals[state[2] >> 40] != 0

    def expand(self, state):
        place = state[2] >> 40
        for operator in range(OPERATORS):
            after = self.tables.following[place][operator]
            if after >= 0:
                child = replace_word(replace_word(state, 2, after << 40), 3, 5 + after)
                yield operator, child, self.tables.costs[place][operator]


class MovesPieces:
    """Operators move a piece from one place to another: see the tables `before` and `after`."""

    tables: Any

    def moved_from(self, control, operator):
        return self.tables.before[operator]

    def moved_to(self, control, operator):
        return self.tables.after[operator]

    def piece_before(self, action):
        return self.tables.before[action]

    def piece_after(self, action):
        return self.tables.after[action]

    def format_chain(self, actions):
        return "+".join(map(str, actions))


class TableEstimate(PackedHeuristic):
    """A table of estimates, looked up again for every state."""

    name = "table"

    def __init__(self, values: tuple[int, ...]) -> None:
        self.tables = EstimateTables(values)

    def place(self, state):
        """Where the state is in the table."""
        return state

    def estimate(self, state):
        return self.tables.values[self.place(state)]


class CarriedEstimate(TableEstimate):
    """The same, carried along."""

    def change(self, state, control, operator, child):
        return self.tables.values[self.place(child)] - self.tables.values[self.place(state)]


class StepTables(NamedTuple):
    values: tuple[int, ...]
    following: tuple[tuple[int, ...], ...]


class StepEstimate(TableEstimate):
    """The same, carried along by the operator of a step, of which 7 is a copy of 2."""

    def __init__(self, values: tuple[int, ...], tables: GraphTables) -> None:
        self.tables = StepTables(values, tables.following)

    def change(self, state, control, operator, child):
        after = self.tables.following[state][2 if operator == 7 else operator]
        return self.tables.values[after] - self.tables.values[state]


class WideEstimate(TableEstimate):
    """The same for `WideGraph`."""

    def place(self, state):
        return state[2] >> 40


def distances(tables: GraphTables) -> list[int]:
    """The cost to the nearest goal of every state, `DEAD_END` if there is none."""
    count = len(tables.goals)
    back: list[list[tuple[int, int]]] = [[] for _ in range(count)]
    for state in range(count):
        for after, cost in zip(tables.following[state], tables.costs[state], strict=True):
            if after >= 0:
                back[after].append((state, cost))
    best = [0 if goal else DEAD_END for goal in tables.goals]
    queue = [(0, state) for state in range(count) if tables.goals[state]]
    while queue:
        d, state = heapq.heappop(queue)
        if d > best[state]:
            continue
        for before, cost in back[state]:
            if d + cost < best[before]:
                best[before] = d + cost
                heapq.heappush(queue, (d + cost, before))
    return best


@st.composite
def graphs(draw: Any, *, unit: bool = False) -> tuple[GraphTables, tuple[int, ...]]:
    """Tables and starts; states are ordered so that no cycle has cost 0."""
    count = draw(st.integers(1, 9))
    following = []
    costs = []
    for state in range(count):
        row = draw(st.lists(st.integers(-2, count - 1), min_size=OPERATORS, max_size=OPERATORS))
        following.append(tuple(max(-1, after) for after in row))
        # Only steps to a higher number may cost nothing.
        least = [0 if after > state and not unit else 1 for after in row]
        costs.append(tuple(1 if unit else draw(st.integers(low, 3)) for low in least))
    goals = tuple(draw(st.lists(st.sampled_from([0, 0, 0, 1]), min_size=count, max_size=count)))
    starts = draw(st.lists(st.integers(0, count - 1), min_size=1, max_size=2, unique=True))
    return GraphTables(tuple(following), tuple(costs), goals), tuple(starts)


@st.composite
def estimates(draw: Any, tables: GraphTables, *, dead_ends: bool = True) -> tuple[int, ...]:
    """Admissible values, mostly inconsistent."""
    values = []
    for distance in distances(tables):
        if distance >= DEAD_END:
            values.append(draw(st.sampled_from([0, 2, DEAD_END if dead_ends else 1])))
        else:
            values.append(draw(st.integers(0, distance)))
    return tuple(values)
