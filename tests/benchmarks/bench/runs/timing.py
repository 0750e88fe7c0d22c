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
READINGS, READING_SECONDS = 8, 0.02

Report = dict[str, Any]


class Stopwatch:
    """Times calls, on the CPU clock (with all processes below this one), and on the wall clock.

    Processes below do not count where `cpu` is the clock of this process alone.
    """

    def __init__(self, cpu: Callable[[], float] | None = None) -> None:
        self._cpu = cpu or _cpu_seconds
        self.cpu_seconds: list[float] = []
        self.wall_seconds: list[float] = []

    def time(self, work: Callable[[], R]) -> R:
        """Call `work`; every call is one repetition."""
        cpu, wall = self._cpu(), time.perf_counter()
        answer = work()
        self.wall_seconds.append(time.perf_counter() - wall)
        self.cpu_seconds.append(self._cpu() - cpu)
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
    """The CPU time of this process, of its children that have ended, and of all below it.

    A list of children leaves some out while others end: what is read is too little, never too much.
    """
    readings = [_reading()]
    if _children(Path("/proc/self")):
        for _ in range(READINGS):
            time.sleep(READING_SECONDS)
            readings.append(_reading())
    return max(readings)


def _reading() -> float:
    times = os.times()
    return time.process_time() + times.children_user + times.children_system + _others_seconds()


def _others_seconds() -> float:
    """The CPU time of the processes below this one, by /proc, where there is one.

    It goes in steps of 10 ms. A process that has outlived its parent is missed.
    """
    ticks, todo = 0, _children(Path("/proc/self"))
    while todo:
        folder = Path(f"/proc/{todo.pop()}")
        try:
            fields = (folder / "stat").read_text().rpartition(")")[2].split()
            todo += _children(folder)
        except OSError:  # it has just ended, and its parent has its time
            continue
        ticks += sum(map(int, fields[11:15]))  # its own, and that of its children that have ended
    return ticks / os.sysconf("SC_CLK_TCK")


def _children(folder: Path) -> list[str]:
    return [pid for each in folder.glob("task/*/children") for pid in each.read_text().split()]


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
