"""Pattern databases built without machine code.

Those of spaces that find their distances themselves, and small ones in plain Python, which looks at
every move on the way.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import attrs

from searchkit.heuristics.patterns.database import MOST_VALUE, UNREACHED, PatternDatabase
from searchkit.heuristics.patterns.identity import identity_of
from searchkit.heuristics.patterns.laws import check_shape, moves_before
from searchkit.heuristics.patterns.rules import rules_of
from searchkit.pattern_space import PatternSpace, SolvedSpace
from searchkit.running.making import search_clock

BYTES_AN_ENTRY = 8
"""The distances of a round, the same as bytes, and what is compared with them."""


@attrs.define(eq=False)
class SolvedBuild:
    """Such a database that is being built; `run` yields after every round."""

    space: SolvedSpace
    group: int
    kept_bytes: int = 0
    level: int = 0
    """How many rounds there were."""
    seconds: float = 0.0
    values: Any = None

    @property
    def entries(self) -> int:
        """How many entries there are."""
        return self.space.entries(self.group)

    def run(self) -> Iterator[None]:
        """Build it."""
        check_shape(self.space, self.group)
        began = search_clock()
        for values in self.space.distances(self.group):
            self.values = values
            self.level += 1
            self.seconds += search_clock() - began
            yield
            began = search_clock()

    def about(self) -> str:
        """How far it is, in one line."""
        return f"round {self.level} over {self.entries:,} entries, {self.seconds:.0f} s"

    def keep(self, folder: Path) -> None:
        """Nothing is kept: a build takes seconds."""

    def resume(self, folder: Path) -> bool:
        """Nothing was kept."""
        return False

    def database(self) -> PatternDatabase:
        """What was built."""
        import numpy as np  # noqa: PLC0415  (takes long to import)

        counts = np.bincount(self.values, minlength=UNREACHED + 1)[:UNREACHED].tolist()
        rules = rules_of(self.space, self.group)
        return made_database(
            self.space, self.group, self.values, counts, seconds=self.seconds, rules=rules
        )


def made_database(
    space: PatternSpace, group: int, values: Any, counts: Sequence[int], **others: Any
) -> PatternDatabase:
    """The database with the values of a group, of which so many are at each distance.

    `others` are its other attributes: a build in plain Python has no rules that are known.
    """
    values.flags.writeable = False
    deepest = max((distance for distance, count in enumerate(counts) if count), default=-1)
    return PatternDatabase(
        identity=identity_of(space, group),
        entries=space.entries(group),
        values=values,
        counts=tuple(counts[: deepest + 1]),
        **others,
    )


def solved(space: SolvedSpace, group: int) -> PatternDatabase:
    """The database of a group."""
    building = SolvedBuild(space, group)
    for _ in building.run():
        pass
    return building.database()


MOST_ENTRIES = 1 << 20


def plain_build(space: PatternSpace, group: int, most: int) -> PatternDatabase | None:
    """The database of a group; None if more than `most` are reached.

    Breadth-first search from the goals, over entries with masks of places:
    O(entries * places * operators), some ten thousand moves a second.
    """
    import numpy as np  # noqa: PLC0415  (takes long to import)

    entries = space.entries(group)
    if entries > MOST_ENTRIES:
        return None
    if isinstance(space, SolvedSpace):
        return solved(space, group) if entries <= most else None
    distance: dict[int, int] = {}
    seen: dict[int, int] = {}
    layer: dict[int, int] = {}
    for word, mask in space.goals(group):
        layer[word] = layer.get(word, 0) | mask
    level = 0
    while layer:
        following: dict[int, int] = {}
        for word, mask in layer.items():
            fresh = space.spread(word, group, mask) & ~seen.get(word, 0)
            if not fresh:
                continue
            seen[word] = seen.get(word, 0) | fresh
            distance.setdefault(word, level)
            if len(distance) > most:
                return None
            for before, landing in moves_before(space, group, word, fresh):
                following[before] = following.get(before, 0) | landing
        layer = following
        level += 1
    values = np.full(entries, UNREACHED, dtype=np.uint8)
    counts = [0] * level
    for word, steps in distance.items():
        if steps > MOST_VALUE:
            return None
        values[space.rank(word, group)] = steps
        counts[steps] += 1
    return made_database(space, group, values, counts, seconds=0.0)
