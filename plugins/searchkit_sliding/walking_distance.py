"""Walking distance: the moves that rows and columns need, each with the other forgotten.

K. Takahashi, Walking distance, 2001 (the 15-puzzle program of computer-puzzle.edhub).
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any, NamedTuple

import attrs

from searchkit import UnsuitableError
from searchkit.packed import CarriedHeuristic, PackedStep
from searchkit_sliding.packing import ONE_WORD_CELLS

if TYPE_CHECKING:
    import numpy as np

    from searchkit_sliding.board import Board
    from searchkit_sliding.puzzle import SlidingPuzzle

MOST_ENTRIES = 2_000_000
"""Boards whose lines need larger tables are refused."""
KEY_BITS = 63
LINE_BITS = 3
ENTRY_BITS = 24
ENTRY_MASK = (1 << ENTRY_BITS) - 1
ENTRIES_MASK = (1 << 2 * ENTRY_BITS) - 1
SHIFT_BITS = 5
SHIFT_MASK = (1 << SHIFT_BITS) - 1
INDEX_MASK = (1 << 31) - 1
"""Tells machine code that an index is not negative."""


@attrs.frozen(eq=False)
class Lines:
    """The moves of tiles between the lines (the rows, say) of a board, and how far they are.

    An entry says how many tiles of each line's goal stand in each line, and where the blank is.
    `following[entry][2 * goal + down]` is the entry after a tile whose goal is line `goal` has
    moved into the blank's line, from the next line if `down` is 1 and from the line before if
    it is 0; -1 if there is none. `distance[entry]` is how many such moves the goal is away.
    """

    keys: np.ndarray[Any, Any]
    following: np.ndarray[Any, Any]
    distance: np.ndarray[Any, Any]


def has_tables(lines: int, width: int) -> bool:
    """Whether the entries of `lines` lines of `width` cells have keys of one word.

    >>> has_tables(4, 4), has_tables(5, 3), has_tables(7, 2)
    (True, True, False)
    """
    few = lines < 1 << LINE_BITS
    return few and LINE_BITS + width.bit_length() * (lines - 1) ** 2 <= KEY_BITS


def suits_walking_distance(board: Board) -> bool:
    """Whether the board is a rectangle that the tables are possible for."""
    if board.columns is None or board.cells > ONE_WORD_CELLS:
        return False
    rows = board.cells // board.columns
    return has_tables(rows, board.columns) and has_tables(board.columns, rows)


def goal_key(lines: int, width: int, blank: int) -> int:
    """The key of the goal's entry, with the blank in line `blank`.

    A key holds the counts of tiles in lines and, in its lowest bits, the line of the blank. The
    counts of the last line and goal are left out: the others and the blank determine them.
    """
    rows = lines - 1
    bits = width.bit_length()
    counts = sum((width - (line == blank)) << bits * (line * rows + line) for line in range(rows))
    return counts << LINE_BITS | blank


@lru_cache(maxsize=8)
def tables_of_lines(lines: int, width: int, blank: int) -> Lines:
    """The tables for `lines` lines of `width` cells with the blank's goal in line `blank`.

    By breadth-first search from the goal, layer after layer. Every move changes the line of the
    blank by one, so that it leads to the next layer or to the one before. O(entries * lines).
    """
    import numpy as np  # noqa: PLC0415  (takes long to import)

    if not has_tables(lines, width):
        raise too_large(lines, width)
    layer = np.array([goal_key(lines, width, blank)], dtype=np.int64)
    layers = [layer]
    before = layer[:0]
    moves = []  # of every layer: (which, slot, key after)
    while len(layer):
        moves.append(list(_moves(layer, lines, width, blank)))
        after = np.unique(np.concatenate([keys for _, _, keys in moves[-1]]))
        before, layer = layer, np.setdiff1d(after, before, assume_unique=True)
        layers.append(layer)
        if sum(map(len, layers)) > MOST_ENTRIES:
            raise too_large(lines, width)
    keys = np.sort(np.concatenate(layers))
    distance = np.zeros(len(keys), dtype=np.int64)
    following = np.full((len(keys), 2 * lines), -1, dtype=np.int64)
    for depth, (layer, parts) in enumerate(zip(layers, moves, strict=False)):
        own = np.searchsorted(keys, layer)
        distance[own] = depth
        for which, slot, after in parts:
            following[own[which], slot] = np.searchsorted(keys, after)
    return Lines(keys, following, distance)


def too_large(lines: int, width: int) -> UnsuitableError:
    """The error for a board whose tables would have too many entries."""
    return UnsuitableError(
        f"walking-distance needs more than {MOST_ENTRIES} entries for {lines} lines of {width} "
        "cells; use linear-conflict, or a pattern database"
    )


def _moves(layer: np.ndarray[Any, Any], lines: int, width: int, goal_of_blank: int) -> Any:
    """All moves out of a layer: which entries have one, its slot, and the keys after it."""
    rows = lines - 1
    bits = width.bit_length()
    mask = (1 << bits) - 1
    blank = layer & ((1 << LINE_BITS) - 1)
    counts = layer >> LINE_BITS

    def count(line: int, goal: int) -> Any:
        """How many tiles of `goal` stand in `line`, of every entry."""
        if line < rows and goal < rows:
            return counts >> bits * (line * rows + goal) & mask
        in_goal = width - (goal == goal_of_blank)
        if line < rows:
            return width - (blank == line) - sum(count(line, other) for other in range(rows))
        return in_goal - sum(count(other, goal) for other in range(rows))

    for goal in range(lines):
        held = [count(line, goal) for line in range(lines)]
        for down in (0, 1):
            for line in range(lines):
                start = line + (1 if down else -1)
                if not 0 <= start < lines:
                    continue
                which = ((blank == line) & (held[start] > 0)).nonzero()[0]
                change = 0
                if goal < rows:
                    change += (1 << bits * (line * rows + goal)) if line < rows else 0
                    change -= (1 << bits * (start * rows + goal)) if start < rows else 0
                yield which, 2 * goal + down, (counts[which] + change) << LINE_BITS | start


class WalkingTables(NamedTuple):
    """What the kernels of `WalkingDistance` look up; axis 0 is that of rows, 1 that of columns.

    The entries of an axis are the `entries[axis]` from `first[axis]` on; they are the same where
    rows and columns are alike. If `tile` slides from `cell` to `blank`,
    `turn[blank << 8 | cell << 4 | tile]` has the place of the bits of the axis that it moves along
    in a word that is carried, and above that its slot. `following[entry << stride | slot]` is twice
    the number of an entry, plus 1 if it is farther away. `share[axis][cell << 4 | tile]` is what a
    tile on a cell adds to the key of an entry.
    """

    cells: int
    keys: Any
    following: Any
    distance: Any
    first: tuple[int, ...]
    entries: tuple[int, ...]
    stride: int
    turn: Any
    share: tuple[tuple[int, ...], ...]


def _turns(lines: tuple[tuple[int, ...], ...], place: Mapping[int, int]) -> list[int]:
    """What a tile does to the entries when it slides: see `WalkingTables`."""
    turns = [0] * (len(place) << 8)
    for blank in range(len(place)):
        for cell in range(len(place)):
            axis = int(lines[0][blank] == lines[0][cell])
            for tile, goal in place.items():
                slot = 2 * lines[axis][goal] + int(cell > blank)
                turns[blank << 8 | cell << 4 | tile] = slot << SHIFT_BITS | ENTRY_BITS * axis
    return turns


def _shares(line: tuple[int, ...], place: Mapping[int, int]) -> tuple[int, ...]:
    """What tiles add to the key of an entry of one axis: see `WalkingTables`."""
    rows = max(line)
    bits = (len(line) // (rows + 1)).bit_length()
    shares = [0] * (len(line) << 4)
    for cell, here in enumerate(line):
        for tile, home in place.items():
            goal = line[home]
            if tile == 0:
                shares[cell << 4] = here
            elif here < rows and goal < rows:
                shares[cell << 4 | tile] = 1 << LINE_BITS + bits * (here * rows + goal)
    return tuple(shares)


class WalkingDistance(CarriedHeuristic):
    """How many moves the rows need at least, and the columns, each with the other forgotten.

    A tile that moves up or down goes to another row, that of the blank: rows are bags of tiles,
    known by the rows of their goals, and a table holds how many such moves they need. Columns
    likewise. For rectangles of at most 16 cells and six lines either way. Consistent.

    >>> from searchkit_sliding import Board, SlidingPuzzle
    >>> puzzle = SlidingPuzzle.read(Board.rectangle(2, 3), "321450", "123450")
    >>> WalkingDistance(puzzle)(puzzle.start)
    8
    """

    name = "walking-distance"
    memory = 1  # the entries of rows and of columns, and the estimate

    def __init__(self, problem: SlidingPuzzle) -> None:
        import numpy as np  # noqa: PLC0415

        board = problem.board
        if board.columns is None or problem.packing.wide:
            raise UnsuitableError(
                f"walking-distance is for rectangles of at most 16 cells, not board "
                f"{board.name!r}; use manhattan, or a pattern database"
            )
        rows, columns = board.cells // board.columns, board.columns
        cells = range(board.cells)
        line = tuple(cell // columns for cell in cells), tuple(cell % columns for cell in cells)
        goal = problem.packing.unpack(problem.goal)
        place = {tile: cell for cell, tile in enumerate(goal)}
        blank = place[0]
        by_rows = tables_of_lines(rows, columns, line[0][blank])
        by_columns = tables_of_lines(columns, rows, line[1][blank])
        axes = [by_rows] if by_rows is by_columns else [by_rows, by_columns]
        starts = [0, len(by_rows.keys) if len(axes) > 1 else 0]
        stride = (2 * max(rows, columns) - 1).bit_length()
        width = 1 << stride
        entries = sum(len(each.keys) for each in axes)
        # The table should stay in the caches, so its numbers are as short as can be.
        kind = np.uint16 if 2 * entries <= np.iinfo(np.uint16).max else np.int32
        following = np.zeros((entries, width), dtype=kind)
        for each, start in zip(axes, starts, strict=False):
            farther = each.distance[each.following] > each.distance[:, None]
            own = following[start : start + len(each.keys), : each.following.shape[1]]
            own[:] = (each.following + start) << 1 | farther
        self.tables = WalkingTables(
            cells=board.cells,
            keys=np.concatenate([each.keys for each in axes]),
            following=following.reshape(-1),
            distance=np.concatenate([each.distance for each in axes]).astype(np.uint8),
            first=tuple(starts),
            entries=(len(by_rows.keys), len(by_columns.keys)),
            stride=stride,
            turn=np.array(_turns(line, place), dtype=np.uint16),
            share=tuple(_shares(lines, place) for lines in line),
        )

    def entry(self, state: Any, axis: int) -> int:
        """Kernel: the entry of the rows of a position, or of its columns."""
        share = self.tables.share[axis]
        keys = self.tables.keys
        key = 0
        for cell in range(self.tables.cells):
            key += share[cell << 4 | state >> 4 * cell & 15]
        low = self.tables.first[axis]
        high = low + self.tables.entries[axis]
        while high - low > 1:
            middle = (low + high) >> 1
            if int(keys[middle]) <= key:
                low = middle
            else:
                high = middle
        return int(low)

    def begin(self, memo: Any, at: int, state: Any) -> int:
        """Kernel: find the entries. O(cells + log entries)."""
        word = 0
        total = 0
        for axis in range(2):
            entry = self.entry(state, axis)
            word |= entry << ENTRY_BITS * axis
            total += int(self.tables.distance[entry])
        memo[at] = word | total << 2 * ENTRY_BITS
        return total

    def recall(self, memo: Any, at: int) -> int:
        """Kernel: the estimate is in the highest bits."""
        return int(memo[at] >> 2 * ENTRY_BITS)

    def follow(self, memo: Any, at: int, after: int, step: PackedStep, most: int) -> int:
        """Kernel: the entries after a move, of which one changes. O(1)."""
        state, control, operator, _ = step
        word = memo[at]
        tile = state >> 4 * operator & 15
        turn = int(self.tables.turn[control << 8 | operator << 4 | tile])
        shift = turn & SHIFT_MASK
        old = word >> shift & ENTRY_MASK
        link = (old << self.tables.stride | turn >> SHIFT_BITS) & INDEX_MASK
        new = int(self.tables.following[link])
        value = int(word >> 2 * ENTRY_BITS) + 2 * (new & 1) - 1
        memo[after] = word & ENTRIES_MASK ^ (old ^ new >> 1) << shift | value << 2 * ENTRY_BITS
        return value
