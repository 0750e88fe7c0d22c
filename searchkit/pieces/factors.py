"""Some solution of a permutation puzzle, soon: motions written as words of moves.

For each base point of the group's chain of stabilisers and each point it can be taken to while the
base points before it stay, a table has a short word of moves that does so. A motion is undone base
point by base point. The table is filled by short words, each of which is sifted through it and
replaces longer ones, and by products of its own words (T. Minkwitz, An algorithm for solving the
factorization problem in permutation groups, 1998).

Of a bandaged puzzle, the motions are those of words that lead from the goal's shape to itself, and
a solution begins with a word that leads to that shape: see `searchkit.pieces.shapes`.
"""

from __future__ import annotations

import random
from collections.abc import Generator, Iterator
from functools import cached_property, lru_cache
from itertools import islice, product

import attrs
import numpy as np

from searchkit.pieces.chain import Chain, Element, TooLargeError
from searchkit.pieces.components import motion_to
from searchkit.pieces.layout import Layout
from searchkit.pieces.patterns import Pattern
from searchkit.pieces.shapes import Shape, Shapes, Word

MOST_POINTS = 256
"""Motions are strings of bytes."""
MOST_PAIRS = 250_000
"""How many products of words of one base point there may be, in about half a second."""
SHORT_WORDS = 20_000
"""How many short words the table is filled by, and tried as the first moves of a solution."""
SLICE = 500
"""How many are tried between two looks at the clock."""
FIRST_LENGTH, LONGER = 10, 1.25
"""Longer words are not sifted on at first; by what factor they may be longer in each round."""
ROUNDS = 8
LONG, MOST_LONG = 4, 2000
"""How many of these words make a longer one, where the table has holes; and how many of those."""
LOOPS = 100
"""How many words through shapes that are drawn the table is filled by in each round as well."""

Entry = tuple[bytes, bytes, Word]
"""A motion, the one that takes it back, and a word that makes it."""
IDENTITY = bytes(range(MOST_POINTS))


def _bytes_of(points: Element) -> bytes:
    return bytes(points.tolist()) + IDENTITY[len(points) :]


def _back(motion: bytes) -> bytes:
    return bytes(np.argsort(np.frombuffer(motion, np.uint8)).tolist())


