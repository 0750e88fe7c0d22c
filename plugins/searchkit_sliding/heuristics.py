"""Lower bounds for sliding puzzles on boards of any size.

- Misplaced tiles and Manhattan distance: J. E. Doran and D. Michie, Experiments with the Graph
  Traverser Program, 1966; the blank must not be counted.
- Linear conflict: O. Hansson, A. Mayer and M. Yung, Criticizing Solutions to Relaxed Models
  Yields Powerful Admissible Heuristics, 1992.

All are consistent, and all are carried along a step. Each is written as kernels; searches that
run in plain Python remember what the kernels gave for the same tile and cells, or the same line.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache
from operator import and_, sub
from typing import TYPE_CHECKING, Any, NamedTuple

from searchkit import Step, UnsuitableError
from searchkit.bits import count_ones
from searchkit.packed import PackedHeuristic
from searchkit_sliding.board import Board
from searchkit_sliding.packing import WordState

if TYPE_CHECKING:
    from searchkit_sliding.puzzle import SlidingPuzzle

Values = tuple[tuple[int, ...], ...]
"""`values[cell][tile]`; the blank, tile 0, always adds 0."""


@lru_cache(maxsize=64)
def distances_to_goal(board: Board, goal: tuple[int, ...]) -> Values:
    """The number of moves that every tile would need if it were alone."""
    place = {tile: cell for cell, tile in enumerate(goal)}
    return tuple(
        tuple(distances[place[tile]] if tile else 0 for tile in range(board.cells))
        for distances in board.distances
    )


def out_of_place(board: Board, goal: Sequence[int]) -> Values:
    """1 for every tile that is not where the goal has it."""
    return tuple(
        tuple(int(tile not in (0, goal[cell])) for tile in range(board.cells))
        for cell in range(board.cells)
    )


@lru_cache(maxsize=64)
def changes_of_moves(board: Board, values: Values) -> tuple[tuple[tuple[int, ...], ...], ...]:
    """What moving a tile between neighbouring cells adds, which must be -1, 0 or 1.

    One more than the change for tile `t` from cell `cell` to cell `blank` is in two bits from
    bit `2 * (t % 32)` on of `changes[blank][cell][t // 32]`.
    """
    per_word = 32

    def packed(blank: int, cell: int) -> tuple[int, ...]:
        words = [0] * -(-board.cells // per_word)
        if cell in board.adjacency[blank]:
            for tile in range(board.cells):
                change = 1 + values[blank][tile] - values[cell][tile]
                words[tile // per_word] |= change << 2 * (tile % per_word)
        return tuple(words)

    cells = range(board.cells)
    return tuple(tuple(packed(blank, cell) for cell in cells) for blank in cells)


Rows = tuple[tuple[int, ...], ...]

FULL = 50_000
"""What is remembered of a line is forgotten when it has this many entries."""


class SumTables(NamedTuple):
    """What the kernels of `TileSum` look up; `change` is from `changes_of_moves`."""

    cells: int
    values: Values
    change: tuple[Rows, ...]


class TileSum(PackedHeuristic):
    """A sum over the tiles of what each adds on its cell: `values[cell][tile]`."""

    parts = ("problem",)

    values_of: Callable[[Board, tuple[int, ...]], Values]
    """What tiles add, on a board with a goal."""

    def __init__(self, problem: SlidingPuzzle) -> None:
        board = problem.board
        self.problem = problem
        values = type(self).values_of(board, problem.packing.unpack(problem.goal))
        self.tables: Any = SumTables(board.cells, values, changes_of_moves(board, values))
        self._changes: dict[WordState, int] = {}

    def sum_of_tiles(self, state: Any) -> int:
        """Kernel: the sum from scratch."""
        total = 0
        for cell in range(self.tables.cells):
            total += self.tables.values[cell][self.problem.tile(state, cell)]
        return total

    def change_of_tile(self, control: int, operator: int, tile: int) -> int:
        """Kernel: what moving the tile from cell `operator` to the blank on `control` adds."""
        word = int(self.tables.change[control][operator][tile >> 5])
        return (word >> 2 * (tile & 31) & 3) - 1

    def estimate(self, state: Any) -> int:
        """Kernel: the sum from scratch."""
        return self.sum_of_tiles(state)

    def change(self, state: Any, control: int, operator: int, child: Any) -> int:
        """Kernel: the change by one tile."""
        return self.change_of_tile(control, operator, self.problem.tile(state, operator))

    def after(self, h: float, state: Any, step: Step[Any, int]) -> float:
        """The sum after one tile has moved; which, and where, tells the difference. O(words)."""
        child = step[1]
        moved = child - state if child.__class__ is int else tuple(map(sub, child, state))
        try:
            return h + self._changes[moved]
        except KeyError:
            control, operator = self.problem.control(state), self.problem.control(child)
            tile = self.problem.tile(state, operator)
            change = self._changes[moved] = self.change_of_tile(control, operator, tile)
            return h + change


class Manhattan(TileSum):
    """How far every tile is from its goal cell, as if it were alone.

    On a board that is not a rectangle, distances are counted along its edges.

    >>> from searchkit_sliding import Board, SlidingPuzzle
    >>> puzzle = SlidingPuzzle.read(Board.rectangle(3, 3), "867254301", "123456780")
    >>> Manhattan(puzzle)(puzzle.start)
    21
    """

    name = "manhattan"
    given = "a move takes one tile to a cell beside its own"
    values_of = staticmethod(distances_to_goal)


class Misplaced(TileSum):
    """How many tiles are not on their goal cell.

    >>> from searchkit_sliding import Board, SlidingPuzzle
    >>> puzzle = SlidingPuzzle.read(Board.rectangle(3, 3), "867254301", "123456780")
    >>> Misplaced(puzzle)(puzzle.start)
    7
    """

    name = "misplaced"
    given = "a move takes one tile to another cell"
    values_of = staticmethod(out_of_place)


class ConflictTables(NamedTuple):
    """What the kernels of `LinearConflict` look up.

    Line `i` has the first `lengths[i]` of the cells `lines[i]`; `places[i][tile]` is the place
    of the tile in it from 1 on, 0 if its goal cell is on another. `crossed[a][b]` is the line
    with cell `a`, but not with its neighbour `b`: in the line of both, tiles keep their order, and
    so their conflicts, when one of them moves from cell to cell.
    """

    cells: int
    values: Values
    change: tuple[Rows, ...]
    lengths: tuple[int, ...]
    lines: Rows
    places: Rows
    crossed: Rows


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
        board = problem.board
        goal = problem.packing.unpack(problem.goal)
        columns = board.columns
        if columns is None:
            raise UnsuitableError(
                f"linear-conflict is for rectangles, not board {board.name!r}; use manhattan"
            )
        cells = range(board.cells)
        rows = cells[::columns]
        lines = [cells[first : first + columns] for first in rows]
        lines += [cells[first::columns] for first in range(columns)]
        longest = max(map(len, lines))
        homes = [[goal[cell] for cell in line] for line in lines]
        self.tables = ConflictTables(
            **self.tables._asdict(),
            lengths=tuple(map(len, lines)),
            lines=tuple((*line, *((0,) * (longest - len(line)))) for line in lines),
            places=tuple(
                tuple(home.index(tile) + 1 if tile and tile in home else 0 for tile in cells)
                for home in homes
            ),
            crossed=tuple(
                tuple(
                    len(rows) + cell % columns
                    if cell // columns == other // columns
                    else cell // columns
                    for other in cells
                )
                for cell in cells
            ),
        )
        self._lines = [LineMemo(self, number) for number in range(len(lines))]
        self._moves: dict[WordState, tuple[int, LineMemo, LineMemo]] = {}

    def conflicts(self, state: Any, line: int) -> int:
        """Kernel: what the conflicts of a line add.

        Bit `p` of `ends` is set if `p` is the smallest last number of the increasing sequences
        of some length among the places so far (C. Schensted, Longest increasing and decreasing
        subsequences, 1961): a place that comes is put in for the next larger one.
        """
        ends = 0
        placed = 0
        for i in range(self.tables.lengths[line]):
            tile = self.problem.tile(state, self.tables.lines[line][i])
            place = self.tables.places[line][tile]
            if place != 0:
                placed += 1
                larger = ends & -(2 << place)
                ends = (ends | 1 << place) ^ (larger & -larger)
        return 2 * (placed - count_ones(ends))

    def estimate(self, state: Any) -> int:
        """Kernel: the value from scratch."""
        total = self.sum_of_tiles(state)
        for line in range(len(self.tables.lengths)):
            total += self.conflicts(state, line)
        return total

    def change(self, state: Any, control: int, operator: int, child: Any) -> int:
        """Kernel: the change by one tile, which matters to the lines of its goal only."""
        tile = self.problem.tile(state, operator)
        change = self.change_of_tile(control, operator, tile)
        entered = self.tables.crossed[control][operator]
        if self.tables.places[entered][tile] != 0:
            change += self.conflicts(child, entered) - self.conflicts(state, entered)
        left = self.tables.crossed[operator][control]
        if self.tables.places[left][tile] != 0:
            change += self.conflicts(child, left) - self.conflicts(state, left)
        return change

    def after(self, h: float, state: Any, step: Step[Any, int]) -> float:
        """The value after one tile has moved: two lines change. O(words) on average."""
        child = step[1]
        single = child.__class__ is int
        moved = child - state if single else tuple(map(sub, child, state))
        known = self._moves.get(moved)
        if known is None:
            control, operator = self.problem.control(state), self.problem.control(child)
            entered = self._lines[self.tables.crossed[control][operator]]
            left = self._lines[self.tables.crossed[operator][control]]
            change = int(super().after(0, state, step))
            known = self._moves[moved] = change, entered, left
        change, entered, left = known
        one, other = entered.mask, left.mask
        if single:
            change += entered[child & one] - entered[state & one]
            return h + change + left[child & other] - left[state & other]
        change += entered[tuple(map(and_, child, one))] - entered[tuple(map(and_, state, one))]
        change += left[tuple(map(and_, child, other))] - left[tuple(map(and_, state, other))]
        return h + change


class LineMemo(dict[Any, int]):
    """The kernel `conflicts` of a line by the part of the state that it depends on.

    That is the state with all cells but those of the line 0: `state & mask`, word by word.
    """

    def __init__(self, bound: LinearConflict, number: int) -> None:
        super().__init__()
        packing = bound.problem.packing
        line = bound.tables.lines[number][: bound.tables.lengths[number]]
        self.mask: Any = packing.only(line, packing.mask)
        self._bound, self._number = bound, number

    def __missing__(self, content: WordState) -> int:
        if len(self) >= FULL:
            self.clear()
        value = self[content] = self._bound.conflicts(content, self._number)
        return value
