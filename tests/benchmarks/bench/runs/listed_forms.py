"""Lights Out, Rush Hour, the 15-puzzle and Sokoban by their fields, with steps by `expand`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from bench.runs.declared_forms import BOARD, N, cars_of, cross
from searchkit.fields import Array, Fields, Int, Set

LEVEL = """\
########
#......#
# $  $ #
# $  $ #
# $  $ #
#      #
#  @   #
########"""


class Lights(Fields):
    undirected = True

    def __init__(self, size: int = 5) -> None:
        self.cross = cross(size)
        self.declare(lit=Set(size * size))
        self.start = self.pack(lit=range(size * size))
        self.goal = self.pack(lit=[])

    def expand(self, s: Any) -> Iterator[Any]:
        for cell, changed in enumerate(self.cross):
            child = s.copy()
            for other in changed:
                child.lit ^= {other}
            yield cell, child


class Rush(Fields):
    """Cars slide up to the next obstacle."""

    undirected = True

    def __init__(self, board: str = BOARD) -> None:
        cars, offsets, full = cars_of(board)
        self.cars = [[set(cells) for cells in car] for car in cars]
        self.last = [len(car) - 1 for car in cars]
        self.declare(offset=Array(len(cars), 5), full=Set(N * N))
        self.start = self.pack(offset=offsets, full=full)

    def expand(self, s: Any) -> Iterator[Any]:
        for car, before in enumerate(s.offset):
            others = s.full - self.cars[car][before]
            for way in (-1, 1):
                after = before + way
                while 0 <= after <= self.last[car] and others.isdisjoint(self.cars[car][after]):
                    child = s.copy()
                    child.offset[car] = after
                    child.full = others | self.cars[car][after]
                    yield (car, after - before), child
                    after += way

    def at_goal(self, s: Any) -> bool:
        return bool(s.offset[0] == self.last[0])


class Tiles(Fields):
    undirected = True

    def __init__(self, board: Sequence[int]) -> None:
        self.declare(tiles=Array(16, 16))
        self.start = self.pack(tiles=board)
        self.goal = self.pack(tiles=range(16))

    def expand(self, s: Any) -> Iterator[Any]:
        blank = s.tiles.index(0)
        if blank >= 4:
            yield self.moved(s, blank, blank - 4)
        if blank % 4 > 0:
            yield self.moved(s, blank, blank - 1)
        if blank % 4 < 3:
            yield self.moved(s, blank, blank + 1)
        if blank < 12:
            yield self.moved(s, blank, blank + 4)

    def moved(self, s: Any, blank: int, cell: int) -> Any:
        child = s.copy()
        child.tiles[blank], child.tiles[cell] = child.tiles[cell], 0
        return cell, child


class Pushes(Fields):
    """Steps are pushes; the keeper is at the first cell that he can walk to."""

    def __init__(self, level: str = LEVEL) -> None:
        self.next, boxes, self.goals, keeper = board_of(level)
        count = len(self.next)
        self.declare(keeper=Int(count), boxes=Set(count))
        start = self.unpack(self.pack(keeper=keeper, boxes=boxes))
        self.start = self.pack(keeper=min(self.reached(start)), boxes=boxes)

    def reached(self, s: Any) -> list[int]:
        cells, closed = [s.keeper], s.boxes | {s.keeper}
        for cell in cells:
            for other in self.next[cell]:
                if other >= 0 and other not in closed:
                    closed.add(other)
                    cells.append(other)
        return cells

    def expand(self, s: Any) -> Iterator[Any]:
        for cell in self.reached(s):
            for way in range(4):
                box = self.next[cell][way]
                if box >= 0 and box in s.boxes:
                    beyond = self.next[box][way]
                    if beyond >= 0 and beyond not in s.boxes:
                        child = s.copy()
                        child.boxes.remove(box)
                        child.boxes.add(beyond)
                        child.keeper = box
                        child.keeper = min(self.reached(child))
                        yield (cell, way), child

    def at_goal(self, s: Any) -> bool:
        return bool(s.boxes == self.goals)


def board_of(level: str) -> tuple[list[list[int]], list[int], list[int], int]:
    """The cells next to each, or -1; the boxes, the goals, and the keeper."""
    rows = level.splitlines()
    width = max(map(len, rows)) + 1
    marks = "".join(row.ljust(width) for row in rows)
    number = {i: n for n, i in enumerate(i for i, mark in enumerate(marks) if mark != "#")}
    boxes, goals, (keeper,) = (
        [number[i] for i in number if marks[i] in kinds] for kinds in ("$*", ".*+", "@+")
    )
    near = [[number.get(i + way, -1) for way in (-width, width, -1, 1)] for i in number]
    return near, boxes, goals, keeper
