"""What a job is."""

from __future__ import annotations

import attrs

from bench.contestants import Contestant
from bench.samples import Clock


@attrs.frozen
class Baseline:
    """A contestant to compare with, and the ratio (ours to theirs) to be reached, if any."""

    contestant: Contestant
    target: float | None = None


@attrs.frozen
class Job:
    """One piece of work: ours and the baselines take turns.

    `equal` names figures that everybody must report alike, such as node counts.
    """

    name: str
    summary: str
    ours: Contestant
    baselines: tuple[Baseline, ...]
    clock: Clock = Clock.CPU
    takes_minutes: bool = False
    equal: tuple[str, ...] = ()
