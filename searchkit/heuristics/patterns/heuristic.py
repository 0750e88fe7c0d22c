"""A lower bound looked up in one or several pattern databases."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from searchkit.errors import ProblemError, UsageError
from searchkit.heuristics.kinds import described
from searchkit.heuristics.patterns.database import UNREACHED, PatternDatabase
from searchkit.heuristics.patterns.identity import (
    as_identity,
    equal_tables,
    identity_of,
    no_entry,
    no_entry_after,
)
from searchkit.packed import DEAD_END, CarriedHeuristic, PackedStep
from searchkit.pattern_space import WORD_BITS_USED, PatternSpace

VALUE_SHIFT = 52
"""A word that is carried holds a pattern state, or its entry, and from this bit on its value."""
STATE_MASK = (1 << VALUE_SHIFT) - 1
INDEX_MASK = (1 << 63) - 1
"""Tells machine code that an index is not negative; what is negative becomes too large."""


class LookUpTables(NamedTuple):
    """What the kernels of `PatternHeuristic` look up.

    `asked[image * groups + group]` is 0 for what is not looked up, `some_left_out` 1 if there is
    any. `values` has an array for every group; `halved` is 1 for those with two entries in a byte,
    `some_halved` if there are any. `by_entry` is 1 if entries are carried, not pattern states.
    `outside` takes the note of a pattern state without an entry: one more than its group, and it.
    An entry that is followed to and that there is not is noted with as many groups more.
    """

    values: tuple[Any, ...]
    halved: tuple[int, ...]
    some_halved: int
    by_entry: int
    groups: int
    images: int
    additive: int
    step: int
    some_left_out: int
    asked: tuple[int, ...]
    outside: Any
    far: Any
    base: tuple[int, ...]


class PatternHeuristic(CarriedHeuristic):
    """The sum over the groups of a space where it is additive, else the largest value.

    Of several images of a state the largest bound counts. `name` tells which databases they
    are. Carries a word for each group and image. Admissible; where places are left out of the
    entries it need not be consistent (U. Zahavi and others, Inconsistent heuristics, 2007).
    """

    given = "each step is one of the patterns, too, and their tables hold the distances"
    parts = ("space",)
    constants = (
        "some_halved", "by_entry", "groups", "images", "additive", "step", "some_left_out",
    )  # fmt: skip

    def __init__(
        self, space: PatternSpace, databases: Sequence[PatternDatabase], name: str = "pdb"
    ) -> None:
        import numpy as np  # noqa: PLC0415  (takes long to import)

        expected = [identity_of(space, group) for group in range(len(space.groups))]
        if [as_identity(database.identity) for database in databases] != expected:
            raise UsageError(
                f"{name}: the pattern databases are not those of the groups {space.groups}"
            )
        for group, database in enumerate(databases):
            entries = space.entries(group)
            size = (entries + 1) // 2 if database.halved else entries
            if (database.entries, database.bytes) != (entries, size):
                raise UsageError(
                    f"{name}: the pattern database of group {group} needs {entries:,} entries, "
                    f"and has {database.entries:,} in {database.bytes:,} bytes"
                )
        self.space = space
        self.name = name
        self.databases = tuple(databases)
        groups = len(space.groups)
        self.memory = 1 + space.images * (1 + groups)
        halved = any(database.halved for database in databases)
        asked = [
            int(group in space.groups_of(image))
            for image in range(space.images)
            for group in range(groups)
        ]
        self.tables = LookUpTables(
            values=tuple(database.values for database in databases),
            halved=tuple(int(database.halved) for database in databases),
            some_halved=int(halved),
            by_entry=int(space.follows and not halved),  # a floor needs the pattern state
            groups=groups,
            images=space.images,
            additive=int(space.additive),
            step=space.step,
            some_left_out=int(0 in asked),
            asked=tuple(asked),
            outside=np.zeros(2, dtype=np.int64),
            far=np.zeros(0, dtype=np.uint8),
            base=(0,) * groups,
        )

    def begun(self, state: Any, words: list[int]) -> int:
        """What `begin` gives; `ProblemError` if a pattern state has no entry."""
        value = super().begun(state, words)
        fault = self.fault()
        if fault is not None:
            raise ProblemError(fault)
        return value

    def unfit(self, problem: Any) -> str | None:
        """How its pattern space differs from that of `problem`, made for another goal, say."""
        patterned = described(problem)
        if patterned is None:
            return None
        advice = "make another one for it, by pattern_heuristic(problem, ...)"
        try:
            other = patterned.pattern_space(self.space.groups)
        except UsageError as error:
            return f"it knows no such patterns ({error}); {advice}"
        if other is self.space:
            return None
        for group in range(len(self.space.groups)):
            ours, theirs = identity_of(self.space, group), identity_of(other, group)
            for key in sorted({*ours, *theirs}):
                if ours.get(key) != theirs.get(key):
                    return (
                        f"it was made for another one: of pattern {self.space.name_of(group)}, "
                        f"{key} was {ours.get(key)!r:.60} and is {theirs.get(key)!r:.60}; {advice}"
                    )
        if self.space.additive and not other.additive:
            return f"a step of it changes several of its patterns, which are added up; {advice}"
        if type(other) is type(self.space) and not equal_tables(self.space.tables, other.tables):
            return f"it was made for another goal, or other parameters; {advice}"
        return None

    def fault(self) -> str | None:
        """Which pattern state had no entry when it was looked up; None if all had one."""
        outside = self.tables.outside
        if outside[0] == 0:
            return None
        group, word = (int(each) for each in outside)
        outside[0] = 0
        groups = self.tables.groups
        if group > groups:
            return no_entry_after(self.space, group - groups - 1, word)
        return no_entry(self.space, group - 1, word)

    def entry(self, word: int, group: int) -> int:
        """Kernel: the entry of a pattern state; 0, and a note, if it has none."""
        entry = self.space.rank(word, group) & INDEX_MASK
        halved = self.tables.halved[group] if self.tables.some_halved != 0 else 0
        if entry >> halved >= len(self.tables.values[group]) or word >> WORD_BITS_USED != 0:
            note = self.tables.outside  # the only table that a kernel writes to
            note[0] = group + 1
            note[1] = word & INDEX_MASK
            return 0
        return int(entry)

    def entry_after(self, entry: int, step: PackedStep, image: int, group: int) -> int:
        """Kernel: the entry of the child of a step; 0, and a note, if there is none."""
        after = self.space.entry_after(entry, step, image, group) & INDEX_MASK
        if after >= len(self.tables.values[group]):
            note = self.tables.outside
            note[0] = self.tables.groups + group + 1
            note[1] = after
            return 0
        return int(after)

    def is_left_out(self, image: int, group: int) -> bool:
        """Kernel: whether a group is not looked up of an image."""
        if self.tables.some_left_out == 0:
            return False
        return bool(self.tables.asked[image * self.tables.groups + group] == 0)

    def value(self, entry: int, word: int, group: int) -> int:
        """Kernel: the value of an entry; the pattern state is for those of two in a byte."""
        values = self.tables.values[group]
        halved = self.tables.halved[group] if self.tables.some_halved != 0 else 0
        if halved != 0:
            value = int(values[entry >> 1]) >> 4 * (entry & 1) & 15
            return int(self.space.floor(word, group) + value * self.tables.step)
        return int(values[entry])

    def begin(self, memo: Any, at: int, state: Any) -> int:
        """Kernel: look every group of every image up."""
        best = 0
        for image in range(self.tables.images):
            row = at + 1 + image * (1 + self.tables.groups)
            total = 0
            for group in range(self.tables.groups):
                if self.is_left_out(image, group):
                    continue
                word = self.space.locate(state, image, group)
                entry = self.entry(word, group)
                value = self.value(entry, word, group)
                if value == UNREACHED:
                    return DEAD_END
                if self.tables.by_entry != 0:
                    word = entry
                memo[row + 1 + group] = word | value << VALUE_SHIFT
                if self.tables.additive != 0:
                    total += value
                elif value > total:
                    total = value
            memo[row] = total
            best = max(best, total)
        memo[at] = best
        return best

    def follow(self, memo: Any, at: int, after: int, step: PackedStep, most: int) -> int:
        """Kernel: look up what has changed, until the groups so far prune, or two images."""
        best = 0
        groups = int(self.tables.groups)
        images = int(self.tables.images)
        for image in range(images):
            row = (at + 1 + image * (1 + groups)) & INDEX_MASK
            new_row = (after + 1 + image * (1 + groups)) & INDEX_MASK
            touched = self.space.touched(step, image)
            if self.tables.additive == 0:
                for group in range(groups):
                    if self.is_left_out(image, group):
                        continue
                    if touched < 0 or touched == group:
                        self.renewed(memo, row, new_row, step, image, group)
                    else:
                        memo[new_row + 1 + group] = memo[row + 1 + group]
                    value = int(memo[new_row + 1 + group] >> VALUE_SHIFT)
                    best = max(best, DEAD_END if value == UNREACHED else value)
                    if best > most:
                        return best
                continue
            for group in range(groups):
                memo[new_row + 1 + group] = memo[row + 1 + group]
            total = int(memo[row])
            if touched < 0:
                for group in range(groups):
                    total += self.renewed(memo, row, new_row, step, image, group)
            elif touched < groups:
                total += self.renewed(memo, row, new_row, step, image, touched & INDEX_MASK)
            memo[new_row] = total
            best = max(best, total)
            # Images are looked up in pairs: neither waits for the memory of the other.
            if best > most and image + 2 < images and image & 1 != 0:
                return min(best, DEAD_END)
        memo[after] = best
        return min(best, DEAD_END)

    def renewed(
        self, memo: Any, row: int, new_row: int, step: PackedStep, image: int, group: int
    ) -> int:
        """Kernel: look a group up after a step; by how much its value is larger."""
        old = memo[row + 1 + group]
        if self.tables.by_entry != 0:
            entry = self.entry_after(old & STATE_MASK, step, image, group)
            word = entry
        else:
            word = self.space.moved(old & STATE_MASK, step, image, group)
            entry = self.entry(word, group)
        value = self.value(entry, word, group)
        memo[new_row + 1 + group] = word | value << VALUE_SHIFT
        return DEAD_END if value == UNREACHED else value - int(old >> VALUE_SHIFT)
