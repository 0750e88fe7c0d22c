"""Rings as texts and drawings: tokens around a circle, the first of all at the top."""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence

from searchkit.picture import Cell, Colour, Phase, Picture, Piece, Shape

TOKEN = 0.86
"""The diameter of a token, where the next one is 1 further along the ring."""


def write(tokens: Sequence[int]) -> str:
    """The ring, clockwise from the first token.

    >>> print(write(range(7)))
    ╭─ 1 ─ 2 ─ 3 ─ 4 ─╮
    ╰─── 7 ─ 6 ─ 5 ───╯
    """
    width = len(str(len(tokens)))
    labels = [str(token + 1).rjust(width) for token in tokens]
    half = -(-len(labels) // 2)
    upper, lower = (" ─ ".join(part) for part in (labels[:half], labels[half:][::-1]))
    room = len(upper) - len(lower)
    left, right = "─" * (room // 2), "─" * (room - room // 2)
    return f"╭─ {upper} ─╮\n╰─{left} {lower} {right}─╯"


def draw(tokens: Sequence[int], lifted: Collection[int] = ()) -> Picture:
    """The tokens clockwise from the top; those in `lifted` are set off. O(tokens).

    >>> [piece.label for piece in draw([0, 2, 1, 3]).pieces]
    ['1', '3', '2', '4']
    """
    size = len(tokens)
    radius = 0.5 / math.sin(math.pi / size)
    middle = radius + 0.75
    pieces = []
    for place, token in enumerate(tokens):
        turn = 2 * math.pi * place / size
        x, y = middle + radius * math.sin(turn), middle - radius * math.cos(turn)
        colour = Colour.ACCENT if token in lifted else Colour.PLAIN
        pieces.append(Piece(token, x, y, TOKEN, TOKEN, Shape.ROUND, colour, str(token + 1)))
    ring = [
        Cell(middle, middle, 2 * radius + 1.2, 2 * radius + 1.2, Shape.ROUND, Colour.FRAME),
        Cell(middle, middle, 2 * radius - 1.1, 2 * radius - 1.1, Shape.ROUND)
    ]  # fmt: skip
    words = "clockwise: " + " ".join(str(token + 1) for token in tokens)
    return Picture(2 * middle, 2 * middle, pieces, ring, words=words)


def turn(tokens: Sequence[int], place: int, turnstile: int) -> Iterator[Phase]:
    """Turn over the tokens from a place on, then the whole ring, so that the first is on top."""
    size = len(tokens)
    places = [(place + step) % size for step in range(turnstile)]
    turned = list(tokens)
    for before, after in zip(places, reversed(places), strict=True):
        turned[after] = tokens[before]
    lifted = {tokens[each] for each in places}
    yield Phase(draw(tokens, lifted))
    yield Phase(draw(turned, lifted))
    first = turned.index(0)
    yield Phase(draw([*turned[first:], *turned[:first]]))
