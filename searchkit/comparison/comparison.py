"""A comparison: what was to be run, and what has been run up to now."""

from __future__ import annotations

import os
import platform
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import attrs

from searchkit.comparison.records import Board, Contestant, Run
from searchkit.comparison.summary import Summary, common_boards, disagreements, summaries

PACKAGES = ("numba", "numpy")


@attrs.define(kw_only=True)
class Comparison:
    """Several contestants on several boards, each of them `repeats` times.

    `settings` are what holds for all runs: limits, engine, threads, seed, jobs. `runs` grows as
    they end; `complete` says that they are all there.
    """

    command: str
    puzzle: str
    parameters: dict[str, str]
    goal: str | None
    settings: dict[str, Any]
    boards: tuple[Board, ...]
    contestants: tuple[Contestant, ...]
    unsuitable: dict[str, str]
    repeats: int
    cost_name: str = "moves"
    runs: list[Run] = attrs.field(factory=list)

    @property
    def at_once(self) -> int:
        """How many runs were measured at a time."""
        return int(self.settings.get("jobs", 1))

    @property
    def complete(self) -> bool:
        """Whether every run has ended by itself or at a limit."""
        expected = len(self.boards) * len(self.contestants) * self.repeats
        return len(self.runs) == expected

    @property
    def summaries(self) -> list[Summary]:
        """What the runs of each contestant come to."""
        return summaries(self.contestants, self.runs)

    @property
    def common_boards(self) -> frozenset[int]:
        """The numbers of the boards that the medians in `Summary.common` are of."""
        return common_boards(self.contestants, self.runs)

    @property
    def disagreements(self) -> list[str]:
        """One line for each board on which runs contradict each other."""
        return disagreements(self.boards, self.runs)


def environment() -> dict[str, Any]:
    """What the figures depend on besides the program: versions, system, processors."""
    import searchkit  # noqa: PLC0415  (which imports this)

    return {
        "searchkit": searchkit.__version__,
        "python": f"{platform.python_implementation()} {platform.python_version()}",
        **{name: version_of(name) for name in PACKAGES},
        "system": f"{platform.system()} {platform.release()}",
        "machine": platform.machine(),
        "processors": os.cpu_count(),
    }


def version_of(package: str) -> str | None:
    """The version of a package; None if it is not installed."""
    try:
        return version(package)
    except PackageNotFoundError:
        return None
