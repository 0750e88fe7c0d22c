"""Lights Out, Rush Hour and the 15-puzzle packed by hand, and Rush Hour in its plain form.

They are what their declared forms (`declared_forms`) are compared with: written as an author would
who knows of words, tables and control states.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from bench.runs.declared_forms import BOARD, N, cars_of, cross, swept
from searchkit import PackedHeuristic, PackedProblem, Problem, Step
from searchkit.bits import lowest_one


class LightTables(NamedTuple):
    cross: tuple[int, ...]


class Lights(PackedProblem[int]):
    undirected = True

    def __init__(self, size: int = 5) -> None:
        self.cells = size * size
        self.tables = LightTables(tuple(sum(1 << c for c in each) for each in cross(size)))

    def initial_states(self) -> list[int]:
        return [(1 << self.cells) - 1]

    def goal_states(self) -> list[int]:
        return [0]

    def operators(self, control: int) -> range:
        return range(self.cells)

    def action(self, state: int, operator: int) -> int:
        return operator

    def at_goal(self, state: int) -> bool:
        return state == 0

    def apply(self, state: int, control: int, operator: int) -> int:
        return state ^ int(self.tables.cross[operator])


class CarTables(NamedTuple):
    goal: int
    shift: tuple[int, ...]
    slide: tuple[int, ...]
    sweeps: tuple[tuple[int, ...], ...]
    cells: tuple[tuple[int, ...], ...]


class Rush(PackedProblem[tuple[int, int]]):
    """Word 0 has the offsets of the cars, 3 bits each; word 1 the cells that are full."""

    words = 2
    undirected = True

    def __init__(self, board: str = BOARD) -> None:
        self.cars, offsets, full = cars_of(board)
        self.moves = [(car, k) for car in range(len(self.cars)) for k in range(-4, 5) if k]
        never = (1 << N * N + 1) - 1  # the highest bit is always set
        sweeps = [
            [
                never if cells is None else sum(1 << cell for cell in cells)
                for cells in (swept(self.cars[car], offset, slide) for offset in range(8))
            ]
            for car, slide in self.moves
        ]
        self.tables = CarTables(
            N - len(self.cars[0][0]),
            tuple(3 * car for car, _ in self.moves),
            tuple(slide for _, slide in self.moves),
            tuple(map(tuple, sweeps)),
            tuple(
                tuple(
                    sum(1 << cell for cell in self.cars[car][offset])
                    if offset < len(self.cars[car])
                    else 0
                    for offset in range(8)
                )
                for car, _ in self.moves
            ),
        )
        self.start = (
            sum(offset << 3 * car for car, offset in enumerate(offsets)),
            sum(1 << cell for cell in full) | 1 << N * N,
        )

    def initial_states(self) -> list[tuple[int, int]]:
        return [self.start]

    def operators(self, control: int) -> range:
        return range(len(self.moves))

    def action(self, state: Any, operator: int) -> tuple[int, int]:
        return self.moves[operator]

    def at_goal(self, state: Any) -> bool:
        return bool(state[0] & 7 == self.tables.goal)

    def legal(self, state: Any, control: int, operator: int) -> bool:
        offset = state[0] >> self.tables.shift[operator] & 7
        return bool(state[1] & self.tables.sweeps[operator][offset] == 0)

    def apply(self, state: Any, control: int, operator: int) -> Any:
        shift = self.tables.shift[operator]
        before = state[0] >> shift & 7
        after = before + self.tables.slide[operator]
        cells = self.tables.cells[operator]
        first = state[0] + (self.tables.slide[operator] << shift)
        return first, state[1] ^ cells[before] ^ cells[after]


class PlainRush(Problem[tuple[int, ...], tuple[int, int]]):
    """A state has the offsets of the cars; the cells that are full are found for each."""

    undirected = True

    def __init__(self, board: str = BOARD) -> None:
        self.cars, offsets, _ = cars_of(board)
        self.start = tuple(offsets)

    def initial_states(self) -> list[tuple[int, ...]]:
        return [self.start]

    def is_goal(self, state: tuple[int, ...]) -> bool:
        return state[0] == N - len(self.cars[0][0])

    def successors(self, state: tuple[int, ...]) -> Iterator[Step[Any, Any]]:
        full = {cell for car, at in zip(self.cars, state, strict=True) for cell in car[at]}
        for i, (car, at) in enumerate(zip(self.cars, state, strict=True)):
            for way, last in ((-1, 0), (1, -1)):
                to = at
                while 0 <= to + way < len(car) and car[to + way][last] not in full:
                    to += way
                    yield Step((i, to - at), (*state[:i], to, *state[i + 1 :]))


class FarTables(NamedTuple):
    far: tuple[tuple[int, ...], ...]
    """By cell and tile, how far the tile is from its place."""


class Far(PackedHeuristic):
    """The sum over all tiles of how far they are from their places."""

    name = "far"
    tables = FarTables(
        tuple(
            tuple(abs(t % 4 - c % 4) + abs(t // 4 - c // 4) if t else 0 for t in range(16))
            for c in range(16)
        )
    )

    def estimate(self, state: Any) -> int:
        far = 0
        for cell in range(16):
            far += self.tables.far[cell][state >> 4 * cell & 15]
        return far


class TileTables(NamedTuple):
    goal: int


class Tiles(PackedProblem[int]):
    """Four bits a cell; the control state is the cell of the blank, an operator where it goes."""

    undirected = True
    controls = 16
    ones = 0x1111111111111111

    def __init__(self, start: Sequence[int]) -> None:
        self.start = sum(tile << 4 * cell for cell, tile in enumerate(start))
        self.tables = TileTables(sum(tile << 4 * tile for tile in range(16)))

    def initial_states(self) -> list[int]:
        return [self.start]

    def operators(self, control: int) -> list[int]:
        near = ((0, -1), (-1, 0), (1, 0), (0, 1))
        x, y = control % 4, control // 4
        return [
            x + dx + 4 * (y + dy) for dx, dy in near if 0 <= x + dx < 4 and 0 <= y + dy < 4
        ]  # fmt: skip

    def next_control(self, control: int, operator: int) -> int:
        return operator

    def action(self, state: int, operator: int) -> int:
        return operator

    def control(self, state: int) -> int:
        blank = (state - 0x1111111111111111) & ~state & 0x8888888888888888
        return lowest_one(blank) >> 2

    def at_goal(self, state: int) -> bool:
        return state == int(self.tables.goal)

    def apply(self, state: int, control: int, operator: int) -> int:
        tile = state >> 4 * operator & 15
        return state ^ (tile << 4 * operator | tile << 4 * control)
