"""Lights Out, Rush Hour, the 15-puzzle and Sokoban packed by hand, with steps by `expand`."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from bench.runs import packed_forms
from bench.runs.declared_forms import BOARD, N
from bench.runs.listed_forms import LEVEL, board_of
from searchkit import PackedProblem
from searchkit.bits import frame, lowest_one


class Lights(packed_forms.Lights):
    def expand(self, state: int) -> Iterator[Any]:
        for cell in range(len(self.tables.cross)):
            yield cell, state ^ int(self.tables.cross[cell])


class CarTables(NamedTuple):
    goal: int
    cars: int
    last: tuple[int, ...]
    """By car, its largest offset."""
    cells: tuple[tuple[int, ...], ...]
    """By car and offset, the cells that it fills."""


class Rush(packed_forms.Rush):
    """Cars slide up to the next obstacle."""

    def __init__(self, board: str = BOARD) -> None:
        super().__init__(board)
        cells = [[sum(1 << cell for cell in at) for at in car] for car in self.cars]
        self.tables = CarTables(
            N - len(self.cars[0][0]),
            len(self.cars),
            tuple(len(car) - 1 for car in self.cars),
            tuple((*row, *[0] * (N - len(row))) for row in cells),
        )

    def action(self, state: Any, operator: int) -> tuple[int, int]:
        return operator >> 4, (operator & 15) - 5

    def expand(self, state: Any) -> Iterator[Any]:
        for car in range(self.tables.cars):
            before = state[0] >> 3 * car & 7
            others = state[1] ^ self.tables.cells[car][before]
            for way in (-1, 1):
                after = before + way
                while (
                    0 <= after <= self.tables.last[car]
                    and others & self.tables.cells[car][after] == 0
                ):
                    child = state[0] + (after - before << 3 * car)
                    yield (
                        car << 4 | after - before + 5,
                        (child, others | self.tables.cells[car][after]),
                    )
                    after += way


class Tiles(packed_forms.Tiles):
    def expand(self, state: int) -> Iterator[Any]:
        blank = lowest_one((state - 0x1111111111111111) & ~state & 0x8888888888888888) >> 2
        if blank >= 4:
            yield blank - 4, self.apply(state, blank, blank - 4)
        if blank & 3 > 0:
            yield blank - 1, self.apply(state, blank, blank - 1)
        if blank & 3 < 3:
            yield blank + 1, self.apply(state, blank, blank + 1)
        if blank < 12:
            yield blank + 4, self.apply(state, blank, blank + 4)


class PushTables(NamedTuple):
    next: tuple[tuple[int, ...], ...]
    goals: int


class Pushes(PackedProblem[int]):
    """The keeper in six bits, the boxes above them."""

    def __init__(self, level: str = LEVEL) -> None:
        near, boxes, goals, keeper = board_of(level)
        self.tables = PushTables(tuple(map(tuple, near)), sum(1 << cell for cell in goals))
        cells, full = [0] * len(near), sum(1 << cell for cell in boxes)
        count = self.filled(keeper, full, cells, 0)
        self.start = min(cells[:count]) | full << 6

    def initial_states(self) -> list[int]:
        return [self.start]

    def action(self, state: int, operator: int) -> int:
        return operator

    def at_goal(self, state: int) -> bool:
        return state >> 6 == self.tables.goals

    def filled(self, keeper: int, boxes: int, cells: Any, begin: int) -> int:
        closed = boxes | 1 << keeper
        cells[begin] = keeper
        count, done = 1, 0
        while done < count:
            cell = cells[begin + done]
            done += 1
            for way in range(4):
                other = self.tables.next[cell][way]
                if other >= 0 and closed >> other & 1 == 0:
                    closed |= 1 << other
                    cells[begin + count] = other
                    count += 1
        return count

    def expand(self, state: int) -> Iterator[Any]:
        cells = frame(128)
        boxes = state >> 6
        count = self.filled(state & 63, boxes, cells, 0)
        for i in range(count):
            for way in range(4):
                box = self.tables.next[cells[i]][way]
                if box >= 0 and boxes >> box & 1 != 0:
                    beyond = self.tables.next[box][way]
                    if beyond >= 0 and boxes >> beyond & 1 == 0:
                        after = boxes & ~(1 << box) | 1 << beyond
                        more = self.filled(box, after, cells, 64)
                        first = box
                        for j in range(more):
                            first = min(first, cells[64 + j])
                        yield cells[i] * 4 + way, first | after << 6
