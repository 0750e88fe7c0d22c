"""Peg solitaire, jump by jump. The game of moves is derived from it by a transform."""

from __future__ import annotations

import random
from collections.abc import Callable, Hashable
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

import attrs

from searchkit import INFINITY, Costs, Problem, Step, UsageError
from searchkit.bits import WORD_BITS, count_ones
from searchkit.capabilities import Symmetry
from searchkit.certificates import Certificate
from searchkit.packed import DEAD_END, PackedHeuristic, PackedProblem
from searchkit.problem import derived
from searchkit.transforms import ChainBound, ChainMoves, FirstStepFixed, MoverBound, MoverState
from searchkit_peg.board import Jump, PegBoard, cell_maps, cells_of, map_jump, map_pegs
from searchkit_peg.impossible import what_is_open, why_impossible
from searchkit_peg.notation import read_pegs, write_pegs

if TYPE_CHECKING:
    from searchkit.picture import Phase, Picture
    from searchkit_peg.slow import PlainChains, PlainJumps, PlainMover

Rules = TypeVar("Rules")
_new = tuple.__new__
"""Makes a `Step` without a call of Python: successors are asked for at every expansion."""


class Tables(NamedTuple):
    """What the kernels look up: the goals, the jumps in bits (see `Link`) and by cells, regions."""

    goals: tuple[int, ...]
    goal_pegs: int
    mask: tuple[int, ...]
    before: tuple[int, ...]
    start: tuple[int, ...]
    land: tuple[int, ...]
    regions: tuple[int, ...]


