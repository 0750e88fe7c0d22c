"""Known permutation puzzles as definitions, made from their geometry or from formulas."""

from __future__ import annotations

from itertools import product

from searchkit.pieces import Change, Definition, Move, Orbit

FACES = "URFDLB"
AROUND = {"U": "FLBR", "R": "FUBD", "F": "URDL", "D": "FRBL", "L": "FDBU", "B": "ULDR"}
CORNERS = ("UFR", "URB", "UBL", "ULF", "DRF", "DFL", "DLB", "DBR")
EDGES = ("UF", "UR", "UB", "UL", "DF", "DR", "DB", "DL", "FR", "FL", "BR", "BL")


def by_faces(names, faces, moved, orientations):
    """The change in which the pieces at `moved` go where `faces` takes each face of theirs."""
    sources, turns = list(range(len(names))), [0] * len(names)
    for place in moved:
        after = [faces.get(face, face) for face in names[place]]
        target = next(i for i, name in enumerate(names) if set(name) == set(after))
        sources[target] = place
        if orientations > 1:
            turns[target] = names[target].index(after[0])
    return Change(sources, turns, orientations)


def ring(face, quarters=1):
    return {each: AROUND[face][(i + quarters) % 4] for i, each in enumerate(AROUND[face])}


def at(names, face):
    return [place for place, name in enumerate(names) if face in name]


def cube3(faces=FACES, powers=True):
    return Definition(
        "3x3x3",
        [Orbit("corners", 8, 3), Orbit("edges", 12, 2)],
        [
            Move(
                face,
                {
                    "corners": by_faces(CORNERS, ring(face), at(CORNERS, face), 3),
                    "edges": by_faces(EDGES, ring(face), at(EDGES, face), 2),
                },
            )
            for face in faces
        ],
        [
            Move(
                name,
                {
                    "corners": by_faces(CORNERS, ring(face), range(8), 3),
                    "edges": by_faces(EDGES, ring(face), range(12), 2),
                },
            )
            for name, face in zip("xyz", "RUF", strict=True)
        ],
        powers,
    )


def cube2(faces="URF", powers=True):
    return Definition(
        "2x2x2",
        [Orbit("corners", 8, 3)],
        [
            Move(face, {"corners": by_faces(CORNERS, ring(face), at(CORNERS, face), 3)})
            for face in faces
        ],
        (),
        powers,
    )


def pyraminx():
    """Faces A to D, a tip opposite each of them: without the tips, four axial pieces, six edges."""
    axials = ("BCD", "CAD", "ABD", "BAC")
    edges = ("AB", "AC", "AD", "BC", "BD", "CD")
    moves = []
    for place, name in enumerate(axials):
        faces = dict(zip(name, name[1:] + name[:1], strict=True))
        touched = [i for i, edge in enumerate(edges) if set(edge) <= set(name)]
        moves.append(
            Move(
                "abcd"[place],
                {
                    "axials": by_faces(axials, faces, [place], 3),
                    "edges": by_faces(edges, faces, touched, 2),
                },
            )
        )
    return Definition("pyraminx", [Orbit("axials", 4, 3), Orbit("edges", 6, 2)], moves)


OPPOSITE = dict(zip("URFDLB", "DLBURF", strict=True))


def third(corner):
    """How a third of a turn about a corner takes faces to each other."""
    faces = dict(zip(corner, corner[1:] + corner[:1], strict=True))
    return faces | {OPPOSITE[one]: OPPOSITE[other] for one, other in faces.items()}


def skewb():
    """Turned about the four corners of one tetrahedron, so that the other four hold it."""
    turning = ("UFR", "UBL", "DFL", "DBR")
    moves = []
    for name in turning:
        touched = [i for i, each in enumerate(CORNERS) if len(set(each) & set(name)) >= 2]
        moves.append(
            Move(
                name,
                {
                    "corners": by_faces(CORNERS, third(name), touched, 3),
                    "centres": by_faces(FACES, third(name), [FACES.index(f) for f in name], 1),
                },
            )
        )
    return Definition("skewb", [Orbit("corners", 8, 3), Orbit("centres", 6)], moves)


def dino():
    return Definition(
        "dino",
        [Orbit("edges", 12)],
        [
            Move(
                name,
                {
                    "edges": by_faces(
                        EDGES,
                        third(name),
                        [i for i, each in enumerate(EDGES) if set(each) <= set(name)],
                        1,
                    )
                },
            )
            for name in CORNERS
        ],
    )


def loopover(size=3):
    moves = []
    for line in range(size):
        row = [size * line + i for i in range(size)]
        column = [size * i + line for i in range(size)]
        for letter, cells in (("H", row), ("V", column)):
            sources = list(range(size * size))
            for here, there in zip(cells, cells[1:] + cells[:1], strict=True):
                sources[there] = here
            moves.append(Move(f"{line + 1}{letter}", {"tiles": Change(sources)}))
    return Definition(f"loopover {size}", [Orbit("tiles", size * size)], moves)


