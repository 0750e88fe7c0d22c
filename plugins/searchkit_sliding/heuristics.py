"""Lower bounds for sliding puzzles.

- Misplaced tiles and Manhattan distance: J. E. Doran and D. Michie, Experiments with the Graph
  Traverser Program, 1966; the blank must not be counted.
- Linear conflict: O. Hansson, A. Mayer and M. Yung, Criticizing Solutions to Relaxed Models
  Yields Powerful Admissible Heuristics, 1992.

All are consistent, and all are carried along a step by table look-up.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from searchkit import Heuristic, Step
from searchkit_sliding.linear_conflict import LineTable, lines_changed_by_moves, lines_of
from searchkit_sliding.tile_sums import Values, add_up, out_of_place

if TYPE_CHECKING:
    from searchkit_sliding.puzzle import SlidingPuzzle

Changes = tuple[tuple[tuple[int, ...], ...], ...]


class TileSum(Heuristic[int, int]):
    """A sum over the tiles of what each adds on its cell: `values[cell][tile]`."""

    def __init__(self, problem: SlidingPuzzle, values: Values) -> None:
        self.problem = problem
        self._values = values
        self._bits = problem.packing.bits
        self._mask = problem.packing.mask
        self._blank_shift = problem.packing.blank_shift
        self._changes = _changes(problem, values)

    def __call__(self, state: int) -> int:
        """The sum from scratch. O(cells)."""
        return add_up(self._values, self._bits, self._mask, state)

    def after(self, h: float, state: int, step: Step[int, int]) -> float:
        """The sum after one tile has moved. O(1)."""
        shift = self._blank_shift
        return h + self._changes[state >> shift][step[1] >> shift][step[0]]


class Manhattan(TileSum):
    """How far every tile is from its goal cell, as if it were alone.

    On a board that is no rectangle, distances are counted along its edges.

    >>> from searchkit_sliding import Board, SlidingPuzzle
    >>> puzzle = SlidingPuzzle.read(Board.rectangle(3, 3), "867254301", "123456780")
    >>> Manhattan(puzzle)(puzzle.start)
    21
    """

    name = "manhattan"

    def __init__(self, problem: SlidingPuzzle) -> None:
        super().__init__(problem, problem.distances)


class Misplaced(TileSum):
    """How many tiles are not on their goal cell.

    >>> from searchkit_sliding import Board, SlidingPuzzle
    >>> puzzle = SlidingPuzzle.read(Board.rectangle(3, 3), "867254301", "123456780")
    >>> Misplaced(puzzle)(puzzle.start)
    7
    """

    name = "misplaced"

    def __init__(self, problem: SlidingPuzzle) -> None:
        goal = problem.packing.unpack(problem.goal)
        super().__init__(problem, out_of_place(problem.board, goal))


class LinearConflict(Manhattan):
    """Manhattan distance, and two for every tile that must leave its line to let others pass.

    Tiles that stand in their goal row in the wrong order cannot all move along it: all but an
    increasing subsequence must leave the row and come back, which Manhattan distance does not
    count. The same holds for columns. For rectangles only.

    >>> from searchkit_sliding import Board, SlidingPuzzle
    >>> puzzle = SlidingPuzzle.read(Board.rectangle(2, 3), "321450", "123450")
    >>> Manhattan(puzzle)(puzzle.start), LinearConflict(puzzle)(puzzle.start)
    (4, 8)
    """

    name = "linear-conflict"

    def __init__(self, problem: SlidingPuzzle) -> None:
        super().__init__(problem)
        goal = problem.packing.unpack(problem.goal)
        lines = lines_of(problem.board)
        tables = [LineTable(problem.packing, line, goal) for line in lines]
        self._tables = [(table.cells_mask, table) for table in tables]
        self._lines = lines_changed_by_moves(problem.board, lines, self._tables)

    def __call__(self, state: int) -> int:
        """The value from scratch. O(cells)."""
        return super().__call__(state) + sum(table[state & mask] for mask, table in self._tables)

    def after(self, h: float, state: int, step: Step[int, int]) -> float:
        """The value after one tile has moved: two lines change. O(1) on average."""
        child = step[1]
        blank, cell = state >> self._blank_shift, child >> self._blank_shift
        first, first_table, second, second_table = self._lines[blank][cell]
        return (
            h
            + self._changes[blank][cell][step[0]]
            + first_table[child & first]
            - first_table[state & first]
            + second_table[child & second]
            - second_table[state & second]
        )


def _changes(problem: SlidingPuzzle, values: Values) -> Changes:
    """`changes[blank][cell][tile]`: what moving `tile` from `cell` to `blank` adds."""
    board = problem.board
    tiles = range(board.cells)
    return tuple(
        tuple(
            tuple(values[blank][tile] - values[cell][tile] for tile in tiles)
            if cell in neighbours
            else ()
            for cell in range(board.cells)
        )
        for blank, neighbours in enumerate(board.adjacency)
    )
