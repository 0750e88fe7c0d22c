"""The sliding-tile puzzle on any board."""

from __future__ import annotations

import random

import attrs

from searchkit import Problem, Step, Symmetry
from searchkit_sliding.board import Board
from searchkit_sliding.heuristics import Manhattan
from searchkit_sliding.notation import read_tiles, write_tiles
from searchkit_sliding.packing import Move, Packing, packing_of
from searchkit_sliding.reachability import random_tiles, why_unsolvable
from searchkit_sliding.slow import PlainSliding
from searchkit_sliding.symmetries import tile_symmetries
from searchkit_sliding.tile_sums import Values, add_up, distances_to_goal

_new = tuple.__new__


@attrs.frozen
class SlidingPuzzle(Problem[int, int]):
    """Slide tiles into the blank until they stand as in the goal.

    A state is a packed position (see `Packing`), an action the number of the tile that moves.
    On a rectangle the blank moves up, left, right, down, in this order, which decides how many
    nodes some algorithms visit.

    >>> from searchkit_sliding import SlidingPuzzle, Board
    >>> puzzle = SlidingPuzzle.read(Board.rectangle(3, 3), "867254301", "123456780")
    >>> [(step.action, puzzle.format_state(step.state)) for step in puzzle.successors(puzzle.start)]
    [(5, '867204351'), (3, '867254031'), (1, '867254310')]
    """

    board: Board
    start: int
    goal: int
    packing: Packing = attrs.field(init=False, eq=False, repr=False)
    distances: Values = attrs.field(init=False, eq=False, repr=False)
    _moves: tuple[tuple[Move, ...], ...] = attrs.field(init=False, eq=False, repr=False)
    _mask: int = attrs.field(init=False, eq=False, repr=False)
    _blank_shift: int = attrs.field(init=False, eq=False, repr=False)

    undirected = True

    @classmethod
    def read(cls, board: Board, start: str, goal: str) -> SlidingPuzzle:
        """The puzzle with start and goal given as text; `ParseError` if they are none."""
        packing = packing_of(board)
        first, last = (packing.pack(read_tiles(board, text)) for text in (start, goal))
        return cls(board, first, last)

    @packing.default
    def _packing(self) -> Packing:
        packing = packing_of(self.board)
        packing.check("start", self.start)
        packing.check("goal", self.goal)
        return packing

    @distances.default
    def _distances(self) -> Values:
        return distances_to_goal(self.board, self.packing.unpack(self.goal))

    @_moves.default
    def _default_moves(self) -> tuple[tuple[Move, ...], ...]:
        return self.packing.moves

    @_mask.default
    def _default_mask(self) -> int:
        return self.packing.mask

    @_blank_shift.default
    def _default_blank_shift(self) -> int:
        return self.packing.blank_shift

    def initial_states(self) -> tuple[int]:
        """The start."""
        return (self.start,)

    def successors(self, state: int) -> list[Step[int, int]]:
        """One step per neighbour of the blank, in the order of the board. O(neighbours)."""
        # The hot path of every engine: `tuple.__new__` makes a Step in half the time.
        mask = self._mask
        return [
            _new(Step, (tile := state >> shift & mask, state + change[tile], 1))
            for shift, change in self._moves[state >> self._blank_shift]
        ]

    def is_goal(self, state: int) -> bool:
        """Whether the position is the goal."""
        return state == self.goal

    def goal_states(self) -> tuple[int]:
        """The goal."""
        return (self.goal,)

    def heuristic(self, state: int) -> int:
        """The Manhattan distance: the blank is not counted, or it would be too high. O(cells)."""
        return add_up(self.distances, self.packing.bits, self.packing.mask, state)

    def default_heuristic(self) -> Manhattan:
        """The Manhattan distance, carried along the steps."""
        return Manhattan(self)

    def format_action(self, action: int) -> str:
        """The number of the tile that moves."""
        return str(action)

    def format_state(self, state: int) -> str:
        """The tiles in order, `867254301`; separated by spaces on more than ten cells."""
        return write_tiles(self.packing.unpack(state))

    def parse(self, text: str) -> int:
        """Read a position in one of several notations (see `searchkit_sliding.notation`)."""
        return self.packing.pack(read_tiles(self.board, text))

    def render(self, state: int) -> str:
        """The board with its tiles."""
        return self.board.picture(self.packing.unpack(state))

    def with_start(self, state: int) -> SlidingPuzzle:
        """The same puzzle from another start."""
        return attrs.evolve(self, start=state)

    def with_goal(self, state: int) -> SlidingPuzzle:
        """The same puzzle with another goal, the blank in any cell."""
        return attrs.evolve(self, goal=state)

    def random_state(self, rng: random.Random) -> int:
        """A state drawn uniformly from those that can be solved."""
        return self.packing.pack(random_tiles(self.board, self.packing.unpack(self.goal), rng))

    def certificate(self, state: int) -> str | None:
        """Why the goal cannot be reached: parity, or enumeration on the few boards without it."""
        unpack = self.packing.unpack
        return why_unsolvable(self.board, unpack(state), unpack(self.goal))

    def symmetries(self) -> list[Symmetry[int, int]]:
        """The maps of the board that keep the goal's blank cell, with tiles renamed."""
        return tile_symmetries(self.packing, self.goal)

    def slow_rules(self) -> PlainSliding:
        """The same puzzle over tuples of tiles."""
        links = frozenset(
            frozenset((cell, neighbour))
            for cell, neighbours in enumerate(self.board.adjacency)
            for neighbour in neighbours
        )
        unpack = self.packing.unpack
        return PlainSliding(unpack(self.start), unpack(self.goal), self.board.columns, links)
