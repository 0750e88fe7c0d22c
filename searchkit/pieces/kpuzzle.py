"""Definitions in the JSON format kpuzzle.

`orbits` are listed with `orbitName`, `numPieces` and `numOrientations`, `defaultPattern` is the
solved state (where it is left out, all pieces differ and are in their places), `moves` have for
each orbit a `permutation` (the place that each piece comes from) and an `orientationDelta` (what is
added where it arrives); all is numbered from 0. `derivedMoves` are sequences of other moves, and
moves themselves.

What the key `searchkit` says, other programs pass over: `faces` have a letter, a colour and a name;
`stickers` by orbit and place a face, x and y, as in `searchkit.pieces.facelets`; `words` stand for
sequences.
"""

from __future__ import annotations

import json
import math
from collections.abc import Callable, Mapping
from functools import partial
from graphlib import CycleError, TopologicalSorter
from json.decoder import JSONDecoder
from typing import Any, NoReturn, TypeVar

import attrs

from searchkit.errors import ParseError, UsageError
from searchkit.pieces.changes import Change
from searchkit.pieces.definition import Definition, Move, Orbit
from searchkit.pieces.facelets import Face, Sticker
from searchkit.pieces.patterns import Pattern, Row, pattern_of, solved
from searchkit.pieces.sequences import moves_in, read_sequence
from searchkit.pieces.tws import (
    MOST_PLACES,
    FaceletLines,
    check_can_be_written,
    colour_named,
    is_rotation,
)
from searchkit.texts.amounts import plural, quoted

T = TypeVar("T")
Path = tuple[str | int, ...]
_BLANKS = " \t\r\n"


