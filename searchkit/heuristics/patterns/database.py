"""One pattern database: its values, and what they belong to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

import attrs

if TYPE_CHECKING:
    import numpy as np

UNREACHED = 255
"""The value of entries from which no goal can be reached."""
MOST_VALUE = 254


@attrs.frozen(eq=False, kw_only=True)
class Description:
    """What is known of a pattern database without its values.

    `identity` is that of the space and group, `rules` the fingerprint of the rules that made it
    (see `searchkit.heuristics.patterns.rules`), empty if that was not asked for. `counts[d]` is
    how many entries have distance `d`; `seconds` is what building took.
    """

    identity: Mapping[str, Any]
    entries: int
    counts: tuple[int, ...]
    seconds: float
    halved: bool = False
    rules: str = ""

    @property
    def mean(self) -> float:
        """The mean distance of the entries that were reached."""
        return sum(d * count for d, count in enumerate(self.counts)) / max(1, sum(self.counts))

    def described(self) -> dict[str, Any]:
        """The same as keywords."""
        return {each.name: getattr(self, each.name) for each in attrs.fields(Description)}


@attrs.frozen(eq=False, kw_only=True)
class PatternDatabase(Description):
    """The distance of every entry of a group, a byte each or, `halved`, half a byte.

    Halved values count steps above the floor of the space; what is too large for four bits is
    15, which is still a lower bound.
    """

    values: np.ndarray[Any, Any] = attrs.field(repr=False)

    @property
    def bytes(self) -> int:
        """The memory of the values."""
        return int(self.values.nbytes)
