"""Puzzles that are known, made from their geometry: published sizes, by way of both formats."""

import math
from itertools import combinations, product
from pathlib import Path

import pytest

from searchkit.explore import explore
from searchkit.pieces import (
    Change,
    Definition,
    Group,
    Move,
    Orbit,
    Pieces,
    read,
    read_definition,
    write_kpuzzle,
    write_tws,
)
from tests.support.piece_puzzles import (
    FACES,
    by_faces,
    cubes,
    dino,
    pyraminx,
    skewb,
    third,
)

GOLDEN = (1 + 5**0.5) / 2


def with_tips():
    """The pyraminx, whose tips turn by themselves and with what is below them."""
    plain = pyraminx()
    tips = [Change.cycles(f"({place}+1)", 4, 3) for place in range(4)]
    moves = [
        Move(move.name, {**move.changes, "tips": tip})
        for move, tip in zip(plain.moves, tips, strict=True)
    ]
    moves += [Move(f"t{place}", {"tips": tip}) for place, tip in enumerate(tips)]
    return Definition("pyraminx", [*plain.orbits, Orbit("tips", 4, 3)], moves)


def ivy():
    """Four corners of a cube, each of which takes three faces round."""
    corners = ("UFR", "UBL", "DFL", "DBR")
    return Definition(
        "ivy",
        [Orbit("corners", 4, 3), Orbit("centres", 6)],
        [
            Move(
                name,
                {
                    "corners": Change.cycles(f"({place}+1)", 4, 3),
                    "centres": by_faces(FACES, third(name), [FACES.index(f) for f in name], 1),
                },
            )
            for place, name in enumerate(corners)
        ],
    )


def redi():
    """The dino with corners, which are twisted where they are."""
    moves = [
        Move(move.name, {**move.changes, "corners": Change.cycles(f"({place}+1)", 8, 3)})
        for place, move in enumerate(dino().moves)
    ]
    return Definition("redi", [*dino().orbits, Orbit("corners", 8, 3)], moves)


def by_normals(name, normals, order, edges):
    """A solid whose faces turn, with their corners, and their edges if wanted."""

    def dot(a, b):
        return sum(x * y for x, y in zip(a, b, strict=True))

    def cross(a, b):
        return tuple(a[i - 2] * b[i - 1] - a[i - 1] * b[i - 2] for i in range(3))

    def turned(vector, face):
        size = math.sqrt(dot(face, face))
        axis = tuple(x / size for x in face)
        angle = -math.tau / order
        along = dot(axis, vector) * (1 - math.cos(angle))
        return tuple(
            v * math.cos(angle) + c * math.sin(angle) + a * along
            for v, c, a in zip(vector, cross(axis, vector), axis, strict=True)
        )

    def nearest(vector):
        return max(range(len(normals)), key=lambda i: dot(normals[i], vector))

    next_to = max(round(dot(a, b), 6) for a, b in combinations(normals, 2))
    pairs = [
        p
        for p in combinations(range(len(normals)), 2)
        if round(dot(normals[p[0]], normals[p[1]]), 6) == next_to
    ]
    corners = [
        each
        if dot(cross(normals[each[0]], normals[each[1]]), normals[each[2]]) < 0
        else (each[0], each[2], each[1])
        for each in combinations(range(len(normals)), 3)
        if all(pair in pairs for pair in combinations(each, 2))
    ]
    orbits = [("corners", corners, 3)] + [("edges", pairs, 2)] * edges
    moves = []
    for face in range(len(normals)):
        after = {i: nearest(turned(each, normals[face])) for i, each in enumerate(normals)}
        changes = {
            kind: by_faces(pieces, after, [i for i, p in enumerate(pieces) if face in p], turns)
            for kind, pieces, turns in orbits
        }
        moves.append(Move(f"F{face}", changes))
    described = [Orbit(kind, len(pieces), turns) for kind, pieces, turns in orbits]
    return Definition(name, described, moves)


def megaminx(edges=True):
    normals = [
        tuple(each[(i - shift) % 3] for i in range(3))
        for each in ((0, a, b * GOLDEN) for a, b in product((1, -1), repeat=2))
        for shift in range(3)
    ]
    return by_normals("megaminx", normals, 5, edges)


