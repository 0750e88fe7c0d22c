"""The 2x2x2 cube."""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import NamedTuple

import attrs

from searchkit import Certificate, StartAndGoal, Symmetry, UsageError, derived
from searchkit.packed import PackedProblem
from searchkit.pattern_space import Pattern, consecutive_groups
from searchkit.permutations import rank_permutation, unrank_permutation
from searchkit.picture import Picture
from searchkit_cube import notation
from searchkit_cube.corners import (
    ACTIONS,
    BITS,
    FIELD,
    PIECES,
    PLACES,
    SOLVED,
    TURNS,
    TWIST,
    pack,
    turn_table,
    unpack,
)
from searchkit_cube.heuristics import Coordinates
from searchkit_cube.numbers import ORIENTATIONS, TurnedNumbers, weights
from searchkit_cube.patterns import CubePatterns
from searchkit_cube.pictures import draw
from searchkit_cube.slow import PlainCube
from searchkit_cube.symmetries import cube_symmetries

POWERS = tuple(3**place for place in range(PIECES))
METRICS = {"half": ("", "2", "'"), "quarter": ("", "'")}
"""Which turns of a face count as one move."""
OPERATORS = {
    metric: tuple(number for number, action in enumerate(ACTIONS) if action[1:] in turns)
    for metric, turns in METRICS.items()
}


class Tables(NamedTuple):
    """What the kernels of `Cube2` look up: the goal, the sum of its twists, `turn_table`.

    `weights` is what the five bits of a corner add to the number of the twists, and `powers` are
    those of 3, by place.
    """

    goal: int
    twist: int
    turns: tuple[tuple[int, ...], ...]
    weights: tuple[int, ...]
    powers: tuple[int, ...]


def _check_metric(problem: Cube2, attribute: object, metric: str) -> None:
    if metric not in METRICS:
        raise UsageError(f"metric {metric!r} is unknown; use {' or '.join(METRICS)}")


