"""What a permutation puzzle looks like: faces, and where the stickers of each place are.

A place has a list of stickers, in the order in which an orientation goes round: sticker `k` of a
piece that is turned by `t` is where the place has its sticker `k + t`. Each sticker belongs to the
face on which it is, and has that face's colour when the puzzle is solved. `x` grows to the right
and `y` downwards, on a net of the puzzle where stickers are one apart and faces two.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

import attrs

from searchkit.errors import UsageError
from searchkit.picture import Colour
from searchkit.texts.amounts import plural, quoted

BLANK = "."
"""Stands for a sticker whose colour does not matter."""


@attrs.frozen
class Face:
    """A face: the letter or digit that stands for its stickers, their colour, and its name."""

    letter: str
    colour: Colour = Colour.PLAIN
    name: str = ""

    def __attrs_post_init__(self) -> None:
        if len(self.letter) != 1 or not self.letter.isalnum():
            raise UsageError(f"a face is called by one letter or digit, not {quoted(self.letter)}")


@attrs.frozen
class Sticker:
    """A sticker of a place: the letter of its face, and where it is on the net."""

    face: str
    x: float
    y: float


Stickers = tuple[Sticker, ...]


def _stickers(
    stickers: Mapping[str, Iterable[Iterable[Sticker]]],
) -> dict[str, tuple[Stickers, ...]]:
    return {orbit: tuple(map(tuple, places)) for orbit, places in stickers.items()}


@attrs.frozen
class Facelets:
    """The faces of a puzzle in the order in which they are written, and the stickers of places.

    `stickers` has, by the name of an orbit, the stickers of each of its places.
    """

    faces: tuple[Face, ...] = attrs.field(converter=tuple[Face, ...])
    stickers: Mapping[str, tuple[Stickers, ...]] = attrs.field(converter=_stickers, hash=False)

    def __attrs_post_init__(self) -> None:
        letters = [face.letter for face in self.faces]
        for letter in letters:
            if letters.count(letter) > 1:
                raise UsageError(f"two faces are called {letter}; give each a letter of its own")
        spots = set()
        for orbit, place, each in self._each():
            where = f"orbit {orbit}, place {place}:"
            if each.face not in letters:
                known = " ".join(letters) or "none"
                raise UsageError(f"{where} there is no face {quoted(each.face)}; faces are {known}")
            if (each.x, each.y) in spots:
                raise UsageError(f"{where} another sticker is at {each.x:g},{each.y:g} as well")
            spots.add((each.x, each.y))

    def _each(self) -> Iterator[tuple[str, int, Sticker]]:
        for orbit, places in self.stickers.items():
            for place, stickers in enumerate(places):
                yield from ((orbit, place, each) for each in stickers)

    def place_name(self, orbit: str, place: int) -> str:
        """A place by the faces that it is on: `URF`."""
        return "".join(each.face for each in self.stickers[orbit][place])

    def on_face(self, letter: str) -> list[Sticker]:
        """The stickers on a face, row by row."""
        found = (each for _, _, each in self._each() if each.face == letter)
        return sorted(found, key=lambda each: (each.y, each.x))


def check_stickers(orbit: str, given: Sequence[Stickers], places: int, orientations: int) -> None:
    """Raise `UsageError` unless the stickers of an orbit suit it."""
    if len(given) != places:
        raise UsageError(
            f"orbit {orbit} has {plural(places, 'place')}, but stickers for {len(given)}"
        )
    for place, stickers in enumerate(given):
        count = len(stickers)
        has = f"orbit {orbit}, place {place} has {plural(count, 'sticker')}"
        if count != len(given[0]) or count == 0:
            raise UsageError(f"{has}; give each place as many as the others, at least one")
        if orientations > 1 and count not in (1, orientations):
            raise UsageError(
                f"{has}, but pieces there have {orientations} orientations; list one for each"
            )


def box(stickers: Sequence[Sticker]) -> tuple[float, float, float, float] | None:
    """The left, upper, right and lower edge of the rectangle that stickers fill, if they do."""
    if not stickers:
        return None
    xs, ys = [each.x for each in stickers], [each.y for each in stickers]
    left, top, right, bottom = min(xs), min(ys), max(xs), max(ys)
    filled = {(left + column, top + row) for column in range(int(right - left) + 1)
              for row in range(int(bottom - top) + 1)}  # fmt: skip
    return (left, top, right, bottom) if filled == set(zip(xs, ys, strict=True)) else None
