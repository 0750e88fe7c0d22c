"""What every executor does: take jobs, wait for them, cancel them, and leave nothing behind."""

from __future__ import annotations

import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import TYPE_CHECKING, Any, Generic, Self, TypeVar, cast

from searchkit.errors import WaitedTooLongError
from searchkit.texts.amounts import plural, seconds

if TYPE_CHECKING:
    from concurrent.futures import CancelledError

    from searchkit.executors.parcels import Parcel

T = TypeVar("T")


class Job(Generic[T]):
    """One call that was submitted. Its outcome is settled once, and stays."""

    def __init__(self, name: str) -> None:
        self.name = name
        self.is_done = False
        self._value: T | None = None
        self._error: BaseException | None = None

    def settle(self, value: T | None = None, error: BaseException | None = None) -> None:
        """Set the outcome, unless it is known; for executors."""
        if not self.is_done:
            self._value, self._error, self.is_done = value, error, True

    def result(self) -> T:
        """What the call returned; raises what it raised, and `CancelledError` after `cancel`.

        Only of a job that `is_done`.
        """
        if not self.is_done:
            raise RuntimeError(f"{self} is not done yet; wait for it by gather or as_completed")
        if self._error is not None:
            raise self._error
        return cast(T, self._value)

    def __repr__(self) -> str:
        return f"Job({self.name})"


class Executor(ABC):
    """Runs tasks; a context manager that closes itself.

    Tasks are functions at the top level of a module, pure and idempotent, with arguments that can
    be pickled: where a worker is lost, its tasks are run again. An exception of a task is raised
    where its result is asked for, and the task is not run again.
    """

    workers: int
    """How many tasks run at once."""
    poll_seconds = 0.2
    """Ctrl-C is heard between waits of this length on every system."""

    @property
    def together(self) -> int:
        """How many of them run on one machine, at most, and so share its memory."""
        return self.workers

    @abstractmethod
    def submit(self, function: Callable[..., T], *arguments: Any) -> Job[T]:
        """Take a call, which is run some time after the calls before it have begun.

        Raises `UsageError` where the function or an argument cannot be sent to a worker.
        """

    def wait(self, jobs: Sequence[Job[Any]], timeout: float | None) -> list[Job[Any]]:
        """Those of the jobs that are done, as soon as any is; none after `timeout` seconds.

        Raises `ClusterError` where the workers cannot be reached any more.
        """
        until = None if timeout is None else time.monotonic() + timeout
        while True:
            done = [job for job in jobs if job.is_done]
            left = self.poll_seconds if until is None else until - time.monotonic()
            if done or not jobs or left <= 0:
                return done
            self._look(jobs, min(self.poll_seconds, left))

    @abstractmethod
    def _look(self, jobs: Sequence[Job[Any]], seconds: float) -> None:
        """Return as soon as any of the jobs is done, or after that many seconds."""

    @abstractmethod
    def cancel(self, jobs: Iterable[Job[Any]]) -> None:
        """End those of the jobs that are not done; a worker that is at one is stopped."""

    @abstractmethod
    def close(self) -> None:
        """Cancel what is not done, and end all workers: no process is left behind."""

    @abstractmethod
    def share(self, value: T) -> Parcel[T]:
        """A value as an argument of many tasks: each worker opens it once.

        Large arrays are sent to each machine once, where all workers map them. What a worker writes
        to them is seen by nobody else; those that cannot be written to stay so.
        """

    def gather(self, jobs: Sequence[Job[T]], *, timeout: float | None = None) -> list[T]:
        """The results of the jobs, in their order.

        Raises the error of the first of them that failed, or `WaitedTooLongError` after `timeout`
        seconds. Whatever it raises, jobs that are not done then are cancelled.
        """
        results = []
        until = None if timeout is None else time.monotonic() + timeout
        try:
            for job in jobs:
                while not job.is_done:
                    self._wait_until(until, [job], timeout)
                results.append(job.result())
        except BaseException:
            self.cancel(jobs)
            raise
        return results

    def as_completed(
        self, jobs: Iterable[Job[T]], *, timeout: float | None = None
    ) -> Iterator[Job[T]]:
        """The jobs, each as it is done; raises `WaitedTooLongError` after `timeout` seconds."""
        left = dict.fromkeys(jobs)
        until = None if timeout is None else time.monotonic() + timeout
        while left:
            for job in self._wait_until(until, list(left), timeout):
                del left[job]
                yield job

    def _wait_until(
        self, until: float | None, jobs: Sequence[Job[Any]], timeout: float | None
    ) -> list[Job[Any]]:
        """The next jobs that are done; raises where there are none until then."""
        done = self.wait(jobs, None if until is None else max(0.0, until - time.monotonic()))
        if not done:
            assert timeout is not None
            raise WaitedTooLongError(
                f"after {seconds(timeout)}, {plural(len(jobs), 'task')} had not ended"
            )
        return done

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def named(function: Callable[..., Any]) -> str:
    """What a job of a function is called."""
    return str(getattr(function, "__qualname__", function))


def cancelled() -> CancelledError:
    """The outcome of a job that was cancelled."""
    from concurrent.futures import CancelledError  # noqa: PLC0415  (loads the logging of Python)

    return CancelledError("the task was cancelled")
