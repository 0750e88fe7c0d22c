"""`solve`: one problem, one algorithm, one result."""

from __future__ import annotations

from collections.abc import Callable, Generator
from typing import Any, Literal

from searchkit.algorithms import Algorithm
from searchkit.errors import UnsuitableError
from searchkit.limits import Limits, ProgressListener
from searchkit.problem import Problem
from searchkit.reference.task import Outcome, Task
from searchkit.result import SearchResult

Engine = Callable[[Task], Generator[None, None, Outcome]]
Wanted = Literal["one", "all", "count"]


def register_engine(algorithm: type[Algorithm], kind: str, engine: Engine) -> None:
    """Make `solve` run `engine` for `algorithm`."""


def solve(
    problem: Problem[Any, Any],
    algorithm: Algorithm,
    *,
    want: Wanted = "one",
    max_solutions: int | None = None,
    limits: Limits = Limits(),
    progress: ProgressListener | None = None,
) -> SearchResult[Any, Any]:
    """placeholder; being written."""
    raise UnsuitableError
