"""The rules a second time, as plainly as can be: 24 stickers that move through space.

Nothing of the other modules is used here, on purpose.
"""

from __future__ import annotations

import attrs

from searchkit import Certificate, ParseError, StartAndGoal, Step
from searchkit.certificates import entries

Vector = tuple[int, int, int]
Spot = tuple[Vector, Vector]
"""Where a sticker is: the corner that it is on, each coordinate 1 or -1, and its direction."""

# x is to the right, y is up, z is towards the front.
OUTWARD: dict[str, Vector] = {
    "U": (0, 1, 0), "R": (1, 0, 0), "F": (0, 0, 1),
    "D": (0, -1, 0), "L": (-1, 0, 0), "B": (0, 0, -1),
}  # fmt: skip
DOWN: dict[str, Vector] = {
    "U": (0, 0, 1), "R": (0, -1, 0), "F": (0, -1, 0),
    "D": (0, 0, -1), "L": (0, -1, 0), "B": (0, -1, 0),
}  # fmt: skip
"""Which way is down in the picture of each face."""
TURNS = {"": 1, "2": 2, "'": 3}


def cross(a: Vector, b: Vector) -> Vector:
    """The vector at a right angle to both."""
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def dot(a: Vector, b: Vector) -> int:
    """The inner product."""
    return sum(x * y for x, y in zip(a, b, strict=True))


def turned(vector: Vector, axis: Vector) -> Vector:
    """The vector after a quarter turn about the axis, clockwise as seen from its tip."""
    along = dot(vector, axis)
    across = cross(vector, axis)
    return tuple(along * a + b for a, b in zip(axis, across, strict=True))  # type: ignore[return-value]


def _spots() -> list[Spot]:
    """The places of the stickers in the order in which they are written."""
    spots: list[Spot] = []
    for face, out in OUTWARD.items():
        right = cross(out, DOWN[face])
        for row in (-1, 1):
            for column in (-1, 1):
                x, y, z = (
                    o + row * d + column * r for o, d, r in zip(out, DOWN[face], right, strict=True)
                )
                spots.append(((x, y, z), out))
    return spots


SPOTS = _spots()


@attrs.frozen
class PlainCube(StartAndGoal[str, str]):
    """The cube over texts of 24 stickers; an action is a turn of a face, such as `R2`."""

    start: str
    goal: str
    turns: tuple[str, ...]

    undirected = True

    def successors(self, state: str) -> list[Step[str, str]]:
        """The turns of the three faces away from the held corner."""
        return [
            Step(face + turn, self._turn(state, OUTWARD[face], TURNS[turn]))
            for face in "URF"
            for turn in self.turns
        ]

    def _turn(self, state: str, axis: Vector, quarters: int) -> str:
        for _ in range(quarters):
            shown = dict(zip(SPOTS, state, strict=True))
            after = {}
            for (corner, out), colour in shown.items():
                if dot(corner, axis) > 0:
                    after[turned(corner, axis), turned(out, axis)] = colour
                else:
                    after[corner, out] = colour
            state = "".join(after[spot] for spot in SPOTS)
        return state

    def check_certificate(self, start: str, certificate: Certificate) -> str | None:
        """Whether the twists of the corners tell the start from the goal.

        The twist of a corner is how many stickers clockwise from the upper or lower one the
        sticker is that belongs up or down. Turning a face adds to the twists of the corners by
        where they are, not by what they show; all that it adds is a multiple of 3, which is seen
        by trying.
        """
        if certificate.kind != "twist":
            return f"{certificate.kind!r} is not a kind of certificate here; known: twist"
        twists = entries(certificate.data, {"start": int, "goal": int})
        for what, state, claimed in zip(("start", "goal"), (start, self.goal), twists, strict=True):
            if claimed != self._twist(state):
                return f"the twists of the {what} add up to {self._twist(state)}, not {claimed}"
            if any((self._twist(step.state) - claimed) % 3 for step in self.successors(state)):
                return f"turns change the sum of the twists of the {what}"
        if (twists[0] - twists[1]) % 3 == 0:
            return "the twists of the start and of the goal agree"
        return None

    def _twist(self, state: str) -> int:
        shown = dict(zip(SPOTS, state, strict=True))
        total = 0
        for corner in {corner for corner, _ in SPOTS}:
            outs = [out for other, out in SPOTS if other == corner]
            # The upper or lower sticker first, then clockwise as seen from outside.
            outs.sort(key=lambda out: -abs(out[1]))
            if dot(cross(outs[0], outs[1]), corner) > 0:
                outs[1], outs[2] = outs[2], outs[1]
            total += next(i for i, out in enumerate(outs) if shown[corner, out] in "UD")
        return total % 3

    def format_state(self, state: str) -> str:
        """The stickers of each face."""
        return " ".join(state[i : i + 4] for i in range(0, 24, 4))

    def parse(self, text: str) -> str:
        """Read what `format_state` writes."""
        state = text.replace(" ", "")
        if sorted(state) != sorted(self.goal):
            raise ParseError(f"{text!r} does not have every sticker of the goal once")
        return state
