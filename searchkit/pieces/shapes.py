"""Which steps of a bandaged puzzle are legal: that depends on the shapes of its states alone.

The shape of a state says of what kind the piece in each place is, where pieces that are kept from
the same places are of one kind. There are far fewer shapes than states. A word of moves that leads
from a shape to itself is legal in all states of that shape, or in none: these words make a group.
"""

from __future__ import annotations

import random
from collections.abc import Generator
from functools import cached_property

import attrs

from searchkit.pieces.layout import Layout
from searchkit.pieces.patterns import Pattern

MOST_SHAPES = 20_000
SLICE = 100
"""How many shapes are looked at between two looks at the clock."""

Word = tuple[int, ...]
Shape = bytes


@attrs.frozen(eq=False)
class Shapes:
    """The shapes of a layout, and a shortest word from each to that of a pattern, `home`.

    Each operator must have an inverse. Of a puzzle that is not bandaged, there is one shape.
    """

    layout: Layout
    goal: Pattern
    words: dict[Shape, Word] = attrs.field(init=False, factory=dict)
    """Filled by `find`, unless there are more than `MOST_SHAPES`."""
    _after: dict[Shape, tuple[Shape | None, ...]] = attrs.field(init=False, factory=dict)

    @cached_property
    def home(self) -> Shape:
        """The shape of the goal."""
        return self.of(self.goal)

    @cached_property
    def _kinds(self) -> dict[int, dict[int, int]]:
        """By component in which not all is legal: the kinds of looks, by a number for each."""
        found = {}
        for number, pairs in sorted(self.layout.illegal.items()):
            kept: dict[int, set[int]] = {}
            for item, look in pairs:
                kept.setdefault(look, set()).add(item)
            numbers = {(): 0}
            kinds = {
                look: numbers.setdefault(tuple(sorted(items)), len(numbers))  # type: ignore[arg-type]
                for look, items in kept.items()
            }
            found[number] = kinds
        return found

    @cached_property
    def _illegal(self) -> frozenset[tuple[int, int]]:
        """Places, numbered through the components, and kinds that may not be there."""
        found, first = set(), 0
        for number, kinds in self._kinds.items():
            pairs = self.layout.illegal[number]
            found |= {(first + item, kinds[look]) for item, look in pairs}
            first += len(self.layout.components[number].places)
        return frozenset(found)

    @cached_property
    def _sources(self) -> tuple[tuple[int, ...], ...]:
        """By operator: from which place what is in each place comes."""
        found: list[tuple[int, ...]] = [()] * len(self.layout.steps)
        first = 0
        for number in self._kinds:
            for operator, change in enumerate(self.layout.changes[number]):
                found[operator] += tuple(first + source for source in change.sources)
            first += len(self.layout.components[number].places)
        return tuple(found)

    def of(self, pattern: Pattern) -> Shape:
        """The shape of a pattern."""
        found: list[int] = []
        for number, kinds in self._kinds.items():
            each = self.layout.components[number]
            found += (kinds.get(pattern[each.orbit][place][0], 0) for place in each.places)
        return bytes(found)

    def after(self, shape: Shape) -> tuple[Shape | None, ...]:
        """By operator the shape that it leads to; None if the step is illegal."""
        found = self._after.get(shape)
        if found is None:
            made = (bytes([shape[source] for source in each]) for each in self._sources)
            found = tuple(
                each if self._illegal.isdisjoint(enumerate(each)) else None for each in made
            )
            self._after[shape] = found
        return found

    def find(self) -> Generator[None, None, None]:
        """Find them, in slices: breadth first from home. O(shapes x operators x places)."""
        words: dict[Shape, Word] = {self.home: ()}
        layer = [self.home]
        while layer:
            after = []
            for number, shape in enumerate(layer):
                for operator, made in enumerate(self.after(shape)):
                    if made is not None and made not in words:
                        words[made] = self.taken_back((operator,)) + words[shape]
                        after.append(made)
                if number % SLICE == 0:
                    yield
            if len(words) > MOST_SHAPES:
                return
            layer = after
        self.words.update(words)

    def taken_back(self, word: Word) -> Word:
        """The word that takes a word back."""
        inverses = self.layout.inverses
        return tuple(inverses[each] for each in reversed(word))  # type: ignore[misc]

    def loop(self, rng: random.Random) -> Word:
        """A word from home to home, by a step between two shapes that is drawn.

        These are Schreier's generators of the group of all such words.
        """
        shape = rng.choice(list(self.words))
        steps = [
            (operator, made) for operator, made in enumerate(self.after(shape)) if made is not None
        ]
        if not steps:
            return ()
        operator, made = rng.choice(steps)
        return (*self.taken_back(self.words[shape]), operator, *self.words[made])
