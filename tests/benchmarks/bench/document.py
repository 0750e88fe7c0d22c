"""Everything that was measured, as JSON."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import attrs

from bench.machine import describe_machine
from bench.measuring import Measured, Runs

FORMAT = 1


def document(measured: Iterable[Measured], rounds: int) -> dict[str, Any]:
    """The machine, and for every job all samples and the ratios."""
    return {
        "format": FORMAT,
        "machine": describe_machine(),
        "rounds": rounds,
        "jobs": [_job(one) for one in measured],
    }


def _job(measured: Measured) -> dict[str, Any]:
    job = measured.job
    return {
        "name": job.name,
        "summary": job.summary,
        "clock": job.clock.value,
        "ours": _runs(measured.ours),
        "baselines": [
            {
                **_runs(runs),
                "target": baseline.target,
                "ratio": None if (ratio := measured.ratio(runs)) is None else attrs.asdict(ratio),
            }
            for baseline, runs in measured.pairs
        ],
    }


def _runs(runs: Runs) -> dict[str, Any]:
    return {
        "name": runs.contestant.name,
        "unavailable": runs.unavailable,
        "failed": runs.failed,
        "samples": [attrs.asdict(sample) for sample in runs.samples],
    }
