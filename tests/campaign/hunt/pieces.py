"""The group `pieces`: small definitions of permutation puzzles, of which everything is tried.

States of the oracle are, for each place of each orbit, a label and how far it is turned.
"""

from __future__ import annotations

import random
from collections import Counter
from dataclasses import dataclass
from typing import Any

from hunt.group import Group
from hunt.oracle import Wrong
from searchkit import BreadthFirst, Limits, solve
from searchkit.errors import ParseError
from searchkit.explore import explore
from searchkit.packed import is_inherited
from searchkit.pieces import (
    Change,
    Definition,
    Move,
    Orbit,
    Pieces,
    read_definition,
    write_kpuzzle,
    write_tws,
)
from searchkit.verify import verify_certificate

State = tuple[tuple[tuple[int, int], ...], ...]
Effect = tuple[tuple[tuple[int, ...], tuple[int, ...]], ...]
"""By orbit: from where what arrives in each place comes, and by how much it is turned."""


@dataclass(frozen=True)
class Shape:
    """An orbit: the label of each place, and modulo what the turns of each label count."""

    labels: tuple[int, ...]
    orientations: int = 1
    counted: tuple[int, ...] = ()

    def modulus(self, label: int) -> int:
        return self.counted[label] if self.counted else self.orientations


SHAPES = (
    (Shape((0, 1, 2, 3, 4)),),
    (Shape((0, 1, 2, 3), 2),),
    (Shape((0, 1, 2, 3), 2), Shape((0, 1, 2))),
    (Shape((0, 1, 2, 2, 2), 3, (3, 3, 1)),),
    (Shape((0, 0, 1, 1, 1, 2)),),
    (Shape((0, 0, 1, 1), 3, (3, 3)), Shape((0, 1, 2))),
    (Shape((0, 0, 1, 1), 2, (1, 2)), Shape((0, 1, 1), 2)),
)
"""Few, so that few modules of machine code are made."""


@dataclass(frozen=True)
class Case:
    """Orbits and moves, and orders to be tried: not all of them can be reached."""

    shapes: tuple[Shape, ...]
    moves: tuple[Effect, ...]
    others: tuple[State, ...]
    compiled: bool