@attrs.frozen
class PegSolitaire(PackedProblem[Jump]):
    """Jump pegs over pegs, which are taken, until a goal is left.

    A state is the set of pegs as one word (bit `i` is cell `i`), an action a `Jump`, an
    operator the number of a jump in `board.jumps`; there is one control state. Every
    jump takes one peg, so that the graph of states has no cycles and all ways between two
    states are equally long. `ChainMoves` of this problem counts the moves of the game: several
    jumps of one peg are one move. (J. D. Beasley, The Ins and Outs of Peg Solitaire, 1985.)

    >>> from searchkit_peg.boards import HOPPERS
    >>> problem = PegSolitaire.single_vacancy(HOPPERS, 6)
    >>> [problem.format_action(step.action) for step in problem.successors(problem.start)]
    ['[0,6]', '[12,6]', '[10,6]', '[2,6]']
    """

    board: PegBoard
    start: int
    goals: tuple[int, ...]
    tables: Tables = derived(lambda self: self._tables())

    costs = Costs.UNIT
    single_steps = "model=jumps"

    def __attrs_post_init__(self) -> None:
        board, goals = self.board, self.goals
        if len(board.cells) > WORD_BITS:
            raise UsageError(
                f"board {board.name} has {len(board.cells)} cells; a word holds the pegs of at "
                f"most {WORD_BITS}"
            )
        if not 0 <= self.start <= board.full:
            raise UsageError(
                f"start {self.start} is not a set of cells of board {board.name}; "
                f"use 0 to {board.full}"
            )
        if len({goal.bit_count() for goal in goals}) != 1:
            raise UsageError(f"goals {goals} must be one or more sets of equally many pegs")
        if not all(0 <= goal <= board.full for goal in goals):
            raise UsageError(f"goals {goals} are not sets of cells of board {board.name}")

    def _tables(self) -> Tables:
        links = self.board.links
        return Tables(
            goals=self.goals,
            goal_pegs=max((goal.bit_count() for goal in self.goals), default=0),
            mask=tuple(link.mask for link in links),
            before=tuple(link.before for link in links),
            start=tuple(link.jump.start for link in links),
            land=tuple(link.jump.land for link in links),
            regions=self.board.regions,
        )

    @classmethod
    def single_vacancy(
        cls, board: PegBoard, vacant: int, survivor: int | None = None
    ) -> PegSolitaire:
        """From one hole to one peg, by default in the same cell (the complement problem)."""
        last = vacant if survivor is None else survivor
        return cls(board, board.full & ~(1 << vacant), (1 << last,))

    def initial_states(self) -> tuple[int]:
        """The start."""
        return (self.start,)

    def operators(self, control: int) -> range:
        """The numbers of all jumps."""
        return range(len(self.board.jumps))

    def action(self, state: int, operator: int) -> Jump:
        """The jump with that number."""
        return self.board.jumps[operator]

    def above_goal(self, state: int) -> int:
        """Kernel: how many pegs more there are than in a goal."""
        return count_ones(state) - self.tables.goal_pegs

    def at_goal(self, state: int) -> bool:
        """Kernel: whether exactly the pegs of a goal are left."""
        if self.above_goal(state) != 0:
            return False
        for number in range(len(self.tables.goals)):  # noqa: SIM110  (kernels have no generators)
            if state == self.tables.goals[number]:
                return True
        return False

    def legal(self, state: int, control: int, operator: int) -> bool:
        """Kernel: whether there are two pegs and a hole for the jump."""
        return state & self.tables.mask[operator] == self.tables.before[operator]

    def apply(self, state: int, control: int, operator: int) -> int:
        """Kernel: the pegs after the jump."""
        return state ^ self.tables.mask[operator]

    def moved_from(self, control: int, operator: int) -> int:
        """Kernel: the cell that the peg leaves."""
        return self.tables.start[operator]

    def moved_to(self, control: int, operator: int) -> int:
        """Kernel: the cell that the peg lands on."""
        return self.tables.land[operator]

    def toggles(self) -> tuple[int, ...]:
        """The three cells of each jump."""
        return self.tables.mask

    def successors(self, state: int) -> list[Step[int, Jump]]:
        """The legal jumps in the order of the board, found without a call for each jump."""
        return [
            _new(Step, (jump, state ^ mask, 1))
            for jump, mask, before, _ in self.board.links
            if state & mask == before
        ]

    def predecessors(self, state: int) -> list[Step[int, Jump]]:
        """The jumps into `state`, in the order of the board."""
        return [
            Step(jump, state ^ mask)
            for jump, mask, _, after in self.board.links
            if state & mask == after
        ]

    def are_states(self, rows: Any) -> bool:
        """Whether words from a file have pegs on cells alone."""
        if len(self.board.cells) == WORD_BITS:
            return True
        return not (rows >> len(self.board.cells)).any()

    def is_goal(self, state: int) -> bool:
        """Whether exactly the pegs of a goal are left."""
        return state in self.goals

    def goal_states(self) -> tuple[int, ...]:
        """The goals."""
        return self.goals

    def grade(self, state: int) -> int:
        """The number of pegs: it falls by one at every jump."""
        return state.bit_count()

    def default_heuristic(self) -> PegsAboveGoal:
        """The pegs above those of a goal, with a kernel."""
        return PegsAboveGoal(self)

    def chain_bound(self, state: int, moving: Hashable | None = None) -> float:
        """At least how many moves (chains of jumps) are needed.

        A region that is full of pegs, as a peg in a corner, and not to be full in the goal needs
        a move that begins in it (see `searchkit_peg.board`), unless the peg `moving` stands
        there. Some move is needed from a state that is not a goal when no peg is moving.
        """
        fewest = self.fewest_chains(state, moving if isinstance(moving, int) else -1)
        return INFINITY if fewest == DEAD_END else fewest

    def fewest_chains(self, state: int, moving: int) -> int:
        """Kernel: the same; `moving` is the cell of the moving peg, -1 for none."""
        if self.above_goal(state) <= 0:
            return 0 if self.at_goal(state) else DEAD_END
        fewest = len(self.tables.regions)
        for number in range(len(self.tables.goals)):
            goal, needed = self.tables.goals[number], 0
            for i in range(len(self.tables.regions)):
                region = self.tables.regions[i]
                if state & region != region or goal & region == region:
                    continue
                if moving < 0 or region >> moving & 1 == 0:
                    needed += 1
            fewest = min(fewest, needed)
        if moving < 0 and fewest == 0:
            return 1
        return fewest

    def piece_before(self, action: Jump) -> int:
        """The cell that the peg leaves."""
        return action.start

    def piece_after(self, action: Jump) -> int:
        """The cell that the peg lands on."""
        return action.land

    def format_action(self, action: Jump) -> str:
        """Start and landing cell, `[0,6]`."""
        return f"[{action.start},{action.land}]"

    def format_chain(self, actions: tuple[Jump, ...]) -> str:
        """The cells the peg visits, `[10,0,6]`."""
        cells = (actions[0].start, *(jump.land for jump in actions))
        return f"[{','.join(map(str, cells))}]"

    def format_state(self, state: int) -> str:
        """Marks `o` and `.` in rows separated by `/`."""
        return write_pegs(self.board, state)

    def parse(self, text: str) -> int:
        """Read marks, `vacant 6` or `pegs 6` (see `searchkit_peg.notation`)."""
        return read_pegs(self.board, text)

    def render(self, state: int) -> str:
        """The board, with ● for a peg and ○ for a hole."""
        return self.board.picture(state)

    def picture(self, state: int) -> Picture:
        """The board with its pegs, drawn; a peg has the name of its cell."""
        from searchkit_peg.pictures import draw  # noqa: PLC0415  (few searches draw)

        return draw(self.board, state, self.goals)

    def motion(self, state: int, action: Jump) -> list[Phase]:
        """The peg comes to another cell."""
        from searchkit.picture import Phase  # noqa: PLC0415

        after = state ^ (1 << action.start | 1 << action.over | 1 << action.land)
        return [Phase(self.picture(after), {action.start: action.land})]

    def with_start(self, state: int) -> PegSolitaire:
        """The same game from another start."""
        return attrs.evolve(self, start=state)

    def with_goal(self, state: int) -> PegSolitaire:
        """The same game with one other goal."""
        return attrs.evolve(self, goals=(state,))

    def random_state(self, rng: random.Random) -> int:
        """A state that can be solved: a goal after a random number of jumps taken back.

        The number is uniform from 1 to as many as there are holes to fill; the jumps are
        uniform among the possible ones. It stops early where no jump can be taken back. The
        states are not equally likely, and need not be reachable from the start.
        """
        state = rng.choice(self.goals)
        for _ in range(rng.randint(1, max(1, (self.board.full & ~state).bit_count() - 1))):
            steps = self.predecessors(state)
            if not steps:
                break
            state = rng.choice(steps).state
        return state

    def certificate(self, state: int) -> Certificate | None:
        """Too few pegs, a parity that no jump changes, or a weight that no jump raises."""
        return why_impossible(self.board, state, self.goals)

    def open_goals(self, state: int) -> str | None:
        """On which cells a last peg is not excluded, where it may end on several."""
        return what_is_open(self.board, state, self.goals)

    def symmetries(self) -> list[Symmetry[int, Jump]]:
        """The maps of the board that keep the set of goals."""
        return [
            Symmetry(
                name,
                partial(map_pegs, permutation=permutation),
                partial(map_jump, permutation=permutation),
                permutation,
            )
            for name, permutation in cell_maps(self.board)
            if {map_pegs(goal, permutation) for goal in self.goals} == set(self.goals)
        ]

    def slow_rules(self) -> PlainJumps:
        """The same game over sets of cells."""
        from searchkit_peg.slow import PlainJumps  # noqa: PLC0415  (for those who verify)

        return self._plain(PlainJumps)

    def slow_chain_rules(self) -> PlainChains:
        """The game of moves over sets of cells."""
        from searchkit_peg.slow import PlainChains  # noqa: PLC0415

        return self._plain(PlainChains)

    def plain_text(self) -> str:
        """The rules of jumps as a file of their own."""
        from searchkit_peg.plain_text import plain_text  # noqa: PLC0415  (seldom asked for)

        return plain_text(self.slow_rules(), chains=False)

    def plain_chain_text(self) -> str:
        """The rules of moves as a file of their own."""
        from searchkit_peg.plain_text import plain_text  # noqa: PLC0415

        return plain_text(self.slow_chain_rules(), chains=True)

    def slow_mover_rules(self) -> PlainMover:
        """The game of moves over sets of cells and the peg that moved last."""
        from searchkit_peg.slow import PlainMover  # noqa: PLC0415

        return self._plain(PlainMover)

    def _plain(self, rules: Callable[..., Rules]) -> Rules:
        return rules(
            self.board.cells,
            tuple(step for _, step in self.board.directions),
            frozenset(cells_of(self.start)),
            frozenset(frozenset(cells_of(goal)) for goal in self.goals),
        )


