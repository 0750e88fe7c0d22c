"""Solving a sliding puzzle in stages: some tiles find their cells, others do not matter.

Plans go line after line, from the rim inwards. A line is a row or a column at the rim. Its tiles
are brought home together, as many at a time as a table can hold, but never all but one, for one
tile alone cannot enter a corner without another making way. Where even that table would be too
large, a stage before it brings the tiles, in any order, out of the opposite line, which the next
stage then leaves alone. The last block is one stage. The four stages of the 4x4 board are two lines
with such a stage before the first.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from itertools import islice
from typing import Any, NamedTuple

import attrs

from searchkit.bits import count_ones, lowest_one, zero_state
from searchkit.problem import derived
from searchkit_sliding.board import Board, is_biconnected
from searchkit_sliding.packing import TileMoves, WideTileMoves, packing_of
from searchkit_stages import Stage

MOST_CELLS = 64
"""Sets of cells are words."""


class StageTables(NamedTuple):
    """What the kernels of `SlidingStage` look up.

    The cells of the region are numbered: cell `c` has number `number[c]`, -1 outside of it, and
    `cells` undoes that. `tracked` are the tiles that matter, of which the last may be left out if
    it is where no other is. `allowed[t][c]` tells whether tile `t`, or the blank, may be on cell
    `c` at the goal. `choose[n][k]` are binomial coefficients. `others` and `fixed` tell where all
    other tiles are in the states that `unrank` gives: `fixed` those outside of the region, on their
    goal cells if they can be, `others` on the free cells within, the one left out first.

    `words` and all that follow are those of `Packing`.
    """

    size: int
    number: tuple[int, ...]
    cells: tuple[int, ...]
    tracked: tuple[int, ...]
    ranked: int
    allowed: tuple[tuple[int, ...], ...]
    as_set: int
    choose: tuple[tuple[int, ...], ...]
    others: tuple[int, ...]
    fixed: tuple[int, ...]
    words: int
    bits: int
    per_word: int
    shift: tuple[int, ...]
    unit: Any
    field: Any
    ones: Any
    highs: Any


@attrs.frozen
class SlidingStage(TileMoves, Stage):
    """Bring the tiles `tracked` to the cells `targets`, with the blank kept on the cells `region`.

    All other cells stay as they are. If `as_set` is true, the tracked tiles are
    alike, and any of the `targets` will do for each and for the blank; else `targets` lists a cell
    for each.

    States are the blank's cell and those of the tracked tiles: `ranks` is the number of their
    arrangements, a combination of cells if they are alike.
    """

    board: Board
    goal: tuple[int, ...]
    region: tuple[int, ...]
    tracked: tuple[int, ...]
    targets: tuple[int, ...]
    as_set: bool = False
    tables: StageTables = derived(lambda self: self._tables())
    ranks: int = derived(
        lambda self: ranks_of(len(self.region), len(self.tracked), as_set=self.as_set)
    )
    words: int = derived(lambda self: packing_of(self.board).words)
    controls: int = derived(lambda self: self.board.cells)
    _operators: tuple[tuple[int, ...], ...] = derived(lambda self: self._inside())

    @classmethod
    def of(
        cls,
        board: Board,
        goal: Sequence[int],
        region: Sequence[int],
        tracked: Sequence[int],
        targets: Sequence[int],
        *,
        as_set: bool = False,
    ) -> SlidingStage:
        """The stage on a board of any size, up to 64 cells."""
        kind = WideSlidingStage if packing_of(board).wide else SlidingStage
        return kind(board, tuple(goal), tuple(region), tuple(tracked), tuple(targets), as_set)

    def _inside(self) -> tuple[tuple[int, ...], ...]:
        inside = set(self.region)
        return tuple(
            tuple(cell for cell in neighbours if cell in inside) if blank in inside else ()
            for blank, neighbours in enumerate(self.board.adjacency)
        )

    def _tables(self) -> StageTables:
        cells, size = range(self.board.cells), len(self.region)
        allowed = [[0] * len(cells) for _ in cells]
        for tile, cell in zip(self.tracked, self.targets, strict=False):
            allowed[tile][cell] = 1
        blank_at = self.targets if self.as_set else set(self.region) - set(self.targets)
        for cell in blank_at:
            allowed[0][cell] = 1
            for tile in self.tracked if self.as_set else ():
                allowed[tile][cell] = 1
        others = sorted({self.goal[cell] for cell in self.region} - {0, *self.tracked})
        fixed = [0 if cell in self.region else self.goal[cell] for cell in cells]
        if self.goal.index(0) not in self.region:
            fixed[self.goal.index(0)] = others.pop()
        ranked = len(self.tracked) - (not self.as_set and len(self.tracked) == size - 1)
        return StageTables(
            size=size,
            number=tuple(self.region.index(cell) if cell in self.region else -1 for cell in cells),
            cells=self.region,
            tracked=self.tracked,
            ranked=ranked,
            allowed=tuple(map(tuple, allowed)),
            as_set=int(self.as_set),
            choose=_binomials(self.board.cells),
            others=(*self.tracked[ranked:], *others),
            fixed=tuple(fixed),
            **packing_of(self.board).lookups,
        )

    def operators(self, control: int) -> tuple[int, ...]:
        """The neighbours of the blank's cell within the region."""
        return self._operators[control]

    def at_goal(self, state: Any) -> bool:
        """Kernel: whether the blank and all tracked tiles are where they may be."""
        if self.tables.allowed[0][self.place(state, 0)] == 0:
            return False
        for i in range(len(self.tables.tracked)):
            tile = self.tables.tracked[i]
            if self.tables.allowed[tile][self.place(state, tile)] == 0:
                return False
        return True

    def rank(self, state: Any) -> int:
        """Kernel: the number of the arrangement of the blank and the tracked tiles."""
        rank = self.tables.number[self.place(state, 0)]
        if rank < 0:
            return -1
        if self.tables.as_set != 0:
            return self.rank_of_set(state, rank)
        used = 1 << rank
        for i in range(self.tables.ranked):
            place = self.tables.number[self.place(state, self.tables.tracked[i])]
            if place < 0:
                return -1
            rank = rank * (self.tables.size - 1 - i) + place
            rank -= count_ones(used & (1 << place) - 1)
            used |= 1 << place
        return rank

    def rank_of_set(self, state: Any, blank: int) -> int:
        """Kernel: the same where the tracked tiles are alike: a place in the order of sets."""
        used = 0
        for i in range(self.tables.ranked):
            place = self.tables.number[self.place(state, self.tables.tracked[i])]
            if place < 0:
                return -1
            used |= 1 << place - (place > blank)
        rank = blank * self.tables.choose[self.tables.size - 1][self.tables.ranked]
        for i in range(self.tables.ranked):
            rank += self.tables.choose[lowest_one(used)][i + 1]
            used &= used - 1
        return rank

    def unrank(self, index: int) -> Any:
        """Kernel: an arrangement with that number, the other tiles in their order."""
        state = zero_state(self.tables.words)
        for cell in range(len(self.tables.fixed)):
            state = self.put(state, self.tables.fixed[cell], cell)
        digits = index
        if self.tables.as_set != 0:
            sets = self.tables.choose[self.tables.size - 1][self.tables.ranked]
            blank = index // sets
            digits = self.places_of_set(index - blank * sets)
        else:
            digits = self.digits(index)
            blank = digits & 63
            digits >>= 6
        used = 1 << blank
        for i in range(self.tables.ranked):
            place = digits & 63
            digits >>= 6
            if self.tables.as_set != 0:
                place += place >= blank
            else:
                place = self.free_place(used, place)
            used |= 1 << place
            state = self.put(state, self.tables.tracked[i], self.tables.cells[place])
        for i in range(len(self.tables.others)):
            place = self.free_place(used, 0)
            used |= 1 << place
            state = self.put(state, self.tables.others[i], self.tables.cells[place])
        return state

    def digits(self, index: int) -> int:
        """Kernel: the place of the blank and, in six bits each, which free places follow."""
        digits = 0
        for i in range(self.tables.ranked):
            base = self.tables.size - self.tables.ranked + i
            digits = digits << 6 | index % base
            index = index // base
        return digits << 6 | index

    def places_of_set(self, index: int) -> int:
        """Kernel: the places of the set with that number, in six bits each, the blank left out."""
        places = 0
        place = self.tables.size - 2
        for i in range(self.tables.ranked):
            while self.tables.choose[place][self.tables.ranked - i] > index:
                place -= 1
            index -= self.tables.choose[place][self.tables.ranked - i]
            places = places << 6 | place
        return places

    def free_place(self, used: int, skipped: int) -> int:
        """Kernel: the place of the free cell of that number in the region."""
        place = 0
        while (used >> place & 1) != 0 or skipped > 0:
            skipped -= 1 - (used >> place & 1)
            place += 1
        return place


