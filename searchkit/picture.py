"""Pictures of states, as plain values: what stands where, and what it looks like.

Lengths are in any unit; x grows to the right, y downwards. A picture says nothing of pixels,
themes or movement: `searchkit.render` makes drawings and films of pictures.
"""

from __future__ import annotations

import enum
import math
from collections.abc import Hashable, Iterable, Mapping
from typing import Any

import attrs

from searchkit.errors import ProblemError


class Colour(enum.Enum):
    """What something is painted with; how that looks depends on the theme, light or dark."""

    BOARD = "board"
    """The ground that pieces stand on."""
    FRAME = "frame"
    """The rim of a board."""
    PLAIN = "plain"
    """A piece like any other."""
    ACCENT = "accent"
    """A piece that matters, such as one that has arrived."""
    WHITE = "white"
    RED = "red"
    ORANGE = "orange"
    YELLOW = "yellow"
    GREEN = "green"
    BLUE = "blue"
    PURPLE = "purple"
    BROWN = "brown"
    DARK = "dark"


class Shape(enum.Enum):
    """The outline of a cell or piece."""

    BLOCK = "block"
    """A rectangle with round corners."""
    BAR = "bar"
    """A rectangle with round ends."""
    ROUND = "round"
    """A circle, or an ellipse if it is wider than high."""


def _number(instance: Any, field: attrs.Attribute[Any], value: Any) -> None:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or not math.isfinite(value):
        raise ProblemError(f"{field.name} of a {_kind(instance)} is {value!r}; it must be a number")


def _length(instance: Any, field: attrs.Attribute[Any], value: Any) -> None:
    _number(instance, field, value)
    if value <= 0:
        raise ProblemError(f"{field.name} of a {_kind(instance)} is {value!r}; it must be above 0")


def _is(kind: type) -> Any:
    def check(instance: Any, field: attrs.Attribute[Any], value: Any) -> None:
        if not isinstance(value, kind):
            raise ProblemError(
                f"{field.name} of a {_kind(instance)} is {value!r}; it must be a {kind.__name__}"
            )

    return check


def _kind(instance: Any) -> str:
    return type(instance).__name__.lower()


@attrs.frozen
class Line:
    """A line of the board, from one point to another."""

    x: float = attrs.field(validator=_number)
    y: float = attrs.field(validator=_number)
    to_x: float = attrs.field(validator=_number)
    to_y: float = attrs.field(validator=_number)


@attrs.frozen
class Cell:
    """A part of the board, which does not move. `x` and `y` are its middle.

    `marked` draws a ring around it, as around the place where something must end.
    """

    x: float = attrs.field(validator=_number)
    y: float = attrs.field(validator=_number)
    width: float = attrs.field(default=1, validator=_length)
    height: float = attrs.field(default=1, validator=_length)
    shape: Shape = attrs.field(default=Shape.BLOCK, validator=_is(Shape))
    colour: Colour = attrs.field(default=Colour.BOARD, validator=_is(Colour))
    label: str = attrs.field(default="", validator=_is(str))
    marked: bool = False


@attrs.frozen
class Piece:
    """Something that moves, vanishes, or changes its colour or label. `x` and `y` are its middle.

    Pieces of one `name` in two pictures that follow each other are the same piece.
    """

    name: Hashable
    x: float = attrs.field(validator=_number)
    y: float = attrs.field(validator=_number)
    width: float = attrs.field(default=0.9, validator=_length)
    height: float = attrs.field(default=0.9, validator=_length)
    shape: Shape = attrs.field(default=Shape.BLOCK, validator=_is(Shape))
    colour: Colour = attrs.field(default=Colour.PLAIN, validator=_is(Colour))
    label: str = attrs.field(default="", validator=_is(str))


def _pieces(given: Iterable[Piece]) -> tuple[Piece, ...]:
    return tuple(given)


def _cells(given: Iterable[Cell]) -> tuple[Cell, ...]:
    return tuple(given)


def _lines(given: Iterable[Line]) -> tuple[Line, ...]:
    return tuple(given)


@attrs.frozen
class Picture:
    """A state as it is drawn: a board with pieces on it.

    `words` tells the same to those who do not see it. All pictures of a problem should show one
    board: of a solution, the first picture's cells and lines are drawn. Raises `ProblemError` if
    two pieces have one name.

    >>> from searchkit.picture import Cell, Picture, Piece
    >>> Picture(2, 1, [Piece("tile", 1.5, 0.5, label="1")], [Cell(0.5, 0.5), Cell(1.5, 0.5)]).width
    2
    """

    width: float = attrs.field(validator=_length)
    height: float = attrs.field(validator=_length)
    pieces: tuple[Piece, ...] = attrs.field(converter=_pieces)
    cells: tuple[Cell, ...] = attrs.field(default=(), converter=_cells)
    lines: tuple[Line, ...] = attrs.field(default=(), converter=_lines)
    words: str = attrs.field(default="", validator=_is(str))

    def __attrs_post_init__(self) -> None:
        for kind, things in ((Piece, self.pieces), (Cell, self.cells), (Line, self.lines)):
            for thing in things:
                if not isinstance(thing, kind):
                    name = kind.__name__
                    raise ProblemError(f"{thing!r} is among the {name.lower()}s of a picture")
        names = set()
        for piece in self.pieces:
            if piece.name in names:
                raise ProblemError(f"two pieces of a picture have the name {piece.name!r}")
            names.add(piece.name)

    def _repr_html_(self) -> str:
        from searchkit.render.notebook import picture_html  # noqa: PLC0415  (for Jupyter only)

        return picture_html(self)


@attrs.frozen
class Phase:
    """A part of a step that is shown by itself: the picture at its end.

    Where pieces have the names of their places, `renamed` tells the new name of each piece that
    has moved, by its old one.
    """

    picture: Picture = attrs.field(validator=_is(Picture))
    renamed: Mapping[Hashable, Hashable] = attrs.field(factory=dict)
