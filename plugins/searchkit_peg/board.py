"""Boards: cells with coordinates, the jumps between them, their picture, and what jumps keep.

Parities that no jump changes are position classes, of which the "rule of three" is one. A jump
flips three cells. For a set of cells that every jump flips an even number of times, the number of
pegs in the set stays even or odd for ever. These sets are the solutions of a linear system over the
field of two elements. On the English board they give the sixteen position classes (J. D. Beasley,
The Ins and Outs of Peg Solitaire, 1985, chapter 4).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import groupby, permutations
from typing import NamedTuple

import attrs

from searchkit import UsageError
from searchkit.linear_index import reduced_basis
from searchkit.problem import derived

LARGEST = 6


Triple = tuple[int, int, int]
"""A jump: start, over, land."""


def disjoint_regions(jumps: Sequence[Triple], cells: int) -> tuple[int, ...]:
    """Disjoint regions, as sets of cells, smallest first; as many as a greedy choice finds.

    Every minimal region of up to six cells is tried.
    """
    minimal = sorted(_minimal(jumps, cells), key=lambda region: (region.bit_count(), region))
    best: list[int] = []
    for first in minimal:
        chosen = _disjoint([first, *minimal])
        if len(chosen) > len(best):
            best = chosen
    return tuple(sorted(best, key=lambda region: (region.bit_count(), region)))


def _disjoint(candidates: Iterable[int]) -> list[int]:
    chosen: list[int] = []
    taken = 0
    for region in candidates:
        if not region & taken:
            chosen.append(region)
            taken |= region
    return chosen


def _minimal(jumps: Sequence[Triple], cells: int) -> list[int]:
    """All regions of few cells that hold no smaller one."""
    over: dict[int, list[Triple]] = {}
    for jump in jumps:
        over.setdefault(jump[1], []).append(jump)
    seen = {1 << cell for cell in range(cells)}
    pending, found = list(seen), []
    while pending:
        region = pending.pop()
        open_jump = next(
            (
                jump
                for cell in over
                if region >> cell & 1
                for jump in over[cell]
                if not (region >> jump[0] | region >> jump[2]) & 1
            ),
            None,
        )
        if open_jump is None:
            found.append(region)
            continue
        if region.bit_count() == LARGEST:
            continue
        for cell in (open_jump[0], open_jump[2]):
            if region | 1 << cell not in seen:
                seen.add(region | 1 << cell)
                pending.append(region | 1 << cell)
    return [region for region in found if not any(o != region and o & region == o for o in found)]


def null_space(rows: Iterable[int], size: int) -> tuple[int, ...]:
    """A basis of the sets of `size` bits that share an even number of bits with every row.

    O(rows x size) operations.

    >>> [bin(basis) for basis in null_space([0b011, 0b110], 3)]
    ['0b111']
    """
    pivots = reduced_basis(rows)
    basis = []
    for free in range(size):
        if free not in pivots:
            vector = 1 << free
            for pivot, reduced in pivots.items():
                if reduced >> free & 1:
                    vector |= 1 << pivot
            basis.append(vector)
    return tuple(basis)


def parity(pegs: int) -> int:
    """1 if the number of pegs is odd, 0 if it is even."""
    return pegs.bit_count() & 1


PEG, HOLE = "●", "○"


class Cell(NamedTuple):
    """The place of a cell in the picture."""

    row: int
    column: int


class Jump(NamedTuple):
    """The peg on cell `start` jumps over the one on `over`, which is taken, to `land`."""

    start: int
    over: int
    land: int


class Link(NamedTuple):
    """A jump in bits: it can be made on `board` if `board & mask == before`."""

    jump: Jump
    mask: int
    before: int
    after: int


@attrs.frozen
class PegBoard:
    """A board of numbered cells. A set of pegs is an integer: bit `i` is the peg on cell `i`.

    `jumps` is in the order in which they are tried. Make one with `PegBoard.draw`.
    """

    name: str
    cells: tuple[Cell, ...]
    directions: tuple[tuple[str, Cell], ...]
    jumps: tuple[Jump, ...]
    links: tuple[Link, ...] = derived(lambda self: tuple(map(_link, self.jumps)))

    @cached_property
    def regions(self) -> tuple[int, ...]:
        """Disjoint sets of cells that are closed to jumps: see `disjoint_regions`."""
        return disjoint_regions(self.jumps, len(self.cells))

    @cached_property
    def invariants(self) -> tuple[int, ...]:
        """Sets of cells, the parity of whose pegs no jump changes: a basis of them."""
        return null_space((link.mask for link in self.links), len(self.cells))

    def in_one_class(self, pegs: int, others: int) -> bool:
        """Whether two positions have the same parities on all `invariants`."""
        return not any(parity((pegs ^ others) & cells) for cells in self.invariants)

    @classmethod
    def draw(
        cls,
        name: str,
        picture: str,
        directions: Mapping[str, tuple[int, int]],
        order: Mapping[int, str] | None = None,
    ) -> PegBoard:
        """The board whose cells are the `o` of a `picture`, numbered in reading order.

        `directions` gives the names of the jump directions and the way (rows, columns) to the
        cell jumped over. `order` lists jumps as they shall be tried, as cell and names of
        directions; by default cells come in ascending order, directions in the given one.

        >>> line = PegBoard.draw("line", "oooo", {"E": (0, 1), "W": (0, -1)})
        >>> [(jump.start, jump.land) for jump in line.jumps]
        [(0, 2), (1, 3), (2, 0), (3, 1)]
        """
        lines = enumerate(picture.split("\n"))
        cells = [Cell(row, i) for row, line in lines for i, mark in enumerate(line) if mark == "o"]
        return cls.of(name, cells, directions, order)

    @classmethod
    def of(
        cls,
        name: str,
        cells: Iterable[Cell],
        directions: Mapping[str, tuple[int, int]],
        order: Mapping[int, str] | None = None,
    ) -> PegBoard:
        """The board of some cells, numbered in reading order; see `draw`."""
        cells = tuple(sorted(cells))
        steps = {word: Cell(*step) for word, step in directions.items()}
        found = dict(_find_jumps(cells, steps))
        if order is not None:
            listed = [(cell, word) for cell, words in order.items() for word in words.split()]
            if sorted(listed) != sorted(found):
                raise UsageError(
                    f"the order of board {name} lists other jumps than the board has: "
                    f"{sorted(set(listed) ^ set(found))}"
                )
            found = {place: found[place] for place in listed}
        return cls(name, cells, tuple(steps.items()), tuple(found.values()))

    @property
    def full(self) -> int:
        """A peg on every cell."""
        return (1 << len(self.cells)) - 1

    @property
    def row_lengths(self) -> tuple[int, ...]:
        """The number of cells of every row that has any."""
        return tuple(len(list(row)) for _, row in groupby(self.cells, key=lambda cell: cell.row))

    def picture(self, pegs: int, marks: Mapping[int, str] | None = None) -> str:
        """The board with `pegs`, row by row; `marks` replaces the pictures of some cells."""
        signs = {cell: PEG if pegs >> cell & 1 else HOLE for cell in range(len(self.cells))} | dict(
            marks or {}
        )
        return self._lay_out(signs)

    def numbers(self) -> str:
        """The board with the numbers of its cells."""
        return self._lay_out({cell: str(cell) for cell in range(len(self.cells))})

    def _lay_out(self, signs: Mapping[int, str]) -> str:
        width = max(len(sign) for sign in signs.values())
        columns = 1 + max(cell.column for cell in self.cells)
        grid = [[""] * columns for _ in range(1 + max(cell.row for cell in self.cells))]
        for number, cell in enumerate(self.cells):
            grid[cell.row][cell.column] = signs[number]
        return "\n".join(" ".join(sign.rjust(width) for sign in row).rstrip() for row in grid)


def _link(jump: Jump) -> Link:
    before = 1 << jump.start | 1 << jump.over
    return Link(jump, mask=before | 1 << jump.land, before=before, after=1 << jump.land)


def _find_jumps(
    cells: tuple[Cell, ...], steps: Mapping[str, Cell]
) -> Iterator[tuple[tuple[int, str], Jump]]:
    """Every jump by its start and direction."""
    number = {cell: index for index, cell in enumerate(cells)}
    for start, (row, column) in enumerate(cells):
        for word, (down, right) in steps.items():
            over = number.get(Cell(row + down, column + right))
            land = number.get(Cell(row + 2 * down, column + 2 * right))
            if over is not None and land is not None:
                yield (start, word), Jump(start, over, land)


def bits_of(cells: Iterable[int]) -> int:
    """The set of `cells` as an integer."""
    pegs = 0
    for cell in cells:
        pegs |= 1 << cell
    return pegs


def cells_of(pegs: int) -> list[int]:
    """The cells of a set, ascending."""
    return [cell for cell in range(pegs.bit_length()) if pegs >> cell & 1]


Matrix = tuple[int, int, int, int]

_NAMES: dict[Matrix, str] = {
    (1, 0, 0, 1): "identity",
    (0, 1, -1, 0): "turn left",
    (-1, 0, 0, -1): "turn by half",
    (0, -1, 1, 0): "turn right",
    (1, 0, 0, -1): "mirror left-right",
    (-1, 0, 0, 1): "mirror top-bottom",
    (0, 1, 1, 0): "mirror at the falling diagonal",
    (0, -1, -1, 0): "mirror at the rising diagonal",
}
"""(a, b, c, d) maps row and column to (a row + b column, c row + d column)."""


def cell_maps(board: PegBoard) -> Iterator[tuple[str, tuple[int, ...]]]:
    """Names and permutations: the cell that each cell goes to. The identity comes first.

    Tried are the maps of the square, and every linear map that takes two of the board's jump
    directions to two: that holds all symmetries of square and of triangular boards, however they
    are drawn. A map is kept if it permutes cells and jumps.
    """
    jumps = set(board.jumps)
    tried = [(name, matrix, 1) for matrix, name in _NAMES.items()]
    tried += [
        (f"map of directions {index}", matrix, scale)
        for index, (matrix, scale) in enumerate(_direction_maps(board))
    ]
    found: set[tuple[int, ...]] = set()
    for name, matrix, scale in tried:
        permutation = _permutation(board.cells, matrix, scale)
        if permutation is None or permutation in found:
            continue
        if jumps == {map_jump(jump, permutation) for jump in jumps}:
            found.add(permutation)
            yield name, permutation


def _direction_maps(board: PegBoard) -> Iterator[tuple[Matrix, int]]:
    """Integer matrices, and by what they are to be divided."""
    steps = [step for _, step in board.directions]
    first = next(iter(steps), None)
    second = next((step for step in steps if first and _determinant(first, step)), None)
    if first is None or second is None:
        return
    scale = _determinant(first, second)
    for one, two in permutations(steps, 2):
        # The map takes `first` to `one` and `second` to `two`: [one two] [first second]^-1.
        yield (
            (
                one.row * second.column - two.row * first.column,
                two.row * first.row - one.row * second.row,
                one.column * second.column - two.column * first.column,
                two.column * first.row - one.column * second.row,
            ),
            scale,
        )


def _determinant(one: Cell, two: Cell) -> int:
    return one.row * two.column - one.column * two.row


def _permutation(cells: Sequence[Cell], matrix: Matrix, scale: int) -> tuple[int, ...] | None:
    """The cell that each cell goes to, moved so that all fall on cells; None if they do not."""
    a, b, c, d = matrix
    scaled = [(a * row + b * column, c * row + d * column) for row, column in cells]
    if any(row % scale or column % scale for row, column in scaled):
        return None
    images = [(row // scale, column // scale) for row, column in scaled]
    # Cells are in reading order, so the first image must fall on the first cell.
    first = min(images)
    down, right = cells[0].row - first[0], cells[0].column - first[1]
    number = {(row, column): index for index, (row, column) in enumerate(cells)}
    targets = [number.get((row + down, column + right)) for row, column in images]
    permutation = tuple(target for target in targets if target is not None)
    return permutation if len(set(permutation)) == len(cells) else None


def map_jump(jump: Jump, permutation: tuple[int, ...]) -> Jump:
    """The image of a jump."""
    return Jump(permutation[jump.start], permutation[jump.over], permutation[jump.land])


def map_pegs(pegs: int, permutation: tuple[int, ...]) -> int:
    """The image of a set of pegs."""
    image = 0
    for cell, target in enumerate(permutation):
        image |= (pegs >> cell & 1) << target
    return image
