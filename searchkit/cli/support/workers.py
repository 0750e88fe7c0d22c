"""Who does the tasks of a command."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import AbstractContextManager
from typing import Any

import click

from searchkit.executors.asked import executing
from searchkit.executors.executor import Executor


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


def shared_work(options: Mapping[str, Any]) -> AbstractContextManager[Executor | None]:
    """Who shares one search or exploration, as `--workers` and `--cluster` say, if they do."""
    if options["workers"] is not None and options["cluster"] is not None:
        raise click.UsageError("--workers is for this machine; a --cluster has its own number")
    if options["cluster"] is None:
        return executing(options["workers"])
    from searchkit.executors.on_ray import OnRay  # noqa: PLC0415  (seldom needed)

    return OnRay(options["cluster"])
