"""What the key `searchkit` of a file kpuzzle says, which other programs pass over.

`faces` have a letter, a colour and a name; `stickers` by orbit and place a face, x and y, as in
`searchkit.pieces.facelets`; `words` stand for sequences.
"""

from __future__ import annotations

import math
from typing import Any

import attrs

from searchkit.pieces.definition import Definition
from searchkit.pieces.facelet_lines import colour_named
from searchkit.pieces.facelets import Face, Facelets, Sticker
from searchkit.pieces.json_document import Document, Path
from searchkit.pieces.sequences import read_sequence


def with_looks(document: Document, definition: Definition) -> Definition:
    """The definition with what the key `searchkit` says of it."""
    part: Path = ("searchkit",)
    if not document.part(part, dict, '{"faces": ...}', {}):
        return definition
    faces, stickers = [], {}
    listed = document.part((*part, "faces"), list, '[["U", "white", "up"]]', [])
    for number in range(len(listed)):
        where: Path = (*part, "faces", number)
        words = document.part(where, list, '["U", "white", "up"]')
        if not 1 <= len(words) <= 3 or not all(isinstance(word, str) for word in words):
            document.refuse(where, 'write a letter, a colour and a name: ["U", "white", "up"]')
        faces.append(
            document.trying(where, lambda: Face(words[0], colour_named(*words[1:2]), *words[2:]))  # noqa: B023
        )
    for orbit in document.part((*part, "stickers"), dict, '{"EDGES": ...}', {}):
        where = (*part, "stickers", orbit)
        places = document.part(where, list, '[[["U", 6, 1], ["R", 9, 4]], ...]')
        stickers[orbit] = [
            _stickers(document, (*where, place), document.part((*where, place), list, "[]"))
            for place in range(len(places))
        ]
        parts = {orbit: stickers[orbit]}
        looks = document.trying(where, lambda: Facelets(faces, parts))  # noqa: B023
        document.trying(where, lambda: attrs.evolve(definition, facelets=looks))  # noqa: B023
    if stickers:
        whole = document.trying((*part, "stickers"), lambda: Facelets(faces, stickers))
        definition = attrs.evolve(definition, facelets=whole)
    for word in document.part((*part, "words"), dict, '{"Rw": "L x"}', {}):
        where = (*part, "words", word)
        known = {**definition.words, word: document.part(where, str, '"L x"')}
        document.trying(where, lambda: read_sequence(definition, known[word]))  # noqa: B023
        definition = document.trying(where, lambda: attrs.evolve(definition, words=known))  # noqa: B023
    return definition


def _stickers(document: Document, path: Path, listed: list[Any]) -> list[Sticker]:
    for number, each in enumerate(listed):
        if (
            not isinstance(each, list)
            or [type(value) in (int, float) for value in each] != [False, True, True]
            or not all(math.isfinite(value) for value in each[1:])
        ):
            document.refuse((*path, number), 'write a face and where it is on the net: ["U", 6, 1]')
    return [Sticker(str(face), x, y) for face, x, y in listed]


def keys_of(definition: Definition) -> dict[str, Any]:
    """The key `searchkit`, if there is anything to say."""
    found: dict[str, Any] = {}
    if definition.facelets is not None:
        found["faces"] = [
            [face.letter, face.colour.value, face.name] for face in definition.facelets.faces
        ]
        found["stickers"] = {
            orbit: [[[each.face, each.x, each.y] for each in place] for place in places]
            for orbit, places in definition.facelets.stickers.items()
        }
    if definition.words:
        found["words"] = dict(definition.words)
    return {"searchkit": found} if found else {}
