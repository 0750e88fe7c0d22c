"""Plans for solving a sliding puzzle in stages: line after line, from the rim inwards.

A line is a row or a column at the rim. Its tiles are brought home together, as many at a time as
a table can hold, but never all but one, for one tile alone cannot enter a corner without another
making way. Where even that table would be too large, a stage before it brings the tiles, in any
order, out of the opposite line, which the next stage then leaves alone. The last block is one
stage. The four stages of the 4x4 board are two lines with such a stage before the first.
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from functools import lru_cache
from itertools import islice

from searchkit_sliding.board import Board
from searchkit_sliding.graphs import is_biconnected
from searchkit_sliding.stage_kernels import MOST_CELLS, SlidingStage, ranks_of

MOST_STATES = 1 << 24
"""No table is made larger than asked for beyond this."""
MOST_TOLD = 9
"""How many places one stage tells apart; they fit into a word."""
MOST_PLANS = 24
Grid = list[list[int]]
"""What is left of a rectangle: the cells of its rows."""


@lru_cache(maxsize=64)
def plans(board: Board, goal: tuple[int, ...], most: int) -> tuple[tuple[SlidingStage, ...], ...]:
    """All plans with tables of up to `most` states, the usual one first, the others mixed.

    If there is none, of twice as many, and so on up to `MOST_STATES`. None for other boards than
    rectangles of up to 64 cells and boards of up to 10.
    """
    if board.cells <= MOST_CELLS:
        while most <= MOST_STATES:
            found = list(islice(_plans(board, goal, most), MOST_PLANS))
            if found:
                mixed = [found[i // 2 if i % 2 == 0 else -1 - i // 2] for i in range(len(found))]
                return tuple(mixed)
            most *= 2
    return ()


def _plans(board: Board, goal: tuple[int, ...], most: int) -> Iterator[tuple[SlidingStage, ...]]:
    cells = [*range(board.cells)]
    if board.columns is not None:
        grid = [cells[first : first + board.columns] for first in cells[:: board.columns]]
        for stages in _from_grid(board, goal, grid, most):
            yield tuple(stages)
    elif _is_last(board.cells, most):
        yield (_last(board, goal, cells),)


def _from_grid(
    board: Board, goal: tuple[int, ...], grid: Grid, most: int
) -> Iterator[list[SlidingStage]]:
    """The plans that solve what is left."""
    region = [cell for row in grid for cell in row]
    if _is_last(len(region), most):
        yield [_last(board, goal, region)]
        return
    for line, opposite, left in _lines(grid):
        if goal.index(0) not in line:
            stages = _line(board, goal, region, line, set(opposite), most)
            if stages is not None:
                for rest in _from_grid(board, goal, left, most):
                    yield stages + rest


def _lines(grid: Grid) -> Iterator[tuple[list[int], list[int], Grid]]:
    """Top, bottom, left and right: a line, the opposite one, and the grid without the line.

    Two lines are always left.
    """
    columns = _turned(grid)
    if len(grid) > 2:
        yield grid[0], grid[-1], grid[1:]
        yield grid[-1], grid[0], grid[:-1]
    if len(columns) > 2:
        yield columns[0], columns[-1], _turned(columns[1:])
        yield columns[-1], columns[0], _turned(columns[:-1])


def _turned(grid: Grid) -> Grid:
    return [list(column) for column in zip(*grid, strict=True)]


def _is_last(cells: int, most: int) -> bool:
    return math.factorial(cells) <= most and cells - 2 <= MOST_TOLD


def _last(board: Board, goal: tuple[int, ...], region: list[int]) -> SlidingStage:
    """The stage that solves all of a region."""
    targets = [cell for cell in region if goal[cell]]
    return SlidingStage.of(board, goal, region, [goal[cell] for cell in targets], targets)


def _line(
    board: Board,
    goal: tuple[int, ...],
    region: list[int],
    line: list[int],
    spare: set[int],
    most: int,
) -> list[SlidingStage] | None:
    """The stages that solve a line of a region; None if a table would be too large."""
    stages: list[SlidingStage] = []
    while line:
        for count in range(len(line), 0, -1):
            if len(line) - count != 1 and count <= MOST_TOLD:
                found = _part(board, goal, region, line[:count], spare, most)
                if found:
                    break
        else:
            return None
        stages += found
        region = [cell for cell in region if cell not in line[:count]]
        line = line[count:]
    return stages


def _part(
    board: Board,
    goal: tuple[int, ...],
    region: list[int],
    cells: list[int],
    spare: set[int],
    most: int,
) -> list[SlidingStage]:
    """The stage, or two, that bring the tiles of some cells home; none if a table is too large."""
    tiles = [goal[cell] for cell in cells]
    if not _is_free(board, region):
        return []
    if ranks_of(len(region), len(tiles), as_set=False) <= most:
        return [SlidingStage.of(board, goal, region, tiles, cells)]
    narrow = [cell for cell in region if cell not in spare]
    if (
        len(narrow) <= len(cells) + 2
        or not _is_free(board, narrow)
        or ranks_of(len(region), len(tiles), as_set=True) > most
        or ranks_of(len(narrow), len(tiles), as_set=False) > most
    ):
        return []
    return [
        SlidingStage.of(board, goal, region, tiles, narrow, as_set=True),
        SlidingStage.of(board, goal, narrow, tiles, cells),
    ]


def _is_free(board: Board, region: list[int]) -> bool:
    """Whether all arrangements of a region can be reached, if two of its tiles are alike.

    So it is where no cell is the only way to another (Wilson's theorem, see `reachability`).
    """
    place = {cell: i for i, cell in enumerate(region)}
    return is_biconnected(
        [[place[to] for to in board.adjacency[cell] if to in place] for cell in region]
    )
