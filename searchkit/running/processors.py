"""How many processors this process may use: of the machine, as its affinity and containers say."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from searchkit.running.control_groups import Hierarchy, folders, text_of


def processors(root: Path = Path("/")) -> int:
    """How many searches can run at once, 1 or more. `root` has `/proc`.

    The least of what the process is bound to (`taskset`), and of what its control groups are given
    of the time of all processors, rounded up: with one and a half, two searches end soonest.
    """
    return max(1, min([_bound_to(), *(-int(-share // 1) for share in _shares(root))]))


def _bound_to() -> int:
    if hasattr(os, "sched_getaffinity"):
        return len(os.sched_getaffinity(0))
    return os.cpu_count() or 1  # not on Linux


def _shares(root: Path) -> Iterator[float]:
    """The processors that each control group is given, where it has a limit."""
    for folder in folders(root, Hierarchy("cgroup2")):
        quota, _, period = text_of(folder / "cpu.max").strip().partition(" ")
        yield from _share(quota, period)
    for folder in folders(root, Hierarchy("cgroup", "cpu")):
        quota = text_of(folder / "cpu.cfs_quota_us").strip()
        yield from _share(quota, text_of(folder / "cpu.cfs_period_us").strip())


def _share(quota: str, period: str) -> Iterator[float]:
    if quota.isdecimal() and period.isdecimal() and int(period):  # not "max", nor -1
        yield int(quota) / int(period)
