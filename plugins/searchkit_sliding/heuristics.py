"""Lower bounds for sliding puzzles.

- Misplaced tiles and Manhattan distance: J. E. Doran and D. Michie, Experiments with the Graph
  Traverser Program, 1966; the blank must not be counted.
- Linear conflict: O. Hansson, A. Mayer and M. Yung, Criticizing Solutions to Relaxed Models
  Yields Powerful Admissible Heuristics, 1992.

All are consistent, and all are carried along a step. Make them with `of`: the classes whose
names begin with Wide are for positions of several words.
"""

from __future__ import annotations

from operator import and_, sub
from typing import TYPE_CHECKING, Any, NamedTuple

from searchkit import Step, UnsuitableError
from searchkit.bits import count_ones
from searchkit.packed import PackedHeuristic
from searchkit_sliding.linear_conflict import LineTable, crossed_line, lines_of, places_in
from searchkit_sliding.packing import Packing, WidePacking, WordState
from searchkit_sliding.tile_sums import Values, add_up, changes_of_moves, out_of_place

if TYPE_CHECKING:
    from searchkit_sliding.puzzle import SlidingPuzzle

Rows = tuple[tuple[int, ...], ...]


class SumTables(NamedTuple):
    """What the kernels of `TileSum` look up.

    `change` is from `changes_of_moves`, `shift` and `field` are those of `WidePacking`.
    """

    cells: int
    values: Values
    change: tuple[Rows, ...]
    shift: tuple[int, ...]
    field: Rows


class TileSum(PackedHeuristic):
    """A sum over the tiles of what each adds on its cell: `values[cell][tile]`."""

    def __init__(self, problem: SlidingPuzzle, values: Values) -> None:
        if isinstance(problem.packing, Packing) is isinstance(self, _WideTiles):
            raise UnsuitableError(
                f"{type(self).__name__} is not for board {problem.board.name!r}; "
                f"make the bound with its method `of`"
            )
        self.problem = problem
        self._values = values
        self._packing = problem.packing
        self.tables: Any = self._sum_tables()
        self._changes = self._changes_by_difference()

    @classmethod
    def of(cls, problem: SlidingPuzzle) -> Any:
        """The bound for a puzzle of any size."""
        narrow = isinstance(problem.packing, Packing)
        return (cls if narrow else _WIDE[cls])(problem)  # type: ignore[call-arg]

    def _sum_tables(self) -> SumTables:
        changes = changes_of_moves(self.problem.board, self._values)
        cells = self.problem.board.cells
        shift: tuple[int, ...] = ()
        field: Rows = ((),)
        if isinstance(self._packing, WidePacking):
            shift, field = self._packing.shift, self._packing.field
        return SumTables(cells, self._values, changes, shift, field)

    def _changes_by_difference(self) -> dict[WordState, int]:
        """What a move adds by the difference of its positions; of several words, not yet known."""
        if not isinstance(self._packing, Packing):
            return {}
        return {
            (tile << 4 * blank) - (tile << 4 * cell): (
                self._values[blank][tile] - self._values[cell][tile]
            )
            for blank, neighbours in enumerate(self.problem.board.adjacency)
            for cell in neighbours
            for tile in range(1, self.problem.board.cells)
        }

    def tile(self, state: Any, cell: int) -> int:
        """Kernel: the tile on a cell."""
        return int(state >> 4 * cell & 15)

    def sum_of_tiles(self, state: Any) -> int:
        """Kernel: the sum from scratch."""
        total = 0
        for cell in range(self.tables.cells):
            total += self.tables.values[cell][self.tile(state, cell)]
        return total

    def change_of_tile(self, control: int, operator: int, tile: int) -> int:
        """Kernel: what moving the tile from cell `operator` to the blank on `control` adds."""
        return (int(self.tables.change[control][operator][0]) >> 2 * tile & 3) - 1

    def estimate(self, state: Any) -> int:
        """Kernel: the sum from scratch."""
        return self.sum_of_tiles(state)

    def change(self, state: Any, control: int, operator: int, child: Any) -> int:
        """Kernel: the change by one tile."""
        return self.change_of_tile(control, operator, self.tile(state, operator))

    def __call__(self, state: Any) -> float:
        """The sum from scratch. O(cells)."""
        return add_up(self._values, self._packing, state)

    def after(self, h: float, state: Any, step: Step[int, Any]) -> float:
        """The sum after one tile has moved. O(1)."""
        return h + self._changes[step[1] - state]


class Manhattan(TileSum):
    """How far every tile is from its goal cell, as if it were alone.

    On a board that is no rectangle, distances are counted along its edges.

    >>> from searchkit_sliding import Board, SlidingPuzzle
    >>> puzzle = SlidingPuzzle.read(Board.rectangle(3, 3), "867254301", "123456780")
    >>> Manhattan.of(puzzle)(puzzle.start)
    21
    """

    name = "manhattan"

    def __init__(self, problem: SlidingPuzzle) -> None:
        super().__init__(problem, problem.distances)


class Misplaced(TileSum):
    """How many tiles are not on their goal cell.

    >>> from searchkit_sliding import Board, SlidingPuzzle
    >>> puzzle = SlidingPuzzle.read(Board.rectangle(3, 3), "867254301", "123456780")
    >>> Misplaced.of(puzzle)(puzzle.start)
    7
    """

    name = "misplaced"

    def __init__(self, problem: SlidingPuzzle) -> None:
        goal = problem.packing.unpack(problem.goal)
        super().__init__(problem, out_of_place(problem.board, goal))


