"""Pattern databases that are larger than caches, looked up while other states are searched."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import Any

from searchkit.heuristics.patterns.database import PatternDatabase
from searchkit.heuristics.patterns.heuristic import (
    INDEX_MASK,
    STATE_MASK,
    VALUE_SHIFT,
    PatternHeuristic,
)
from searchkit.packed import PackedStep, PrefetchedHeuristic
from searchkit.pattern_space import PatternSpace

LEAST_FAR = 32_000_000
"""Databases of fewer bytes are in caches, or nearly so."""
MOST_IMAGES = 2
SLOT_BITS = 6
"""An entry that is asked for has in its lowest bits which word it belongs to."""


class FarPatternHeuristic(PatternHeuristic, PrefetchedHeuristic):
    """Added up for one or two images, of which the one with the larger sum is asked first.

    Most steps that do not fit are seen there, so that nothing else is looked up. The last word is
    the entry of the other image, until that is settled.
    """

    far_bits = SLOT_BITS

    def __init__(
        self, space: PatternSpace, databases: Sequence[PatternDatabase], name: str = "pdb"
    ) -> None:
        super().__init__(space, databases, name)
        self.memory += 1
        far, base = _joined(databases)
        self.tables = self.tables._replace(far=far, base=base)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.space, self.databases, self.name)

    def first_image(self, memo: Any, at: int) -> int:
        """Kernel: the image whose sum is the largest."""
        if self.tables.images == 1:
            return 0
        return int(memo[at + 2 + self.tables.groups] > memo[at + 1])

    def word_after(self, old: int, step: PackedStep, image: int, group: int) -> int:
        """Kernel: the pattern state of a group after a step, or its entry, as it is carried."""
        if self.tables.by_entry != 0:
            return int(self.entry_after(old & STATE_MASK, step, image, group))
        return int(self.space.moved(old & STATE_MASK, step, image, group))

    def asked_of(self, word: int, slot: int, group: int) -> int:
        """Kernel: the number of the entry of a word that is carried."""
        entry = word if self.tables.by_entry != 0 else self.entry(word, group)
        return int((entry + self.tables.base[group]) << SLOT_BITS | slot)

    def ask(self, memo: Any, at: int, step: PackedStep, most: int) -> int:
        """Kernel: the entry of the first image's group that is touched; -1 if none is."""
        image = self.first_image(memo, at)
        group = self.space.touched(step, image)
        if group >= self.tables.groups:
            return -1
        group = group & INDEX_MASK
        slot = 2 + image * (1 + self.tables.groups) + group
        word = self.word_after(memo[at + slot], step, image, group)
        return self.asked_of(word, slot, group)

    def told(
        self, memo: Any, at: int, kept: Any, after: int, step: PackedStep, most: int, entry: int
    ) -> int:
        """Kernel: the sum of the first image; the entry of the other one is the last word."""
        groups = self.tables.groups
        image = self.first_image(memo, at)
        row = 1 + image * (1 + groups)
        total = int(memo[at + row])
        slot, word = 0, 0
        if entry >= 0:
            slot = entry & ((1 << SLOT_BITS) - 1)
            value = int(self.tables.far[entry >> SLOT_BITS])
            old = memo[at + slot]
            total += value - int(old >> VALUE_SHIFT)
            if total > most:
                return total
            word = self.word_after(old, step, image, slot - row - 1) | value << VALUE_SHIFT
        best = total
        other, number, other_slot, other_word = 1 - image, -1, 0, 0
        if self.tables.images == 2:
            other_row = 1 + other * (1 + groups)
            group = self.space.touched(step, other)
            if group >= groups:
                best = max(best, int(memo[at + other_row]))
                if best > most:
                    return best
            else:
                group = group & INDEX_MASK
                other_slot = other_row + 1 + group
                old = memo[at + other_slot]
                other_word = self.word_after(old, step, other, group)
                number = self.asked_of(other_word, other_slot, group)
                other_word |= old & ~STATE_MASK  # its value is that of the parent until `settle`
        last = 1 + self.tables.images * (1 + groups)
        for i in range(last):
            kept[after + i] = memo[at + i]
        kept[after] = best
        kept[after + row] = total
        if slot != 0:
            kept[after + slot] = word
        if other_slot != 0:
            kept[after + other_slot] = other_word
        kept[after + last] = number
        return best

    def settle(self, memo: Any, at: int) -> int:
        """Kernel: the larger of both sums."""
        groups = self.tables.groups
        number = memo[at + 1 + self.tables.images * (1 + groups)]
        if number >= 0:
            slot = number & ((1 << SLOT_BITS) - 1)
            row = at + 1
            if slot > 1 + groups:
                row = at + 2 + groups
            value = int(self.tables.far[number >> SLOT_BITS])
            old = memo[at + slot]
            memo[at + slot] = (old & STATE_MASK) | value << VALUE_SHIFT
            memo[row] += value - int(old >> VALUE_SHIFT)
            memo[at] = max(memo[at], memo[row])
        return int(memo[at])


def is_far(space: PatternSpace, databases: Sequence[PatternDatabase]) -> bool:
    """Whether databases are looked up so: large ones that are added up, and have all distances.

    Of which the space says which one a step touches.
    """
    few = space.images <= MOST_IMAGES and space.images * (1 + len(space.groups)) < 1 << SLOT_BITS
    groups = list(range(len(space.groups)))
    all_asked = all([*space.groups_of(image)] == groups for image in range(space.images))
    if not (space.additive and space.tells_touched and few and all_asked):
        return False
    whole = all(sum(each.counts) == each.entries and not each.halved for each in databases)
    return whole and sum(each.bytes for each in _distinct(databases).values()) >= LEAST_FAR


def _key(database: PatternDatabase) -> str:
    """What it belongs to: groups that are images of one another share a database."""
    return repr(sorted(database.identity.items()))


def _distinct(databases: Sequence[PatternDatabase]) -> dict[str, PatternDatabase]:
    """Each database once, by its key."""
    return {_key(each): each for each in databases}


def _joined(databases: Sequence[PatternDatabase]) -> tuple[Any, tuple[int, ...]]:
    """The values of all, one after another, each once, and where those of each begin."""
    import numpy as np  # noqa: PLC0415  (takes long to import)

    distinct = _distinct(databases)
    ends = accumulate(each.entries for each in distinct.values())
    begins = dict(zip(distinct, (0, *ends), strict=False))
    base = tuple(begins[_key(each)] for each in databases)
    return np.concatenate([each.values for each in distinct.values()]), base
