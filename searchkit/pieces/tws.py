"""Definitions in the text format of Ksolve and of the programs that came after it (`.tws`).

Blocks of lines: `Set`, `Solved ... End`, `Move ... End`. Places and pieces are numbered from 1.
A move lists, for the pieces that arrive in each place, the place each comes from; then, *by the
place that it comes from*, how far each piece turns. Comments begin with `#`. Later programs write
`StartState` and `MoveTransformation`, where numbers are from 0 and a turn is listed by the place
that it is seen in; and `MoveSequence R x U`, a move made of others. All of it can be mixed.
`Illegal CORNER 1 4 5` says that steps which lead piece 4 or 5 to place 1 cannot be made.

Lines `#: ...`, which other programs take for comments, say what the puzzle looks like:

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
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, NamedTuple, NoReturn, TypeVar

import attrs

from searchkit.errors import ParseError, UsageError
from searchkit.picture import Colour
from searchkit.pieces.changes import Change
from searchkit.pieces.definition import Definition, Move, Orbit
from searchkit.pieces.facelets import Face, Facelets, Sticker
from searchkit.pieces.notation import check_legal, state_after
from searchkit.pieces.patterns import Pattern, pattern_of, solved
from searchkit.pieces.sequences import read_sequence
from searchkit.texts.amounts import quoted

T = TypeVar("T")
MARK = "#:"
LOOKS = ("Face", "Stickers", "Word")
_AT = re.compile(r"([0-9]{1,4}(?:\.[0-9]{1,3})?),([0-9]{1,4}(?:\.[0-9]{1,3})?)")
EXAMPLE = "'U 6,2  R 8,4'"


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
        if words[:1] not in ([each] for each in LOOKS):
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
                f"{', '.join(LOOKS)}; begin a comment with # and a blank"
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

    def added_to(
        self, definition: Definition, trying: Callable[[str, str], Callable[..., Any]]
    ) -> Definition:
        """The definition with what the lines say.

        `trying` gives what calls a function, and makes its errors those of a part: all `Stickers`,
        which have no name, those of an orbit, or a `Word`.
        """
        evolved: Callable[..., Definition] = attrs.evolve
        for orbit, places in self.stickers.items():  # so that an error is in the part of its orbit
            within = trying("Stickers", orbit)
            within(
                partial(evolved, definition, facelets=within(Facelets, self.faces, {orbit: places}))
            )
        if self.stickers:
            looks = trying("Stickers", "")(Facelets, self.faces, self.stickers)
            definition = evolved(definition, facelets=looks)
        for word, text in self.words.items():
            within = trying("Word", word)
            within(read_sequence, definition, text)
            known = {**definition.words, word: text}
            definition = within(partial(evolved, definition, words=known))
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


KEYWORDS = (
    "Name", "Set", "Solved", "StartState", "Move", "MoveTransformation", "MoveSequence", "Illegal",
)  # fmt: skip
FROM_ZERO = {"StartState", "MoveTransformation", "ScrambleState"}
"""The blocks of later programs."""
MOST_SETS = 1000
MOST_PLACES = 20_000
"""Of all orbits in a file."""
_NUMBER = re.compile(r"[0-9]{1,9}")


def is_rotation(name: str) -> bool:
    """Whether a name of a move is that of a rotation of the whole puzzle: `x`, `y`, `z`, `Uv`."""
    return name in {"x", "y", "z"} or (len(name) > 1 and name.endswith("v"))


class Line(NamedTuple):
    """The words of a line, without its comment."""

    number: int
    words: tuple[str, ...]


def _told(words: list[str], mark: str) -> tuple[str, ...]:
    """The words up to a comment, unless that is the whole line and begins with a mark."""
    marked = words[:1] if words[:1] == [mark] else []
    return (*marked, *" ".join(words[len(marked) :]).partition("#")[0].split())


class Lines:
    """The lines of a file that hold anything, one after another; errors name file and line.

    Comments hold nothing, but those that begin with `mark`, if one is given.
    """

    def __init__(self, text: str, name: str, mark: str = "") -> None:
        self.name = name
        each = ((number, line.split()) for number, line in enumerate(text.splitlines(), 1))
        self._lines = [
            Line(number, found) for number, words in each if (found := _told(words, mark))
        ]
        self._next = 0

    def __iter__(self) -> Iterator[Line]:
        while self._next < len(self._lines):
            self._next += 1
            yield self._lines[self._next - 1]

    def block(self, opened: Line) -> Iterator[Line]:
        """The lines up to `End`, which must come."""
        for line in self:
            if line.words[0] == "End":
                return
            yield line
        self.refuse(opened, f"'{' '.join(opened.words[:2])}' has no line 'End' after it; add one")

    def refuse(self, line: Line | int, message: object) -> NoReturn:
        """Raise `ParseError` for a line."""
        number = line if isinstance(line, int) else line.number
        raise ParseError(f"{self.name}, line {number}: {message}")

    def trying(self, line: Line | int, make: Callable[..., T], *given: Any) -> T:
        """What `make` returns of what it is given; what it refuses is an error of the line."""
        try:
            return make(*given)
        except UsageError as error:
            self.refuse(line, error)


class Cells(NamedTuple):
    """The numbers of a set in a block, as words, with the line of each."""

    line: Line
    words: list[tuple[int, str]]


def read_tws(text: str, name: str = "the definition") -> Definition:
    """The definition that `text` describes; `name` is what messages call it.

    Raises `ParseError` that names the line and what would be right.
    """
    lines = Lines(text, name, MARK)
    illegal: list[Line] = []
    looks = FaceletLines()
    title = ""
    sets: dict[str, tuple[int, int]] = {}
    solved_block: tuple[Line, dict[str, Cells]] | None = None
    moves: list[tuple[Line, dict[str, Cells]]] = []
    for line in lines:
        keyword, *rest = line.words
        if keyword == MARK:
            lines.trying(line, looks.take, line.number, rest)
        elif keyword == "Name":
            title = " ".join(rest)
        elif keyword == "Set":
            _read_set(lines, line, sets)
        elif keyword in ("Solved", "StartState"):
            if solved_block is not None:
                lines.refuse(
                    line, f"the solved state is also in line {solved_block[0].number}; keep one"
                )
            solved_block = line, _read_block(lines, line, sets)
        elif keyword in ("Move", "MoveTransformation"):
            if len(rest) != 1:
                lines.refuse(line, f"write one name after '{keyword}', like '{keyword} R'")
            moves.append((line, _read_block(lines, line, sets)))
        elif keyword == "MoveSequence":
            if len(rest) < 2:
                lines.refuse(
                    line, "write a name and moves after 'MoveSequence': 'MoveSequence R x U'"
                )
            moves.append((line, {}))
        elif keyword == "Illegal":
            if len(rest) < 3 or rest[0] not in sets:
                lines.refuse(
                    line,
                    "write a set, a place, and the pieces that may not be there: 'Illegal CORNER 1 "
                    f"4 5'; known sets: {', '.join(sets) or 'none so far'}",
                )
            illegal.append(line)
        else:
            lines.refuse(line, f"{quoted(keyword)} is not known here; known: {', '.join(KEYWORDS)}")
    if not sets:
        raise ParseError(f"{name} has no line like 'Set CORNER 8 3'; is it a definition?")
    if not moves:
        raise ParseError(f"{name} has no line like 'Move R'; add the moves")
    definition = _assembled(lines, title, sets, solved_block, moves)
    if illegal:
        definition = _with_illegal(lines, illegal, definition)
    last = max(looks.lines.values(), default=0)
    return looks.added_to(
        definition, lambda *part: partial(lines.trying, looks.lines.get(part, last))
    )


def _read_set(lines: Lines, line: Line, sets: dict[str, tuple[int, int]]) -> None:
    words = line.words[1:]
    numbers = words[1:] if len(words) == 3 else [*words[1:], "1"]
    if len(words) not in (2, 3) or not all(_NUMBER.fullmatch(each) for each in numbers):
        lines.refuse(
            line, "write a name, the number of places and that of orientations: 'Set CORNER 8 3'"
        )
    if words[0] in sets:
        lines.refuse(line, f"set {words[0]} is there twice; give each a name of its own")
    if len(sets) == MOST_SETS:
        lines.refuse(line, f"there are more than {MOST_SETS:,} sets; join those that move alike")
    sets[words[0]] = int(numbers[0]), int(numbers[1])
    if sum(places for places, _ in sets.values()) > MOST_PLACES:
        lines.refuse(line, f"the sets have more than {MOST_PLACES:,} places in all")
    lines.trying(line, Orbit, words[0], *sets[words[0]])


def _read_block(lines: Lines, opened: Line, sets: dict[str, tuple[int, int]]) -> dict[str, Cells]:
    found: dict[str, Cells] = {}
    current = None
    for line in lines.block(opened):
        if line.words[0] in sets and len(line.words) == 1:
            current = line.words[0]
            if current in found:
                lines.refuse(
                    line,
                    f"set {current} is there twice, first in line {found[current].line.number}",
                )
            found[current] = Cells(line, [])
        elif current is None or not all(w == "?" or w.isdecimal() for w in line.words):
            lines.refuse(
                line,
                f"{quoted(' '.join(line.words))} is neither the name of a set nor numbers; known "
                f"sets: {', '.join(sets) or 'none so far'}; is an 'End' missing before it?",
            )
        else:
            found[current].words.extend((line.number, word) for word in line.words)
    for name, cells in found.items():
        places = sets[name][0]
        if len(cells.words) not in (0, places, 2 * places):
            lines.refuse(
                cells.line,
                f"set {name} has {places} places; write {places} numbers for the pieces, and "
                f"{places} more for orientations if there are any; here are {len(cells.words)}",
            )
    return found


def _assembled(
    lines: Lines,
    title: str,
    sets: dict[str, tuple[int, int]],
    solved_block: tuple[Line, dict[str, Cells]] | None,
    moves: Sequence[tuple[Line, dict[str, Cells]]],
) -> Definition:
    orbits = []
    for name, size in sets.items():
        orbit = Orbit(name, *size)
        if solved_block is not None and name in solved_block[1]:
            cells = solved_block[1][name]
            first = solved_block[0].words[0] not in FROM_ZERO
            labels, turned, counted = _read_contents(lines, orbit, cells, int(first))
            orbit = Orbit(
                name, *size, labels, turned, tuple(c or orbit.orientations for c in counted)
            )
        orbits.append(orbit)
    known = {orbit.name: orbit for orbit in orbits}
    read: dict[str, Move | None] = {}
    where: dict[str, int] = {}
    for line, block in moves:
        keyword, name = line.words[:2]
        if name in where:
            lines.refuse(line, f"move {name} is also in line {where[name]}; keep one")
        where[name] = line.number
        read[name] = None
        if keyword != "MoveSequence":
            changes = {
                each: _read_change(lines, known[each], cells, keyword)
                for each, cells in block.items()
            }
            read[name] = lines.trying(line, Move, name, changes)
    plain = [move for move in read.values() if move is not None]
    if not plain:
        raise ParseError(f"{lines.name} has moves made of others only; add one like 'Move R'")
    base = Definition(title or "puzzle", orbits, plain)
    for line, _ in moves:
        if line.words[0] == "MoveSequence":
            _, name, *rest = line.words
            motion = lines.trying(line, read_sequence, base, " ".join(rest))
            changes = {each.name: change for each, change in zip(orbits, motion, strict=True)}
            read[name] = lines.trying(line, Move, name, changes)
    every = [move for move in read.values() if move is not None]
    turning = [move for move in every if not is_rotation(move.name)]
    if not turning:
        raise ParseError(
            f"{lines.name} has rotations only (x, y, z, and names that end in v); add a move"
        )
    rotations = [move for move in every if is_rotation(move.name)]
    return Definition(title or "puzzle", orbits, turning, rotations)


def _with_illegal(lines: Lines, illegal: Sequence[Line], definition: Definition) -> Definition:
    """The definition with the pairs of lines `Illegal`."""
    known = {orbit.name: orbit for orbit in definition.orbits}
    labels = {orbit.name: set(orbit.pieces) for orbit in definition.orbits}
    pairs: dict[str, list[tuple[int, int]]] = {name: [] for name in known}
    for line in illegal:
        _, name, at, *pieces = line.words
        place = _number(lines, (line.number, at), 1, known[name].places, "place")
        for piece in pieces:
            label = _number(lines, (line.number, piece), 1, None, "piece")
            if label not in labels[name]:
                lines.refuse(line, f"set {name} has no piece {piece[:20]}")
            if known[name].pieces[place] == label:
                lines.refuse(line, f"piece {piece} is in place {at} when the puzzle is solved")
            pairs[name].append((place, label))
    orbits = [attrs.evolve(orbit, illegal=pairs[orbit.name]) for orbit in definition.orbits]
    return lines.trying(illegal[-1], partial(attrs.evolve, definition, orbits=orbits))


def _read_contents(
    lines: Lines, orbit: Orbit, cells: Cells, first: int
) -> tuple[list[int], list[int], list[int | None]]:
    words = cells.words or [(cells.line.number, str(i + first)) for i in range(orbit.places)]
    labels = [_number(lines, each, first, None, "piece") for each in words[: orbit.places]]
    marks = words[orbit.places :] or [(cells.line.number, "0")] * orbit.places
    turned = [
        0 if each[1] == "?" else _number(lines, each, 0, orbit.orientations, "orientation")
        for each in marks
    ]
    return labels, turned, [1 if mark == "?" else None for _, mark in marks]


def _read_change(lines: Lines, orbit: Orbit, cells: Cells, keyword: str) -> Change:
    first = int(keyword not in FROM_ZERO)
    words = cells.words or [(cells.line.number, str(i + first)) for i in range(orbit.places)]
    sources: dict[int, None] = {}
    for each in words[: orbit.places]:
        source = _number(lines, each, first, orbit.places, "place")
        if source in sources:
            lines.refuse(
                each[0], f"the piece of place {each[1]} goes to two places; list each place once"
            )
        sources[source] = None
    listed = [
        _number(lines, each, 0, orbit.orientations, "turn") for each in words[orbit.places :]
    ] or [0] * orbit.places
    turns = [listed[source] for source in sources] if first else listed
    return Change(sources, turns, orbit.orientations)


def _number(lines: Lines, word: tuple[int, str], first: int, count: int | None, what: str) -> int:
    """The number, less `first`; it must be below `count` then."""
    if word[1] == "?":
        lines.refuse(word[0], f"'?' stands for a {what}; it may stand for orientations of 'Solved'")
    number = int(word[1]) - first if _NUMBER.fullmatch(word[1]) else -1
    if number < 0 or (count is not None and number >= count):
        most = "" if count is None else f" to {count - 1 + first}"
        lines.refuse(word[0], f"{what} {word[1][:20]} must be a number from {first}{most}")
    return number


def read_scrambles(
    definition: Definition, text: str, name: str = "the scrambles"
) -> list[tuple[str, Pattern]]:
    """The states in a file of scrambles, with their names.

    They are blocks `Scramble NAME ... End` like `Solved`, or sequences of moves, one a line.
    """
    lines = Lines(text, name)
    sets = {orbit.name: (orbit.places, orbit.orientations) for orbit in definition.orbits}
    start = solved(definition)
    found = []
    for line in lines:
        title = " ".join(line.words[1:]) or f"line {line.number}"
        try:
            if line.words[0] in ("Scramble", "ScrambleState"):
                block = _read_block(lines, line, sets)
                rows = []
                for orbit, home in zip(definition.orbits, start, strict=True):
                    row = home
                    if orbit.name in block:
                        first = int(line.words[0] not in FROM_ZERO)
                        contents = _read_contents(lines, orbit, block[orbit.name], first)
                        row = pattern_of(orbit, *contents)
                    rows.append(row)
                check_legal(definition, tuple(rows))
                found.append((title, tuple(rows)))
            else:
                text = " ".join(line.words)
                found.append((text, state_after(definition, text)))
        except UsageError as error:
            if str(error).startswith(name):
                raise
            lines.refuse(line, error)
    return found


def write_tws(definition: Definition) -> str:
    """The definition as text, which `read_tws` gives back; `UsageError` where that cannot be."""
    check_can_be_written(definition)
    title = definition.name if definition.name.split() else "puzzle"
    parts = [f"Name {title}", ""]
    parts += [f"Set {o.name} {o.places} {o.orientations}" for o in definition.orbits]
    parts += ["", "Solved"]
    for orbit in definition.orbits:
        if any(counted not in (1, orbit.orientations) for counted in orbit.counted):
            raise UsageError(
                f"orbit {orbit.name}: this format tells orientations apart in full or not at all; "
                "write JSON"
            )
        parts += [orbit.name, " ".join(str(label + 1) for label in orbit.pieces)]
        parts += [
            " ".join(
                "?" if counted < orbit.orientations else str(turned)
                for turned, counted in zip(orbit.turned, orbit.counted, strict=True)
            )
        ]
    parts += ["End", ""]
    for orbit in definition.orbits:
        for place in dict.fromkeys(place for place, _ in orbit.illegal):
            labels = [str(label + 1) for where, label in orbit.illegal if where == place]
            parts += [f"Illegal {orbit.name} {place + 1} {' '.join(labels)}"]
    parts += [*written(definition.facelets, definition.words)]
    for move in (*definition.moves, *definition.rotations):
        parts += ["", f"Move {move.name}"]
        for orbit in definition.orbits:
            change = move.changes.get(orbit.name)
            if change is None:
                continue
            parts += [orbit.name, " ".join(str(source + 1) for source in change.sources)]
            parts += [" ".join(str(turn) for _, turn in change.arrived())]
        parts += ["End"]
    return "\n".join([*parts, ""])


def check_can_be_written(definition: Definition) -> None:
    """Raise `UsageError` for what no file can say."""
    if not definition.powers:
        raise UsageError(
            "in files every power of a move is one move; powers=False cannot be written"
        )
    for move in definition.moves:
        if is_rotation(move.name):
            raise UsageError(f"move {move.name} would be read as a rotation; give it another name")
    for move in definition.rotations:
        if not is_rotation(move.name):
            raise UsageError(f"rotation {move.name} would be read as a move; let its name end in v")
