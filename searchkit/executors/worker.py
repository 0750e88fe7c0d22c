"""A worker process: it runs the tasks that its parent sends, one after another.

It is run as a program by `searchkit.executors.child`, and ends when its standard input does.
"""

from __future__ import annotations

import os
import pickle
import sys
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from queue import SimpleQueue
from typing import IO, Any

import attrs

from searchkit.executors.scratch import leave_scratch, use_scratch
from searchkit.executors.travelling import Failure, Script, be_worker_of, loads, packed


@attrs.frozen
class Setup:
    """What a worker is given first."""

    folder: str
    """Where it finds what is shared."""
    script: Script | None
    memory: int | None


class _Here:
    """What this process is, if it is a worker."""

    began = time.perf_counter()
    tell: Callable[[tuple[str, Any]], None] | None = None


def began() -> float:
    """When this process began, by `time.perf_counter`."""
    return _Here.began


def allow(seconds: float | None, otherwise: str) -> None:
    """Say, in a task, that it may take that many seconds from now on; None for ever.

    After that, its worker is ended, and its job fails with an `OverdueError` that says `otherwise`.
    In a process that is not a worker, this does nothing.
    """
    if _Here.tell is not None:
        _Here.tell(("allow", (seconds, otherwise)))


def main(began: float, told: IO[bytes]) -> None:
    """Run the tasks that come; `began` is when the process did."""
    # Standard output is for us alone: what others print from now on goes to stderr.
    out = os.fdopen(os.dup(1), "wb")
    os.dup2(2, 1)
    sys.stdout = sys.stderr
    setup: Setup = pickle.load(told)
    be_worker_of(setup.script, Path(setup.folder))
    use_scratch(setup.folder)
    tasks: SimpleQueue[bytes] = SimpleQueue()
    threading.Thread(target=_listen, args=[told, tasks, setup.folder], daemon=True).start()

    def tell(message: tuple[str, Any]) -> None:
        pickle.dump(message, out)
        out.flush()

    _Here.began, _Here.tell = began, tell
    if setup.memory is not None:
        _limit_memory(setup.memory)
    while True:
        tell(_answer(tasks.get()))


def _listen(told: IO[bytes], tasks: SimpleQueue[bytes], folder: str) -> None:
    """Take tasks, also while one runs, and end the process when the parent is gone."""
    with suppress(OSError, EOFError, pickle.UnpicklingError):
        while True:
            tasks.put(pickle.load(told))
    leave_scratch(Path(folder))  # a parent that is killed removes nothing
    os._exit(1)


def _answer(task: bytes) -> tuple[str, Any]:
    try:
        function, arguments = loads(task)
        value = function(*arguments)
        try:
            return "value", packed(value)
        except Exception as error:
            name = getattr(function, "__qualname__", repr(function))
            raise TypeError(f"what {name} returns cannot be sent: {error}") from error
    except BaseException as error:  # SystemExit, too: the next task is not to suffer
        return "error", Failure.of(error)


def _limit_memory(most: int) -> None:
    """Let this process take that many bytes beyond what it has, where the system can limit it."""
    import numpy  # noqa: F401, PLC0415  (what it takes is not counted)

    with suppress(ImportError, OSError, ValueError):
        import resource  # noqa: PLC0415  (not on Windows)

        with open("/proc/self/statm", "rb") as file:  # noqa: PTH123
            held = int(file.read().split()[5]) * resource.getpagesize()
        resource.setrlimit(resource.RLIMIT_DATA, (held + most, resource.RLIM_INFINITY))