@attrs.frozen
class PegsAboveGoal(PackedHeuristic):
    """The pegs above those of the goal: the exact number of jumps, where there is a way."""

    problem: PegSolitaire
    name: str = "pegs"
    given = "a move is a jump and takes one peg away"
    parts = ("problem",)

    def estimate(self, state: int) -> int:
        """Kernel: the pegs above those of the goal."""
        above = self.problem.above_goal(state)
        if above > 0:
            return above
        return 0 if self.problem.at_goal(state) else DEAD_END


CHAINS = "a move is jumps of one peg, each over a peg beside it into a hole"
"""By which no peg lands in a full region, and who jumps over one of its pegs sets out in it: see
`searchkit_peg.regions`. That each region of the board is one is looked up in its jumps."""


@attrs.frozen
class Regions(ChainBound):
    """`PegSolitaire.chain_bound` for moves."""

    given = CHAINS


@attrs.frozen
class MoverRegions(MoverBound):
    """The same where the peg that moved last may go on."""

    given = CHAINS


def full_regions(problem: Problem[Any, Any]) -> ChainBound:
    """The full regions, corners among them, that need a move of their own: a bound on moves.

    See `PegSolitaire.chain_bound`.
    """
    moves = without_first_step(problem)
    bound = MoverRegions if isinstance(moves, MoverState) else Regions
    return bound(solitaire_of(problem), "regions")


def without_first_step(problem: Problem[Any, Any]) -> Problem[Any, Any]:
    """The problem that only the first step was fixed of; its heuristics serve both."""
    while isinstance(problem, FirstStepFixed):
        problem = problem.base
    return problem


def counts_jumps(problem: Problem[Any, Any]) -> bool:
    """Whether the problem is peg solitaire by jumps."""
    return isinstance(without_first_step(problem), PegSolitaire)


def counts_moves(problem: Problem[Any, Any]) -> bool:
    """Whether the problem is peg solitaire by moves."""
    problem = without_first_step(problem)
    return isinstance(problem, (ChainMoves, MoverState)) and isinstance(problem.base, PegSolitaire)


def solitaire_of(problem: Problem[Any, Any]) -> PegSolitaire:
    """The game by jumps that `problem` is made from."""
    problem = without_first_step(problem)
    base = problem.base if isinstance(problem, (ChainMoves, MoverState)) else problem
    assert isinstance(base, PegSolitaire)
    return base


def pegs_above_goal(problem: Problem[Any, Any]) -> PegsAboveGoal:
    """The bound on jumps for the game that `problem` is made from."""
    return PegsAboveGoal(solitaire_of(problem))