@attrs.frozen
class Cube2(StartAndGoal[int, str], PackedProblem[str]):
    """Turn the faces of a 2x2x2 cube until it looks like the goal.

    One corner is held (down, back, left), since only how the corners stand to each other matters;
    so three faces turn. An action is a turn as it is commonly written: `R` is a quarter turn of
    the right face clockwise, `R'` anticlockwise, `R2` half a turn. In the metric "half" each of
    them is a move, in the metric "quarter" only quarter turns are.

    A state has five bits for each of the other corners: its place, and its twist above it. An
    operator takes every corner to where the tables say, whatever the others do.

    >>> from searchkit_cube import Cube2
    >>> cube = Cube2.read("R U'")
    >>> [step.action for step in cube.successors(cube.start)]
    ['U', 'U2', "U'", 'R', 'R2', "R'", 'F', 'F2', "F'"]
    """

    undirected = True
    complete_certificates = True
    parts = ("numbers",)
    ranks = math.factorial(PIECES) * ORIENTATIONS

    start: int
    goal: int = SOLVED
    metric: str = attrs.field(default="half", validator=_check_metric)
    tables: Tables = derived(
        lambda self: Tables(self.goal, twist_of(self.goal), turn_table(), weights(), POWERS)
    )
    numbers: TurnedNumbers = derived(lambda self: TurnedNumbers(self.tables.twist))

    @classmethod
    def read(cls, start: str, metric: str = "half") -> Cube2:
        """The puzzle with the start given as text, to be solved; `ParseError` if it is none."""
        return cls(pack(notation.read(start)), metric=metric)

    def operators(self, control: int) -> tuple[int, ...]:
        """The turns of the metric."""
        return OPERATORS[self.metric]

    def inverse(self, control: int, operator: int) -> int:
        """The turn of the same face the other way."""
        face, turn = divmod(operator, len(TURNS))
        return len(TURNS) * face + len(TURNS) - 1 - turn

    def witness(self, control: int) -> int:
        """The solved cube, in which all corners differ."""
        return SOLVED

    def action(self, state: int, operator: int) -> str:
        """The turn."""
        return ACTIONS[operator]

    def at_goal(self, state: int) -> bool:
        """Kernel: whether the cube looks like the goal."""
        return bool(state == self.tables.goal)

    def corner_after(self, corner: int, operator: int) -> int:
        """Kernel: the five bits of a corner, its place and twist, after an operator."""
        return int(self.tables.turns[operator][corner])

    def apply(self, state: int, control: int, operator: int) -> int:
        """Kernel: every corner goes where the turn takes it."""
        after = 0
        for piece in range(PIECES):
            corner = state >> BITS * piece & FIELD
            after |= self.corner_after(corner, operator) << BITS * piece
        return after

    def rank(self, state: int) -> int:
        """Kernel: the number of a cube that can become the goal, from 0 to `ranks` - 1."""
        rank = rank_permutation(state & PLACES, BITS, PIECES) * ORIENTATIONS
        for piece in range(PIECES):
            rank += self.tables.weights[state >> BITS * piece & FIELD]
        return int(rank)

    def unrank(self, index: int) -> int:
        """Kernel: the cube with that number; the last twist is what the others leave for it."""
        state = unrank_permutation(index // ORIENTATIONS, BITS, PIECES)
        twists = index % ORIENTATIONS
        last = self.tables.twist + 3 * PIECES  # a multiple of 3, so that it stays above 0
        for place in range(PIECES - 1):
            last -= twists // self.tables.powers[place] % 3
        twists += last % 3 * ORIENTATIONS
        for piece in range(PIECES):
            place = state >> BITS * piece & FIELD
            state |= twists // self.tables.powers[place] % 3 << BITS * piece + TWIST
        return int(state)

    def rank_after(self, index: int, control: int, operator: int) -> int:
        """Kernel: the number of the cube after a turn, by that of the cube before."""
        return self.numbers.after(index, operator)

    def default_heuristic(self) -> Coordinates:
        """The larger of the distances of the places alone and of the twists alone."""
        return Coordinates(self)

    def format_state(self, state: int) -> str:
        """The stickers of the faces (see `searchkit_cube.notation`)."""
        return notation.write(unpack(state))

    def parse(self, text: str) -> int:
        """Read stickers, or turns of a solved cube."""
        return pack(notation.read(text))

    def render(self, state: int) -> str:
        """The unfolded cube."""
        return notation.unfold(unpack(state))

    def picture(self, state: int) -> Picture:
        """The unfolded cube, drawn."""
        return draw(unpack(state))

    def random_state(self, rng: random.Random) -> int:
        """A cube drawn uniformly from those that can become the goal."""
        return self.unrank(rng.randrange(self.ranks))

    def certificate(self, state: int) -> Certificate | None:
        """Why the goal cannot be reached: turns keep the sum of the twists, modulo 3."""
        start, goal = twist_of(state), twist_of(self.goal)
        if start == goal:
            return None
        text = (
            f"a corner is twisted: the twists of the start add up to {start}, modulo 3, "
            f"those of the goal to {goal}, and no turn changes that"
        )
        return Certificate("twist", text, {"start": start, "goal": goal})

    def symmetries(self) -> list[Symmetry[int, str]]:
        """The turns and mirrors of the whole cube that keep the held corner and the goal."""
        return cube_symmetries(self.goal)

    def pattern_space(self, groups: Sequence[Pattern]) -> CubePatterns:
        """The cubes on which only some corners are told apart."""
        return CubePatterns(self, groups)

    def patterns_named(self, name: str) -> Sequence[Pattern]:
        """Groups of corners by their sizes, or by their numbers from 0 to 6."""
        return consecutive_groups(name, range(PIECES))

    def slow_rules(self) -> PlainCube:
        """The same puzzle over 24 stickers."""
        start, goal = (
            self.format_state(state).replace(" ", "") for state in (self.start, self.goal)
        )
        return PlainCube(start, goal, METRICS[self.metric])


def twist_of(state: int) -> int:
    """The sum of the twists of all corners, modulo 3; no turn changes it."""
    return sum(twist for _, twist in unpack(state)) % 3


FARTHEST = "BBFF LUDR UUFF RLDD URLD RLBB"


def cube2(metric: str = "half") -> Cube2:
    """The cube, from one of the positions that need most moves in either metric.

    >>> print(cube2().render(cube2().start))
          ┌─────┐
          │ B B │
          │ F F │
    ┌─────┼─────┼─────┬─────┐
    │ U R │ U U │ L U │ R L │
    │ L D │ F F │ D R │ B B │
    └─────┼─────┼─────┴─────┘
          │ R L │
          │ D D │
          └─────┘
    """
    return Cube2.read(FARTHEST, metric)


def in_colours(problem: Cube2, state: int) -> str:
    """The unfolded cube in coloured squares."""
    return notation.paint(unpack(state))
