"""One run of one contestant."""

from __future__ import annotations

import enum
from collections.abc import Mapping
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
