"""A puzzle that does not say where its places are: each orbit as rows of pieces with turns."""

from __future__ import annotations

from collections.abc import Iterator

from searchkit.picture import Cell, Colour, Picture, Piece
from searchkit.pieces.definition import Definition
from searchkit.pieces.patterns import Pattern, format_pattern, names_of, solved

MOST_IN_TEXT = 76
"""About how wide a text is."""
MOST_IN_ROW = 12
"""How many places are drawn side by side."""


def _rows(definition: Definition, pattern: Pattern) -> Iterator[tuple[str, list[str]]]:
    """The name of each orbit in which anything matters, and what its pieces are called."""
    for orbit, row in zip(definition.orbits, pattern, strict=True):
        names = names_of(orbit)
        if orbit.matters:
            yield orbit.name, [names[look] + f"+{turn}" * (turn > 0) for look, turn in row]


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


def draw(definition: Definition, pattern: Pattern) -> Picture:
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
