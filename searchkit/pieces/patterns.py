"""States of a permutation puzzle as patterns: what is seen in each place, and as text.

This is the plain form, from which the packed one is derived and with which it is compared.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NoReturn

from searchkit.errors import ParseError
from searchkit.pieces.changes import Motion
from searchkit.pieces.definition import Definition, Orbit
from searchkit.texts.amounts import quoted

Row = tuple[tuple[int, int], ...]
"""The look of the piece in each place of an orbit, and its orientation as far as it is counted."""
Pattern = tuple[Row, ...]
"""A row for each orbit."""

_PIECE = re.compile(r"([0-9]{1,10})(\?|%([0-9]{1,3}))?(?:\+([0-9]{1,3}))?")


def counted_of(orbit: Orbit) -> tuple[int, ...]:
    """By the look of a piece: modulo which number its orientations are told apart."""
    found = dict(zip(orbit.looks, orbit.counted, strict=True))
    return tuple(found[look] for look in range(len(found)))


def solved(definition: Definition) -> Pattern:
    """The pattern of the solved puzzle."""
    return tuple(tuple(zip(o.looks, o.turned, strict=True)) for o in definition.orbits)


def after(definition: Definition, pattern: Pattern, motion: Motion) -> Pattern:
    """The pattern after a motion. O(places)."""
    found = []
    for row, change, orbit in zip(pattern, motion, definition.orbits, strict=True):
        came, counted = [row[source] for source in change.sources], counted_of(orbit)
        pairs = zip(came, change.turns, strict=True)
        found.append(tuple([(look, (turn + more) % counted[look]) for (look, turn), more in pairs]))
    return tuple(found)


def upright(definition: Definition, pattern: Pattern) -> Pattern:
    """The pattern, turned as a whole so that places which no move changes are as when solved.

    If no turn does that, the pattern. O(turns of the whole * places).
    """
    home = solved(definition)
    for whole in definition.wholes:
        found = after(definition, pattern, whole)
        if all(found[orbit][place] == home[orbit][place] for orbit, place in definition.still):
            return found
    return pattern


def pattern_of(
    orbit: Orbit, labels: Sequence[int], turned: Sequence[int], counted: Sequence[int | None]
) -> Row:
    """The row of pieces with these labels and orientations; `ParseError` if it is none.

    `counted` says how orientations of a piece are told apart where its label does not.
    """
    kinds = list(zip(orbit.pieces, orbit.counted, strict=True))
    looks = orbit.looks
    found: list[tuple[int, int]] = []
    for label, turn, modulus in zip(labels, turned, counted, strict=True):
        same = {
            (look, count)
            for (piece, count), look in zip(kinds, looks, strict=True)
            if piece == label and (modulus is None or modulus == count)
        }
        if len(same) > 1:
            write = f"write {label}? for one whose orientation does not"
            _refuse(orbit, f": pieces {label} differ in what orientations matter; {write}")
        if not same:
            known = _ranges(sorted(set(orbit.pieces)))
            _refuse(orbit, f" has no piece {label}; pieces are {known}")
        if not 0 <= turn < orbit.orientations:
            most = orbit.orientations - 1
            _refuse(orbit, f": orientation {turn} of piece {label} must be from 0 to {most}")
        ((look, count),) = same
        found.append((look, turn % count))
    there, wanted = Counter(look for look, _ in found), Counter(looks)
    if there != wanted:
        look = next(iter((there - wanted) or (wanted - there)))
        piece, most = orbit.pieces[looks.index(look)], wanted[look]
        _refuse(orbit, f" has piece {piece} {there[look]} times, which the puzzle has {most} times")
    return tuple(found)


def _refuse(orbit: Orbit, why: str) -> NoReturn:
    raise ParseError(f"orbit {orbit.name}{why}")


def _ranges(numbers: Sequence[int]) -> str:
    if list(numbers) == list(range(numbers[0], numbers[-1] + 1)) and len(numbers) > 2:
        return f"{numbers[0]} to {numbers[-1]}"
    return ", ".join(map(str, numbers))


def format_pattern(definition: Definition, pattern: Pattern) -> str:
    """The pieces in the places of each orbit, on one line: `corners 1 0+2 2 / edges 0 1`.

    A number after a plus sign is the orientation of a piece.
    """
    parts = []
    for orbit, row in zip(definition.orbits, pattern, strict=True):
        shown = shown_row(orbit, row)
        parts.append(" ".join([orbit.name, *shown] if len(pattern) > 1 else shown))
    return " / ".join(parts)


def shown_row(orbit: Orbit, row: Iterable[tuple[int, int]]) -> list[str]:
    """What stands in texts for some pieces, each given by its look and its orientation."""
    if orbit.names:
        return [orbit.names[look * orbit.orientations + turned] for look, turned in row]
    names = names_of(orbit)
    return [names[look] + (f"+{turned}" if turned else "") for look, turned in row]


def names_of(orbit: Orbit) -> list[str]:
    """By the look of a piece: what it is called in texts."""
    kinds = sorted(set(zip(orbit.pieces, orbit.counted, strict=True)))
    labels = Counter(label for label, _ in kinds)
    return [
        str(label) + ("" if labels[label] == 1 else "?" if counted == 1 else f"%{counted}")
        for label, counted in kinds
    ]


def parse_pattern(definition: Definition, text: str) -> Pattern:
    """Read what `format_pattern` writes; orbits may come in any order. Raises `ParseError`."""
    if _is_named(definition):
        return (_named_row(definition.orbits[0], text),)
    rows: dict[str, Row] = {}
    known = {orbit.name: orbit for orbit in definition.orbits}
    for part in text.split("/"):
        words = part.split()
        if words and len(known) == 1:
            words = [definition.orbits[0].name, *_pieces_of(definition.orbits[0], words)]
        if not words or words[0] not in known:
            raise ParseError(f"{quoted(part.strip())} must begin with an orbit: {', '.join(known)}")
        orbit = known[words[0]]
        if orbit.name in rows:
            _refuse(orbit, " is given twice")
        if len(words) - 1 != orbit.places:
            _refuse(orbit, f" has {orbit.places} places; here are {len(words) - 1} pieces")
        rows[orbit.name] = _read_row(orbit, words[1:])
    for name in known:
        if name not in rows:
            raise ParseError(f"orbit {name} is missing; write '{name}' and its pieces")
    return tuple(rows[orbit.name] for orbit in definition.orbits)


def _is_named(definition: Definition) -> bool:
    """Whether states are the names of pieces, and nothing else."""
    return len(definition.orbits) == 1 and bool(definition.orbits[0].names)


def _named_row(orbit: Orbit, text: str) -> Row:
    """The row of pieces with these names, between which there may be commas."""
    words = [word.removeprefix("+") for word in text.replace(",", " ").split()]
    known = {name: divmod(i, orbit.orientations) for i, name in enumerate(orbit.names)}
    solved_row = zip(orbit.looks, orbit.turned, strict=True)
    homes = [orbit.names[look * orbit.orientations + turned] for look, turned in solved_row]
    example = f"like {' '.join(homes)!r}"
    for word in words:
        if word not in known:
            raise ParseError(
                f"{quoted(word)} is not a {orbit.name}; {orbit.name}s are "
                f"{_name_ranges(orbit.names)}, {example}"
            )
    there = Counter(known[word][0] for word in words)
    first = dict(zip(reversed(orbit.looks), reversed(homes), strict=True))
    for look, times in Counter(orbit.looks).items():
        home = first[look]
        if there[look] != times:
            each = f"each of {_name_ranges(homes)} must occur once"
            often = "once" if times == 1 else f"{times} times"
            raise ParseError(
                f"{orbit.name} {home} occurs {f'{there[look]} times' if there[look] else 'never'}; "
                f"{each if orbit.are_all_different else f'it must occur {often}'}, {example}"
            )
    return tuple(known[word] for word in words)


def _name_ranges(names: Sequence[str]) -> str:
    """Names in a few words: numbers as ranges."""
    try:
        numbers = sorted(map(int, names))
    except ValueError:
        return ", ".join(names)
    halves = [n for n in numbers if n < 0], [n for n in numbers if n >= 0]
    return " or ".join(_ranges(half) for half in halves if half)


def _read_row(orbit: Orbit, words: Sequence[str]) -> Row:
    labels, turned, counted = [], [], []
    for word in words:
        found = _PIECE.fullmatch(word)
        if not found:
            write = "write its number, and its orientation after a plus sign: 4 or 4+1"
            _refuse(orbit, f": {quoted(word)} is not a piece; {write}")
        labels.append(int(found[1]))
        turned.append(int(found[4] or 0))
        counted.append(None if not found[2] else int(found[3] or 1))
    return pattern_of(orbit, labels, turned, counted)


def looks_like_pattern(definition: Definition, text: str) -> bool:
    """Whether a text is meant as a pattern, not as a sequence of moves.

    What has the form of a whole pattern is one, even where moves have names like `1` or those of
    orbits; a sequence of that form is written in brackets: `(1 0 2)`. So is every sequence of a
    puzzle of one orbit whose pieces have names.
    """
    words = text.split()
    names = [orbit.name for orbit in definition.orbits]
    if _is_named(definition):
        return not text.lstrip().startswith("(")
    if not words:
        return False
    if len(names) > 1 and words[0] in names and "/" in text:
        return True
    if len(names) == 1:
        pieces = _pieces_of(definition.orbits[0], words)
        if len(pieces) == definition.orbits[0].places and all(map(_PIECE.fullmatch, pieces)):
            return True
    if words[0] in (move.name for move in (*definition.moves, *definition.rotations)):
        return False
    return words[0] in names or (len(names) == 1 and _PIECE.fullmatch(words[0]) is not None)


def _pieces_of(orbit: Orbit, words: list[str]) -> list[str]:
    """The words for the pieces of the only orbit, whose name may come first or be left out."""
    named = words[:1] == [orbit.name] and len(words) != orbit.places
    return words[1:] if named else words


def all_rows(orbit: Orbit) -> list[tuple[int, int]]:
    """Every look with every orientation that can be told apart."""
    return [
        (look, turned)
        for look, counted in enumerate(counted_of(orbit))
        for turned in range(counted)
    ]