class PieceGroup(Group):
    """Definitions of permutation puzzles."""

    name = "pieces"
    summary = "random definitions of permutation puzzles: groups, numbers, certificates, files"
    short, minutes, hours = 20, 400, 4000
    patience = 240.0  # machine code is made

    def make(self, rng: random.Random) -> Case:
        shapes = rng.choice(SHAPES)
        moves = tuple(
            tuple(self.change(rng, shape) for shape in shapes) for _ in range(rng.randint(1, 3))
        )
        others = tuple(tuple(self.order(rng, shape) for shape in shapes) for _ in range(5))
        return Case(shapes, moves, others, not self.brief and rng.random() < 0.3)

    def change(self, rng: random.Random, shape: Shape) -> tuple[tuple[int, ...], tuple[int, ...]]:
        places = list(range(len(shape.labels)))
        if rng.random() < 0.2:
            return tuple(places), (0,) * len(places)
        touched = rng.sample(places, rng.randint(2, len(places)))
        for here, there in zip(touched, rng.sample(touched, len(touched)), strict=True):
            places[here] = there
        return tuple(places), tuple(rng.randrange(shape.orientations) for _ in places)

    def order(self, rng: random.Random, shape: Shape) -> tuple[tuple[int, int], ...]:
        labels = rng.sample(shape.labels, len(shape.labels))
        return tuple((label, rng.randrange(shape.modulus(label))) for label in labels)

    def run(self, case: Any) -> Counter[str]:
        distances = reached(case)
        definition = definition_of(case)
        for written in (write_tws, write_kpuzzle):
            if all(set(shape.counted) <= {1, shape.orientations} for shape in case.shapes):
                again = read_definition(written(definition))
                demand(again.steps == definition.steps, f"{written.__name__} changes the moves")
        puzzle = Pieces.of(definition)
        count = puzzle.layout.group.count
        if count.is_exact:
            demand(count.states == len(distances), f"{count.states} states, not {len(distances)}")
        demand(count.states >= len(distances), f"at most {count.states} of {len(distances)} states")
        layers = Counter(distances.values())
        expected = tuple(layers[depth] for depth in range(len(layers)))
        for engine in ("reference", "compiled") if case.compiled else ("reference",):
            found = explore(puzzle, engine=engine).layers  # type: ignore[arg-type]
            demand(found == expected, f"{engine}: layers {found}, not {expected}")
        self.numbered(puzzle, definition, distances)
        for other in case.others:
            self.asked(puzzle, definition, other, distances)
        return Counter({"definitions": 1, "with numbers": int(puzzle.ranks > 0)})

    def numbered(self, puzzle: Any, definition: Definition, distances: dict[State, int]) -> None:
        if not puzzle.ranks:
            return
        states = [puzzle.pack(pattern_of(definition, state)) for state in distances]
        numbers = [puzzle.rank(state) for state in states]
        demand(len(set(numbers)) == len(states), "two states have one number")
        demand(all(0 <= number < puzzle.ranks for number in numbers), "a number out of range")
        demand(list(map(puzzle.unrank, numbers)) == states, "unrank does not take rank back")
        if is_inherited(puzzle, "rank_after"):
            return
        for state, number in zip(states, numbers, strict=True):
            for operator in puzzle.operators(0):
                after = puzzle.rank(puzzle.apply(state, 0, operator))
                demand(
                    puzzle.rank_after(number, 0, operator) == after, "rank_after is not the rank"
                )

    def asked(
        self, puzzle: Any, definition: Definition, other: State, distances: dict[State, int]
    ) -> None:
        pattern = pattern_of(definition, other)
        can = puzzle.layout.group.can_reach(pattern)
        demand(can in (None, other in distances), f"can_reach says {can}")
        try:
            start = puzzle.with_start(puzzle.pack(pattern))
        except ParseError:
            demand(other not in distances, "a state that can be reached is not packed")
            return
        certificate = puzzle.certificate(start.start)
        if certificate is not None:
            demand(other not in distances, "there is a certificate for what can be reached")
            verify_certificate(start, certificate)
        elif puzzle.complete_certificates:
            demand(other in distances, "there is no certificate")
        result = solve(start, BreadthFirst(), engine="reference", limits=Limits(expansions=10**5))
        demand(result.cost == distances.get(other), f"{result.cost}, not {distances.get(other)}")


def demand(fact: bool, text: str) -> None:
    """Raise `Wrong` unless something is true."""
    if not fact:
        raise Wrong(text)


def reached(case: Case) -> dict[State, int]:
    """By every state that the powers of moves lead to: how many of them it takes."""
    start = tuple(tuple((label, 0) for label in shape.labels) for shape in case.shapes)
    found: dict[State, int] = {start: 0}
    todo = [start]
    for state in todo:
        for move in case.moves:
            after = state
            for _ in range(60):  # more than the order of any move here
                after = step(case, after, move)
                if after not in found:
                    found[after] = found[state] + 1
                    todo.append(after)
    return found


def step(case: Case, state: State, move: Effect) -> State:
    """The state after a move."""
    return tuple(
        tuple(
            (row[source][0], (row[source][1] + turn) % shape.modulus(row[source][0]))
            for source, turn in zip(sources, turns, strict=True)
        )
        for shape, row, (sources, turns) in zip(case.shapes, state, move, strict=True)
    )


def definition_of(case: Case) -> Definition:
    """The case as searchkit has it."""
    orbits = [
        Orbit(
            f"o{number}",
            len(shape.labels),
            shape.orientations,
            shape.labels,
            counted=[shape.modulus(label) for label in shape.labels],
        )
        for number, shape in enumerate(case.shapes)
    ]
    moves = [
        Move(
            "ABC"[number],
            {
                orbit.name: Change(sources, turns, orbit.orientations)
                for orbit, (sources, turns) in zip(orbits, move, strict=True)
            },
        )
        for number, move in enumerate(case.moves)
    ]
    return Definition("random", orbits, moves)


def pattern_of(definition: Definition, state: State) -> Any:
    """A state as searchkit has it: labels here are numbered as looks are."""
    assert all(sorted(set(orbit.pieces)) == sorted(set(orbit.looks)) for orbit in definition.orbits)
    return state
