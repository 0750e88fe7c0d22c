"""Stacks as text and as drawings: bars as wide as the pancakes, burnt sides dark."""

from __future__ import annotations

from collections.abc import Sequence

from searchkit.picture import Cell, Colour, Picture, Piece, Shape

THICK = 0.8
"""The height of a pancake, where the next one lies 1 below it."""
LEAST, MOST = 1.5, 9.0
"""The widths of the smallest and of the largest pancake, of a stack of ten."""


def draw(labels: Sequence[int]) -> Picture:
    """The pancakes from top to bottom, each known by its size; negative labels are burnt.

    O(pancakes).

    >>> draw([2, -1]).words
    'from the top: 2, 1 burnt side up'
    """
    size = len(labels)
    stretch = max(1.0, size / 10)
    room = stretch * MOST + 1
    pieces = [
        Piece(
            abs(label),
            room / 2,
            place + 0.6,
            stretch * (LEAST + (MOST - LEAST) * (abs(label) - 1) / max(1, size - 1)),
            THICK,
            Shape.BAR,
            colour=Colour.DARK if label < 0 else Colour.BROWN,
            label=str(abs(label)),
        )
        for place, label in enumerate(labels)
    ]
    plate = Cell(room / 2, size + 0.35, room, 0.3, Shape.BAR, Colour.FRAME)
    names = [f"{abs(label)}{' burnt side up' if label < 0 else ''}" for label in labels]
    words = f"from the top: {', '.join(names)}"
    return Picture(room, size + 0.6, pieces, [plate], words=words)


def write(labels: Sequence[int]) -> str:
    """The stack on its plate, with labels; burnt sides that are up are dark.

    >>> print(write([3, 1, 2]))
     ██████    3
       ██      1
      ████     2
    ▔▔▔▔▔▔▔▔
    """
    scale = 2 if len(labels) <= 20 else 1
    room = scale * len(labels) + 2
    lines = []
    for label in labels:
        shape = ("▓" if label < 0 else "█") * (scale * abs(label))
        lines.append(f"{shape.center(room)} {label:3}")
    return "\n".join([*lines, "▔" * room])
