"""What was measured, as a table."""

from __future__ import annotations

import statistics
from collections.abc import Iterable

from rich.table import Table

from bench.job import Baseline
from bench.measuring import Measured, Runs
from bench.samples import Clock
from searchkit.comparison import Spread
from searchkit.texts.amounts import memory

MISSING = "–"
WIDTH = 120
"""Of the table, where it is not shown on a terminal."""


def table(measured: Iterable[Measured]) -> Table:
    """One line per job and baseline."""
    grid = Table(
        title="ratio: our time to theirs, the median of the rounds, and its spread",
        caption="cpu: CPU seconds of the process and those below it; wall: seconds passed. "
        "Memory (ours, theirs): peak of the process, Python and its libraries included",
    )
    grid.add_column("job", no_wrap=True)
    grid.add_column("baseline")
    for name in ("ours", "theirs", "ratio", "target", "memory", "stored states"):
        grid.add_column(name, justify="right")
    for one in measured:
        for number, (baseline, runs) in enumerate(one.pairs):
            heading = f"{one.job.name}\n{one.job.clock.value}" if number == 0 else ""
            grid.add_row(heading, *_cells(one, baseline, runs))
        grid.add_section()
    return grid


def _cells(measured: Measured, baseline: Baseline, theirs: Runs) -> tuple[str, ...]:
    clock, ratio = measured.job.clock, measured.ratio(theirs)
    return (
        baseline.contestant.name,
        _time(measured.ours, clock),
        _time(theirs, clock),
        _ratio(ratio),
        _target(baseline.target, ratio),
        f"{_memory(measured.ours)}\n{_memory(theirs)}",
        f"{_stored(measured.ours)}\n{_stored(theirs)}",
    )


def _time(runs: Runs, clock: Clock) -> str:
    if not runs.samples:
        return "n/a" if runs.failed is None else "failed"
    seconds = statistics.median(runs.seconds(clock))
    text = f"{seconds:.2f} s" if seconds >= 1 else f"{seconds * 1000:.3g} ms"
    nodes = runs.samples[0].figures.get("nodes")
    return text if nodes is None else f"{text}\n{nodes / seconds / 1e6:.3g} M/s"


def _ratio(ratio: Spread | None) -> str:
    if ratio is None:
        return MISSING
    return f"{ratio.median:.3g}\n{ratio.least:.3g}–{ratio.most:.3g}"


def _target(target: float | None, ratio: Spread | None) -> str:
    if target is None:
        return MISSING
    if ratio is None:
        return f"≤ {target:.3g}"
    return f"≤ {target:.3g}\n{'reached' if ratio.median <= target else 'missed'}"


def _memory(runs: Runs) -> str:
    if not runs.samples:
        return MISSING
    return memory(max(sample.figures["peak_bytes"] for sample in runs.samples))


def _stored(runs: Runs) -> str:
    figures = runs.samples[0].figures if runs.samples else {}
    if "stored" not in figures:
        return MISSING
    stored, size = figures["stored"], figures.get("stored_bytes")
    return f"{stored:,}" if size is None else f"{stored:,} ({size / max(stored, 1):.3g} B)"
