"""Puzzles that are declared by their pieces, and a cube packed by hand."""

from __future__ import annotations

from typing import Any, NamedTuple

from bench.runs.arrays import ring
from bench.runs.ours import EngineChoice, warmed_up
from bench.runs.timing import Report, Stopwatch, check
from searchkit import Limits, PackedProblem, Problem
from searchkit.bits import replace_word
from searchkit.explore import explore
from searchkit.pieces import Change, Definition, Move, Orbit, Pieces
from searchkit_cube import cube3
from searchkit_pancakes import Pancakes, stacks


class ByPlace(Pieces):
    """What is at each place, so that runs of places are shifted and masked."""

    needs_places = True


def whole(puzzle: str, size: int, states: int, engine: EngineChoice, repeats: int) -> Report:
    """All orders of `size` pancakes, or of the tokens of a ring."""
    made = Pancakes.of(stacks(size)) if puzzle == "pancakes" else _ring(size)
    return _explored(made, states, Limits(), engine, repeats)


def cube(form: str, moves: int, states: int, engine: EngineChoice, repeats: int) -> Report:
    """All positions of the 3x3x3 cube within some moves of the solved one."""
    made = cube3() if form == "declared" else PackedCube()
    return _explored(made, states, Limits(cost=moves), engine, repeats)


def _ring(size: int) -> Pieces:
    """A ring that turns by one place, and whose first four tokens turn over."""
    left, _, over = (Change(sources) for sources in ring(size))
    moves = [Move("L", {"tokens": left}), Move("F", {"tokens": over})]
    return ByPlace.of(Definition("ring", [Orbit("tokens", size)], moves, powers=False))


def _explored(
    puzzle: Problem[Any, Any], states: int, limits: Limits, engine: EngineChoice, repeats: int
) -> Report:
    watch = Stopwatch()
    solved = puzzle.with_start(puzzle.goal) if isinstance(puzzle, Pieces) else puzzle
    warm_up = warmed_up(lambda: explore(solved, limits=Limits(cost=4), engine=engine))
    for _ in range(repeats):
        found = watch.time(lambda: explore(solved, limits=limits, engine=engine))
        check(found.states == states, f"explores {found.states} states, not {states}")
    statistics = found.statistics
    return watch.report(
        nodes=found.states,
        layers=found.layers,
        stored=statistics.stored,
        stored_bytes=statistics.bytes,
        **warm_up,
    )


class CubeTables(NamedTuple):
    """What becomes of two pieces at once, by word and operator: a row of 1,024 numbers."""

    corners: tuple[tuple[int, ...], ...]
    edges: tuple[tuple[int, ...], ...]
    goal: tuple[int, int]


class PackedCube(PackedProblem[Any]):
    """Where each corner is and how it is turned, five bits, and the same for edges."""

    words = 2
    undirected = True

    def __init__(self) -> None:
        declared = cube3()
        self.steps = declared.definition.steps
        corners, edges = (
            tuple(
                tuple(row[code & 31] | row[code >> 5] << 5 for code in range(1024))
                for row in (_codes(step.motion[orbit]) for step in self.steps)
            )
            for orbit in (_orbit(declared, "corner"), _orbit(declared, "edge"))
        )
        goal = tuple(sum(place << 5 * place for place in range(count)) for count in (8, 12))
        self.tables = CubeTables(corners, edges, goal)

    def initial_states(self) -> list[Any]:
        return [self.tables.goal]

    def operators(self, control: int) -> range:
        return range(len(self.steps))

    def action(self, state: Any, operator: int) -> str:
        return self.steps[operator].name

    def at_goal(self, state: Any) -> bool:
        return bool(state[0] == self.tables.goal[0] and state[1] == self.tables.goal[1])

    def apply(self, state: Any, control: int, operator: int) -> Any:
        corners = 0
        for i in range(4):
            corners |= self.tables.corners[operator][state[0] >> 10 * i & 1023] << 10 * i
        edges = 0
        for i in range(6):
            edges |= self.tables.edges[operator][state[1] >> 10 * i & 1023] << 10 * i
        return replace_word(replace_word(state, 0, corners), 1, edges)


def _orbit(puzzle: Pieces, name: str) -> int:
    names = [orbit.name for orbit in puzzle.definition.orbits]
    return next(i for i, each in enumerate(names) if name in each.lower())


def _codes(change: Change) -> list[int]:
    """What a change makes of a piece: its place, and how it is turned in the highest bits."""
    row, bits = [0] * 32, (len(change.sources) - 1).bit_length()
    for place, (to, turn) in enumerate(change.arrived()):
        for turned in range(change.orientations):
            row[place | turned << bits] = to | (turned + turn) % change.orientations << bits
    return row
