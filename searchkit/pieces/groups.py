"""Names of groups of pieces, for pattern databases: `corners`, `edges=0-5/edges=6-11:places`.

A group is a tuple of numbers. Pieces are numbered through all orbits, each by the place where it
belongs; of `total` pieces, `piece + total` is where a piece is, however it is turned, and
`piece + 2 * total` how it is turned, wherever it is.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Sequence

from searchkit.errors import UsageError
from searchkit.pattern_space import Pattern, consecutive_groups, numbers_named, runs_of
from searchkit.pieces.coordinates import Mark
from searchkit.pieces.definition import Definition
from searchkit.texts.amounts import quoted

WHAT = ("", "places", "turns")


def groups_named(definition: Definition, name: str) -> tuple[Pattern, ...]:
    """The groups of a name; `UsageError` if it names none.

    Groups are separated by `/`, what is joined in one database by `+`: the name of an orbit,
    `=` and numbers of its pieces from 0, as `0-5` or `0.2.4`, and `:places` or `:turns`. Without
    names of orbits, as `consecutive_groups` reads them, over all pieces.
    """
    total = sum(orbit.places for orbit in definition.orbits)
    if re.fullmatch(r"[0-9./-]*", name):
        groups = consecutive_groups(name, range(total))
        _check_pieces(groups, total)
    else:
        groups = tuple(
            tuple(dict.fromkeys(p for part in group.split("+") for p in _part(definition, part)))
            for group in name.split("/")
        )
    check_groups(definition, groups)
    return groups


def check_groups(definition: Definition, groups: Sequence[Pattern]) -> None:
    """Raise `UsageError` unless each group has pieces, and all their numbers have a meaning."""
    total = sum(orbit.places for orbit in definition.orbits)
    _check_pieces(groups, len(WHAT) * total)
    if not groups or not all(groups):
        raise UsageError("patterns must have one piece or more each")


def _check_pieces(groups: Sequence[Pattern], total: int) -> None:
    for piece in (piece for group in groups for piece in group):
        if not 0 <= piece < total:
            raise UsageError(f"there is no piece {piece}; pieces are from 0 to {total - 1}")


def _part(definition: Definition, text: str) -> Iterator[int]:
    total = sum(orbit.places for orbit in definition.orbits)
    names = [orbit.name for orbit in definition.orbits]
    word, colon, what = text.rpartition(":")
    if not colon:
        word, what = text, ""
    if what not in WHAT or (colon and not what):
        raise UsageError(f"{quoted(text)}: write :places or :turns, or neither for both")
    pieces = ""
    if word not in names:
        word, equals, pieces = word.rpartition("=")
        if not equals or word not in names:
            raise UsageError(
                f"{quoted(text)} names no pieces; write an orbit ({', '.join(names)}) and, if some "
                f"of its pieces are meant, their numbers: {names[0]}=0-2"
            )
    number = names.index(word)
    first = sum(orbit.places for orbit in definition.orbits[:number]) + WHAT.index(what) * total
    for piece in (
        _numbers(pieces, definition.orbits[number].places, word)
        if pieces
        else range(definition.orbits[number].places)
    ):
        yield first + piece


def _numbers(text: str, places: int, orbit: str) -> Iterator[int]:
    for piece in numbers_named(text, "pieces"):
        if piece >= places:
            raise UsageError(
                f"orbit {orbit} has no piece {piece}; pieces are from 0 to {places - 1}"
            )
        yield piece


def name_of(definition: Definition, group: Pattern) -> str:
    """A name of a group, which `groups_named` reads."""
    total = sum(orbit.places for orbit in definition.orbits)
    parts = []
    begins = 0
    for orbit in definition.orbits:
        for number, what in enumerate(WHAT):
            first = begins + number * total
            pieces = sorted(piece - first for piece in group if 0 <= piece - first < orbit.places)
            if pieces:
                some = "" if len(pieces) == orbit.places else "=" + ".".join(runs_of(pieces))
                parts.append(orbit.name + some + (f":{what}" if what else ""))
        begins += orbit.places
    return "+".join(parts)


def marks_of(definition: Definition, group: Pattern) -> dict[int, dict[int, Mark]]:
    """What matters in a group, by orbit and look: also of pieces that look like those named."""
    total = sum(orbit.places for orbit in definition.orbits)
    marks: dict[int, dict[int, Mark]] = {}
    begins = 0
    for number, orbit in enumerate(definition.orbits):
        for piece in group:
            what, place = divmod(piece, total)
            if not 0 <= place - begins < orbit.places:
                continue
            look = orbit.looks[place - begins]
            counted = 1 if what == 1 else orbit.counted[place - begins]
            known = marks.setdefault(number, {}).get(look, Mark(False, 1))
            marks[number][look] = Mark(known.place or what < 2, math.lcm(known.counted, counted))
        begins += orbit.places
    return marks
