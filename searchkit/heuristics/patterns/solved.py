"""Pattern databases of spaces that find their distances themselves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import attrs

from searchkit.heuristics.patterns.database import UNREACHED, PatternDatabase
from searchkit.heuristics.patterns.identity import identity_of
from searchkit.heuristics.patterns.laws import check_shape
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
