"""Who does the tasks of a command, and how long one may take."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

import click

from searchkit.executors.asked import executing
from searchkit.executors.executor import Executor

LOADING_SECONDS = 1800.0
"""How long a task may take to load: pattern databases may have to be built."""
GRACE_SECONDS = 5.0
GRACE_SHARE = 0.25
"""How much longer than its time limit a search is given to end by itself before it is killed."""
MAKING_SECONDS = 300.0
"""So long one function may take to be made into machine code in the middle of a search."""
LATE = "it did not stop by itself at the time limit, and was killed"


def seconds_allowed(limit: float | None) -> float | None:
    """How long a search with that limit of time may take before it is killed; None for ever."""
    return None if limit is None else limit * (1 + GRACE_SHARE) + GRACE_SECONDS


def executor_of(
    options: Mapping[str, Any], at_once: int, *, fresh: bool = False, attempts: int = 1
) -> Executor:
    """The cluster that the options name, or that many processes of this machine.

    A task that loses its process is not run again, unless there are more `attempts`: that it took
    too much memory is its result.
    """
    if options["cluster"] is None:
        from searchkit.executors.processes import Processes  # noqa: PLC0415  (slow to import)

        return Processes(at_once, attempts=attempts, fresh=fresh)
    from searchkit.executors.on_ray import OnRay  # noqa: PLC0415  (seldom needed)

    return OnRay(options["cluster"], attempts=attempts, fresh=fresh, threads=options["threads"])


def check_cluster(options: Mapping[str, Any]) -> None:
    """Raise `UsageError` where it is said twice how many tasks run at once."""
    if options["cluster"] is not None and options["jobs"] is not None:
        raise click.UsageError("--jobs is for this machine; a --cluster has its own number")


@contextmanager
def shared_work(options: Mapping[str, Any]) -> Iterator[Executor | None]:
    """Who shares one search or exploration, as `--workers` and `--cluster` say, if they do."""
    if options["workers"] is not None and options["cluster"] is not None:
        raise click.UsageError("--workers is for this machine; a --cluster has its own number")
    if options["cluster"] is None:
        with executing(options["workers"]) as executor:
            yield executor
        return
    from searchkit.executors.on_ray import OnRay  # noqa: PLC0415  (seldom needed)

    with OnRay(options["cluster"]) as executor:
        yield executor
