"""Lights Out, Rush Hour and the 15-puzzle by their fields."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from searchkit.fields import Array, Fields, Set

N = 6
BOARD = "GBBoLoGHIoLMGHIAAMCCCKoMooJKDDEEJFFo"
Car = list[list[int]]
"""The cells of a car at each offset."""


def cross(size: int) -> list[list[int]]:
    """The lamps that each press changes."""
    cells = range(size * size)
    return [
        [c for c in cells if abs(c // size - p // size) + abs(c % size - p % size) <= 1]
        for p in cells
    ]


def cars_of(board: str) -> tuple[list[Car], list[int], list[int]]:
    """The cars, their offsets, and the cells that are full."""
    cars, offsets = [], []
    for letter in sorted(set(board) - set("ox")):
        cells = [i for i, mark in enumerate(board) if mark == letter]
        stride = cells[1] - cells[0]
        line = cells[0] // N * N if stride == 1 else cells[0] % N
        places = range(N - len(cells) + 1)
        cars.append([[line + stride * (at + k) for k in range(len(cells))] for at in places])
        offsets.append((cells[0] - line) // stride)
    return cars, offsets, [i for i, mark in enumerate(board) if mark != "o"]


def swept(car: Car, offset: int, slide: int) -> list[int] | None:
    """The cells that a car enters when it slides; None where it cannot be or go."""
    if offset >= len(car) or not 0 <= offset + slide < len(car):
        return None
    way = range(min(offset, offset + slide), max(offset, offset + slide) + 1)
    return sorted({cell for at in way for cell in car[at]} - set(car[offset]))


class Lights(Fields):
    undirected = True

    def __init__(self, size: int = 5) -> None:
        self.cross = cross(size)
        self.moves = range(size * size)
        self.declare(lit=Array(size * size, 2))
        self.start = self.pack(lit=[1] * size * size)
        self.goal = self.pack(lit=[0] * size * size)

    def apply(self, s: Any, cell: int) -> None:
        for other in self.cross[cell]:
            s.lit[other] ^= 1


class Rush(Fields):
    undirected = True

    def __init__(self, board: str = BOARD) -> None:
        self.cars, offsets, full = cars_of(board)
        self.moves = [(car, k) for car in range(len(self.cars)) for k in range(-4, 5) if k]
        self.last = [len(car) - 1 for car in self.cars]
        self.declare(offset=Array(len(self.cars), 5), full=Set(N * N))
        self.start = self.pack(offset=offsets, full=full)
        self.sweeps = {
            (car, k): [swept(self.cars[car], at, k) or [] for at in range(5)]
            for car, k in self.moves
        }

    def legal(self, s: Any, car: int, slide: int) -> bool:
        to = s.offset[car] + slide
        if to < 0 or to > self.last[car]:
            return False
        return bool(s.full.isdisjoint(self.sweeps[car, slide][s.offset[car]]))

    def apply(self, s: Any, car: int, slide: int) -> None:
        s.full ^= self.cars[car][s.offset[car]]
        s.offset[car] += slide
        s.full ^= self.cars[car][s.offset[car]]

    def at_goal(self, s: Any) -> bool:
        return bool(s.offset[0] == self.last[0])


class Tiles(Fields):
    undirected = True

    def __init__(self, start: Sequence[int]) -> None:
        self.declare(tiles=Array(16, 16))
        self.moves = {"up": (0, -1), "left": (-1, 0), "right": (1, 0), "down": (0, 1)}
        self.start = self.pack(tiles=start)
        self.goal = self.pack(tiles=range(16))

    def legal(self, s: Any, dx: int, dy: int) -> bool:
        blank = s.tiles.index(0)
        return 0 <= blank % 4 + dx < 4 and 0 <= blank // 4 + dy < 4

    def apply(self, s: Any, dx: int, dy: int) -> None:
        blank = s.tiles.index(0)
        to = blank + dx + 4 * dy
        s.tiles[blank], s.tiles[to] = s.tiles[to], s.tiles[blank]
