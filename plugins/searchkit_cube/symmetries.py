"""Symmetries: the cube turned or mirrored about the axis through the held corner.

The colours are renamed by the same map, so that a solved cube stays one. A mirror takes clockwise
turns to anticlockwise ones.
"""

from __future__ import annotations

from functools import cache, partial
from itertools import permutations, product

from searchkit import Symmetry
from searchkit_cube.corners import (
    ACTIONS,
    CORNERS,
    PIECES,
    TURNED,
    TURNS,
    Field,
    moved,
    pack,
    unpack,
)

OPPOSITE = {"U": "D", "R": "L", "F": "B", "D": "U", "L": "R", "B": "F"}


def cube_symmetries(goal: int) -> list[Symmetry[int, str]]:
    """Those that take the goal to itself, the identity first."""
    return [symmetry for symmetry in _symmetries() if symmetry.state_map(goal) == goal]


@cache
def _symmetries() -> tuple[Symmetry[int, str], ...]:
    found = []
    for images in permutations(TURNED):
        faces = dict(zip(TURNED, images, strict=True))
        faces |= {OPPOSITE[face]: OPPOSITE[image] for face, image in faces.items()}
        mirrored = _parity(images) == 1
        kind = "identity" if images == TURNED else "mirror" if mirrored else "turn"
        name = kind if kind == "identity" else f"{kind} {''.join(TURNED)} to {''.join(images)}"
        actions = {
            action: faces[action[0]] + (_reversed(action[1:]) if mirrored else action[1:])
            for action in ACTIONS
        }
        state_map = partial(_map_state, tuple(_corner_map(faces, i) for i in range(PIECES)))
        found.append(Symmetry(name, state_map, actions.__getitem__))
    return tuple(found)


def _corner_map(faces: dict[str, str], number: int) -> tuple[int, dict[Field, Field]]:
    """Which corner a corner becomes, and where that is, by the place and twist of the first."""
    becomes, _ = moved((number, 0), faces)
    # The colour that counts for the twist of the image is this one of the corner's colours.
    colour = [faces[face] for face in CORNERS[number]].index(CORNERS[becomes][0])
    fields = product(range(PIECES), range(3))
    return becomes, {
        (place, twist): moved((place, (colour + twist) % 3), faces) for place, twist in fields
    }


def _map_state(maps: tuple[tuple[int, dict[Field, Field]], ...], state: int) -> int:
    fields = unpack(state)
    images = list(fields)
    for field, (number, where) in zip(fields, maps, strict=False):
        images[number] = where[field]
    return pack(images)


def _reversed(turn: str) -> str:
    return TURNS[len(TURNS) - 1 - TURNS.index(turn)]


def _parity(images: tuple[str, ...]) -> int:
    order = [TURNED.index(image) for image in images]
    return sum(order[i] > order[j] for i in range(3) for j in range(i + 1, 3)) % 2
