"""The rules once more, plainly, over sets of cells: the judge of solutions found elsewhere.

Nothing here is shared with the bit boards or with the transforms. Positions are read in the
notation they are written in, `ooo/oo/o.o/oo/ooo`, only.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator
from typing import TypeVar

import attrs

from searchkit import Costs, ParseError, Problem, Step
from searchkit.certificates import Certificate
from searchkit.problem import derived
from searchkit_peg.certificate_checks import objection

Pegs = frozenset[int]
Moving = tuple[Pegs, int | None]
"""The pegs, and the cell of the one that moved last."""
State = TypeVar("State")
Path = tuple[int, ...]
Place = tuple[int, int]


@attrs.frozen
class _Plain(Problem[State, Path]):
    """What can be jumped, and how positions are written; an action is the cells visited."""

    cells: tuple[Place, ...]
    directions: tuple[Place, ...]
    start: Pegs
    goals: frozenset[Pegs]
    ways: tuple[tuple[tuple[int, int], ...], ...] = derived(
        lambda self: tuple(tuple(self.ways_from(*place)) for place in self.cells)
    )
    """For every cell, what a peg there may jump over, and where it then lands."""

    def ways_from(self, row: int, column: int) -> Iterator[tuple[int, int]]:
        """What a peg there may jump over, and where it then lands."""
        for down, right in self.directions:
            over, land = (row + down, column + right), (row + 2 * down, column + 2 * right)
            if over in self.cells and land in self.cells:
                yield self.cells.index(over), self.cells.index(land)

    @abstractmethod
    def pegs_of(self, state: State) -> Pegs:
        """The pegs on the board."""

    def is_goal(self, state: State) -> bool:
        """Whether the pegs are those of a goal."""
        return self.pegs_of(state) in self.goals

    def format_action(self, action: Path) -> str:
        """The cells visited."""
        return "[" + ",".join(str(cell) for cell in action) + "]"

    def key(self, state: State) -> str:
        """The text, which takes less memory than the set."""
        return self.format_state(state)

    def check_certificate(self, start: State, certificate: Certificate) -> str | None:
        """See `searchkit_peg.certificate_checks`; it does not matter which peg moved last."""
        jumps = [(peg, *way) for peg, ways in enumerate(self.ways) for way in ways]
        goals = {self.write(goal): goal for goal in self.goals}
        return objection(len(self.cells), jumps, self.pegs_of(start), goals, certificate)

    def jumps_of(self, pegs: Pegs, peg: int) -> Iterator[tuple[int, Pegs]]:
        """Where `peg` can jump to, and the pegs after that."""
        for taken, target in self.ways[peg]:
            if taken in pegs and target not in pegs:
                yield target, (pegs - {peg, taken}) | {target}

    def paths_of(self, pegs: Pegs, peg: int) -> Iterator[tuple[Path, Pegs]]:
        """The ways of `peg` over one or more jumps, none of which goes on from a goal."""
        for target, after in self.jumps_of(pegs, peg):
            yield (peg, target), after
            if after not in self.goals:
                for path, end in self.paths_of(after, target):
                    yield (peg, *path), end

    def write(self, pegs: Pegs) -> str:
        """The marks of the cells, row by row."""
        text = ""
        for number, (row, _) in enumerate(self.cells):
            if number and row != self.cells[number - 1][0]:
                text += "/"
            text += "o" if number in pegs else "."
        return text

    def read(self, text: str) -> Pegs:
        """The pegs of a text that `write` wrote."""
        pegs = frozenset(i for i, mark in enumerate(text.replace("/", "")) if mark == "o")
        if self.write(pegs) != text:
            raise ParseError(f"{text!r} is not a position; write it like {self.write(self.start)}")
        return pegs


@attrs.frozen
class PlainJumps(_Plain[Pegs]):
    """Peg solitaire by jumps; an action is start and landing cell."""

    def pegs_of(self, state: Pegs) -> Pegs:
        """The state itself."""
        return state

    def initial_states(self) -> list[Pegs]:
        """The start."""
        return [self.start]

    def successors(self, state: Pegs) -> Iterator[Step[Pegs, Path]]:
        """The jumps of every peg."""
        for peg in sorted(state):
            for target, after in self.jumps_of(state, peg):
                yield Step((peg, target), after)

    def format_state(self, state: Pegs) -> str:
        """The marks of the cells."""
        return self.write(state)

    def parse(self, text: str) -> Pegs:
        """The pegs of such marks."""
        return self.read(text)


@attrs.frozen
class PlainChains(PlainJumps):
    """Peg solitaire by moves; an action is every cell that the peg visits."""

    def successors(self, state: Pegs) -> Iterator[Step[Pegs, Path]]:
        """The ways of every peg over one or more jumps."""
        for peg in sorted(state):
            for path, after in self.paths_of(state, peg):
                yield Step(path, after)


@attrs.frozen
class PlainMover(_Plain[Moving]):
    """Peg solitaire by jumps, of which those that go on with the same peg are free."""

    costs = Costs.ZERO_ONE

    def pegs_of(self, state: Moving) -> Pegs:
        """Those of the state, whichever moved last."""
        return state[0]

    def initial_states(self) -> list[Moving]:
        """The start; no peg has moved."""
        return [(self.start, None)]

    def successors(self, state: Moving) -> Iterator[Step[Moving, Path]]:
        """The jumps of every peg."""
        pegs, last = state
        for peg in sorted(pegs):
            for target, after in self.jumps_of(pegs, peg):
                yield Step((peg, target), (after, target), 0 if peg == last else 1)

    def format_state(self, state: Moving) -> str:
        """The marks of the cells, and the cell of the peg that moved last."""
        pegs, last = state
        return self.write(pegs) if last is None else f"{self.write(pegs)}@{last}"

    def parse(self, text: str) -> Moving:
        """What `format_state` wrote."""
        board, _, last = text.partition("@")
        pegs = self.read(board)
        if last and last not in map(str, pegs):
            raise ParseError(f"{last!r} in {text!r} is not a cell with a peg; use one of them")
        return pegs, int(last) if last else None
