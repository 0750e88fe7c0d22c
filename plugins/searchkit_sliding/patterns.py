"""Pattern databases of sliding puzzles: only some tiles are told apart.

Only moves of those tiles count (R. E. Korf and A. Felner, Disjoint pattern database heuristics,
2002), so that groups without common tiles add up. An entry is the cells of a group's tiles; the
blank is not kept, and the smallest of its distances counts. The mirror image of a position is
looked up too (J. C. Culberson and J. Schaeffer, Pattern databases, 1998).
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from itertools import islice
from operator import itemgetter
from typing import TYPE_CHECKING, Any, NamedTuple

from searchkit import UnsuitableError, UsageError
from searchkit.bits import count_ones, lowest_one
from searchkit.heuristic import distances_from
from searchkit.heuristics.patterns.locations import SHIFT_BITS as HALF_BITS
from searchkit.heuristics.patterns.locations import halves, unrank_locations
from searchkit.packed import PackedStep
from searchkit.pattern_space import WORD_BITS_USED, Pattern, PatternSpace
from searchkit_sliding.board import automorphisms
from searchkit_sliding.symmetries import maps_of

if TYPE_CHECKING:
    from searchkit_sliding.puzzle import SlidingPuzzle

MOST_CELLS = 32
MOST_IMAGES = 8
MOST_BETWEEN = 3
"""With more numbers between those of neighbours, ranks are not followed."""
SHIFT_BITS = 6
GAINS_AT = SHIFT_BITS * MOST_BETWEEN
GAINS_BITS = 9
LINK_AT = GAINS_AT + GAINS_BITS
Rows = tuple[tuple[int, ...], ...]


class SpaceTables(NamedTuple):
    """What the kernels of `SlidingPatterns` look up.

    The cells of a group are numbered as they are after the symmetry of the board that makes its
    database the same as those of its images: that of `cell` is `number[image * groups + group]
    [cell]`. `group[image][tile]` is the group of a tile in an image, -1 if there is none, and
    `shift[image][tile]` the place of its bits. `near[cell]` is the mask of the neighbours;
    rectangles have `columns`, and masks of the `first` and the `last` one.
    `weight[group][i]` is what the digit of tile `i` counts in a rank, of up to `most` tiles.
    `far[group][i * cells + cell]` is how far
    `cell` is from the goal of the group's tile `i`.

    When a tile slides from `cell` to the blank, its number passes those of some cells.
    `links[image][blank << 8 | cell << 4 | tile]` has from its lowest bit on the shifts of these
    cells in a position (that of the blank, which counts nothing, in place of those that are fewer
    than `between`); where the gains of the tile begin, in this direction; and what else the rank of
    its group gains. `gains[image]` has there, for each tile that is passed, by how much the rank
    changes. The fields after that are those of `Halves`.
    """

    cells: int
    bits: int
    groups: int
    sizes: tuple[int, ...]
    most: int
    weight: Rows
    number: Rows
    group: Rows
    shift: Rows
    near: tuple[int, ...]
    columns: int
    first: int
    last: int
    far: Rows
    between: int = 0
    links: Rows = ()
    gains: Rows = ()
    base: tuple[int, ...] = ()
    block: tuple[int, ...] = ()
    rounds: int = 0
    heads: Any = ()
    free: Any = ()
    tails: Any = ()


@lru_cache(maxsize=8)  # every search makes the space of its puzzle
def _links(adjacency: Rows, described: tuple[Any, ...]) -> tuple[Rows, Rows]:
    """How steps change ranks: see `SpaceTables`.

    The digit of a tile is the number of its cell, less the tiles before it in its group on
    smaller numbers. So by a step its own gains what its number does, less such tiles between;
    the digits of the tiles after it that are between gain one, or lose it.
    """
    tables = SpaceTables(*described)
    cells = len(adjacency)
    links, gains = [], []
    for image in range(len(tables.group)):
        link, gain = [0] * (cells << 8), [0] * (1 << GAINS_BITS)
        for tile in range(1, cells):
            group = tables.group[image][tile]
            if group < 0:
                continue
            number = tables.number[image * tables.groups + group]
            weights, place = tables.weight[group], tables.shift[image][tile] // tables.bits
            for other in range(1, cells):
                if other != tile and tables.group[image][other] == group:
                    digit = tables.shift[image][other] // tables.bits
                    counts = -weights[place] if digit < place else weights[digit]
                    gain[tile << 4 | other] = counts
                    gain[1 << 8 | tile << 4 | other] = -counts
            for blank, others in enumerate(adjacency):
                for cell in others:
                    low, high = sorted((number[cell], number[blank]))
                    passed = [each for each in range(cells) if low < number[each] < high]
                    passed += [blank] * (MOST_BETWEEN - len(passed))
                    shifts = sum(4 * each << SHIFT_BITS * i for i, each in enumerate(passed))
                    row = (number[blank] < number[cell]) << 8 | tile << 4
                    own = weights[place] * (number[blank] - number[cell])
                    link[blank << 8 | cell << 4 | tile] = own << LINK_AT | row << GAINS_AT | shifts
        links.append(tuple(link))
        gains.append(tuple(gain))
    return tuple(links), tuple(gains)


DESCRIBED = SpaceTables._fields.index("between")
"""How many fields say what the groups are; the others follow from them."""


class SlidingPatterns(PatternSpace):
    """The space of some groups of tiles of a puzzle."""

    additive = True
    tells_touched = True
    parts = ("problem",)
    constants = ("cells", "bits", "groups", "most", "between", "rounds")

    def __init__(self, problem: SlidingPuzzle, groups: Sequence[Pattern]) -> None:
        board = problem.board
        cells = range(board.cells)
        goal = problem.packing.unpack(problem.goal)
        self.problem = problem
        self.board = board
        self.groups = tuple(tuple(group) for group in groups)
        self._check()
        place = {tile: cell for cell, tile in enumerate(goal)}
        blank = place[0]
        maps = list(islice(automorphisms(board.adjacency, blank), MOST_IMAGES))
        turns = maps_of(board, blank, cells)
        self.images = len(maps)
        self.places = board.cells

        def turned(tiles: Pattern) -> tuple[tuple[int, ...], tuple[int, ...], int]:
            # Where the blank can go everywhere between the tiles at home, its goal does not matter.
            taken = {place[tile] for tile in tiles}
            free = distances_from(blank, lambda cell: {*board.adjacency[cell]} - taken)
            ways = [
                (
                    turn,
                    tuple(sorted(turn[place[tile]] for tile in tiles)),
                    min(turn[c] for c in free),
                )
                for turn in turns
            ]
            return min(ways, key=itemgetter(2, 1))

        # Each group in the position that is the same for all its images.
        self._turns, self._goals, self._blank = zip(*map(turned, self.groups), strict=True)
        bits = max(4, (board.cells - 1).bit_length())
        if max(map(len, self.groups)) * bits > WORD_BITS_USED:
            raise UsageError(
                f"patterns of board {board.name!r} have at most {WORD_BITS_USED // bits} tiles"
            )
        group_of = [[-1] * board.cells for _ in maps]
        shift_of = [[0] * board.cells for _ in maps]
        number = []
        for image, cell_map in enumerate(maps):
            for group, turn in enumerate(self._turns):
                number.append(tuple(turn[cell_map[cell]] for cell in cells))
                for tile in cells:
                    # In the image, the tile goes to where its goal cell goes.
                    to = turn[cell_map[place[tile]]]
                    if tile and to in self._goals[group]:
                        group_of[image][tile] = group
                        shift_of[image][tile] = bits * self._goals[group].index(to)
        self.operators = max(map(len, self.groups))
        columns = board.columns or 0
        firsts = sum(1 << cell for cell in range(0, board.cells, columns)) if columns else 0
        self.step = 1 if board.colours is None else 2
        self.tables: Any = SpaceTables(
            cells=board.cells,
            bits=bits,
            groups=len(self.groups),
            sizes=tuple(map(len, self.groups)),
            most=self.operators,
            weight=tuple(map(self._weights, self.groups)),
            number=tuple(number),
            group=tuple(map(tuple, group_of)),
            shift=tuple(map(tuple, shift_of)),
            near=tuple(sum(1 << cell for cell in each) for each in board.adjacency),
            columns=columns,
            first=firsts,
            last=firsts << max(0, columns - 1),
            far=self._distances(),
            links=((0,),),
            gains=((0,),),
            **halves(tuple(map(len, self.groups)), board.cells)._asdict(),
        )
        self.follows = not problem.packing.wide and self._between() <= MOST_BETWEEN
        if self.follows:
            links, gains = _links(board.adjacency, self.tables[:DESCRIBED])
            self.tables = self.tables._replace(between=MOST_BETWEEN, links=links, gains=gains)

    def _check(self) -> None:
        tiles = [tile for group in self.groups for tile in group]
        cells = self.board.cells
        if cells > MOST_CELLS:
            raise UnsuitableError(
                f"board {self.board.name!r} has {cells} cells; pattern databases are for at most "
                f"{MOST_CELLS}"
            )
        for tile in tiles:
            if not 0 < tile < cells:
                raise UsageError(f"there is no tile {tile}; tiles are from 1 to {cells - 1}")
        if len(set(tiles)) < len(tiles) or not all(self.groups) or not tiles:
            raise UsageError(
                "patterns that are added up must have one tile or more each, and none in common"
            )

    def _distances(self) -> Rows:
        rows = [
            [self.board.distances[goal][cell] for goal in goals for cell in range(self.board.cells)]
            for goals in self._goals
        ]
        longest = max(map(len, rows))
        return tuple((*row, *([0] * (longest - len(row)))) for row in rows)

    def _between(self) -> int:
        """The most numbers between those of neighbours."""
        neighbours = [
            (cell, near) for cell, others in enumerate(self.board.adjacency) for near in others
        ]
        numbers = self.tables.number
        return max(abs(int(row[a] - row[b])) - 1 for row in numbers for a, b in neighbours)

    def _weights(self, group: Pattern) -> tuple[int, ...]:
        """What the digits of the tiles of a group count in a rank; 0 for those it has not."""
        own = (math.perm(self.board.cells - 1 - i, len(group) - 1 - i) for i in range(len(group)))
        return (*own, *[0] * (self.operators - len(group)))

    def identity(self, group: int) -> Mapping[str, Any]:
        """The board, the goal cells, and the blank's."""
        return {
            "puzzle": f"tiles-{self.board.name}",
            "pattern": ".".join(map(str, self._goals[group])),
            "blank": self._blank[group],
            "edges": [list(each) for each in self.board.adjacency],
            "counts": "moves of the tiles of the pattern",
        }

    def entries(self, group: int) -> int:
        """Cells * (cells - 1) * ..., a factor for every tile."""
        return math.perm(self.board.cells, len(self.groups[group]))

    def goals(self, group: int) -> list[tuple[int, int]]:
        """The tiles on their goal cells, the blank on its own."""
        bits = self.tables.bits
        word = sum(cell << bits * i for i, cell in enumerate(self._goals[group]))
        return [(word, 1 << self._blank[group])]

    def locate(self, state: Any, image: int, group: int) -> int:
        """Kernel: the cells of the tiles of a group. O(cells)."""
        word = 0
        group_of = self.tables.group[image]
        number = self.tables.number[image * self.tables.groups + group]
        for cell in range(self.tables.cells):
            tile = self.problem.tile(state, cell)
            if group_of[tile] == group:
                word |= number[cell] << self.tables.shift[image][tile]
        return word

    def touched(self, step: PackedStep, image: int) -> int:
        """Kernel: the group of the tile that moves; one past the last if it is in none."""
        state, _, operator, _ = step
        group = int(self.tables.group[image][self.problem.tile(state, operator)])
        return group if group >= 0 else int(self.tables.groups)

    def moved(self, word: int, step: PackedStep, image: int, group: int) -> int:
        """Kernel: one tile is on another cell. O(1)."""
        state, control, operator, _ = step
        tile = self.problem.tile(state, operator)
        row = image * self.tables.groups + group
        change = self.tables.number[row][operator] ^ self.tables.number[row][control]
        return int(word) ^ int(change << self.tables.shift[image][tile])

    def rank(self, word: int, group: int) -> int:
        """Kernel: the number of the cells, as `rank_locations` gives it. O(tiles).

        All groups take as many rounds, so that the processor need not guess how many.
        """
        mask = (1 << self.tables.bits) - 1
        free = (1 << self.tables.cells) - 1
        rank = 0
        for i in range(self.tables.most):
            one = 1 << (word & mask)
            rank += self.tables.weight[group][i] * count_ones(free & (one - 1))
            free ^= one
            word >>= self.tables.bits
        return rank

    def entry_after(self, entry: int, step: PackedStep, image: int, group: int) -> int:
        """Kernel: the rank changes by the digits of the tile that moves, and of those it passes."""
        state, control, operator, _ = step
        tile = state >> 4 * operator & 15
        link = self.tables.links[image][control << 8 | operator << 4 | tile]
        row = link >> GAINS_AT & ((1 << GAINS_BITS) - 1)
        entry += link >> LINK_AT
        for _ in range(self.tables.between):
            entry += self.tables.gains[image][row | state >> (link & 63) & 15]
            link >>= SHIFT_BITS
        return entry

    def unrank(self, entry: int, group: int) -> int:
        """Kernel: the cells with that number. O(tiles * cells), or O(tiles) where there are halves.

        Halves take one division, and no loop that ends after as many rounds as a digit says.
        """
        if self.tables.rounds != 0:
            head = entry // int(self.tables.block[group])
            tail = int(self.tables.tails[group][entry - head * int(self.tables.block[group])])
            free = int(self.tables.free[group][head])
            word = 0
            for i in range(self.tables.rounds):
                word |= (free >> (tail & 63) & 15) << 4 * i
                tail >>= HALF_BITS
            return int(self.tables.heads[group][head]) | word << int(self.tables.base[group])
        return unrank_locations(
            entry, self.tables.sizes[group], self.tables.cells, self.tables.bits
        )

    def floor(self, word: int, group: int) -> int:
        """Kernel: the Manhattan distance of the tiles, from which distances differ by 2 each."""
        total = 0
        for i in range(self.tables.sizes[group]):
            cell = word >> self.tables.bits * i & ((1 << self.tables.bits) - 1)
            total += self.tables.far[group][i * self.tables.cells + cell]
        return total

    def spread(self, word: int, group: int, mask: int) -> int:
        """Kernel: the cells that the blank can reach without a move of the tiles."""
        free = (1 << self.tables.cells) - 1
        for i in range(self.tables.sizes[group]):
            free ^= 1 << (word >> self.tables.bits * i & ((1 << self.tables.bits) - 1))
        columns = self.tables.columns
        if columns != 0:
            last = 0
            while mask != last:
                last = mask
                sides = (mask & ~self.tables.last) << 1 | (mask & ~self.tables.first) >> 1
                mask |= (sides | mask << columns | mask >> columns) & free
            return mask
        edge = mask
        while edge != 0:
            cell = lowest_one(edge)
            fresh = self.tables.near[cell] & free & ~mask
            mask |= fresh
            edge = (edge & (edge - 1)) | fresh
        return mask

    def choices(self, word: int, group: int, mask: int, operator: int) -> int:
        """Kernel: the cells of the blank that tile number `operator` of the group can move to."""
        if operator >= self.tables.sizes[group]:
            return 0
        bits = self.tables.bits
        return int(self.tables.near[word >> bits * operator & ((1 << bits) - 1)] & mask)

    def landing(self, word: int, group: int, mask: int, operator: int, choice: int) -> int:
        """Kernel: the blank is where the tile was."""
        bits = self.tables.bits
        return int(1 << (word >> bits * operator & ((1 << bits) - 1)))

    def previous(self, word: int, group: int, operator: int, choice: int) -> int:
        """Kernel: the tile on the cell `choice`."""
        shift = self.tables.bits * operator
        cell = word >> shift & ((1 << self.tables.bits) - 1)
        return int(word ^ (cell ^ choice) << shift)
