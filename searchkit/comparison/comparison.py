"""A comparison, medians and spreads of its runs, and runs that contradict each other."""

from __future__ import annotations

import os
import platform
import statistics
from collections import Counter
from collections.abc import Collection, Iterable, Sequence
from importlib.metadata import PackageNotFoundError, version
from typing import Any

import attrs

from searchkit.comparison.records import Board, Contestant, Run

MEASURES = (
    "cost", "moves", "seconds", "cpu_seconds", "call_seconds", "setup_seconds", "peak_bytes",
    "loaded_bytes", "stored_bytes", "expanded", "generated", "stored",
)  # fmt: skip
"""The fields of a run of which there are medians."""
PACKAGES = ("numba", "numpy")


@attrs.frozen
class Spread:
    """The five numbers that tell how values lie (Tukey 1977): their least, quartiles, and most."""

    least: float
    lower: float
    median: float
    upper: float
    most: float

    @classmethod
    def of(cls, values: Iterable[float]) -> Spread | None:
        """The spread of `values`, None if there are none. O(n log n).

        >>> Spread.of([3, 1, 2, 5, 4])
        Spread(least=1, lower=2.0, median=3, upper=4.0, most=5)
        """
        ordered = sorted(values)
        if not ordered:
            return None
        quartiles = [ordered[0]] * 3
        if len(ordered) > 1:
            quartiles = statistics.quantiles(ordered, n=4, method="inclusive")
        return cls(ordered[0], quartiles[0], statistics.median(ordered), quartiles[2], ordered[-1])


@attrs.frozen(kw_only=True)
class Summary:
    """What the runs of one contestant come to.

    `outcomes` counts its runs by how they ended. `own` has the spread of each measure over all its
    runs that solved a board, `common` over those on boards that every contestant has solved which
    has solved any: those alone can be compared. `engines` counts its runs by engine; `reasons` are
    those of runs that failed, `engine_reasons` those of runs without machine code.
    """

    contestant: Contestant
    outcomes: dict[str, int]
    engines: dict[str, int]
    reasons: tuple[str, ...] = ()
    engine_reasons: tuple[str, ...] = ()
    own: dict[str, Spread]
    common: dict[str, Spread]

    @property
    def runs(self) -> int:
        """How many runs there were."""
        return sum(self.outcomes.values())

    @property
    def solved(self) -> int:
        """How many runs have solved their board."""
        return self.outcomes.get("solved", 0)


def common_boards(contestants: Sequence[Contestant], runs: Collection[Run]) -> frozenset[int]:
    """The boards that every contestant has solved in each run, of those that have solved any."""
    solved: dict[str, set[int]] = {each.label: set() for each in contestants}
    for run in runs:
        if run.solved:
            solved[run.contestant].add(run.board)
    for run in runs:
        if not run.solved:
            solved[run.contestant].discard(run.board)
    sets = [boards for boards in solved.values() if boards]
    return frozenset(set.intersection(*sets)) if sets else frozenset()


def summaries(contestants: Sequence[Contestant], runs: Collection[Run]) -> list[Summary]:
    """One summary for each contestant, in their order. O(r log r) for r runs."""
    common = common_boards(contestants, runs)
    made = []
    for contestant in contestants:
        own = [run for run in runs if run.contestant == contestant.label]
        solved = [run for run in own if run.solved]
        made.append(
            Summary(
                contestant=contestant,
                outcomes=dict(Counter(run.outcome for run in own)),
                engines=dict(Counter(run.engine for run in own if run.engine is not None)),
                own=_spreads(solved),
                common=_spreads([run for run in solved if run.board in common]),
                reasons=tuple(
                    dict.fromkeys(run.reason for run in own if run.failed and run.reason)
                ),
                engine_reasons=tuple(
                    dict.fromkeys(run.engine_reason for run in own if run.engine_reason)
                ),
            )
        )
    return made


def _spreads(runs: Sequence[Run]) -> dict[str, Spread]:
    found = {}
    for name in MEASURES:
        values = [getattr(run, name) for run in runs]
        spread = Spread.of(value for value in values if value is not None)
        if spread is not None:
            found[name] = spread
    return found


def disagreements(boards: Sequence[Board], runs: Collection[Run]) -> list[str]:
    """One line for each board on which two runs, or a run and its known cost, disagree. O(runs).

    A run proves a lower bound, which is the cost where its solution is optimal, and infinite where
    there is none; a solution proves an upper one. Of each board the highest lower bound is held
    against the lowest upper one.
    """
    by_board: dict[int, list[Run]] = {board.number: [] for board in boards}
    for run in runs:
        by_board[run.board].append(run)
    lines = []
    for board in boards:
        line = _disagreement(board, by_board[board.number])
        if line is not None:
            lines.append(line)
    return lines


def _disagreement(board: Board, runs: Sequence[Run]) -> str | None:
    lower: list[tuple[float, str]] = []
    upper: list[tuple[float, str]] = []
    for run in runs:
        if run.status == "unsolvable":
            lower.append((float("inf"), f"{run.contestant} says that there is no solution"))
        elif run.cost is not None:
            says = f"{run.contestant} says {run.cost}"
            upper.append((run.cost, says))
            if run.optimal:
                lower.append((run.cost, f"{says}, optimal"))
        if run.lower_bound is not None:
            lower.append((run.lower_bound, f"{run.contestant} says at least {run.lower_bound:g}"))
    if board.known_cost is not None:
        known = f"{board.known_cost} is known to be optimal"
        upper.append((board.known_cost, known))
        lower.append((board.known_cost, known))
    if not lower or not upper:
        return None
    most, least = max(lower, key=lambda each: each[0]), min(upper, key=lambda each: each[0])
    if most[0] <= least[0]:
        return None
    what = board.name if board.text is None else f"{board.name}: {board.text}"
    return f"{least[1]}, but {most[1]} ({what})"


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
