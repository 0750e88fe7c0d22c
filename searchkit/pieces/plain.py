"""A permutation puzzle in its plain form: patterns, changed as the definition says."""

from __future__ import annotations

import random
from functools import cached_property
from typing import Any

import attrs

from searchkit.certificates import Certificate
from searchkit.errors import ParseError
from searchkit.pieces.changes import Motion
from searchkit.pieces.checking import check_certificate
from searchkit.pieces.definition import Definition
from searchkit.pieces.notation import format_state, read_state
from searchkit.pieces.patterns import Pattern, after, solved
from searchkit.problem import StartAndGoal, Step


@attrs.frozen(eq=False)
class PlainPieces(StartAndGoal[Pattern, Any]):
    """The puzzle over patterns: slow, to be read, and to compare the packed form with."""

    definition: Definition
    start: Pattern = attrs.field()
    goal: Pattern = attrs.field()

    undirected = True

    @start.default
    def _solved_start(self) -> Pattern:
        return solved(self.definition)

    @goal.default
    def _solved_goal(self) -> Pattern:
        return solved(self.definition)

    def __attrs_post_init__(self) -> None:
        for what, state in (("start", self.start), ("goal", self.goal)):
            if self._is_illegal(state):
                raise ParseError(f"the {what} is illegal: a piece is where it may not be")

    def _is_illegal(self, state: Pattern) -> bool:
        """Whether a label is in a place where it must not be, pair by pair."""
        for orbit, row in zip(self.definition.orbits, state, strict=True):
            if orbit.illegal:
                labels = [orbit.pieces[orbit.looks.index(look)] for look, _ in row]
                if any(labels[place] == label for place, label in orbit.illegal):
                    return True
        return False

    @cached_property
    def _motions(self) -> list[tuple[Any, Motion]]:
        label = self.definition.label
        return [(label(each.name), each.motion) for each in self.definition.steps]

    def successors(self, state: Pattern) -> list[Step[Pattern, Any]]:
        """Every power of every move, but for those that lead to an illegal state."""
        steps = [
            Step(name, after(self.definition, state, motion)) for name, motion in self._motions
        ]
        return [step for step in steps if not self._is_illegal(step.state)]

    def format_state(self, state: Pattern) -> str:
        """The stickers, or the pieces in each place."""
        return format_state(self.definition, state)

    def parse(self, text: str) -> Pattern:
        """Read pieces, stickers, or moves made on the solved puzzle."""
        return read_state(self.definition, text)

    def random_state(self, rng: random.Random) -> Pattern:
        """A state after many random steps."""
        state = self.goal
        for _ in range(200):
            child = after(self.definition, state, rng.choice(self._motions)[1])
            if not self._is_illegal(child):
                state = child
        return state

    def check_certificate(self, start: Pattern, certificate: Certificate) -> str | None:
        """Whether a certificate proves that the goal cannot be reached."""
        return check_certificate(self.definition.solved_as(self.goal), start, certificate)
