"""The workers that a caller asks for: a number of processes here, or an executor."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from searchkit.errors import UsageError
from searchkit.executors.executor import Executor

Workers = int | Executor | None
"""A number of processes of this machine, an executor that has some, or none but this process."""


def check_workers(workers: Workers) -> None:
    """Raise `UsageError` if these are no workers."""
    if workers is None or isinstance(workers, Executor):
        return
    if type(workers) is not int or workers < 1:
        raise UsageError(f"workers is {workers!r:.80}; it must be 1 or more, an Executor, or None")


@contextmanager
def executing(workers: Workers) -> Iterator[Executor | None]:
    """The executor with those workers; one that is made for a number is closed in the end."""
    check_workers(workers)
    if workers is None or isinstance(workers, Executor):
        yield workers
        return
    from searchkit.executors.processes import Processes  # noqa: PLC0415  (seldom needed)

    with Processes(workers) as executor:
        yield executor