def m24():
    """The Mathieu group on the projective line over the field of 23 elements (J. H. Conway)."""
    squares = {x * x % 23 for x in range(1, 23)}
    infinity = 23

    def of(function):
        return Change([function(x) for x in range(24)])

    def twisted(x):
        if x in (0, infinity):
            return x
        return x**3 * pow(9, -1, 23) % 23 if x in squares else 9 * x**3 % 23

    def negated(x):
        return {0: infinity, infinity: 0}[x] if x in (0, infinity) else -pow(x, -1, 23) % 23

    changes = {
        "R": of(lambda x: x if x == infinity else (x + 1) % 23),
        "S": of(negated),
        "T": of(twisted),
    }
    return Definition(
        "M24", [Orbit("points", 24)], [Move(n, {"points": c}) for n, c in changes.items()]
    )


def topspin(size=20, turnstile=4, labels=()):
    flipped = [*reversed(range(turnstile)), *range(turnstile, size)]
    return Definition(
        f"Top-Spin {size}",
        [Orbit("tokens", size, pieces=labels)],
        [
            Move("s", {"tokens": Change([*range(1, size), 0])}),
            Move("f", {"tokens": Change(flipped)}),
        ],
        powers=False,
    )


def turnstile():
    """Two rings of six with a place in common, of corners and edges."""

    def rings(size, places):
        changes = []
        for cells in places:
            sources = list(range(size))
            for here, there in zip(cells, cells[1:] + cells[:1], strict=True):
                sources[here] = there
            changes.append(Change(sources))
        return changes

    corners = rings(10, ([0, 1, 2, 3, 4, 5], [4, 9, 8, 7, 6, 5]))
    edges = rings(11, ([0, 1, 2, 3, 4, 5], [5, 10, 9, 8, 7, 6]))
    return Definition(
        "turnstile",
        [Orbit("corners", 10), Orbit("edges", 11)],
        [
            Move(name, {"corners": corner, "edges": edge})
            for name, corner, edge in zip("RL", corners, edges, strict=True)
        ],
    )


def cubes(size):
    """The cube of any size with one move for each layer but the middle ones; centres look alike."""
    axes = {"R": (0, 1), "L": (0, -1), "U": (1, 1), "D": (1, -1), "F": (2, 1), "B": (2, -1)}
    edge = size - 1
    places = [p for p in product(range(-edge, size, 2), repeat=3) if max(map(abs, p)) == edge]

    def stickers(place):
        found = [
            tuple((c > 0) - (c < 0) if j == i else 0 for j in range(3))
            for i, c in enumerate(place)
            if abs(c) == edge
        ]
        if len(found) == 3:  # always clockwise as seen from outside
            a, b, c = found
            cross = [a[i - 2] * b[i - 1] - a[i - 1] * b[i - 2] for i in range(3)]
            if sum(x * y for x, y in zip(cross, c, strict=True)) > 0:
                found = [a, c, b]
        return found

    def turned(vector, axis, sign):
        i, j = (axis + 1) % 3, (axis + 2) % 3
        after = list(vector)
        after[i], after[j] = sign * vector[j], -sign * vector[i]
        return tuple(after)

    moves = {}
    for name, (axis, sign) in axes.items():
        for layer in range(size // 2):
            depth = sign * (edge - 2 * layer)
            moves[f"{layer + 1 if layer else ''}{name}"] = (
                {p: turned(p, axis, sign) for p in places if p[axis] == depth},
                (axis, sign),
            )
    left, orbits = set(places), []
    while left:
        todo = [min(left)]
        found = set(todo)
        while todo:
            place = todo.pop()
            for after, _ in moves.values():
                if after.get(place, place) not in found:
                    found.add(after[place])
                    todo.append(after[place])
        left -= found
        if len(found) > 1:
            orbits.append(sorted(found))
    described, changes = [], {name: {} for name in moves}
    for number, found in enumerate(orbits):
        kinds = len(stickers(found[0]))
        orientations = {8: 3, 12: 2}.get(len(found), 1)
        name = f"{('centre', 'edge', 'corner')[kinds - 1]}{number}"
        faces = sorted({stickers(p)[0] for p in found})
        labels = [faces.index(stickers(p)[0]) for p in found] if kinds == 1 else ()
        described.append(Orbit(name, len(found), orientations, labels))
        for move, (after, (axis, sign)) in moves.items():
            sources, turns = list(range(len(found))), [0] * len(found)
            for place in found:
                if place in after:
                    target = found.index(after[place])
                    sources[target] = found.index(place)
                    if orientations > 1:
                        first = turned(stickers(place)[0], axis, sign)
                        turns[target] = stickers(after[place]).index(first)
            changes[move][name] = Change(sources, turns, orientations)
    return Definition(
        f"{size}x{size}x{size}", described, [Move(name, each) for name, each in changes.items()]
    )


def mirrored():
    """Two cycles of corners and edges, each the mirror image of the other."""

    def change(corners, edges):
        return {
            "corners": Change.cycles(corners, 4, 3),
            "edges": Change.cycles(edges, 5, 2),
        }

    return Definition(
        "mirrored",
        [Orbit("corners", 4, 3), Orbit("edges", 5, 2)],
        [
            Move("A", change("(0+1 1+2 2)", "(0+1 1 2 3)")),
            Move("B", change("(3+2 2+1 1)", "(4+1 3 2 1)")),
        ],
        powers=False,
    )