class ConflictTables(NamedTuple):
    """What the kernels of `LinearConflict` look up.

    Line `i` has the first `lengths[i]` of the cells `lines[i]`; `places[i][tile]` is the place
    of the tile in it from 1 on, 0 if its goal cell is on another. `crossed[a][b]` is the line
    with cell `a`, but not with its neighbour `b`.
    """

    cells: int
    values: Values
    change: tuple[Rows, ...]
    shift: tuple[int, ...]
    field: Rows
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
    >>> Manhattan.of(puzzle)(puzzle.start), LinearConflict.of(puzzle)(puzzle.start)
    (4, 8)
    """

    name = "linear-conflict"

    def __init__(self, problem: SlidingPuzzle) -> None:
        super().__init__(problem)
        board = problem.board
        goal = problem.packing.unpack(problem.goal)
        self._lines = lines_of(board)
        line_tables = [LineTable(problem.packing, line, goal) for line in self._lines]
        self._line_tables = [(table.cells_mask, table) for table in line_tables]
        crossed = tuple(
            tuple(
                crossed_line(self._lines, cell, other) if other in neighbours else 0
                for other in range(board.cells)
            )
            for cell, neighbours in enumerate(board.adjacency)
        )
        self._lines_changed = self._lines_by_difference(crossed)
        longest = max(map(len, self._lines))
        places = [places_in(line, goal) for line in self._lines]
        self.tables = ConflictTables(
            **self.tables._asdict(),
            lengths=tuple(map(len, self._lines)),
            lines=tuple(line + (0,) * (longest - len(line)) for line in self._lines),
            places=tuple(tuple(row.get(tile, 0) for tile in range(board.cells)) for row in places),
            crossed=crossed,
        )

    def _lines_by_difference(self, crossed: Rows) -> dict[int, tuple[Any, ...]]:
        """The change of the sum, and the lines that change, as `_changes_by_difference`."""
        tables = self._line_tables
        return {
            difference: (change, *tables[crossed[blank][cell]], *tables[crossed[cell][blank]])
            for blank, neighbours in enumerate(self.problem.board.adjacency)
            for cell in neighbours
            for tile in range(1, self.problem.board.cells)
            for difference in [(tile << 4 * blank) - (tile << 4 * cell)]
            for change in [self._changes.get(difference)]
        }

    def conflicts(self, state: Any, line: int) -> int:
        """Kernel: what the conflicts of a line add.

        Bit `p` of `ends` is set if `p` is the smallest last number of the increasing sequences
        of some length among the places so far (C. Schensted, Longest increasing and decreasing
        subsequences, 1961): a place that comes is put in for the next larger one.
        """
        ends = 0
        placed = 0
        for i in range(self.tables.lengths[line]):
            tile = self.tile(state, self.tables.lines[line][i])
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
        tile = self.tile(state, operator)
        change = self.change_of_tile(control, operator, tile)
        entered = self.tables.crossed[control][operator]
        if self.tables.places[entered][tile] != 0:
            change += self.conflicts(child, entered) - self.conflicts(state, entered)
        left = self.tables.crossed[operator][control]
        if self.tables.places[left][tile] != 0:
            change += self.conflicts(child, left) - self.conflicts(state, left)
        return change

    def __call__(self, state: Any) -> float:
        """The value from scratch. O(cells)."""
        total = add_up(self._values, self._packing, state)
        return total + sum(table[state & mask] for mask, table in self._line_tables)

    def after(self, h: float, state: Any, step: Step[int, Any]) -> float:
        """The value after one tile has moved: two lines change. O(1) on average."""
        child = step[1]
        change, first, first_table, second, second_table = self._lines_changed[child - state]
        return h + int(
            change
            + first_table[child & first]
            - first_table[state & first]
            + second_table[child & second]
            - second_table[state & second]
        )


class _WideTiles(TileSum):
    """Reads positions of several words."""

    def tile(self, state: Any, cell: int) -> int:
        """Kernel: the tile on a cell."""
        found = 0
        for word in range(len(state)):
            found |= state[word] & self.tables.field[cell][word]
        return found >> int(self.tables.shift[cell])

    def change_of_tile(self, control: int, operator: int, tile: int) -> int:
        """Kernel: what moving the tile from cell `operator` to the blank on `control` adds."""
        word = int(self.tables.change[control][operator][tile >> 5])
        return (word >> 2 * (tile & 31) & 3) - 1

    def after(self, h: float, state: Any, step: Step[int, Any]) -> float:
        """The sum after one tile has moved. O(words)."""
        difference = tuple(map(sub, step[1], state))
        change = self._changes.get(difference)
        if change is None:
            change = self._changes[difference] = self._change_of_step(state, step)
        return h + change

    def _change_of_step(self, state: Any, step: Step[int, Any]) -> int:
        """The kernel `change`."""
        control, operator = self.problem.control(state), self.problem.control(step.state)
        return self.change(state, control, operator, step.state)


class WideManhattan(_WideTiles, Manhattan):
    """`Manhattan` for positions of several words."""


class WideMisplaced(_WideTiles, Misplaced):
    """`Misplaced` for positions of several words."""


class WideLinearConflict(_WideTiles, LinearConflict):
    """`LinearConflict` for positions of several words."""

    def __call__(self, state: Any) -> float:
        """The value from scratch. O(cells)."""
        total = add_up(self._values, self._packing, state)
        table: LineTable
        mask: Any
        for mask, table in self._line_tables:
            total += table[tuple(map(and_, state, mask))]
        return total

    def after(self, h: float, state: Any, step: Step[int, Any]) -> float:
        """The value after one tile has moved."""
        return h + self._change_of_step(state, step)


_WIDE: dict[type[TileSum], type[TileSum]] = {
    Manhattan: WideManhattan,
    Misplaced: WideMisplaced,
    LinearConflict: WideLinearConflict,
}
