"""The cosets of a puzzle of two kinds of pieces: their numbers, up to symmetry."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

import attrs
import numpy as np

from searchkit.errors import UnsuitableError
from searchkit.pieces.cosets.gauge import Image, Kind, kept, kind_of
from searchkit.pieces.layout import Layout
from searchkit.pieces.place_maps import PlaceMap
from searchkit.pieces.symmetries import Symmetries

Array = np.ndarray[Any, Any]
MOST_NUMBERS = 1 << 16
"""Tables of what steps make of numbers are to stay in the caches."""
MOST_CODES = 1 << 22
"""A code has a digit for each place."""


class Numbering:
    """The rows of digits, one for each place, that steps can make of the solved one.

    `digits[i]` is row `i`, `after[s, i]` the number of the row that step `s` makes of it, and
    `number[code]` that of the row with the code `digits @ weights`.
    """

    def __init__(
        self, start: Sequence[int], steps: Sequence[tuple[Sequence[int], Sequence[int]]], base: int
    ) -> None:
        """Number what can be reached, the solved row first.

        A step is where each digit comes from, and what is added to it modulo `base`. O(numbers *
        steps * places). `UnsuitableError` if there are too many.
        """
        places = len(start)
        if base**places > MOST_CODES:
            raise UnsuitableError(
                f"{places} places with {base} colours or orientations have more than "
                f"{MOST_CODES:,} codes; there are no tables of cosets for them"
            )
        weights = base ** np.arange(places, dtype=np.int64)
        sources = np.array([source for source, _ in steps])
        turns = np.array([turn for _, turn in steps])
        number = np.full(base**places, -1, np.int64)
        rows = np.array([start], np.int64)
        number[rows @ weights] = 0
        layers, count = [rows], 1
        while len(rows):
            fresh = np.zeros(len(number), np.bool_)
            for source, turn in zip(sources, turns, strict=True):
                fresh[_codes(rows, source, turn, base)] = True
            codes = np.flatnonzero(fresh & (number < 0))
            rows = codes[:, None] // weights % base
            number[codes] = np.arange(count, count + len(rows))
            count += len(rows)
            if count > MOST_NUMBERS:
                raise UnsuitableError(
                    f"{places} places have more than {MOST_NUMBERS:,} ways to be coloured or "
                    "turned; there are no tables of cosets for them"
                )
            layers.append(rows)
        digits = np.concatenate(layers)
        after = np.stack(
            [
                number[_codes(digits, source, turn, base)]
                for source, turn in zip(sources, turns, strict=True)
            ]
        )
        self.digits, self.after, self.weights, self.number = digits, after, weights, number

    @property
    def size(self) -> int:
        """How many numbers there are."""
        return len(self.digits)


def _codes(rows: Array, source: Array, turn: Array, base: int) -> Array:
    """The codes of what a step makes of some rows."""
    weights = base ** np.arange(rows.shape[1], dtype=np.int64)
    if turn.any():
        return np.asarray((rows[:, source] + turn) % base @ weights)
    moved = np.zeros_like(weights)
    moved[source] = weights
    return np.asarray(rows @ moved)


TURNS, COLOURS, SPOTS, FLIPS = 0, 16, 32, 48
"""Where the parts of a coset begin in its word: the orientations and the colours of the first kind,
the colours and the orientations (a bit for each place) of the second."""
PART = (1 << 16) - 1
MOST_FLIPS = 14
HALF_BITS = 7
HALF = (1 << HALF_BITS) - 1
SYMMETRY_BITS = 6
MOST_SYMMETRIES = 1 << SYMMETRY_BITS
ALL_FLIPS = MOST_FLIPS
MOST_STEPS = 31
"""A word has two bits for each."""


class CosetTables(NamedTuple):
    """What the kernels look up. Rows for an operator, or for a symmetry, follow one another.

    `turns`, `colours` and `spots` are the numbers after an operator, `low` and `high` the flips of
    the first and the last `HALF_BITS` places. `reduced` has for a row of colours and turns its
    class and the symmetry that takes it to the first one of the class. `images` has for spots
    their image and, above `COLOURS` bits, the flips that come with it; `low_image` and
    `high_image` the places of flips. The symmetries that keep the first of class `c` are
    `keeping[begins[c]:begins[c + 1]]`.
    """

    turn_count: int
    colour_count: int
    spot_count: int
    turns: Array
    colours: Array
    spots: Array
    low: Array
    high: Array
    reduced: Array
    images: Array
    low_image: Array
    high_image: Array
    begins: Array
    keeping: Array


@attrs.frozen(eq=False)
class Cosets:
    """The cosets by what can be seen of two kinds of pieces: see `searchkit.pieces.cosets`.

    A coset is a word: for the first kind the orientation and the colour in each place, for the
    second the colour and whether the piece is flipped. Its *entry* is that of its image under the
    symmetry that takes the first kind to the first of its class; of flips it has as many as asked.
    """

    layout: Layout
    kinds: tuple[Kind, Kind]
    maps: tuple[PlaceMap, ...]
    turns: Numbering
    colours: Numbering
    spots: Numbering
    tables: CosetTables
    constants = ("turn_count", "colour_count", "spot_count")

    @property
    def classes(self) -> int:
        """How many classes the first kind has."""
        return len(self.tables.begins) - 1

    def entries(self, flips: int) -> int:
        """How many entries a table has that looks at that many flips."""
        return self.classes * self.spots.size << flips

    @property
    def flips(self) -> int:
        """How many flips there are to look at: of the last, nothing new can be said."""
        return len(self.kinds[1].colours) - 1

    @property
    def solved(self) -> int:
        """The word of the solved puzzle."""
        return 0

    @cached_property
    def keeping_steps(self) -> tuple[int, ...]:
        """By operator: 1 if it takes the solved puzzle into its own coset, else 0."""
        return tuple(
            int(all(_keeps(kind, number) for kind in self.kinds))
            for number in range(len(self.layout.steps))
        )

    @cached_property
    def fingerprint(self) -> str:
        """A hash of the tables by which cosets are numbered, and of what operators do to them."""
        digest = hashlib.sha256()
        for field in self.tables:
            digest.update(np.asarray(field).tobytes())
        return digest.hexdigest()[:32]

    def is_fixed(self, coset: int, flips: int) -> bool:
        """Whether a coset and all of its images have one entry, or those of one value.

        Of a class that several symmetries keep, they take flips that are looked at for others.
        """
        kind = self.reduction(coset) >> SYMMETRY_BITS
        begins = self.tables.begins
        return flips >= self.flips or bool(begins[kind + 1] - begins[kind] == 1)

    def after(self, word: int, operator: int) -> int:
        """Kernel: the coset after an operator."""
        turns = self.tables.turns[operator * self.tables.turn_count + (word & PART)]
        colours = self.tables.colours[
            operator * self.tables.colour_count + (word >> COLOURS & PART)
        ]
        spots = self.tables.spots[operator * self.tables.spot_count + (word >> SPOTS & PART)]
        row = operator << HALF_BITS
        flips = self.tables.low[row + (word >> FLIPS & HALF)]
        more = self.tables.high[row + (word >> FLIPS + HALF_BITS & HALF)]
        return (
            int(turns)
            | int(colours) << COLOURS
            | int(spots) << SPOTS
            | (int(flips) ^ int(more)) << FLIPS
        )

    def reduction(self, word: int) -> int:
        """Kernel: the class of a coset, and in its low bits the symmetry that leads there."""
        colours = word >> COLOURS & PART
        return int(self.tables.reduced[colours * self.tables.turn_count + (word & PART)])

    def image(self, seconds: int, symmetry: int) -> int:
        """Kernel: the spots and flips of a coset, shifted right by `SPOTS`, under a symmetry."""
        found = int(self.tables.images[symmetry * self.tables.spot_count + (seconds & PART)])
        row = symmetry << HALF_BITS
        flips = int(self.tables.low_image[row + (seconds >> FLIPS - SPOTS & HALF)])
        flips ^= int(self.tables.high_image[row + (seconds >> FLIPS - SPOTS + HALF_BITS & HALF)])
        return found & PART | (flips ^ found >> FLIPS - SPOTS) << FLIPS - SPOTS

    def number(self, kind: int, seconds: int, flips: int) -> int:
        """Kernel: the entry of a class and the image of what is left."""
        spots = kind * self.tables.spot_count + (seconds & PART)
        return int(spots << flips | seconds >> FLIPS - SPOTS & (1 << flips) - 1)

    def entry(self, word: int, flips: int) -> int:
        """Kernel: the entry of a coset in a table that looks at that many flips."""
        reduced = self.reduction(word)
        seconds = self.image(word >> SPOTS, reduced & MOST_SYMMETRIES - 1)
        return self.number(reduced >> SYMMETRY_BITS, seconds, flips)

    def least(self, word: int) -> int:
        """Kernel: the smallest entry of a coset and its images, with all flips."""
        reduced = self.reduction(word)
        kind = reduced >> SYMMETRY_BITS
        seconds = self.image(word >> SPOTS, reduced & MOST_SYMMETRIES - 1)
        best = self.number(kind, seconds, ALL_FLIPS)
        for i in range(int(self.tables.begins[kind]), int(self.tables.begins[kind + 1])):
            other = self.image(seconds, int(self.tables.keeping[i]))
            best = min(best, self.number(kind, other, ALL_FLIPS))
        return best


@lru_cache(maxsize=4)
def cosets_of(layout: Layout) -> Cosets:
    """The cosets of a puzzle; `UnsuitableError` if it has not two kinds of pieces that turn.

    The second kind has two orientations.
    """
    turning = [each for each in layout.components if each.moves and each.orientations > 1]
    turning.sort(key=lambda each: (each.orientations == 2, len(each.places)))
    orbits = [layout.definition.orbits[each.orbit] for each in turning]
    why = ""
    if len(turning) != 2 or turning[1].orientations != 2:
        why = (
            "they are for puzzles of two kinds of pieces that turn, of which one has two "
            "orientations; use pattern databases, as in pdb:auto"
        )
    elif len(turning[1].places) > MOST_FLIPS:
        flipped = len(turning[1].places)
        why = f"they are for up to {MOST_FLIPS} pieces that flip, and it has {flipped}"
    elif len(layout.steps) > MOST_STEPS:
        why = f"they are for up to {MOST_STEPS} steps, and it has {len(layout.steps)}"
    elif any(not each.are_all_different or any(each.turned) for each in orbits):
        why = "all of its pieces must differ, and be solved without a turn"
    if why:
        raise UnsuitableError(f"{layout.definition.name} has no tables of cosets: {why}")
    found = Symmetries(layout.definition)
    maps = list(found.maps)
    for component in turning:
        maps = kept(component, found.frame, maps)
    if len(maps) > MOST_SYMMETRIES:
        maps = maps[:1]
    first, second = (kind_of(layout, each, found.frame, maps) for each in turning)
    return _cosets(layout, tuple(maps), first, second)


def _cosets(layout: Layout, maps: tuple[PlaceMap, ...], first: Kind, second: Kind) -> Cosets:
    turning = [(step.sources, step.turns) for step in first.steps]
    turns = Numbering([0] * len(first.colours), turning, first.component.orientations)
    colours = _coloured(first)
    spots = _coloured(second)
    products = _products(first, second)
    reduced, begins, keeping = _reduce(first, turns, colours, products)
    flips = np.arange(1 << HALF_BITS)
    to = [np.argsort(step.sources) for step in second.steps]
    turned = [sum(turn << i for i, turn in enumerate(step.turns)) for step in second.steps]
    places = [image.places for image in second.images]

    def half(to: Sequence[Any], first: int) -> Array:
        return np.array([_moved(flips, each, first) for each in to])

    tables = CosetTables(
        turn_count=turns.size,
        colour_count=colours.size,
        spot_count=spots.size,
        turns=turns.after.ravel().astype(np.uint16),
        colours=colours.after.ravel().astype(np.uint16),
        spots=spots.after.ravel().astype(np.uint16),
        low=(half(to, 0) ^ np.array(turned)[:, None]).ravel().astype(np.uint16),
        high=half(to, HALF_BITS).ravel().astype(np.uint16),
        reduced=reduced.astype(np.int32),
        images=np.concatenate(_images_of_spots(second, spots, products)),
        low_image=half(places, 0).ravel().astype(np.uint16),
        high_image=half(places, HALF_BITS).ravel().astype(np.uint16),
        begins=begins.astype(np.int32),
        keeping=keeping.astype(np.uint8),
    )
    return Cosets(layout, (first, second), maps, turns, colours, spots, tables)


def _coloured(kind: Kind) -> Numbering:
    """The numbers of the rows of colours."""
    steps = [(step.sources, [0] * len(step.turns)) for step in kind.steps]
    return Numbering(kind.colours, steps, max(2, 1 + max(kind.colours)))


def _keeps(kind: Kind, number: int) -> bool:
    """Whether a step takes each place to one of its colour, and turns nothing."""
    step = kind.steps[number]
    return not any(step.turns) and all(
        kind.colours[source] == colour
        for source, colour in zip(step.sources, kind.colours, strict=True)
    )


def _recolouring(kind: Kind, image: Image) -> tuple[Array, Array]:
    """By colour: its image under a symmetry, and the turn that goes with such a piece."""
    places = [kind.colours.index(colour) for colour in range(1 + max(kind.colours))]
    return (
        np.array([kind.colours[image.places[place]] for place in places]),
        np.array([image.turns[place] for place in places]),
    )


def _moved(flips: Array, to: Any, first: int) -> Array:
    """The bits of `flips`, those of the places from `first` on, where these are taken to."""
    found = np.zeros(len(flips), np.int64)
    for place in range(first, min(first + HALF_BITS, len(to))):
        found |= (flips >> place - first & 1) << int(to[place])
    return found


def _spots_after(kind: Kind, spots: Numbering, image: Image) -> Array:
    """By spots: their image, and above it the flips that it adds."""
    colour, turn = _recolouring(kind, image)
    rows = np.zeros_like(spots.digits)
    rows[:, list(image.places)] = colour[spots.digits]
    added = (np.array(image.turns) - turn[spots.digits]) % 2
    flips = (added << np.array(image.places)).sum(axis=1)
    return np.asarray(spots.number[rows @ spots.weights] | flips << FLIPS - SPOTS).astype(np.int32)


def _products(one: Kind, other: Kind) -> list[tuple[int, int, int]]:
    """The number of each symmetry, and of two before it that it is made of; -1 if of none."""
    places = [(a.places, b.places) for a, b in zip(one.images, other.images, strict=True)]
    numbers = {pair: number for number, pair in enumerate(places)}
    if len(numbers) < len(places):
        return [(number, -1, -1) for number in range(len(places))]
    found: dict[int, tuple[int, int, int]] = {}
    makers: list[int] = []
    for maker in range(len(places)):
        if maker in found:
            continue
        found[maker] = maker, -1, -1
        makers.append(maker)
        todo = list(found)
        for before in todo:  # grows as it goes
            for after in makers:
                first, second = (
                    tuple(outer[place] for place in inner)
                    for outer, inner in zip(places[after], places[before], strict=True)
                )
                number = numbers.get((first, second), before)
                if number not in found:
                    found[number] = number, after, before
                    todo.append(number)
    return list(found.values())


def _images_of_spots(
    kind: Kind, spots: Numbering, products: list[tuple[int, int, int]]
) -> list[Array]:
    """By symmetry: what becomes of spots; see `_spots_after`."""
    found: dict[int, Array] = {}
    flips = np.arange(1 << MOST_FLIPS)
    for number, after, before in products:
        if after < 0:
            found[number] = _spots_after(kind, spots, kind.images[number])
            continue
        to = kind.images[after].places
        moved = _moved(flips & HALF, to, 0) | _moved(flips >> HALF_BITS, to, HALF_BITS)
        first = found[before]
        second = found[after][first & PART]
        added = moved[first >> FLIPS - SPOTS].astype(np.int32)
        found[number] = second ^ added << FLIPS - SPOTS
    return [found[number] for number in range(len(found))]


def _reduce(
    kind: Kind, turns: Numbering, colours: Numbering, products: list[tuple[int, int, int]]
) -> tuple[Array, Array, Array]:
    """The classes of colours and turns; and the symmetries that keep the least of each class."""
    modulus = kind.component.orientations
    count = turns.size * colours.size
    best = np.full(count, count, np.int64)
    symmetry = np.zeros(count, np.int64)
    images: dict[int, Array] = {}
    for number, after, before in products:
        if after < 0:
            image = kind.images[number]
            images[number] = _image_of_firsts(kind, turns, colours, image, modulus)
        else:
            images[number] = images[after][images[before]]
    fixed = [images[number] for number in range(len(images))]
    for number, found in enumerate(fixed):
        better = found < best
        best[better], symmetry[better] = found[better], number
    firsts = np.unique(best)
    classes = np.searchsorted(firsts, best)
    keeping = [
        [number for number, found in enumerate(fixed) if found[first] == first] for first in firsts
    ]
    begins = np.cumsum([0, *map(len, keeping)])
    return classes << SYMMETRY_BITS | symmetry, begins, np.concatenate(keeping)


def _image_of_firsts(
    kind: Kind, turns: Numbering, colours: Numbering, image: Image, modulus: int
) -> Array:
    """By colours and turns: the number of their image under a symmetry."""
    colour, turn = _recolouring(kind, image)
    rows = np.zeros_like(colours.digits)
    rows[:, list(image.places)] = colour[colours.digits]
    after = colours.number[rows @ colours.weights]
    codes = np.zeros((colours.size, turns.size), np.int64)
    for place, to in enumerate(image.places):
        of_turns = image.factor * turns.digits[:, place] + image.turns[place]
        of_colours = turn[colours.digits[:, place]]
        digits = (of_turns[None, :] - of_colours[:, None]) % modulus
        codes += digits * int(turns.weights[to])
    return np.asarray(after[:, None] * turns.size + turns.number[codes]).ravel()
