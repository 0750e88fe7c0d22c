"""What lines `#: ...` of a file `.tws` say, which other programs take for comments.

    #: Face U white up
    #: Stickers corners
    #:   U 6,2  R 8,4  F 6,4
    #: Word Rw L x

`Face` has the letter of a face, its colour, and its name. `Stickers` has a line for each place of
a set, and there for each sticker its face and where it is on the net: see
`searchkit.pieces.facelets`.
`Word` is a name that can stand in sequences for another sequence.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Protocol, TypeVar

import attrs

from searchkit.errors import UsageError
from searchkit.picture import Colour
from searchkit.pieces.definition import Definition
from searchkit.pieces.facelets import Face, Facelets, Sticker
from searchkit.pieces.sequences import read_sequence
from searchkit.texts.amounts import quoted

T = TypeVar("T")
MARK = "#:"
KEYWORDS = ("Face", "Stickers", "Word")
_AT = re.compile(r"([0-9]{1,4}(?:\.[0-9]{1,3})?),([0-9]{1,4}(?:\.[0-9]{1,3})?)")
EXAMPLE = "'U 6,2  R 8,4'"


class Trying(Protocol):
    """Makes an error of a line from what is refused."""

    def __call__(self, line: int, make: Callable[[], T]) -> T:
        """What `make` returns."""


@attrs.define
class FaceletLines:
    """Takes lines one after another; raises `UsageError` for one that is wrong."""

    faces: list[Face] = attrs.field(factory=list)
    stickers: dict[str, list[list[Sticker]]] = attrs.field(factory=dict)
    words: dict[str, str] = attrs.field(factory=dict)
    lines: dict[tuple[str, str], int] = attrs.field(factory=dict)
    """The line in which a set or a word is named."""
    _places: list[list[Sticker]] | None = None

    def take(self, number: int, words: list[str]) -> None:
        """Read the words after the mark, of the line with a number."""
        if words[:1] not in ([each] for each in KEYWORDS):
            self._take_stickers(words)
            return
        keyword, *rest = words
        self.lines[keyword, rest[0] if rest else ""] = number
        self._places = None
        if keyword == "Face":
            if not 1 <= len(rest) <= 3:
                raise UsageError("write a letter, a colour and a name: '#: Face U white up'")
            self.faces.append(Face(rest[0], colour_named(*rest[1:2]), *rest[2:]))
        elif keyword == "Stickers":
            if len(rest) != 1 or rest[0] in self.stickers:
                raise UsageError("write the name of another set: '#: Stickers corners'")
            self._places = self.stickers[rest[0]] = []
        else:
            if len(rest) < 2 or rest[0] in self.words:
                raise UsageError("write another name and its moves: '#: Word Rw L x'")
            self.words[rest[0]] = " ".join(rest[1:])

    def _take_stickers(self, words: list[str]) -> None:
        if self._places is None:
            raise UsageError(
                f"{quoted(' '.join(words[:1]))} is not known after '{MARK}'; known: "
                f"{', '.join(KEYWORDS)}; begin a comment with # and a blank"
            )
        found = [_AT.fullmatch(where) for where in words[1::2]]
        if len(words) % 2 or None in found:
            raise UsageError(f"write faces and where they are on the net: {EXAMPLE}")
        self._places.append(
            [
                Sticker(face, float(at[1]), float(at[2]))
                for face, at in zip(words[::2], found, strict=True)
                if at is not None
            ]
        )

    def added_to(self, definition: Definition, trying: Trying) -> Definition:
        """The definition with what the lines say."""
        if not self.lines:
            return definition
        for orbit in self.stickers:  # so that an error is in the line of its set
            number = self.lines["Stickers", orbit]
            parts = {orbit: self.stickers[orbit]}
            looks = trying(number, lambda: Facelets(self.faces, parts))  # noqa: B023
            trying(number, lambda: attrs.evolve(definition, facelets=looks))  # noqa: B023
        last = max(self.lines.values())
        if self.stickers:
            looks = trying(last, lambda: Facelets(self.faces, self.stickers))
            definition = trying(last, lambda: attrs.evolve(definition, facelets=looks))
        for word, text in self.words.items():
            number, known = self.lines["Word", word], {**definition.words, word: text}
            trying(number, lambda: read_sequence(definition, text))  # noqa: B023
            definition = trying(number, lambda: attrs.evolve(definition, words=known))  # noqa: B023
        return definition


def colour_named(name: str = Colour.PLAIN.value) -> Colour:
    """The colour of that name; `UsageError` that lists them if there is none."""
    try:
        return Colour(name)
    except ValueError as error:
        known = ", ".join(each.value for each in Colour)
        raise UsageError(f"{quoted(name)} is not a colour here; known: {known}") from error


def written(facelets: Facelets | None, words: Mapping[str, str]) -> list[str]:
    """The lines that say it."""
    parts = []
    if facelets is not None:
        parts += [
            f"{MARK} Face {face.letter} {face.colour.value} {face.name}".rstrip()
            for face in facelets.faces
        ]
        for orbit, places in facelets.stickers.items():
            parts.append(f"{MARK} Stickers {orbit}")
            for stickers in places:
                shown = "  ".join(f"{each.face} {each.x:g},{each.y:g}" for each in stickers)
                parts.append(f"{MARK}   {shown}")
    return parts + [f"{MARK} Word {word} {text}" for word, text in words.items()]
