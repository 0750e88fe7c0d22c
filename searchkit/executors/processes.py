"""Tasks in processes of this machine.

Each worker has a thread here that waits for it, so that tasks are handed out while the caller does
something else. A worker that ends without a word is replaced, and its task is tried again.
"""

from __future__ import annotations

import shutil
import tempfile
import threading
import uuid
from collections import deque
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any, TypeVar

import attrs

from searchkit.errors import OverdueError, UsageError, WorkerLostError
from searchkit.executors import travelling
from searchkit.executors.child import Child
from searchkit.executors.executor import Executor, Job, cancelled, named
from searchkit.executors.parcels import Parcel
from searchkit.executors.travelling import Failure, Script
from searchkit.executors.worker import Setup

ATTEMPTS = 3

T = TypeVar("T")


@attrs.define(eq=False)
class _Task:
    """A job, on its way to a worker."""

    job: Job[Any]
    data: bytes
    attempts: int = 0
    child: Child | None = None
    """The worker that is at it."""


class Processes(Executor):
    """Runs tasks in `workers` processes, which are started when there are tasks for them.

    A task is tried `attempts` times before the loss of its worker is an error. With `fresh`, each
    task has a process of its own. `memory` is what the tasks of a worker may take, in bytes, beyond
    what it takes by itself; more is a `MemoryError`.

    A script that makes one has to do so below `if __name__ == "__main__":`. `script` is the file
    that has what tasks know as `__main__`, if it is not the program that runs here, and `folder`
    has what is shared, if others have put it there.
    """

    def __init__(
        self,
        workers: int,
        *,
        attempts: int = ATTEMPTS,
        fresh: bool = False,
        memory: int | None = None,
        script: Script | None = None,
        folder: str | None = None,
    ) -> None:
        if workers < 1:
            raise UsageError(f"workers={workers}: there must be at least one")
        if travelling.is_worker():
            raise UsageError(
                "a worker cannot have workers; in a script, put what is to run once below "
                'if __name__ == "__main__":'
            )
        self.workers = workers
        self._attempts, self._fresh = attempts, fresh
        self._is_folder_ours = folder is None
        if folder is None:  # it is made when there is something to share
            folder = str(Path(tempfile.gettempdir()) / f"searchkit-{uuid.uuid4().hex}")
        self._setup = Setup(folder, script or Script.here(), memory)
        self._changed = threading.Condition()
        self._waiting: deque[_Task] = deque()
        self._tasks: dict[Job[Any], _Task] = {}
        """Of the jobs that are not done."""
        self._idle = 0
        self._threads: list[threading.Thread] = []
        self._is_closed = False

    def submit(self, function: Callable[..., T], *arguments: Any) -> Job[T]:
        """Take a call; see `Executor`."""
        return self.submit_packed(named(function), travelling.dumps(function, arguments))

    def submit_packed(self, name: str, data: bytes) -> Job[Any]:
        """Take a call that has travelled."""
        task = _Task(Job(name), data)
        with self._changed:
            if self._is_closed:
                raise UsageError("these workers were closed; make others")
            self._tasks[task.job] = task
            self._waiting.append(task)
            if len(self._waiting) > self._idle and len(self._threads) < self.workers:
                thread = threading.Thread(target=self._work, daemon=True)
                self._threads.append(thread)
                thread.start()
            self._changed.notify_all()
        return task.job

    def _look(self, jobs: Sequence[Job[Any]], seconds: float) -> None:
        with self._changed:
            if not any(job.is_done for job in jobs):
                self._changed.wait(seconds)

    def cancel(self, jobs: Iterable[Job[Any]]) -> None:
        """End those of the jobs that are not done; workers that are at them are replaced."""
        with self._changed:
            for job in jobs:
                task = self._tasks.get(job)
                if task is not None:
                    self._settle(task, error=cancelled())
                    if task.child is not None:
                        task.child.process.kill()
            self._waiting = deque(each for each in self._waiting if not each.job.is_done)

    def share(self, value: T) -> Parcel[T]:
        """A value that large arrays are left out of, in a file."""
        return Parcel.with_file(value, Path(self._setup.folder))

    def close(self) -> None:
        """Cancel what is not done, and end all workers."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()
        self.cancel(list(self._tasks))
        for thread in self._threads:
            if thread.is_alive():  # or else Ctrl-C has come while it was started
                thread.join()
        if self._is_folder_ours:
            shutil.rmtree(self._setup.folder, ignore_errors=True)

    def _settle(self, task: _Task, value: Any = None, error: BaseException | None = None) -> None:
        with self._changed:
            task.job.settle(value, error)
            self._tasks.pop(task.job, None)
            self._changed.notify_all()

    def _work(self) -> None:
        """Run tasks in one process after another, until there will be no more."""
        child: Child | None = None
        try:
            while (task := self._next()) is not None:
                if child is not None and child.process.poll() is not None:  # it was idle
                    child.end()
                    child = None
                try:
                    child = child or Child.start(self._setup)
                except Exception as error:  # OSError, most of all
                    self._settle(task, error=error)
                    continue
                if not self._run(task, child) or self._fresh:
                    child.end()
                    child = None
        finally:
            if child is not None:
                child.end()

    def _next(self) -> _Task | None:
        """The next task; None where there will be none."""
        with self._changed:
            self._idle += 1
            while not self._waiting and not self._is_closed:
                self._changed.wait()
            self._idle -= 1
            return self._waiting.popleft() if self._waiting else None

    def _run(self, task: _Task, child: Child) -> bool:
        """Run a task, or put it back where the worker is lost; whether that can run others."""
        with self._changed:
            if task.job.is_done:
                return True
            task.child = child
            task.attempts += 1
        child.send(task.data)
        for kind, content in child.messages():
            if kind == "allow":
                child.allow(*content)
                continue
            child.allow(None, "")
            value, error = _opened(kind, content)
            with self._changed:
                was_cancelled, task.child = task.job.is_done, None
            self._settle(task, value, error)
            return not was_cancelled
        why = child.why_it_ended()
        with self._changed:
            task.child = None
            if child.late is not None:
                self._settle(task, error=OverdueError(child.late))
            elif task.attempts < self._attempts and not task.job.is_done:
                self._waiting.appendleft(task)
                self._changed.notify_all()
            else:
                times = f", {task.attempts} times" if task.attempts > 1 else ""
                self._settle(task, error=WorkerLostError(f"{why}{times}"))
        return False


def _opened(kind: str, content: Any) -> tuple[Any, BaseException | None]:
    """The value, or the error, that a worker has sent."""
    if kind == "error":
        assert isinstance(content, Failure)
        return None, content.error()
    try:
        return travelling.loads(content), None
    except Exception as error:
        return None, error
