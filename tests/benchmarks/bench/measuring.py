"""Let contestants take turns, round after round."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import attrs

from bench.contestants import Contestant
from bench.job import Baseline, Job
from bench.samples import Clock, Failed, Sample, Unavailable
from searchkit.comparison import Spread


@attrs.define
class Runs:
    """The samples of one contestant, one per round, or why there are no more."""

    contestant: Contestant
    samples: list[Sample] = attrs.field(factory=list)
    unavailable: str | None = None
    failed: str | None = None

    def run(self, known: dict[str, Any], equal: Iterable[str]) -> None:
        """Add a sample, unless the contestant is known to be unavailable or has failed.

        The figures `equal` must be those that are `known`; what was not becomes so.
        """
        if self.unavailable is not None or self.failed is not None:
            return
        try:
            sample = self.contestant.run()
            for name in equal:
                if known.setdefault(name, sample.figures[name]) != sample.figures[name]:
                    raise Failed(f"{name} differ from those of the one who ran first")
            self.samples.append(sample)
        except Unavailable as reason:
            self.unavailable = str(reason)
        except Failed as reason:
            self.failed = str(reason)
            self.samples.clear()

    def seconds(self, clock: Clock) -> list[float]:
        """The times, round by round."""
        return [sample.seconds(clock) for sample in self.samples]


@attrs.frozen
class Measured:
    """A job with what its contestants took."""

    job: Job
    ours: Runs
    theirs: tuple[Runs, ...]

    @property
    def pairs(self) -> tuple[tuple[Baseline, Runs], ...]:
        """The baselines with their runs."""
        return tuple(zip(self.job.baselines, self.theirs, strict=True))

    def ratio(self, theirs: Runs) -> Spread | None:
        """Ours to theirs, round by round: below 1 we are faster; None if either did not run."""
        if not self.ours.samples or not theirs.samples:
            return None
        seconds = (runs.seconds(self.job.clock) for runs in (self.ours, theirs))
        return Spread.of(ours / other for ours, other in zip(*seconds, strict=True))


def measure(job: Job, rounds: int, tell: Callable[[str], None] = lambda _: None) -> Measured:
    """Run everybody once per round; who begins changes from round to round."""
    ours = Runs(job.ours)
    theirs = tuple(Runs(baseline.contestant) for baseline in job.baselines)
    everybody = [ours, *theirs]
    known: dict[str, Any] = {}
    for number in range(rounds):
        for runs in everybody if number % 2 == 0 else reversed(everybody):
            tell(f"{job.name}, round {number + 1} of {rounds}: {runs.contestant.name}")
            runs.run(known, job.equal)
    return Measured(job, ours, theirs)
