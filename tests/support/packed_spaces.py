"""Random packed spaces of unit costs; what they are is in tables, so that few modules are made."""

from __future__ import annotations

from typing import Any, NamedTuple

from hypothesis import strategies as st

from searchkit.bits import replace_word
from searchkit.packed import PackedProblem

OPERATORS = 4
MOST_STATES = 14


class SpaceTables(NamedTuple):
    following: tuple[tuple[int, ...], ...]
    """By state and operator; -1 where it is not legal."""
    goals: tuple[int, ...]
    numbers: tuple[int, ...]
    """The rank of every state."""
    states: tuple[int, ...]
    """The state of every rank."""


class Space(PackedProblem[int]):
    """A directed graph; the operators of odd states come in another order."""

    controls = 2

    def __init__(self, tables: SpaceTables, starts: tuple[int, ...]) -> None:
        self.tables = tables
        self.starts = starts

    def initial_states(self):
        return self.starts

    def goal_states(self):
        return [state for state, goal in enumerate(self.tables.goals) if goal]

    def operators(self, control):
        return range(OPERATORS) if control == 0 else (2, 0, 3, 1)

    def action(self, state, operator):
        return operator

    def at_goal(self, state):
        return self.tables.goals[state] != 0

    def control(self, state):
        return state & 1

    def legal(self, state, control, operator):
        return self.tables.following[state][operator] >= 0

    def apply(self, state, control, operator):
        return self.tables.following[state][operator]


class UndirectedSpace(Space):
    undirected = True


class RankedSpace(Space):
    ranks = MOST_STATES

    def rank(self, state):
        return self.tables.numbers[state]

    def unrank(self, index):
        return self.tables.states[index]


class WideSpace(Space):
    """The same with states of 200 bits; the highest bit of a word is in use."""

    words = 4

    def __init__(self, tables, starts):
        super().__init__(tables, starts)
        self.starts = tuple(self.widen(start) for start in starts)

    def goal_states(self):
        return [self.widen(state) for state in super().goal_states()]

    def widen(self, state):
        return (2**64 - 1, 7, state << 40, (state << 60 | 5) & (2**64 - 1))

    def at_goal(self, state):
        return self.tables.goals[state[2] >> 40] != 0

    def control(self, state):
        return state[2] >> 40 & 1

    def legal(self, state, control, operator):
        return self.tables.following[state[2] >> 40][operator] >= 0

    def apply(self, state, control, operator):
        after = self.tables.following[state[2] >> 40][operator]
        return replace_word(replace_word(state, 2, after << 40), 3, after << 60 | 5)


class WideUndirectedSpace(WideSpace):
    undirected = True

    def apply(self, state, control, operator):
        after = self.tables.following[state[2] >> 40][operator]
        return replace_word(replace_word(state, 2, after << 40), 3, after << 60 | 5)


class WideRankedSpace(WideSpace):
    ranks = MOST_STATES

    def rank(self, state):
        return self.tables.numbers[state[2] >> 40]

    def unrank(self, index):
        return self.widen(self.tables.states[index])


@st.composite
def spaces(draw: Any, *, undirected: bool) -> tuple[SpaceTables, tuple[int, ...]]:
    """Tables and starts."""
    count = draw(st.integers(1, MOST_STATES))
    state = st.integers(0, count - 1)
    rows = [[-1] * OPERATORS for _ in range(count)]
    for source, target in draw(st.lists(st.tuples(state, state), max_size=3 * count)):
        free = [operator for operator in range(OPERATORS) if rows[source][operator] < 0]
        back = [operator for operator in range(OPERATORS) if rows[target][operator] < 0]
        if not undirected:
            if free:
                rows[source][draw(st.sampled_from(free))] = target
        elif free and back and source != target:
            rows[source][draw(st.sampled_from(free))] = target
            rows[target][draw(st.sampled_from(back))] = source
    goals = draw(st.lists(st.sampled_from([0, 0, 0, 1]), min_size=count, max_size=count))
    starts = draw(st.lists(state, min_size=1, max_size=3, unique=True))
    order = draw(st.permutations(range(MOST_STATES)))
    numbers = order[:count]
    states = [0] * MOST_STATES
    for place, number in enumerate(numbers):
        states[number] = place
    tables = SpaceTables(
        tuple(tuple(row) for row in rows), tuple(goals), tuple(numbers), tuple(states)
    )
    return tables, tuple(starts)


def line(length: int) -> SpaceTables:
    """A path from state 0 to the goal at its end, and back."""
    rows = [(place + 1 if place + 1 < length else -1, place - 1, -1, -1) for place in range(length)]
    goals = (*[0] * (length - 1), 1)
    return SpaceTables(tuple(rows), goals, tuple(range(length)), tuple(range(length)))


class CubeTables(NamedTuple):
    bits: int
    goal: int


class Cube(PackedProblem[int]):
    """Flip one of `bits` bits."""

    undirected = True

    def __init__(self, bits: int, goal: int) -> None:
        self.tables = CubeTables(bits, goal)

    def initial_states(self):
        return [0]

    def goal_states(self):
        return [self.tables.goal]

    def operators(self, control):
        return range(self.tables.bits)

    def action(self, state, operator):
        return operator

    def at_goal(self, state):
        return state == self.tables.goal

    def apply(self, state, control, operator):
        return state ^ 1 << operator


class Counter(Cube):
    """Set a bit that is not set: directed."""

    undirected = False

    def operators(self, control):
        return range(self.tables.bits)

    def legal(self, state, control, operator):
        return state >> operator & 1 == 0

    def apply(self, state, control, operator):
        return state | 1 << operator
