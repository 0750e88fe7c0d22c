"""The rules once more, plainly, over sets of cells: the judge of solutions found elsewhere.

Nothing here is shared with the bit boards or with the transforms. Positions are read in the
notation they are written in, `ooo/oo/o.o/oo/ooo`, only.
"""

from __future__ import annotations

from collections.abc import Iterator

import attrs

from searchkit import Certificate, Costs, ParseError, Problem, Step
from searchkit_peg.certificate_checks import objection

Pegs = frozenset[int]
Path = tuple[int, ...]
Place = tuple[int, int]


@attrs.frozen
class _Rules:
    """What can be jumped, and how positions are written."""

    cells: tuple[Place, ...]
    directions: tuple[Place, ...]
    start: Pegs
    goals: frozenset[Pegs]
    ways: tuple[tuple[tuple[int, int], ...], ...] = attrs.field(init=False, eq=False, repr=False)
    """For every cell, what a peg there may jump over, and where it then lands."""

    @ways.default
    def _ways(self) -> tuple[tuple[tuple[int, int], ...], ...]:
        return tuple(tuple(self._ways_from(row, column)) for row, column in self.cells)

    def _ways_from(self, row: int, column: int) -> Iterator[tuple[int, int]]:
        for down, right in self.directions:
            over, land = (row + down, column + right), (row + 2 * down, column + 2 * right)
            if over in self.cells and land in self.cells:
                yield self.cells.index(over), self.cells.index(land)

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

    def objection(self, start: Pegs, certificate: Certificate) -> str | None:
        """Why `certificate` does not exclude every goal; None if it does."""
        goals = {self.write(goal): goal for goal in self.goals}
        return objection(self.cells, self.directions, start, goals, certificate)


def _write_path(path: Path) -> str:
    return "[" + ",".join(str(cell) for cell in path) + "]"


@attrs.frozen
class PlainJumps(_Rules, Problem[Pegs, Path]):
    """Peg solitaire by jumps; an action is start and landing cell."""

    def initial_states(self) -> list[Pegs]:
        """The start."""
        return [self.start]

    def successors(self, state: Pegs) -> Iterator[Step[Path, Pegs]]:
        """The jumps of every peg."""
        for peg in sorted(state):
            for target, after in self.jumps_of(state, peg):
                yield Step((peg, target), after)

    def is_goal(self, state: Pegs) -> bool:
        """Whether the pegs are those of a goal."""
        return state in self.goals

    def format_action(self, action: Path) -> str:
        """The cells visited."""
        return _write_path(action)

    def format_state(self, state: Pegs) -> str:
        """The marks of the cells."""
        return self.write(state)

    def key(self, state: Pegs) -> str:
        """The text, which takes less memory than the set."""
        return self.write(state)

    def parse(self, text: str) -> Pegs:
        """The pegs of such marks."""
        return self.read(text)

    def check_certificate(self, start: Pegs, certificate: Certificate) -> str | None:
        """See `searchkit_peg.certificate_checks`."""
        return self.objection(start, certificate)


@attrs.frozen
class PlainChains(PlainJumps):
    """Peg solitaire by moves; an action is every cell that the peg visits."""

    def successors(self, state: Pegs) -> Iterator[Step[Path, Pegs]]:
        """The ways of every peg over one or more jumps."""
        for peg in sorted(state):
            for path, after in self.paths_of(state, peg):
                yield Step(path, after)


Moving = tuple[Pegs, int | None]


@attrs.frozen
class PlainMover(_Rules, Problem[Moving, Path]):
    """Peg solitaire by jumps, of which those that go on with the same peg are free."""

    costs = Costs.ZERO_ONE

    def initial_states(self) -> list[Moving]:
        """The start; no peg has moved."""
        return [(self.start, None)]

    def successors(self, state: Moving) -> Iterator[Step[Path, Moving]]:
        """The jumps of every peg."""
        pegs, last = state
        for peg in sorted(pegs):
            for target, after in self.jumps_of(pegs, peg):
                yield Step((peg, target), (after, target), 0 if peg == last else 1)

    def is_goal(self, state: Moving) -> bool:
        """Whether the pegs are those of a goal."""
        return state[0] in self.goals

    def format_action(self, action: Path) -> str:
        """The cells visited."""
        return _write_path(action)

    def format_state(self, state: Moving) -> str:
        """The marks of the cells, and the cell of the peg that moved last."""
        pegs, last = state
        return self.write(pegs) if last is None else f"{self.write(pegs)}@{last}"

    def key(self, state: Moving) -> str:
        """The text, which takes less memory than the set."""
        return self.format_state(state)

    def check_certificate(self, start: Moving, certificate: Certificate) -> str | None:
        """See `searchkit_peg.certificate_checks`; it does not matter which peg moved last."""
        return self.objection(start[0], certificate)

    def parse(self, text: str) -> Moving:
        """What `format_state` wrote."""
        board, _, last = text.partition("@")
        pegs = self.read(board)
        if last and last not in map(str, pegs):
            raise ParseError(f"{last!r} in {text!r} is not a cell with a peg; use one of them")
        return pegs, int(last) if last else None
