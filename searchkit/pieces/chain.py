"""Chains of stabilisers: the order of a permutation group, its members, and random ones.

Elements are arrays: `g[x]` is where point `x` goes; `h[g]` is `g` and then `h`. A chain has base
points; level `i` knows, for every point that the `i`-th base point can be taken to while all base
points before it stay, an element that does so. The chain is grown from random elements until they
all sift through (J. S. Leon, On an algorithm for finding a base and a strong generating set for a
group given by generating permutations, 1980). It then holds elements of the group only, so that its
order is a lower bound; it is exact where `complete` has found nothing to add (C. C. Sims, 1970).
"""

from __future__ import annotations

import math
import random
from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

Element = np.ndarray[Any, np.dtype[np.int32]]
QUIET = 24
"""A chain is taken to be whole when this many random elements in a row have sifted through."""
POOL = 12
MIXED = 60
"""Steps of product replacement before its elements are used (F. Celler and others, Generating
random elements of a finite group, 1995)."""
BATCH = 4096
"""How many elements are sifted at a time."""
MOST_KEPT = 1 << 24
"""How many images of points a chain may keep, 8 bytes each, or 16 while it grows."""
MOST_WORK = 1 << 29
"""How many images may be looked up, in about two seconds; a call counts for `CALL` of them."""
CALL = 4000


class TooLargeError(Exception):
    """A chain would take more memory or time than it may."""


class Level:
    """The orbit of a base point: `row[x]` is the row of `there` and `back` for point `x`, or -1."""

    def __init__(self, point: int, degree: int) -> None:
        """Only the base point itself is known."""
        self.point, self.size, self.generators = point, 1, list[Element]()
        self.row: Element = np.full(degree, -1, np.int32)
        self.row[point] = 0
        identity = np.arange(degree, dtype=np.int32)
        self.there, self.back = identity[None].copy(), identity[None].copy()

    def extend(self, generator: Element) -> None:
        """Add a generator, and what it and the others reach."""
        self.generators.append(generator)
        todo, tried = np.flatnonzero(self.row >= 0), [generator]
        while len(todo):
            new: list[int] = []
            for each in tried:
                images = each[todo]
                outside = self.row[images] < 0
                for point, image in zip(todo[outside], images[outside], strict=True):
                    if self.row[image] < 0:
                        self._add(int(image), each[self.there[self.row[point]]])
                        new.append(int(image))
            todo, tried = np.array(new, np.int32), self.generators

    def _add(self, image: int, element: Element) -> None:
        if self.size == len(self.there):
            self.there = np.concatenate([self.there, np.empty_like(self.there)])
            self.back = np.concatenate([self.back, np.empty_like(self.back)])
        self.row[image] = self.size
        self.there[self.size] = element
        self.back[self.size][element] = np.arange(len(element), dtype=np.int32)
        self.size += 1


class Chain:
    """The group that some elements generate, as far as it is known."""

    def __init__(self, generators: Iterable[Element], bases: Sequence[int], *, share: int = 1):
        """Grow a chain; `bases` are points that only the identity keeps all of.

        Raises `TooLargeError` if that takes too much, as `complete` does: more than one of `share`
        parts of the work.
        """
        self.generators = list(generators)
        self.degree = len(self.generators[0])
        self.bases = list(bases)
        self.levels: list[Level] = []
        self.work, self.share = 0, share
        self._identity = np.arange(self.degree, dtype=np.int32)
        for each in self.generators:
            self.add(each)
        moving = [each for each in self.generators if (each != self._identity).any()]
        if not moving:
            return
        product = Product(moving, random.Random(0))
        quiet = 0
        while quiet < QUIET:
            quiet = 0 if self.add(product.next()) else quiet + 1

    @property
    def order(self) -> int:
        """The product of the sizes of the orbits."""
        return math.prod(level.size for level in self.levels)

    def sift(self, element: Element) -> tuple[int, Element]:
        """The level at which an element leaves the chain, and what is left of it there.

        The identity is left of the chain's own elements, and only of them.
        """
        for number, level in enumerate(self.levels):
            row = level.row[element[level.point]]
            if row < 0:
                return number, element
            if row:
                element = level.back[row][element]
        return len(self.levels), element

    def _spend(self, work: int) -> None:
        self.work += work
        if self.work > MOST_WORK // self.share:
            raise TooLargeError

    def contains(self, element: Element) -> bool:
        """Whether an element belongs to the chain. O(base * degree)."""
        _, left = self.sift(element)
        return bool((left == self._identity).all())

    def add(self, element: Element) -> bool:
        """Let the chain contain an element; whether it has grown by it."""
        number, left = self.sift(element)
        self._spend((number + 1) * (CALL + self.degree))
        if (left == self._identity).all():
            return False
        if number == len(self.levels):
            moved = next(point for point in self.bases if left[point] != point)
            self.levels.append(Level(moved, self.degree))
        for level in self.levels[: number + 1]:
            level.extend(left)
        if sum(level.size for level in self.levels) * self.degree > MOST_KEPT:
            raise TooLargeError
        return True

    def complete(self) -> None:
        """Prove the chain, by Schreier's lemma: all generators of every stabiliser must sift.

        What does not is added. O(sum of orbits * generators * base * degree).
        """
        while any(self.add(each) for each in self.generators) or self._has_grown():
            pass

    def _has_grown(self) -> bool:
        for number in reversed(range(len(self.levels))):
            level = self.levels[number]
            points = np.flatnonzero(level.row >= 0)
            for generator in level.generators:
                self._spend(4 * len(points) * (len(self.levels) - number) * self.degree)
                left = generator[level.there[level.row[points]]]
                rows = level.row[left[:, level.point]]
                left = np.take_along_axis(level.back[rows], left, axis=1)
                for first in range(0, len(left), BATCH):
                    failed = self._first_failed(left[first : first + BATCH], number + 1)
                    if failed is not None:
                        self.add(failed)
                        return True
        return False

    def _first_failed(self, elements: Element, number: int) -> Element | None:
        whole = elements
        for level in self.levels[number:]:
            rows = level.row[elements[:, level.point]]
            if (rows < 0).any():
                return np.array(whole[np.flatnonzero(rows < 0)[0]])
            if rows.any():
                elements = np.take_along_axis(level.back[rows], elements, axis=1)
        bad = (elements != self._identity).any(axis=1)
        return np.array(whole[np.flatnonzero(bad)[0]]) if bad.any() else None

    def random(self, rng: random.Random) -> Element:
        """An element drawn uniformly. O(base * degree)."""
        element = self._identity
        for level in reversed(self.levels):
            element = level.there[rng.randrange(level.size)][element]
        return element


class Product:
    """Random elements by product replacement, about as random as the group allows."""

    def __init__(self, generators: Sequence[Element], rng: random.Random) -> None:
        self._pool = list(generators) * -(-POOL // len(generators))
        self._identity = np.arange(len(generators[0]), dtype=np.int32)
        self._product = self._identity
        self._random = rng
        for _ in range(MIXED + 2 * len(self._pool)):
            self.next()

    def next(self) -> Element:
        """The next element. O(degree)."""
        one, other = self._random.sample(range(len(self._pool)), 2)
        factor = self._pool[other]
        if self._random.random() < 0.5:
            inverse = np.empty_like(factor)
            inverse[factor] = self._identity
            factor = inverse
        self._pool[one] = factor[self._pool[one]]
        self._product = self._pool[one][self._product]
        return self._product
