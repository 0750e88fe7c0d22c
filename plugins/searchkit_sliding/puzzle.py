"""The sliding-tile puzzle on any board."""

from __future__ import annotations

import random
from collections.abc import Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import attrs

from searchkit import StartAndGoal
from searchkit.bits import lowest_one, zero_state
from searchkit.capabilities import Symmetry
from searchkit.certificates import Certificate
from searchkit.packed import PackedProblem
from searchkit.pattern_space import Pattern, consecutive_groups
from searchkit.permutations import rank_permutation
from searchkit.problem import derived
from searchkit_sliding.board import Board, automorphisms
from searchkit_sliding.heuristics import Manhattan
from searchkit_sliding.notation import check_moves, name_of_move, read_tiles, write_tiles
from searchkit_sliding.packing import (
    ONE_WORD_CELLS,
    Packing,
    TileMoves,
    WideTileMoves,
    WordState,
    packing_of,
)
from searchkit_sliding.published import PublishedBoards
from searchkit_sliding.ranking import NOT_RANKED, MovedNumbers, numbers_of, ranking_of, unrank_tiles
from searchkit_sliding.reachability import certificates_are_exact, random_tiles, why_unsolvable
from searchkit_sliding.symmetries import tile_symmetries
from searchkit_sliding.walking_distance import suits_walking_distance

SMALLEST_LARGE = 13
"""Boards with fewer cells are solved at once by A* with their own heuristic."""

DRAWN = {
    ("4x4", "6-6-3"): ".acc aabc aabb abbb",
    ("4x4", "5-5-5"): ".aaa bbaa bbcc bccc",
    ("5x5", "4-5-5-5-5"): ".bccc bbbcc bdddd eedaa eeeaa",
    ("5x5", "6-6-6-6"): ".aabb aaabb ccabb ccddd ccddd",
}
"""By board and name: the group of the tile whose goal is each cell, the blank's goal first."""


def groups_named(board: Board, goal: Sequence[int], name: str) -> tuple[tuple[int, ...], ...]:
    """The tiles of each group.

    `name` is a list of sizes, "6-6-3", or lists the tiles, "1.2.3/4.5.6". Sizes without a drawing
    take tiles in rows from the blank's goal on, or by their distance from it.

    >>> groups_named(Board.rectangle(3, 3), (0, 1, 2, 3, 4, 5, 6, 7, 8), "4-4")
    ((1, 2, 3, 4), (5, 6, 7, 8))
    """
    blank = list(goal).index(0)
    order = _cells_from_blank(board, blank)
    drawn = DRAWN.get((board.name, name))
    if drawn is not None and order is not None:
        letters = drawn.replace(" ", "")
        return tuple(
            tuple(goal[order[place]] for place, each in enumerate(letters) if each == letter)
            for letter in sorted(set(letters) - {"."})
        )
    cells = order or sorted(range(board.cells), key=board.distances[blank].__getitem__)
    return consecutive_groups(name, [goal[cell] for cell in cells[1:]])


def best_heuristics(board: Board) -> tuple[str, ...]:
    """Texts of heuristics for the puzzle on `board`, the best first."""
    if board.columns is None or board.cells < SMALLEST_LARGE:
        return ()
    if board.name == "4x4":
        return "pdb:7-8", "pdb:6-6-3", "pdb:5-5-5", "walking-distance"
    if board.name == "5x5":
        # Blocks and rows: on half of the boards either is some times better than the other.
        both = "pdb:5-5-5-5-4^4-5-5-5-5"
        return "pdb:6-6-6-6", both, "pdb:5-5-5-5-4", "linear-conflict"
    return ("walking-distance" if suits_walking_distance(board) else "linear-conflict",)


