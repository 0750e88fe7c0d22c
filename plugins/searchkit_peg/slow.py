"""The judge of solutions and certificates: the rules once more, plainly, over sets of cells.

Nothing here is shared with the bit boards or with the transforms. Positions are read in the
notation they are written in, `ooo/oo/o.o/oo/ooo`, only.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from typing import TypeVar

import attrs

from searchkit import Costs, ParseError, Problem, Step
from searchkit.certificates import Certificate, entries
from searchkit.errors import VerificationError
from searchkit.problem import derived

Pegs = frozenset[int]
Jump = tuple[int, int, int]
"""The cell that is left, the one that is jumped over, and the one that is landed on."""


def objection(
    cells: int,
    jumps: Sequence[Jump],
    start: Pegs,
    goals: Mapping[str, Pegs],
    certificate: Certificate,
) -> str | None:
    """Why `certificate` does not exclude all `goals`, given by their texts; None if it does."""
    kind, data = certificate.kind, certificate.data
    try:
        if kind == "goal by goal":
            _check_parts(cells, jumps, start, goals, data)
        else:
            _check_one(cells, jumps, start, list(goals.values()), kind, data)
    except VerificationError as error:
        return str(error)
    return None


def _check_parts(
    cells: int, jumps: Sequence[Jump], start: Pegs, goals: Mapping[str, Pegs], data: object
) -> None:
    (parts,) = entries(data, {"parts": list[dict[str, object]]})
    left = dict(goals)
    for part in parts:
        kind, inner, texts = entries(
            part, {"kind": str, "data": dict, "goals": list[str]}, "a part"
        )
        excluded = []
        for text in texts:
            if text not in left:
                raise VerificationError(
                    f"it excludes {text!r}, which is not a goal or excluded twice"
                )
            excluded.append(left.pop(text))
        _check_one(cells, jumps, start, excluded, kind, inner)
    if left:
        raise VerificationError(f"it does not exclude the goal {next(iter(left))}")


def _check_one(
    cells: int, jumps: Sequence[Jump], start: Pegs, goals: Sequence[Pegs], kind: str, data: object
) -> None:
    if not goals:
        raise VerificationError("it excludes no goal")
    if kind == "peg count":
        _check_peg_count(start, goals, data)
    elif kind == "position class":
        _check_position_class(cells, jumps, start, goals, data)
    elif kind == "pagoda":
        _check_pagoda(cells, jumps, start, goals, data)
    else:
        raise VerificationError(
            f"{kind!r} is not a kind of certificate here; known: peg count, position class, "
            "pagoda, goal by goal"
        )


def _check_peg_count(start: Pegs, goals: Sequence[Pegs], data: object) -> None:
    pegs, goal_pegs = entries(data, {"pegs": int, "goal_pegs": int})
    if len(start) != pegs:
        raise VerificationError(f"the start has {len(start)} pegs, not {pegs}")
    for goal in goals:
        if len(goal) != goal_pegs:
            raise VerificationError(f"a goal has {len(goal)} pegs, not {goal_pegs}")
        if start == goal:
            raise VerificationError("the start is a goal")
    if pegs > goal_pegs:
        raise VerificationError(f"{pegs} pegs can become {goal_pegs}, as far as numbers tell")


def _check_position_class(
    cells: int, jumps: Sequence[Jump], start: Pegs, goals: Sequence[Pegs], data: object
) -> None:
    chosen, here, there = entries(data, {"cells": list[int], "start": int, "goal": int})
    for cell in chosen:
        if not 0 <= cell < cells or chosen.count(cell) > 1:
            raise VerificationError(f"cell {cell} is none of the {cells} cells, or is named twice")
    for jump in jumps:
        if sum(cell in chosen for cell in jump) not in (0, 2):
            raise VerificationError(f"{_name(jump)} changes the number of pegs on its cells by one")
    if sum(peg in chosen for peg in start) % 2 != here:
        raise VerificationError(f"the pegs on its cells, modulo 2, are not {here} at the start")
    for goal in goals:
        if sum(peg in chosen for peg in goal) % 2 != there:
            raise VerificationError(f"the pegs on its cells, modulo 2, are not {there} in a goal")
    if here == there:
        raise VerificationError("the start and a goal are of the same class")


def _check_pagoda(
    cells: int, jumps: Sequence[Jump], start: Pegs, goals: Sequence[Pegs], data: object
) -> None:
    weights, here, there = entries(data, {"weights": list[int], "start": int, "goal": int})
    if len(weights) != cells:
        raise VerificationError(f"it has {len(weights)} weights for {cells} cells")
    for jump in jumps:
        left, over, land = jump
        if weights[left] + weights[over] < weights[land]:
            raise VerificationError(
                f"{_name(jump)} makes the pegs heavier: {weights[left]} and {weights[over]} become "
                f"{weights[land]}"
            )
    weight = sum(weights[peg] for peg in start)
    if weight != here:
        raise VerificationError(f"the start weighs {weight}, not {here}")
    lightest = min(sum(weights[peg] for peg in goal) for goal in goals)
    if lightest != there:
        raise VerificationError(f"the lightest goal weighs {lightest}, not {there}")
    if here >= there:
        raise VerificationError(f"the start weighs {here}, no less than a goal")


def _name(jump: Jump) -> str:
    left, over, land = jump
    return f"the jump from {left} over {over} to {land}"


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
        """See `searchkit_peg.slow`; it does not matter which peg moved last."""
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
