"""Random packed problems whose operators need not be legal where they may be taken."""

from __future__ import annotations

from typing import NamedTuple

from hypothesis import strategies as st

from searchkit.packed import PackedProblem

ROOMS = 6


class RoomTables(NamedTuple):
    doors: tuple[tuple[int, ...], ...]
    goals: tuple[int, ...]


class Rooms(PackedProblem[int]):
    """Rooms with doors between some of them; an operator is the room that it leads to."""

    undirected = True
    controls = ROOMS

    def __init__(self, tables: RoomTables, starts: tuple[int, ...]) -> None:
        self.tables, self.starts = tables, starts

    def initial_states(self):
        return self.starts

    def operators(self, control):
        return [room for room in range(ROOMS) if room != control]

    def action(self, state, operator):
        return operator

    def next_control(self, control, operator):
        return operator

    def inverse(self, control, operator):
        return control

    def control(self, state):
        return state

    def legal(self, state, control, operator):
        return self.tables.doors[state][operator] != 0

    def apply(self, state, control, operator):
        return operator

    def at_goal(self, state):
        return self.tables.goals[state] != 0


@st.composite
def rooms(draw):
    pairs = [(a, b) for a in range(ROOMS) for b in range(a)]
    chosen = set(draw(st.lists(st.sampled_from(pairs), max_size=12)))
    doors = tuple(
        tuple(int((a, b) in chosen or (b, a) in chosen) for b in range(ROOMS)) for a in range(ROOMS)
    )
    goals = draw(st.lists(st.sampled_from([0, 0, 1]), min_size=ROOMS, max_size=ROOMS).map(tuple))
    starts = tuple(draw(st.lists(st.integers(0, ROOMS - 1), min_size=1, max_size=2, unique=True)))
    return Rooms(RoomTables(doors, goals), starts)


values = st.lists(st.sampled_from([0, 0, 1, 2, 3]), min_size=ROOMS, max_size=ROOMS).map(tuple)