def _cells_from_blank(board: Board, blank: int) -> tuple[int, ...] | None:
    """The cells in rows as seen from the blank in a corner; None if it is in no corner."""
    if board.columns is None:
        return None
    maps = list(automorphisms(board.adjacency, 0, blank))
    row = blank // board.columns
    return next((each for each in maps if each[1] // board.columns == row), next(iter(maps), None))


if TYPE_CHECKING:
    from searchkit.picture import Picture
    from searchkit_sliding.patterns import SlidingPatterns
    from searchkit_sliding.slow import PlainSliding
    from searchkit_sliding.stages import SlidingStage


class Tables(NamedTuple):
    """What the kernels look up: see `Packing` and, where positions have numbers, `Ranking`.

    `apart` are the distances between cells.
    """

    goal: Any
    apart: tuple[tuple[int, ...], ...]
    ranks: int
    each: int
    room: int
    front: int
    odd: int
    near: int
    words: int
    bits: int
    per_word: int
    shift: tuple[int, ...]
    unit: Any
    field: Any
    ones: Any
    highs: Any


@attrs.frozen
class SlidingPuzzle(TileMoves, PublishedBoards, StartAndGoal[Any, Any], PackedProblem[Any]):
    """Slide tiles into the blank until they stand as in the goal.

    A state is a packed position (see `Packing`), an action the number of the tile that moves, or
    a direction if `moves` is not "tile" (see `searchkit_sliding.notation`).
    The control state is the cell of the blank, an operator the cell that it moves to: on a
    rectangle up, left, right, down, in this order, which decides how many nodes some
    algorithms visit.

    This class is for up to 16 cells; for larger boards `SlidingPuzzle.of` and
    `SlidingPuzzle.read` make a `WideSlidingPuzzle`.

    >>> from searchkit_sliding import SlidingPuzzle, Board
    >>> puzzle = SlidingPuzzle.read(Board.rectangle(3, 3), "867254301", "123456780")
    >>> [(step.action, puzzle.format_state(step.state)) for step in puzzle.successors(puzzle.start)]
    [(5, '867204351'), (3, '867254031'), (1, '867254310')]
    """

    board: Board
    start: Any
    goal: Any
    moves: str = attrs.field(
        default="tile", validator=lambda self, _, moves: check_moves(self.board, moves)
    )
    packing: Packing = derived(lambda self: self._packing())
    tables: Any = derived(lambda self: self._tables())
    words: int = derived(lambda self: self.packing.words)
    controls: int = derived(lambda self: self.board.cells)
    ranks: int = derived(lambda self: self.tables.ranks)
    """How many numbers `rank` gives; 0 if it must not be used."""
    numbers: MovedNumbers = derived(lambda self: numbers_of(self.board))
    """What moves do to numbers."""
    complete_certificates: bool = derived(lambda self: certificates_are_exact(self.board))
    """Whether a state can be solved wherever `certificate` gives no reason why not."""

    undirected = True
    parts = ("numbers",)
    constants = ("near",)
    _wide: ClassVar[bool] = False

    @classmethod
    def of(
        cls, board: Board, start: WordState, goal: WordState, moves: str = "tile"
    ) -> SlidingPuzzle:
        """The puzzle on a board of any size."""
        kind = SlidingPuzzle if board.cells <= ONE_WORD_CELLS else WideSlidingPuzzle
        return kind(board, start, goal, moves)

    @classmethod
    def read(cls, board: Board, start: str, goal: str, moves: str = "tile") -> SlidingPuzzle:
        """The puzzle with start and goal given as text; `ParseError` if they are none."""
        packing = packing_of(board)
        first, last = (packing.pack(read_tiles(board, text)) for text in (start, goal))
        return cls.of(board, first, last, moves)

    def _packing(self) -> Packing:
        packing = packing_of(self.board, wide=self._wide)
        packing.check("start", self.start)
        packing.check("goal", self.goal)
        return packing

    def _tables(self) -> Tables:
        goal = self.packing.unpack(self.goal)
        ranking = NOT_RANKED if self._wide else ranking_of(self.board, goal)
        lookups = {**ranking._asdict(), **self.packing.lookups}
        return Tables(goal=self.goal, apart=self.board.distances, **lookups)

    def operators(self, control: int) -> tuple[int, ...]:
        """The neighbours of the blank's cell."""
        return self.board.adjacency[control]

    def action(self, state: Any, operator: int) -> Any:
        """The number of the tile that moves, or the direction."""
        if self.moves != "tile":
            columns = self.board.columns or 0  # a rectangle, as was checked
            return name_of_move(self.moves, columns, self.control(state), operator)
        return self.tile(state, operator)

    def witness(self, control: int) -> Any:
        """The tiles in order, all different, with the blank on cell `control`."""
        tiles = list(range(1, self.board.cells))
        return self.packing.pack([*tiles[:control], 0, *tiles[control:]])

    def at_goal(self, state: Any) -> bool:
        """Kernel: whether the position is the goal."""
        return bool(state == self.tables.goal)

    def are_states(self, rows: Any) -> bool:
        """Whether words from a file are positions."""
        return self.packing.are_positions(rows)

    def rank(self, state: Any) -> int:
        """Kernel: the number of a position that can be solved, from 0 to `ranks` - 1."""
        blank = (state - self.tables.ones) & ~state & self.tables.highs
        before = ((blank & -blank) >> 3) - 1
        tiles = state & before | state >> 4 & ~before
        rank = rank_permutation((tiles << self.tables.room) + self.tables.front, 4, 11) >> 1
        cell = lowest_one(blank) >> 2
        return cell * int(self.tables.each) + rank

    def unrank(self, index: int) -> Any:
        """Kernel: the position with that number."""
        cell = index // self.tables.each
        rank = index - cell * self.tables.each
        tiles = unrank_tiles(rank, self.tables.odd >> cell & 1)
        tiles = (tiles - self.tables.front) >> self.tables.room
        before = (1 << 4 * cell) - 1
        return tiles & before | (tiles & ~before) << 4

    def rank_after(self, index: int, control: int, operator: int) -> int:
        """Kernel: the number of the position after a move, by that of the one before."""
        if self.tables.near == 0:
            return self.rank(self.apply(self.unrank(index), control, operator))
        after = index + (operator - control) * self.tables.each
        if abs(operator - control) > 1:
            rank = index - control * self.tables.each
            odd = self.tables.odd >> control & 1
            after += self.numbers.change(rank, control, operator, odd)
        return int(after)

    def aim(self, target: Any) -> Any:
        """Kernel: the cell of each tile, where a position has the cell of its number."""
        cells = zero_state(self.tables.words)
        for cell in range(len(self.tables.apart)):
            cells = self.put(cells, cell, self.tile(target, cell))
        return cells

    def bound_to(self, state: Any, aim: Any) -> int:
        """Kernel: the Manhattan distance to the position that `aim` was made of."""
        total = 0
        for cell in range(len(self.tables.apart)):
            tile = self.tile(state, cell)
            if tile != 0:
                total += self.tables.apart[cell][self.tile(aim, tile)]
        return total

    def bound_change(self, state: Any, control: int, operator: int, child: Any, aim: Any) -> int:
        """Kernel: the change by the tile that slides from cell `operator` to the blank's."""
        wanted = self.tile(aim, self.tile(state, operator))
        return int(self.tables.apart[control][wanted] - self.tables.apart[operator][wanted])

    def stage_plans(self, most_states: int) -> Sequence[Sequence[SlidingStage]]:
        """Line after line from the rim inwards; see `searchkit_sliding.stages`."""
        # Without the plugin that solves in stages, nobody calls this.
        from searchkit_sliding.stages import plans  # noqa: PLC0415

        return plans(self.board, self.packing.unpack(self.goal), most_states)

    def default_heuristic(self) -> Manhattan:
        """The Manhattan distance: the blank is not counted, or it would be too high."""
        return Manhattan(self)

    def format_action(self, action: Any) -> str:
        """The number of the tile that moves, or the direction."""
        return str(action)

    def format_state(self, state: Any) -> str:
        """The tiles in order, `867254301`; separated by spaces on more than ten cells."""
        return write_tiles(self.packing.unpack(state))

    def parse(self, text: str) -> Any:
        """Read a position in one of several notations (see `searchkit_sliding.notation`)."""
        return self.packing.pack(read_tiles(self.board, text))

    def render(self, state: Any) -> str:
        """The board with its tiles."""
        return self.board.picture(self.packing.unpack(state))

    def picture(self, state: Any) -> Picture:
        """The board with its tiles, drawn."""
        from searchkit_sliding.pictures import draw  # noqa: PLC0415  (few searches draw)

        return draw(self.board, self.packing.unpack(state), self.packing.unpack(self.goal))

    def random_state(self, rng: random.Random) -> Any:
        """A state drawn uniformly from those that can be solved."""
        return self.packing.pack(random_tiles(self.board, self.packing.unpack(self.goal), rng))

    def certificate(self, state: Any) -> Certificate | None:
        """Why the goal cannot be reached: parity, or enumeration on the few boards without it."""
        unpack = self.packing.unpack
        return why_unsolvable(self.board, unpack(state), unpack(self.goal))

    def symmetries(self) -> list[Symmetry[Any, Any]]:
        """The maps of the board that keep the goal's blank cell, with tiles renamed."""
        return tile_symmetries(self.packing, self.goal, directions=self.moves != "tile")

    def pattern_space(self, groups: Sequence[Pattern]) -> SlidingPatterns:
        """The puzzle with only the tiles of some groups told apart; their moves alone count."""
        puzzle = attrs.evolve(self, start=self.goal, moves="tile")
        return _patterns(puzzle, tuple(map(tuple, groups)))

    def patterns_named(self, name: str) -> Sequence[Pattern]:
        """Groups of tiles by their sizes, 6-6-3, or by their tiles, 1.2.3/4.5.6."""
        return groups_named(self.board, self.packing.unpack(self.goal), name)

    def best_heuristics(self) -> Sequence[str]:
        """Those worth their time, the best first; nothing for boards that are solved at once."""
        return best_heuristics(self.board)

    def plain_text(self) -> str | None:
        """The rules as a file of their own."""
        from searchkit_sliding.plain_text import plain_text  # noqa: PLC0415  (seldom asked for)

        return plain_text(self)

    def slow_rules(self) -> PlainSliding:
        """The same puzzle over tuples of tiles."""
        from searchkit_sliding.slow import PlainSliding  # noqa: PLC0415  (for those who verify)

        links = frozenset(
            frozenset((cell, neighbour))
            for cell, neighbours in enumerate(self.board.adjacency)
            for neighbour in neighbours
        )
        unpack = self.packing.unpack
        ends = unpack(self.start), unpack(self.goal)
        return PlainSliding(*ends, self.board.columns, links, self.moves)


@lru_cache(maxsize=8)  # each search with pattern databases asks for those of its puzzle
def _patterns(puzzle: SlidingPuzzle, groups: tuple[Pattern, ...]) -> SlidingPatterns:
    from searchkit_sliding.patterns import SlidingPatterns  # noqa: PLC0415  (seldom used)

    return SlidingPatterns(puzzle, groups)


@attrs.frozen
class WideSlidingPuzzle(WideTileMoves, SlidingPuzzle):
    """The sliding puzzle on a board of any size: a state is a tuple of words (`Packing`).

    >>> from searchkit_sliding import Board
    >>> tiles = range(25)
    >>> puzzle = SlidingPuzzle.read(
    ...     Board.rectangle(5, 5), " ".join(map(str, tiles)), " ".join(map(str, tiles))
    ... )
    >>> [step.action for step in puzzle.successors(puzzle.start)]
    [1, 5]
    >>> len(puzzle.start)
    3
    """

    _wide: ClassVar[bool] = True

    def at_goal(self, state: Any) -> bool:
        """Kernel: whether the position is the goal."""
        for word in range(len(state)):  # noqa: SIM110  (kernels have no generators)
            if state[word] != self.tables.goal[word]:
                return False
        return True
