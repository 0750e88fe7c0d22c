"""A puzzle as text, as coloured squares, and as a drawing.

With facelets it is unfolded. Faces whose stickers fill a rectangle have a frame. A gap between
faces is as wide as a sticker in a text, where a frame needs it, and narrow in a drawing. A puzzle
that does not say where its places are has each orbit as rows of pieces with turns.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from typing import Any

from searchkit.picture import Cell, Colour, Picture, Piece
from searchkit.pieces.definition import Definition
from searchkit.pieces.facelets import BLANK, box
from searchkit.pieces.patterns import Pattern, format_pattern, shown_row, solved
from searchkit.pieces.stickers import Stickered, stickered

GAP = 0.3
"""In a drawing, how wide a gap of 1 is."""
MARGIN = 0.65
"""From the edge of a drawing to the middle of the first sticker."""
RIM = 0.07
"""Around the stickers of a face."""
UP, DOWN, LEFT, RIGHT = 1, 2, 4, 8
LINES = {
    UP | DOWN: "│", LEFT | RIGHT: "─", DOWN | RIGHT: "┌", DOWN | LEFT: "┐", UP | RIGHT: "└",
    UP | LEFT: "┘", UP | DOWN | RIGHT: "├", UP | DOWN | LEFT: "┤", DOWN | LEFT | RIGHT: "┬",
    UP | LEFT | RIGHT: "┴", UP | DOWN | LEFT | RIGHT: "┼",
}  # fmt: skip
SQUARES = {
    Colour.WHITE: "⬜", Colour.RED: "🟥", Colour.GREEN: "🟩", Colour.YELLOW: "🟨",
    Colour.ORANGE: "🟧", Colour.BLUE: "🟦", Colour.PURPLE: "🟪", Colour.BROWN: "🟫",
    Colour.DARK: "⬛",
}  # fmt: skip


def unfold(net: Stickered, pattern: Pattern) -> str:
    """The letters of the stickers, each where it is. O(stickers)."""
    stickers = net.stickers.values()
    left, top = min(each.x for each in stickers), min(each.y for each in stickers)
    lines: dict[tuple[int, int], int] = {}
    for face in net.facelets.faces:
        edges = box(net.facelets.on_face(face.letter))
        if edges is not None:
            _frame(lines, [round(2 * (x - left)) for x in edges[::2]],
                   [round(y - top) for y in edges[1::2]])  # fmt: skip
    signs = {where: LINES[line] for where, line in lines.items()}
    for each, letter in zip(stickers, net.shown(pattern), strict=True):
        signs[round(each.y - top) + 1, round(2 * (each.x - left)) + 2] = letter
    return _lines(signs, " ")


def _frame(lines: dict[tuple[int, int], int], columns: list[int], rows: list[int]) -> None:
    """Draw around the stickers in columns and rows from the first to the last."""
    (left, right), (top, bottom) = columns, rows
    right, bottom = right + 4, bottom + 2

    def line(row: int, column: int, directions: int) -> None:
        lines[row, column] = lines.get((row, column), 0) | directions

    for column in range(left, right + 1):
        sideways = LEFT * (column > left) | RIGHT * (column < right)
        line(top, column, sideways)
        line(bottom, column, sideways)
    for row in range(top, bottom + 1):
        along = UP * (row > top) | DOWN * (row < bottom)
        line(row, left, along)
        line(row, right, along)


def _lines(signs: dict[tuple[int, int], str], blank: str) -> str:
    rows = max(row for row, _ in signs)
    columns = max(column for _, column in signs)
    return "\n".join(
        "".join(signs.get((row, column), blank) for column in range(columns + 1)).rstrip()
        for row in range(rows + 1)
    )


def paint(net: Stickered, pattern: Pattern) -> str:
    """The stickers as coloured squares, faces side by side. O(stickers)."""
    colours = {face.letter: SQUARES.get(face.colour) for face in net.facelets.faces}
    stickers = net.stickers.values()
    columns, rows = _ranks(each.x for each in stickers), _ranks(each.y for each in stickers)
    signs = {
        (rows[each.y], columns[each.x]): colours.get(letter) or f"{letter} "
        for each, letter in zip(stickers, net.shown(pattern), strict=True)
    }
    return _lines(signs, "  ")  # a coloured square is as wide as two blanks


def _ranks(values: Iterable[float]) -> dict[float, int]:
    return {value: rank for rank, value in enumerate(sorted(set(values)))}


def draw_net(net: Stickered, pattern: Pattern) -> Picture:
    """The unfolded puzzle, in which the stickers of each piece are followed. O(stickers)."""
    faces = {face.letter: face for face in net.facelets.faces}
    stickers = net.stickers.values()
    across, down = _places([each.x for each in stickers]), _places([each.y for each in stickers])
    names = _names(net, pattern)
    written = dict.fromkeys(faces, "")
    pieces = []
    for (spot, each), letter in zip(net.stickers.items(), net.shown(pattern), strict=True):
        written[each.face] += letter
        pieces.append(
            Piece(
                names[spot],
                across[each.x],
                down[each.y],
                0.92,
                0.92,
                colour=Colour.PLAIN if letter == BLANK else faces[letter].colour,
                label="" if letter == BLANK else letter,
            )
        )
    cells = []
    for letter in faces:
        edges = box(net.facelets.on_face(letter))
        if edges is not None:
            (left, right), (top, bottom) = [
                [at[value] for value in ends]
                for at, ends in ((across, edges[::2]), (down, edges[1::2]))
            ]
            wide, high = right - left + 1 + 2 * RIM, bottom - top + 1 + 2 * RIM
            middle = (left + right) / 2, (top + bottom) / 2
            cells.append(Cell(*middle, wide, high, colour=Colour.FRAME))
    words = ", ".join(
        f"{faces[letter].name or letter} {shown}" for letter, shown in written.items() if shown
    )
    width, height = max(across.values()) + MARGIN, max(down.values()) + MARGIN
    return Picture(width, height, pieces, cells, words=words)


def _places(values: Collection[float]) -> dict[float, float]:
    """Where each coordinate is in a drawing."""
    found: dict[float, float] = {}
    place, before = MARGIN, min(values)
    for value in sorted(set(values)):
        step = value - before
        place += step if step <= 1 else 1 + GAP * (step - 1)
        found[value], before = place, value
    return found


def _names(net: Stickered, pattern: Pattern) -> dict[Any, Any]:
    """What is followed: the piece at each spot, and which of its stickers is there."""
    counts: dict[tuple[int, int], int] = {}
    pieces: dict[tuple[int, int], tuple[int, int, int, int]] = {}
    for number, row in enumerate(pattern):
        for place, (look, turned) in enumerate(row):
            copy = counts[number, look] = counts.get((number, look), 0) + 1
            pieces[number, place] = number, look, copy, turned
    found = {}
    for number, place, k in net.stickers:
        *piece, turned = pieces[number, place]
        orbit = net.definition.orbits[number]
        count = len(net.facelets.stickers[orbit.name][place])
        first = turned if count == orbit.orientations else 0
        found[number, place, k] = (*piece, (k - first) % count)
    return found


def in_colours(problem: Any, state: Any) -> str:
    """A renderer for puzzles of pieces with facelets: coloured squares."""
    net = stickered(problem.definition)
    assert net is not None
    return paint(net, problem.unpack(state))


MOST_IN_TEXT = 76
"""About how wide a text is."""
MOST_IN_ROW = 12
"""How many places are drawn side by side."""


def _rows(definition: Definition, pattern: Pattern) -> Iterator[tuple[str, list[str]]]:
    """The name of each orbit in which anything matters, and what its pieces are called."""
    for orbit, row in zip(definition.orbits, pattern, strict=True):
        if orbit.matters:
            yield orbit.name, shown_row(orbit, row)


def tabulate(definition: Definition, pattern: Pattern) -> str:
    """The pieces of each orbit, one below the other; of a single orbit, as `format_pattern`."""
    rows = list(_rows(definition, pattern))
    if len(definition.orbits) == 1 or not rows:
        return format_pattern(definition, pattern)
    title = max(len(name) for name, _ in rows) + 1
    wide = max(len(piece) for _, pieces in rows for piece in pieces) + 1
    count = max(1, (MOST_IN_TEXT - title) // wide)
    lines = []
    for name, pieces in rows:
        for begin in range(0, len(pieces), count):
            shown = "".join(piece.ljust(wide) for piece in pieces[begin : begin + count])
            lines.append(f"{name if begin == 0 else '':{title}}{shown}".rstrip())
    return "\n".join(lines)


def draw_rows(definition: Definition, pattern: Pattern) -> Picture:
    """A block for each piece, in rows below the name of the orbit; solved ones have a colour."""
    home = solved(definition)
    pieces, cells, words = [], [], []
    top = 0.0
    names = dict(_rows(definition, pattern))
    for orbit, row, at_home in zip(definition.orbits, pattern, home, strict=True):
        if orbit.name not in names:
            continue
        wide = min(orbit.places, MOST_IN_ROW)
        cells.append(Cell(wide / 2, top + 0.4, wide, 0.8, label=orbit.name))
        words.append(" ".join([orbit.name, *names[orbit.name]]))
        copies: dict[int, int] = {}
        for place, (piece, label) in enumerate(zip(row, names[orbit.name], strict=True)):
            x, y = place % MOST_IN_ROW + 0.5, top + 1.4 + place // MOST_IN_ROW
            copies[piece[0]] = copies.get(piece[0], 0) + 1
            cells.append(Cell(x, y))
            pieces.append(
                Piece(
                    (orbit.name, piece[0], copies[piece[0]]),
                    x,
                    y,
                    colour=Colour.ACCENT if piece == at_home[place] else Colour.PLAIN,
                    label=label,
                )
            )
        top += 1.2 + (orbit.places + MOST_IN_ROW - 1) // MOST_IN_ROW
    width = max((cell.x + cell.width / 2 for cell in cells), default=1)
    return Picture(width, max(top, 1), pieces, cells, words=" / ".join(words))