def cuboid(*sizes):
    """Cubes in a box; where a layer is not square, it turns by a half. One cube stays in place."""
    places = list(product(*(range(size) for size in sizes)))
    places = [p for p in places if any(x in (0, n - 1) for x, n in zip(p, sizes, strict=True))]
    moves = {}
    for axis in range(3):
        i, j = (axis + 1) % 3, (axis + 2) % 3
        for side in {0, sizes[axis] - 1} if sizes[axis] > 2 else {0}:

            def after(place, i=i, j=j):
                found = list(place)
                if sizes[i] == sizes[j]:
                    found[i], found[j] = sizes[i] - 1 - place[j], place[i]
                else:
                    found[i], found[j] = sizes[i] - 1 - place[i], sizes[j] - 1 - place[j]
                return tuple(found)

            sources = list(range(len(places)))
            for number, place in enumerate(places):
                if place[axis] == side:
                    sources[places.index(after(place))] = number
            moves[f"{'xyz'[axis].upper()}{side}"] = sources
    return Definition(
        "cuboid",
        [Orbit("cubes", len(places))],
        [Move(name, {"cubes": Change(sources)}) for name, sources in moves.items()],
    )


def clock():
    """Nine dials in front and nine behind, whose corners go the other way round together."""
    front = ["UL", "U", "UR", "L", "C", "R", "DL", "D", "DR"]
    mirrored = ["UR", "U", "UL", "R", "C", "L", "DR", "D", "DL"]
    behind = [f"b{each}" for each in "ULCRD"]
    dials = [*front, *behind]
    pins = {"UL": "UL U L C", "UR": "UR U R C", "DL": "DL D L C", "DR": "DR D R C"}
    moves = []
    for side, own in (("f", front), ("b", mirrored)):
        for count in range(1, 5):
            for up in combinations(pins, count):
                turned = [0] * 14
                for dial in {dial for pin in up for dial in pins[pin].split()}:
                    if dial in pins:  # one wheel on both sides
                        number = front.index(mirrored[front.index(dial)] if side == "b" else dial)
                        turned[number] = 1 if side == "f" else 11
                    else:
                        turned[dials.index(dial if side == "f" else f"b{dial}")] = 1
                changes = {"dials": Change(range(14), turned, 12)}
                moves.append(Move(f"{side}{''.join(up)}", changes))
        assert set(own) == set(front)
    return Definition("clock", [Orbit("dials", 14, 12)], moves)


KNOWN = {
    "pyraminx": (with_tips, 75_582_720),
    "skewb": (skewb, 3_149_280),
    "ivy": (ivy, 29_160),
    "redi": (redi, 1_571_364_748_800),
    "kilominx": (lambda: megaminx(edges=False), 60 * 23_563_902_142_421_896_679_424_000),
    "megaminx": (
        megaminx,
        100669616553523347122516032313645505168688116411019768627200000000000,
    ),
    "tower": (lambda: cuboid(2, 2, 3), 241_920),
    "domino": (lambda: cuboid(3, 3, 2), 4 * 406_425_600),
    "clock": (clock, 1_283_918_464_548_864),
    "5x5x5": (
        lambda: cubes(5),
        282870942277741856536180333107150328293127731985672134721536000000000000000,
    ),
}


@pytest.mark.parametrize("name", KNOWN)
def test_sizes(name):
    """As J. Scherphuis's pages have them, in which nothing but the looks of the whole counts.

    Here the kilominx may be held in 60 ways, and the domino in four.
    """
    make, size = KNOWN[name]
    for write in (write_tws, write_kpuzzle):
        group = Group(read_definition(write(make())))
        assert group.count.states == size
        assert group.count.is_exact


def test_the_sample_of_the_format_is_the_pyraminx():
    """Layers without tips, as J. Scherphuis published them; the symmetries of the tetrahedron."""
    puzzle = Pieces.of(read(Path(__file__).parents[2] / "examples" / "pyraminx.tws"))
    assert explore(puzzle).layers == (
        1, 8, 48, 288, 1728, 9896, 51808, 220111, 480467, 166276, 2457, 32,
    )  # fmt: skip
    assert (puzzle.layout.symmetries.order, puzzle.layout.symmetries.mirrors) == (24, 12)
