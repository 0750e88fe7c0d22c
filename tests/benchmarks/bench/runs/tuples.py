"""The 8-puzzle as one would write it for any Python library: positions are tuples of tiles."""

from __future__ import annotations

from collections import deque

Position = tuple[int, ...]

GOAL: Position = (1, 2, 3, 4, 5, 6, 7, 8, 0)

NEIGHBOURS = tuple(
    tuple(
        cell + 3 * down + right
        for down, right in ((-1, 0), (0, -1), (0, 1), (1, 0))
        if 0 <= cell // 3 + down < 3 and 0 <= cell % 3 + right < 3
    )
    for cell in range(9)
)

DISTANCES = tuple(
    tuple(
        abs(cell // 3 - (tile - 1) // 3) + abs(cell % 3 - (tile - 1) % 3) if tile else 0
        for tile in range(9)
    )
    for cell in range(9)
)


def read(text: str) -> Position:
    """The position written as nine digits."""
    return tuple(map(int, text))


def slide(position: Position, cell: int) -> Position:
    """The position after the tile on `cell` has slid into the blank."""
    tiles = list(position)
    blank = position.index(0)
    tiles[blank], tiles[cell] = tiles[cell], 0
    return tuple(tiles)


def manhattan(position: Position) -> int:
    """The sum of the distances of the tiles from their goal cells."""
    return sum(DISTANCES[cell][tile] for cell, tile in enumerate(position))


def successors(position: Position) -> list[Position]:
    """The positions one move away."""
    return [slide(position, cell) for cell in NEIGHBOURS[position.index(0)]]


def distances_from(start: Position) -> dict[Position, int]:
    """How far every position is from `start`: breadth-first search as in any textbook."""
    distances = {start: 0}
    waiting = deque([start])
    while waiting:
        position = waiting.popleft()
        further = distances[position] + 1
        for child in successors(position):
            if child not in distances:
                distances[child] = further
                waiting.append(child)
    return distances
