"""The corners of a cube: their places, how turns of faces move and twist them, and packing.

A corner is named by its three faces, clockwise from the one that is up or down. A corner that is
twisted by `t` at a place shows its first colour on the face number `t` of that place's name. That
is all that is written here by hand; the rest follows from which face each turn takes to which.
"""

from __future__ import annotations

from functools import cache
from itertools import product

from searchkit.heuristic import distances_from

FACES = "URFDLB"
CORNERS = ("URF", "UFL", "ULB", "UBR", "DFR", "DLF", "DRB", "DBL")
"""The places; corner `i` belongs to place `i`. The last corner is held and never moves."""
PIECES = 7
"""How many corners move."""

Field = tuple[int, int]
"""The place and the twist of a corner."""

AROUND = {"U": "FLBR", "R": "FUBD", "F": "URDL", "D": "FRBL", "L": "FDBU", "B": "ULDR"}
"""The faces that a clockwise turn of a face takes each to the next."""

TURNED = ("U", "R", "F")
TURNS = ("", "2", "'")
ACTIONS = tuple(face + turn for face, turn in product(TURNED, TURNS))
"""Turns of the faces away from the held corner, by the number of their operator."""

BITS = 5
"""A corner takes five bits: its place, and above it in two bits its twist."""
TWIST = 3
FIELD = (1 << BITS) - 1
EVERY = sum(1 << BITS * piece for piece in range(PIECES))
PLACES = 7 * EVERY


def face_map(face: str, quarters: int = 1) -> dict[str, str]:
    """Where turning the whole cube like `face` takes each face."""
    ring = AROUND[face]
    turned = {each: ring[(i + quarters) % 4] for i, each in enumerate(ring)}
    return {each: turned.get(each, each) for each in FACES}


def moved(field: Field, faces: dict[str, str]) -> Field:
    """Where a corner comes to if the face under each of its stickers moves as given."""
    place, twist = field
    name = "".join(faces[face] for face in CORNERS[place])
    for target, corner in enumerate(CORNERS):
        if set(corner) == set(name):
            return target, corner.index(name[twist])
    raise AssertionError(f"{name} is not a corner")


@cache
def turn_of(action: str) -> dict[Field, Field]:
    """Where a turn of a face, such as `R2`, takes a corner from every place and twist."""
    face = action[0]
    faces = face_map(face, 1 + TURNS.index(action[1:]))
    return {
        (place, twist): moved((place, twist), faces) if face in CORNERS[place] else (place, twist)
        for place, twist in product(range(len(CORNERS)), range(3))
    }


@cache
def turn_table() -> tuple[tuple[int, ...], ...]:
    """What each operator makes of the five bits of a corner."""
    table = []
    for action in ACTIONS:
        row = [0] * (FIELD + 1)
        for (place, twist), (target, new_twist) in turn_of(action).items():
            if place < PIECES:
                row[place | twist << TWIST] = target | new_twist << TWIST
        table.append(tuple(row))
    return tuple(table)


@cache
def whole_turns() -> tuple[dict[Field, Field], ...]:
    """What the 24 ways to turn the whole cube do to a corner at every place and twist."""
    turns = [face_map("U"), face_map("R")]
    found = distances_from(
        FACES, lambda faces: ("".join(turn[face] for face in faces) for turn in turns)
    )
    fields = list(product(range(len(CORNERS)), range(3)))
    maps = [dict(zip(FACES, faces, strict=True)) for faces in found]
    return tuple({field: moved(field, faces) for field in fields} for faces in maps)


def pack(fields: list[Field]) -> int:
    """The word of a cube: five bits for each corner but the held one."""
    return sum(
        (place | twist << TWIST) << BITS * piece
        for piece, (place, twist) in enumerate(fields[:PIECES])
    )


def unpack(state: int) -> list[Field]:
    """The place and twist of every corner, the held one last."""
    fields = [state >> BITS * piece & FIELD for piece in range(PIECES)]
    return [*((field & 7, field >> TWIST) for field in fields), (PIECES, 0)]


SOLVED = pack([(piece, 0) for piece in range(PIECES)])


def hold(fields: list[Field]) -> list[Field]:
    """The corners after the whole cube was turned so that the held corner is at home.

    >>> hold([(place, twist) for place, twist in map(turn_of("L").get, home())])[7]
    (7, 0)
    """
    for turn in whole_turns():
        if turn[fields[PIECES]] == (PIECES, 0):
            return [turn[field] for field in fields]
    raise AssertionError("every corner can be turned home")


def home() -> list[Field]:
    """The corners of a solved cube."""
    return [(place, 0) for place in range(len(CORNERS))]
