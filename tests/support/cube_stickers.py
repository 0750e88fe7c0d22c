"""The 3x3x3 cube as 54 stickers in space: nothing of searchkit is used here, on purpose."""

from __future__ import annotations

import re

# x is to the right, y is up, z is towards the front.
OUTWARD = {
    "U": (0, 1, 0), "R": (1, 0, 0), "F": (0, 0, 1),
    "D": (0, -1, 0), "L": (-1, 0, 0), "B": (0, 0, -1),
}  # fmt: skip
DOWN = {
    "U": (0, 0, 1), "R": (0, -1, 0), "F": (0, -1, 0),
    "D": (0, 0, -1), "L": (0, -1, 0), "B": (0, -1, 0),
}  # fmt: skip
"""Which way is down in the picture of each face."""
SOLVED = "".join(face * 9 for face in OUTWARD)


def cross(a, b):
    return a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]


def dot(a, b):
    return sum(x * y for x, y in zip(a, b, strict=True))


def turned(vector, axis):
    """The vector after a quarter turn about the axis, clockwise as seen from its tip."""
    return tuple(dot(vector, axis) * a + b for a, b in zip(axis, cross(vector, axis), strict=True))


def spots():
    """The cubie and the direction of each sticker, in the order in which they are written."""
    found = []
    for face, out in OUTWARD.items():
        right = cross(out, DOWN[face])
        for row in (-1, 0, 1):
            for column in (-1, 0, 1):
                parts = zip(out, DOWN[face], right, strict=True)
                found.append((tuple(o + row * d + column * r for o, d, r in parts), out))
    return found


SPOTS = spots()
LAYERS = {
    **{face: (face, (1,)) for face in OUTWARD},
    **{face + "w": (face, (1, 0)) for face in OUTWARD},
    **{face.lower(): (face, (1, 0)) for face in OUTWARD},
    **{name: (face, (0,)) for name, face in zip("MES", "LDF", strict=True)},
    **{name: (face, (1, 0, -1)) for name, face in zip("xyz", "RUF", strict=True)},
}
"""About which face each move turns, and the layers along that axis that it turns."""


def turn(stickers, name):
    """The stickers after one quarter turn."""
    face, layers = LAYERS[name]
    axis = OUTWARD[face]
    after = {}
    for (cubie, out), colour in zip(SPOTS, stickers, strict=True):
        if dot(cubie, axis) in layers:
            cubie, out = turned(cubie, axis), turned(out, axis)  # noqa: PLW2901
        after[cubie, out] = colour
    return "".join(after[spot] for spot in SPOTS)


def play(moves, stickers=SOLVED):
    """The stickers after moves like `R U2 F'`, of which slices and rotations move the centres."""
    for word in moves.split():
        name, count, back = re.fullmatch(r"([A-Za-z]w?)(2?)('?)", word).groups()
        for _ in range((int(count or 1) * (3 if back else 1)) % 4):
            stickers = turn(stickers, name)
    return stickers


def held(stickers):
    """The cube held so that its centres are where they belong."""
    for tilt in ("", "x", "x2", "x'", "z", "z'"):
        for spin in ("", "y", "y2", "y'"):
            after = play(f"{tilt} {spin}", stickers)
            if after[4::9] == SOLVED[4::9]:
                return after
    raise AssertionError(f"{stickers} is no cube")