@attrs.frozen(eq=False)
class Factors:
    """A table for the motions of a layout whose group is known, and of at most `MOST_POINTS`."""

    layout: Layout
    shapes: Shapes
    bases: tuple[int, ...]
    sizes: tuple[int, ...]
    """By base point, to how many others it can be taken."""
    levels: tuple[dict[int, Entry], ...] = attrs.field(
        init=False, default=attrs.Factory(lambda self: tuple({} for _ in self.bases), True)
    )
    """By base point, what takes it to a point."""

    @classmethod
    def of(cls, layout: Layout, shapes: Shapes) -> Factors | None:
        """An empty table; None where there can be none."""
        group = layout.group
        if None in layout.inverses or group.offsets[-1] > MOST_POINTS or not shapes.words:
            return None
        chain = _chain_of_loops(layout, shapes) if layout.illegal else group.chain
        if chain is None or sum(level.size**2 for level in chain.levels) > MOST_PAIRS:
            return None
        points = tuple(level.point for level in chain.levels)
        return cls(layout, shapes, points, tuple(level.size - 1 for level in chain.levels))

    @cached_property
    def letters(self) -> tuple[bytes, ...]:
        """What each operator does to the points."""
        return _letters(self.layout)

    @cached_property
    def _merged(self) -> dict[tuple[int, int], Word]:
        """The operators that make two others in a row, where that takes fewer."""
        numbers = {IDENTITY: (), **{each: (n,) for n, each in enumerate(self.letters)}}
        pairs = product(enumerate(self.letters), repeat=2)
        made = {(i, j): numbers.get(one.translate(two)) for (i, one), (j, two) in pairs}
        return {pair: word for pair, word in made.items() if word is not None}

    def _joined(self, word: Word, more: Word) -> Word:
        """Two words in a row, merged where they meet."""
        while word and more:
            merged = self._merged.get((word[-1], more[0]))
            if merged is None:
                break
            word, more = word[:-1], merged + more[1:]
            if merged:
                break
        return word + more

    def _sift(self, motion: bytes, word: Word, most: int) -> None:
        """Let the table have what is new or shorter of a motion and its word."""
        for base, row in zip(self.bases, self.levels, strict=True):
            image = motion[base]
            if image == base:
                continue
            if len(word) > most:
                return
            entry = row.get(image)
            if entry is None or len(word) < len(entry[2]):
                back, undone = _back(motion), self.shapes.taken_back(word)
                row[image] = motion, back, word
                other = row.get(back[base])
                if other is None or len(word) < len(other[2]):
                    row[back[base]] = back, motion, undone
                if entry is None:
                    return
                motion, entry, word = entry[0], row[image], entry[2]
            motion = motion.translate(entry[1])
            word = self._joined(word, self.shapes.taken_back(entry[2]))

    def _short_words(self, shape: Shape) -> Iterator[tuple[bytes, Word]]:
        """Motions from a shape to home, the ones first that are there soonest by short words.

        Where that is the only shape, they come with a shortest word of each.
        """
        known = {IDENTITY}
        layer: list[tuple[bytes, Word, Shape]] = [(IDENTITY, (), shape)]
        while layer:
            for motion, word, here in layer:
                yield self._ended(motion, word, self.shapes.words[here])
            after: list[tuple[bytes, Word, Shape]] = []
            for motion, word, here in layer:
                for number, there in enumerate(self.shapes.after(here)):
                    if there is None:
                        continue
                    made = motion.translate(self.letters[number])
                    if made not in known:
                        known.add(made)
                        after.append((made, (*word, number), there))
            layer = after

    def _ended(self, motion: bytes, word: Word, end: Word) -> tuple[bytes, Word]:
        """A motion and its word with some more moves."""
        for number in end:
            motion = motion.translate(self.letters[number])
        return motion, self._joined(word, end)

    def fill(self) -> Generator[None, None, None]:
        """Fill the table, in slices."""
        words, most = self._short_words(self.shapes.home), float(FIRST_LENGTH)
        rng = random.Random(0)
        for _ in range(ROUNDS):
            for motion, word in islice(words, SHORT_WORDS // ROUNDS):
                self._sift(motion, word, int(most))
            yield
            for _ in range(LOOPS if self.layout.illegal else 0):
                motion, word = self._ended(IDENTITY, (), self.shapes.loop(rng))
                self._sift(motion, word, int(most))
            yield
            for row in self.levels:
                entries = [(motion, word) for motion, _, word in row.values()]
                for (one, word), (other, more) in product(entries, repeat=2):
                    if len(word) + len(more) <= most:
                        self._sift(one.translate(other), self._joined(word, more), int(most))
                yield
            most *= LONGER
        for _ in range(MOST_LONG):
            if self.sizes == tuple(map(len, self.levels)):
                break
            word = ()
            for _ in range(rng.randint(1, LONG)):
                motion, word = self._ended(IDENTITY, word, self.shapes.loop(rng))
            self._sift(self._ended(IDENTITY, (), word)[0], word, MOST_POINTS)
            yield

    def word_back(self, motion: bytes) -> Word | None:
        """A word that takes a motion back; None if the table has none."""
        word: Word = ()
        for base, row in zip(self.bases, self.levels, strict=True):
            if motion[base] != base:
                entry = row.get(motion[base])
                if entry is None:
                    return None
                motion = motion.translate(entry[1])
                word = self._joined(word, self.shapes.taken_back(entry[2]))
        return word if motion == IDENTITY else None

    def words_back(self, motion: bytes, shape: Shape) -> Generator[Word | None, None, None]:
        """Words that take a motion back, each shorter than the last; None between two slices.

        They begin at a shape. A word from the table may be shorter after some first moves: all
        short words are tried.
        """
        best: Word | None = None
        for number, (made, word) in enumerate(islice(self._short_words(shape), SHORT_WORDS)):
            rest = self.word_back(motion.translate(made))
            if rest is not None and (best is None or len(word) + len(rest) < len(best)):
                best = self._joined(word, rest)
                yield best
            elif best is None and number == SLICE:  # it is none of the group, or holes are many
                return
            elif number % SLICE == 0:
                yield None


@lru_cache(maxsize=4)
def _letters(layout: Layout) -> tuple[bytes, ...]:
    group, seen = layout.group, layout.definition.seen
    return tuple(_bytes_of(group.points(seen(step.motion))) for step in layout.steps)


def _chain_of_loops(layout: Layout, shapes: Shapes) -> Chain | None:
    """The chain of the words that lead from home to home, as far as some of them generate them."""
    rng, degree, loops = random.Random(0), layout.group.offsets[-1], []
    for _ in range(LOOPS):
        motion = IDENTITY
        for number in shapes.loop(rng):
            motion = motion.translate(_letters(layout)[number])
        loops.append(np.frombuffer(motion, np.uint8)[:degree].astype(np.int32))
    try:
        return Chain(loops, range(degree))
    except TooLargeError:
        return None


@lru_cache(maxsize=4)
def _kept(layout: Layout, home: Shape) -> list[Factors]:
    """A table that was filled for a layout and a shape, if one was."""
    return []


def words_between(
    layout: Layout, start: Pattern, goal: Pattern
) -> Generator[Word | None, None, None]:
    """Words of operators from a pattern to another: see `words_back`; none if none is found."""
    if None in layout.inverses:
        return
    shapes = Shapes(layout, goal)
    kept = _kept(layout, shapes.home)
    if not kept:
        for _ in shapes.find():
            yield None
    factors = kept[0] if kept else Factors.of(layout, shapes)
    if factors is None or shapes.of(start) not in factors.shapes.words:
        return
    if not kept:
        for _ in factors.fill():
            yield None
        kept.append(factors)
    group, definition = layout.group, layout.definition
    there, home = (
        _bytes_of(group.points(motion_to(definition, group.components, each)))
        for each in (start, goal)
    )
    yield from factors.words_back(_back(home).translate(there), shapes.of(start))