def _unique(name: str, pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    """An object of a document of that name, in which no key may stand twice."""
    found = dict(pairs)
    if len(found) < len(pairs):
        keys = [key for key, _ in pairs]
        twice = quoted(next(key for key in keys if keys.count(key) > 1))
        raise ParseError(f"{name}: {twice} stands twice in one object; keep one")
    return found


@attrs.frozen
class Document:
    """A JSON document whose parts are asked for by their path; errors name it, and its line."""

    text: str
    name: str
    root: Any

    @classmethod
    def read(cls, text: str, name: str) -> Document:
        """The document; `ParseError` if `text` is not JSON."""
        try:
            return cls(text, name, json.loads(text, object_pairs_hook=partial(_unique, name)))
        except json.JSONDecodeError as error:
            raise ParseError(
                f"{name}, line {error.lineno}: this is not JSON: {error.msg}"
            ) from error
        except (RecursionError, ValueError) as error:
            raise ParseError(f"{name} is not JSON that can be read: {error}") from error

    def refuse(self, path: Path, message: object) -> NoReturn:
        """Raise `ParseError` for the part at `path`."""
        line = self.text.count("\n", 0, _position(self.text, path)) + 1
        shown = "".join(f"[{each}]" if isinstance(each, int) else f".{each}" for each in path)
        raise ParseError(f"{self.name}, line {line}, {shown.removeprefix('.') or 'all'}: {message}")

    def part(self, path: Path, kind: type[T], example: str, default: T | None = None) -> T:
        """The part at `path`, which must be of a kind; `default` where it is not there."""
        value = self.root
        for depth, key in enumerate(path):
            if isinstance(value, dict) and key not in value:
                if default is not None and depth == len(path) - 1:
                    return default
                self.refuse(path[:depth], f"{quoted(key)} is missing; write {example}")
            value = value[key]
        if type(value) is not kind:
            self.refuse(path, f"this must be {_KINDS[kind]}, like {example}")
        return value

    def numbers(
        self, path: Path, count: int, first: int | None = None, least: int = 0
    ) -> list[int] | None:
        """The list of `count` whole numbers from `least` at `path`; None if it is not there.

        With `first`, it must be there.
        """
        example = f"[{', '.join(map(str, range(min(count, 3))))}{', ...' if count > 3 else ''}]"
        values = self.part(path, list, example, None if first is not None else [])
        if not values and first is None:
            return None
        if len(values) != count:
            self.refuse(path, f"{plural(len(values), 'number')} for {plural(count, 'place')}")
        for place, value in enumerate(values):
            if type(value) is not int or not least <= value < 1 << 30:
                self.refuse((*path, place), f"{quoted(value)} must be a whole number from {least}")
        return values

    def trying(self, path: Path, make: Callable[..., T], *given: Any) -> T:
        """What `make` returns of what it is given; what it refuses is an error at `path`."""
        try:
            return make(*given)
        except ParseError as error:
            if str(error).startswith(self.name):
                raise
            self.refuse(path, error)
        except UsageError as error:
            self.refuse(path, error)


_KINDS: Mapping[Any, str] = {
    dict: "an object",
    list: "a list",
    str: "a text",
    int: "a whole number",
}


def _position(text: str, path: Path) -> int:
    """Where the part at `path` begins, or what is there of it. O(length * depth)."""
    decode = JSONDecoder().raw_decode
    here = _skip(text, 0)
    for key in path:
        opened = text[here]
        inside = _skip(text, here + 1)
        number = 0
        while text[inside] not in "]}":
            name: str | int = number
            begin = inside
            if opened == "{":
                name, inside = decode(text, inside)
                inside = _skip(text, _skip(text, inside) + 1)
                begin = inside
            if name == key:
                here = begin
                break
            inside = _skip(text, decode(text, inside)[1])
            if text[inside] == ",":
                inside = _skip(text, inside + 1)
            number += 1
        else:
            return here
    return here


def _skip(text: str, position: int) -> int:
    while position < len(text) and text[position] in _BLANKS:
        position += 1
    return position


DERIVED = ("derivedMoves", "experimentalDerivedMoves")
MOST_NAMED = 6
"""Of moves that are made of one another, in a message."""


def read_kpuzzle(text: str, name: str = "the definition") -> Definition:
    """The definition that a JSON text describes; `name` is what messages call it.

    Raises `ParseError` that names the line, the part, and what would be right.
    """
    document = Document.read(text, name)
    document.part((), dict, '{"name": ..., "orbits": ..., "moves": ...}')
    title = document.part(("name",), str, '"3x3x3"', "puzzle")
    orbits = _orbits(document)
    known = {orbit.name: orbit for orbit in orbits}
    moves: dict[str, Move] = {}
    for move, changes in document.part(("moves",), dict, '{"R": ...}').items():
        moves[move] = _move(document, ("moves", move), move, changes, known)
    if not moves:
        document.refuse(("moves",), "there is no move; add one")
    for part in DERIVED:
        _derive(document, part, Definition(title, orbits, list(moves.values())), moves)
    turning = [move for move in moves.values() if not is_rotation(move.name)]
    if not turning:
        document.refuse(("moves",), "all are rotations (x, y, z, names that end in v); add a move")
    rotations = [move for move in moves.values() if is_rotation(move.name)]
    definition = document.trying((), Definition, title, orbits, turning, rotations)
    return _with_looks(document, definition)


def _orbits(document: Document) -> list[Orbit]:
    orbits: list[Orbit] = []
    given = document.part(("defaultPattern",), dict, '{"EDGES": {"pieces": ...}}', {})
    if isinstance(document.part((), dict, "{}").get("orbits"), dict):
        document.refuse(
            ("orbits",),
            "this is of the old form, with startPieces; write a list of orbits, "
            "defaultPattern, and permutation and orientationDelta in moves",
        )
    listed = document.part(("orbits",), list, '[{"orbitName": "EDGES", "numPieces": 12, ...}]')
    for number in range(len(listed)):
        path: Path = ("orbits", number)
        document.part(path, dict, '{"orbitName": "EDGES", "numPieces": 12, "numOrientations": 2}')
        name = document.part((*path, "orbitName"), str, '"EDGES"')
        places = document.part((*path, "numPieces"), int, "12")
        orientations = document.part((*path, "numOrientations"), int, "2")
        orbit = document.trying(path, Orbit, name, places, orientations)
        if sum(each.places for each in orbits) + places > MOST_PLACES:
            document.refuse(path, f"the orbits have more than {MOST_PLACES:,} places in all")
        where: Path = ("defaultPattern", name)
        if name in given and document.part(where, dict, "{}"):
            pieces, turned, counted = _contents(document, where, orbit)
            orbit = document.trying(
                where, Orbit, name, places, orientations, pieces, turned, counted
            )
        orbits.append(orbit)
    for name in given:
        if name not in [orbit.name for orbit in orbits]:
            document.refuse(("defaultPattern", name), f"there is no orbit {quoted(name)}")
    return orbits


def _contents(
    document: Document, path: Path, orbit: Orbit
) -> tuple[list[int], list[int], list[int]]:
    """The labels, orientations and what those are counted modulo, of a pattern of an orbit."""
    pieces = document.numbers((*path, "pieces"), orbit.places, 0) or []
    turned = document.numbers((*path, "orientation"), orbit.places) or [0] * orbit.places
    counted = document.numbers((*path, "orientationMod"), orbit.places) or [0] * orbit.places
    for place, modulus in enumerate(counted):
        if modulus and orbit.orientations % modulus:
            document.refuse(
                (*path, "orientationMod", place),
                f"{modulus} must be 0 or a divisor of {orbit.orientations}",
            )
    for place, turn in enumerate(turned):
        if turn >= orbit.orientations:
            document.refuse(
                (*path, "orientation", place), f"{turn} must be below {orbit.orientations}"
            )
    return pieces, turned, [modulus or orbit.orientations for modulus in counted]


def _move(
    document: Document, path: Path, name: str, changes: Any, known: Mapping[str, Orbit]
) -> Move:
    found = {}
    for each in document.part(path, dict, '{"EDGES": {"permutation": ...}}'):
        where = (*path, each)
        document.part(where, dict, '{"permutation": [1, 0], "orientationDelta": [0, 0]}')
        if each not in known:
            document.refuse(where, f"there is no orbit {quoted(each)}; known: {', '.join(known)}")
        orbit = known[each]
        sources = document.numbers((*where, "permutation"), orbit.places, 0) or []
        count = orbit.orientations
        listed = document.numbers((*where, "orientationDelta"), orbit.places, least=1 - count)
        turns = [turn + count if turn < 0 else turn for turn in listed or ()]
        found[each] = document.trying(where, Change, sources, turns, count)
    return document.trying(path, Move, name, found)


def _derive(document: Document, part: str, base: Definition, moves: dict[str, Move]) -> None:
    """Add the moves that are sequences of others, each after those that it is made of."""
    sequences = document.part((part,), dict, '{"Uw": "u"}', {})
    known = {*moves, *sequences}
    made_of: dict[str, list[str]] = {}
    for name in sequences:
        if name in moves:
            document.refuse((part, name), "there is a move of that name; keep one")
        text = document.part((part, name), str, '"R L\'"')
        within = document.trying((part, name), moves_in, known, text)
        made_of[name] = sorted(within & set(sequences))
    try:
        order = list(TopologicalSorter(made_of).static_order())
    except CycleError as error:
        names = error.args[1][::-1]
        document.refuse(
            (part, names[0]),
            f"this is made of itself: {' of '.join(map(quoted, names[:MOST_NAMED]))}"
            f"{' ...' if len(names) > MOST_NAMED else ''}; write one of them with other moves",
        )
    motions = {name: base.motion(move) for name, move in moves.items()}
    for name in order:
        where = part, name
        motions[name] = document.trying(where, read_sequence, base, sequences[name], motions)
        changes = {o.name: each for o, each in zip(base.orbits, motions[name], strict=True)}
        moves[name] = document.trying(where, Move, name, changes)


def read_pattern(definition: Definition, text: str, name: str = "the pattern") -> Pattern:
    """The state that a JSON pattern describes; an orbit that is left out is solved."""
    document = Document.read(text, name)
    known = [orbit.name for orbit in definition.orbits]
    for each in document.part((), dict, '{"EDGES": {"pieces": ...}}'):
        if each not in known and not each.startswith("$"):
            document.refuse((each,), f"there is no orbit {quoted(each)}; known: {', '.join(known)}")
    rows: list[Row] = []
    for orbit, row in zip(definition.orbits, solved(definition), strict=True):
        if document.part((orbit.name,), dict, "{}", {}):
            pieces, turned, _ = _contents(document, (orbit.name,), orbit)
            given = document.numbers((orbit.name, "orientationMod"), orbit.places)
            counted = [modulus or None for modulus in given or [0] * orbit.places]
            contents = orbit, pieces, turned, counted
            row = document.trying((orbit.name,), pattern_of, *contents)  # noqa: PLW2901
        rows.append(row)
    return tuple(rows)


def write_kpuzzle(definition: Definition) -> str:
    """The definition as JSON, which `read_kpuzzle` gives back; `UsageError` if it cannot be."""
    check_can_be_written(definition)
    if definition.is_bandaged:
        raise UsageError("this format cannot say which states are illegal; write the text format")
    every = (*definition.moves, *definition.rotations)
    whole = {
        "name": definition.name,
        "orbits": [
            {"orbitName": o.name, "numPieces": o.places, "numOrientations": o.orientations}
            for o in definition.orbits
        ],
        "defaultPattern": {
            orbit.name: {
                "pieces": list(orbit.pieces),
                "orientation": list(orbit.turned),
                "orientationMod": [
                    0 if counted == orbit.orientations else counted for counted in orbit.counted
                ],
            }
            for orbit in definition.orbits
        },
        "moves": {
            move.name: {
                name: {"permutation": list(change.sources), "orientationDelta": list(change.turns)}
                for name, change in move.changes.items()
            }
            for move in every
        },
        **keys_of(definition),
    }
    return json.dumps(whole, ensure_ascii=False) + "\n"


def _with_looks(document: Document, definition: Definition) -> Definition:
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
        colour = document.trying(where, colour_named, *words[1:2])
        faces.append(document.trying(where, Face, words[0], colour, *words[2:]))
    for orbit in document.part((*part, "stickers"), dict, '{"EDGES": ...}', {}):
        where = (*part, "stickers", orbit)
        places = document.part(where, list, '[[["U", 6, 1], ["R", 9, 4]], ...]')
        stickers[orbit] = [
            _stickers(document, (*where, place), document.part((*where, place), list, "[]"))
            for place in range(len(places))
        ]
    sequences = {
        word: document.part((*part, "words", word), str, '"L x"')
        for word in document.part((*part, "words"), dict, '{"Rw": "L x"}', {})
    }

    keys = {"Word": "words", "Stickers": "stickers"}
    return FaceletLines(faces, stickers, sequences).added_to(
        definition,
        lambda what, name: partial(document.trying, (*part, keys[what], *[name] * bool(name))),
    )


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
