"""One run of one contestant, and the comparison of many."""

from __future__ import annotations

import enum
import statistics
from collections.abc import Mapping, Sequence
from typing import Any

import attrs


class Unavailable(Exception):  # noqa: N818  (a state of affairs, not an error)
    """A contestant cannot run here; the text says why."""


class Failed(Exception):  # noqa: N818
    """A contestant broke down or gave a wrong answer."""


class Clock(enum.Enum):
    """What seconds are; both sides of a ratio use the same."""

    CPU = "cpu"
    WALL = "wall"


@attrs.frozen
class Sample:
    """What one run reported: seconds of every repetition on both clocks, and other figures."""

    cpu_seconds: tuple[float, ...]
    wall_seconds: tuple[float, ...]
    figures: Mapping[str, Any]

    @classmethod
    def read(cls, document: Mapping[str, Any]) -> Sample:
        """The sample that a contestant printed; `Unavailable` if it printed why there is none."""
        if "unavailable" in document:
            raise Unavailable(document["unavailable"])
        figures = dict(document)
        cpu, wall = (tuple(figures.pop(f"{clock.value}_seconds")) for clock in Clock)
        return cls(cpu, wall, figures)

    def seconds(self, clock: Clock) -> float:
        """The time of the fastest repetition: the others were held up by something else."""
        return min(self.cpu_seconds if clock is Clock.CPU else self.wall_seconds)


@attrs.frozen
class Ratio:
    """Ours to theirs, round by round: below 1 we are faster."""

    median: float
    least: float
    most: float

    @classmethod
    def of(cls, ours: Sequence[float], theirs: Sequence[float]) -> Ratio:
        """Divide what was measured in the same round.

        >>> Ratio.of([2.0, 3.0, 5.0], [2.0, 2.0, 2.0])
        Ratio(median=1.5, least=1.0, most=2.5)
        """
        ratios = [mine / other for mine, other in zip(ours, theirs, strict=True)]
        return cls(statistics.median(ratios), min(ratios), max(ratios))