@attrs.frozen
class WideSlidingStage(WideTileMoves, SlidingStage):
    """The same over positions of several words."""


@cache
def _binomials(count: int) -> tuple[tuple[int, ...], ...]:
    return tuple(tuple(math.comb(n, k) for k in range(count)) for n in range(count))


def ranks_of(size: int, tracked: int, *, as_set: bool) -> int:
    """The number of arrangements of the blank and `tracked` tiles on `size` cells."""
    if as_set:
        return size * math.comb(size - 1, tracked)
    return math.perm(size, tracked + 1)


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
            found = list(islice(_Planner(board, goal, most).plans(), MOST_PLANS))
            if found:
                mixed = [found[i // 2 if i % 2 == 0 else -1 - i // 2] for i in range(len(found))]
                return tuple(mixed)
            most *= 2
    return ()


@attrs.frozen
class _Planner:
    """Makes plans with tables of up to `most` states."""

    board: Board
    goal: tuple[int, ...]
    most: int

    def plans(self) -> Iterator[tuple[SlidingStage, ...]]:
        """All plans, the usual one first."""
        board = self.board
        cells = [*range(board.cells)]
        if board.columns is not None:
            grid = [cells[first : first + board.columns] for first in cells[:: board.columns]]
            yield from map(tuple, self._from_grid(grid))
        elif self._is_last(cells):
            yield (self._last(cells),)

    def _from_grid(self, grid: Grid) -> Iterator[list[SlidingStage]]:
        """The plans that solve what is left."""
        region = [cell for row in grid for cell in row]
        if self._is_last(region):
            yield [self._last(region)]
            return
        for line, opposite, left in _lines(grid):
            if self.goal.index(0) not in line:
                stages = self._line(region, line, set(opposite))
                if stages is not None:
                    yield from (stages + rest for rest in self._from_grid(left))

    def _is_last(self, region: list[int]) -> bool:
        return math.factorial(len(region)) <= self.most and len(region) - 2 <= MOST_TOLD

    def _last(self, region: list[int]) -> SlidingStage:
        """The stage that solves all of a region."""
        targets = [cell for cell in region if self.goal[cell]]
        tiles = [self.goal[cell] for cell in targets]
        return SlidingStage.of(self.board, self.goal, region, tiles, targets)

    def _line(
        self, region: list[int], line: list[int], spare: set[int]
    ) -> list[SlidingStage] | None:
        """The stages that solve a line of a region; None if a table would be too large."""
        stages: list[SlidingStage] = []
        while line:
            for count in range(len(line), 0, -1):
                if len(line) - count != 1 and count <= MOST_TOLD:
                    found = self._part(region, line[:count], spare)
                    if found:
                        break
            else:
                return None
            stages += found
            region = [cell for cell in region if cell not in line[:count]]
            line = line[count:]
        return stages

    def _part(self, region: list[int], cells: list[int], spare: set[int]) -> list[SlidingStage]:
        """The stage, or two, that bring tiles home to cells; none if a table is too large."""
        board, goal, most = self.board, self.goal, self.most
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


def _lines(grid: Grid) -> Iterator[tuple[list[int], list[int], Grid]]:
    """A line at the rim, the opposite one, and the grid without the line, of two or more lines."""
    columns = _turned(grid)
    if len(grid) > 2:
        yield grid[0], grid[-1], grid[1:]
        yield grid[-1], grid[0], grid[:-1]
    if len(columns) > 2:
        yield columns[0], columns[-1], _turned(columns[1:])
        yield columns[-1], columns[0], _turned(columns[:-1])


def _turned(grid: Grid) -> Grid:
    return [list(column) for column in zip(*grid, strict=True)]


def _is_free(board: Board, region: list[int]) -> bool:
    """Whether all arrangements of a region can be reached, two tiles alike: Wilson's theorem."""
    place = {cell: i for i, cell in enumerate(region)}
    return is_biconnected(
        [[place[to] for to in board.adjacency[cell] if to in place] for cell in region]
    )
