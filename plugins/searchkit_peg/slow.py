"""The judge of solutions and certificates: the rules once more, plainly, over sets of cells.

Nothing here is shared with the bit boards or with the transforms. Positions are read in the
notation they are written in, `ooo/oo/o.o/oo/ooo`, only.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import NoReturn, TypeVar

import attrs

from searchkit import Costs, ParseError, Problem, Step
from searchkit.certificates import Certificate, entries
from searchkit.errors import VerificationError
from searchkit.problem import derived

Pegs = frozenset[int]
Jump = tuple[int, int, int]
"""The cell that is left, the one that is jumped over, and the one that is landed on."""


@attrs.frozen
class _Judge:
    """Says what is wrong with certificates for a board and a start."""

    cells: int
    jumps: Sequence[Jump]
    start: Pegs

    def objection(self, goals: Mapping[str, Pegs], certificate: Certificate) -> str | None:
        """Why `certificate` does not exclude all `goals`, given by their texts; None if it does."""
        try:
            if certificate.kind == "goal by goal":
                self._check_parts(goals, certificate.data)
            else:
                self._check_one(list(goals.values()), certificate.kind, certificate.data)
        except VerificationError as error:
            return str(error)
        return None

    def _check_parts(self, goals: Mapping[str, Pegs], data: object) -> None:
        (parts,) = entries(data, {"parts": list[dict[str, object]]})
        left = dict(goals)
        for part in parts:
            kind, inner, texts = entries(
                part, {"kind": str, "data": dict, "goals": list[str]}, "a part"
            )
            excluded = []
            for text in texts:
                if text not in left:
                    _refuse(f"it excludes {text!r}, which is not a goal or excluded twice")
                excluded.append(left.pop(text))
            self._check_one(excluded, kind, inner)
        if left:
            _refuse(f"it does not exclude the goal {next(iter(left))}")

    def _check_one(self, goals: Sequence[Pegs], kind: str, data: object) -> None:
        checks = {
            "peg count": self._check_peg_count,
            "position class": self._check_position_class,
            "pagoda": self._check_pagoda,
        }
        if not goals:
            _refuse("it excludes no goal")
        if kind not in checks:
            known = ", ".join([*checks, "goal by goal"])
            _refuse(f"{kind!r} is not a kind of certificate here; known: {known}")
        checks[kind](goals, data)

    def _check_peg_count(self, goals: Sequence[Pegs], data: object) -> None:
        pegs, goal_pegs = entries(data, {"pegs": int, "goal_pegs": int})
        if len(self.start) != pegs:
            _refuse(f"the start has {len(self.start)} pegs, not {pegs}")
        for goal in goals:
            if len(goal) != goal_pegs:
                _refuse(f"a goal has {len(goal)} pegs, not {goal_pegs}")
            if self.start == goal:
                _refuse("the start is a goal")
        if pegs > goal_pegs:
            _refuse(f"{pegs} pegs can become {goal_pegs}, as far as numbers tell")

    def _check_position_class(self, goals: Sequence[Pegs], data: object) -> None:
        chosen, here, there = entries(data, {"cells": list[int], "start": int, "goal": int})
        for cell in chosen:
            if not 0 <= cell < self.cells or chosen.count(cell) > 1:
                _refuse(f"cell {cell} is none of the {self.cells} cells, or is named twice")
        for jump in self.jumps:
            if sum(cell in chosen for cell in jump) not in (0, 2):
                _refuse(f"{_name(jump)} changes the number of pegs on its cells by one")
        if sum(peg in chosen for peg in self.start) % 2 != here:
            _refuse(f"the pegs on its cells, modulo 2, are not {here} at the start")
        for goal in goals:
            if sum(peg in chosen for peg in goal) % 2 != there:
                _refuse(f"the pegs on its cells, modulo 2, are not {there} in a goal")
        if here == there:
            _refuse("the start and a goal are of the same class")

    def _check_pagoda(self, goals: Sequence[Pegs], data: object) -> None:
        weights, here, there = entries(data, {"weights": list[int], "start": int, "goal": int})
        if len(weights) != self.cells:
            _refuse(f"it has {len(weights)} weights for {self.cells} cells")
        for jump in self.jumps:
            left, over, land = jump
            if weights[left] + weights[over] < weights[land]:
                which = f"{weights[left]} and {weights[over]} become {weights[land]}"
                _refuse(f"{_name(jump)} makes the pegs heavier: {which}")
        weight = sum(weights[peg] for peg in self.start)
        if weight != here:
            _refuse(f"the start weighs {weight}, not {here}")
        lightest = min(sum(weights[peg] for peg in goal) for goal in goals)
        if lightest != there:
            _refuse(f"the lightest goal weighs {lightest}, not {there}")
        if here >= there:
            _refuse(f"the start weighs {here}, no less than a goal")


def _refuse(why: str) -> NoReturn:
    raise VerificationError(why)


def _name(jump: Jump) -> str:
    left, over, land = jump
    return f"the jump from {left} over {over} to {land}"


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
        """See `searchkit_peg.slow`; it does not matter which peg moved last."""
        jumps = [(peg, *way) for peg, ways in enumerate(self.ways) for way in ways]
        goals = {self.write(goal): goal for goal in self.goals}
        return _Judge(len(self.cells), jumps, self.pegs_of(start)).objection(goals, certificate)

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
    last: int | None = None
    """The cell of the peg that has moved before the start."""

    def pegs_of(self, state: Moving) -> Pegs:
        """Those of the state, whichever moved last."""
        return state[0]

    def initial_states(self) -> list[Moving]:
        """The start."""
        return [(self.start, self.last)]

    def with_start(self, state: Moving) -> PlainMover:
        """The same game from another position, perhaps amid a move."""
        pegs, last = state
        return attrs.evolve(self, start=pegs, last=last)

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
