"""Tasks in this process, one after another, when their results are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, TypeVar

from searchkit.executors.executor import Executor, Job, cancelled, named
from searchkit.executors.parcels import Here, Parcel

T = TypeVar("T")


class Inline(Executor):
    """Runs a task in this process while its job is waited for.

    The timeout of a wait is looked at between tasks. Ctrl-C ends the wait, and not the job, which
    begins again when it is waited for again.
    """

    workers = 1

    def __init__(self) -> None:
        self._calls: dict[Job[Any], Callable[[], Any]] = {}
        """Of the jobs that are not done."""

    def submit(self, function: Callable[..., T], *arguments: Any) -> Job[T]:
        """Note a call."""
        job: Job[T] = Job(named(function))
        self._calls[job] = partial(function, *arguments)
        return job

    def _look(self, jobs: Sequence[Job[Any]], seconds: float) -> None:
        """Run the first of the jobs."""
        job = jobs[0]
        try:
            value = self._calls[job]()
        except KeyboardInterrupt:
            raise
        except BaseException as error:
            job.settle(error=error)
        else:
            job.settle(value)
        del self._calls[job]

    def cancel(self, jobs: Iterable[Job[Any]]) -> None:
        """See that those of the jobs that are not done never begin."""
        for job in jobs:
            self._calls.pop(job, None)
            job.settle(error=cancelled())

    def share(self, value: T) -> Parcel[T]:
        """The value itself."""
        return Here(b"", "", value=value)

    def close(self) -> None:
        """Cancel what is not done; there is no worker to end."""
        self.cancel(list(self._calls))
