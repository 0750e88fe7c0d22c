"""Which positions can be solved, decided without search wherever that is known to be exact.

A move swaps the blank with a tile, so it changes the parity of the permutation of all cells;
where the cells can be coloured like a chess board, it also changes the colour under the blank.
The sum of both stays the same (W. W. Johnson and W. E. Story, Notes on the "15" Puzzle, 1879).

That this is the only obstacle, and that there is none where the cells cannot be so coloured, is
a theorem of R. M. Wilson (Graph Puzzles, Homotopy, and the Alternating Group, 1974) for every
board that stays connected without any one cell, except a cycle and one board of seven cells.
The other boards are enumerated.
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterator, Sequence
from functools import lru_cache

from searchkit import UsageError
from searchkit.certificates import Certificate, closed_set
from searchkit.heuristic import distances_from
from searchkit_sliding.board import Board, is_biconnected

ENUMERABLE = 400_000
"""Boards without a theorem are enumerated up to this many positions."""


@lru_cache(maxsize=64)
def has_theorem(board: Board) -> bool:
    """Whether Wilson's theorem is about `board`.

    The exceptional board of seven cells has eight edges; all such boards are left out, as
    their 5040 positions are soon enumerated.
    """
    edges = sum(map(len, board.adjacency)) // 2
    is_cycle = edges == board.cells
    may_be_exceptional = (board.cells, edges) == (7, 8)
    return is_biconnected(board.adjacency) and not is_cycle and not may_be_exceptional


def certificates_are_exact(board: Board) -> bool:
    """Whether `why_unsolvable` finds a reason for every position that cannot be solved."""
    return has_theorem(board) or math.factorial(board.cells) <= ENUMERABLE


def is_odd(board: Board, tiles: Sequence[int], goal: Sequence[int]) -> bool:
    """Whether parity tells that `tiles` cannot become `goal`. False if cells have no colours.

    O(cells).

    >>> is_odd(Board.rectangle(2, 2), [1, 2, 0, 3], [1, 2, 3, 0])
    False
    >>> is_odd(Board.rectangle(2, 2), [2, 1, 3, 0], [1, 2, 3, 0])
    True
    """
    if board.colours is None:
        return False
    swaps = _swaps(_cycles(tiles, goal))
    return (swaps + board.colours[tiles.index(0)] + board.colours[goal.index(0)]) % 2 == 1


def why_unsolvable(
    board: Board, tiles: tuple[int, ...], goal: tuple[int, ...]
) -> Certificate | None:
    """Why `tiles` cannot become `goal`; None if they can, or it is not known.

    Not known are only positions of boards without a theorem that have more than `ENUMERABLE`
    positions in reach of the goal. A certificate is of one of two kinds:

    - `parity`: the `cycles` of cells along which every tile and the blank come to their goal
      cells, the number of `swaps` of two cells that they are made of, the distance of the blank
      from its goal cell, and the `colours`, 0 or 1, of all cells, of which neighbours differ;
    - a closed set, from the goal, where there is no such argument: only by exploring all that is
      in reach of the goal can it be made, and checked.
    """
    if is_odd(board, tiles, goal):
        text = (
            "odd permutation: with the blank in its goal cell an odd number of swaps of two "
            f"tiles is left, and the moves on board {board.name} make an even number"
        )
        cycles = _cycles(tiles, goal)
        data = {
            "cycles": cycles,
            "swaps": _swaps(cycles),
            "blank_distance": board.distances[tiles.index(0)][goal.index(0)],
            "colours": board.colours,
        }
        return Certificate("parity", text, data)
    if has_theorem(board):
        return None
    reached = positions_in_reach(board, goal)
    if reached is None or tiles in reached:
        return None
    text = f"not in reach: the goal can be reached from {len(reached)} positions, and not this one"
    return closed_set(text, expanded=len(reached), algorithm="bfs", origin="goal")


def random_tiles(board: Board, goal: tuple[int, ...], rng: random.Random) -> tuple[int, ...]:
    """A position drawn uniformly from those that can become `goal`.

    O(cells) for boards with a theorem. Raises `UsageError` for a board without one that has
    more than `ENUMERABLE` positions in reach.
    """
    if has_theorem(board):
        tiles = list(goal)
        rng.shuffle(tiles)
        if is_odd(board, tiles, goal):  # a swap of two tiles pairs odd with even positions
            first, second = (cell for cell, tile in enumerate(tiles) if tile in {1, 2})
            tiles[first], tiles[second] = tiles[second], tiles[first]
        return tuple(tiles)
    reached = positions_in_reach(board, goal)
    if reached is None:
        raise UsageError(
            f"board {board.name!r} has too many positions to draw one at random and no theorem "
            "about them; scramble the goal by moves"
        )
    return rng.choice(sorted(reached))


@lru_cache(maxsize=4)
def positions_in_reach(board: Board, goal: tuple[int, ...]) -> frozenset[tuple[int, ...]] | None:
    """The positions in reach of `goal`, None if they are more than `ENUMERABLE`."""

    def moved(tiles: tuple[int, ...]) -> Iterator[tuple[int, ...]]:
        blank = tiles.index(0)
        for cell in board.adjacency[blank]:
            after = [*tiles]
            after[blank], after[cell] = after[cell], 0
            yield tuple(after)

    reached = distances_from(goal, moved, most=ENUMERABLE)
    return frozenset(reached) if len(reached) <= ENUMERABLE else None


def _cycles(tiles: Sequence[int], goal: Sequence[int]) -> list[list[int]]:
    """Cycles of cells: the tile on each belongs on the next one; cells of no way are left out."""
    place = {tile: cell for cell, tile in enumerate(goal)}
    seen = [False] * len(tiles)
    cycles = []
    for first in range(len(tiles)):
        cycle = []
        cell = first
        while not seen[cell]:
            seen[cell] = True
            cycle.append(cell)
            cell = place[tiles[cell]]
        if len(cycle) > 1:
            cycles.append(cycle)
    return cycles


def _swaps(cycles: Sequence[Sequence[int]]) -> int:
    """How many swaps of two cells make up the cycles."""
    return sum(len(cycle) - 1 for cycle in cycles)
