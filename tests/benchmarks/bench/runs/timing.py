"""Both clocks, the peak of memory, and what a run reports.

Nothing of searchkit is imported here: it would be in the memory of the baselines in Python.
"""

from __future__ import annotations

import os
import resource
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

R = TypeVar("R")

Report = dict[str, Any]


class Stopwatch:
    """Times calls, on the CPU clock (with children that ended), and on the wall clock."""

    def __init__(self) -> None:
        self.cpu_seconds: list[float] = []
        self.wall_seconds: list[float] = []

    def time(self, work: Callable[[], R]) -> R:
        """Call `work`; every call is one repetition."""
        wall, cpu = time.perf_counter(), _cpu_seconds()
        answer = work()
        self.cpu_seconds.append(_cpu_seconds() - cpu)
        self.wall_seconds.append(time.perf_counter() - wall)
        return answer

    def report(self, **figures: Any) -> Report:
        """What a contestant prints: see `Sample`."""
        return {
            "cpu_seconds": self.cpu_seconds,
            "wall_seconds": self.wall_seconds,
            "peak_bytes": peak_bytes(),
            **figures,
        }


def _cpu_seconds() -> float:
    """The CPU time of this process and of the children that have ended."""
    times = os.times()
    return time.process_time() + times.children_user + times.children_system


def peak_bytes() -> int:
    """The most memory this process ever held, interpreter included."""
    try:
        for line in Path("/proc/self/status").read_text().splitlines():
            if line.startswith("VmHWM:"):
                return int(line.split()[1]) * 1024
    except OSError:
        pass
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else peak * 1024


def check(holds: bool, claim: str) -> None:
    """Stop the run if its answer is wrong."""
    if not holds:
        raise SystemExit(f"wrong answer: {claim}")
