"""Some solution of a permutation puzzle, soon: motions written as words of moves.

For each base point of the group's chain of stabilisers and each point it can be taken to while the
base points before it stay, a table has a short word of moves that does so. A motion is undone base
point by base point. The table is filled by short words, each of which is sifted through it and
replaces longer ones, and by products of its own words (T. Minkwitz, An algorithm for solving the
factorization problem in permutation groups, 1998).
"""

from __future__ import annotations

from collections.abc import Generator, Iterator
from functools import cached_property, lru_cache
from itertools import islice, product

import attrs
import numpy as np

from searchkit.pieces.chain import Element
from searchkit.pieces.components import motion_to
from searchkit.pieces.layout import Layout
from searchkit.pieces.patterns import Pattern

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

Word = tuple[int, ...]
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
    bases: tuple[int, ...]
    levels: tuple[dict[int, Entry], ...] = attrs.field(
        init=False, default=attrs.Factory(lambda self: tuple({} for _ in self.bases), True)
    )
    """By base point, what takes it to a point."""

    @classmethod
    def of(cls, layout: Layout) -> Factors | None:
        """An empty table; None where there can be none."""
        group, chain = layout.group, None
        if not layout.definition.is_bandaged and None not in layout.inverses:
            chain = group.chain if group.offsets[-1] <= MOST_POINTS else None
        if chain is None or sum(level.size**2 for level in chain.levels) > MOST_PAIRS:
            return None
        return cls(layout, tuple(level.point for level in chain.levels))

    @cached_property
    def letters(self) -> tuple[bytes, ...]:
        """What each operator does to the points."""
        group, seen = self.layout.group, self.layout.definition.seen
        return tuple(_bytes_of(group.points(seen(step.motion))) for step in self.layout.steps)

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

    def _taken_back(self, word: Word) -> Word:
        """The word that takes it back."""
        inverses = self.layout.inverses
        return tuple(inverses[each] for each in reversed(word))  # type: ignore[misc]

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
                back, undone = _back(motion), self._taken_back(word)
                row[image] = motion, back, word
                other = row.get(back[base])
                if other is None or len(word) < len(other[2]):
                    row[back[base]] = back, motion, undone
                if entry is None:
                    return
                motion, entry, word = entry[0], row[image], entry[2]
            motion = motion.translate(entry[1])
            word = self._joined(word, self._taken_back(entry[2]))

    def _short_words(self) -> Iterator[tuple[bytes, Word]]:
        """Motions with a shortest word of each, the shortest first."""
        known = {IDENTITY}
        layer: list[tuple[bytes, Word]] = [(IDENTITY, ())]
        while layer:
            yield from layer
            after: list[tuple[bytes, Word]] = []
            for motion, word in layer:
                for number, letter in enumerate(self.letters):
                    made = motion.translate(letter)
                    if made not in known:
                        known.add(made)
                        after.append((made, (*word, number)))
            layer = after

    def fill(self) -> Generator[None, None, None]:
        """Fill the table, in slices."""
        words, most = self._short_words(), float(FIRST_LENGTH)
        for _ in range(ROUNDS):
            for motion, word in islice(words, SHORT_WORDS // ROUNDS):
                self._sift(motion, word, int(most))
            yield
            for row in self.levels:
                entries = [(motion, word) for motion, _, word in row.values()]
                for (one, word), (other, more) in product(entries, repeat=2):
                    if len(word) + len(more) <= most:
                        self._sift(one.translate(other), self._joined(word, more), int(most))
                yield
            most *= LONGER

    def word_back(self, motion: bytes) -> Word | None:
        """A word that takes a motion back; None if the table has none."""
        word: Word = ()
        for base, row in zip(self.bases, self.levels, strict=True):
            if motion[base] != base:
                entry = row.get(motion[base])
                if entry is None:
                    return None
                motion = motion.translate(entry[1])
                word = self._joined(word, self._taken_back(entry[2]))
        return word if motion == IDENTITY else None

    def words_back(self, motion: bytes) -> Generator[Word | None, None, None]:
        """Words that take a motion back, each shorter than the last; None between two slices.

        A word from the table may be shorter after some first moves: all short words are tried.
        """
        best = self.word_back(motion)
        if best is None:
            return
        yield best
        for number, (made, word) in enumerate(islice(self._short_words(), SHORT_WORDS)):
            rest = self.word_back(motion.translate(made))
            if rest is not None and len(word) + len(rest) < len(best):
                best = self._joined(word, rest)
                yield best
            elif number % SLICE == 0:
                yield None


@lru_cache(maxsize=4)
def _kept(layout: Layout) -> list[Factors]:
    """A table that was filled for a layout, if one was."""
    return []


def words_between(
    layout: Layout, start: Pattern, goal: Pattern
) -> Generator[Word | None, None, None]:
    """Words of operators from a pattern to another: see `words_back`; none if none is found."""
    kept = _kept(layout)
    factors = kept[0] if kept else Factors.of(layout)
    if factors is None:
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
    yield from factors.words_back(_back(home).translate(there))
