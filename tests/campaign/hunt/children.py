"""Children of a warm process: a call of the command line that can be killed, and costs little.

A forked child has its imports and its machine code already.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from searchkit.cli import main
from searchkit.compiled.layers import sorted_files as file_layers

SMALL = {"CHUNK": 4, "RANGE": 8, "MOST_RUNS": 3, "LEAST_BYTES": 1024, "MOST_BYTES": 1024}
"""Layers of a few states are spilt to files and split."""
HANDLED = {signal.SIGINT, signal.SIGTERM}
"""Signals for which the campaign has handlers, which are not those of a child."""


@dataclass(frozen=True)
class Ended:
    """How a child ended: its exit code, or minus the signal; what it said; when."""

    code: int
    out: str
    err: str
    seconds: float


def begun(words: Sequence[str], folder: Path, prepare: Callable[[], None] | None = None) -> int:
    """Begin a call in a child, whose streams are files in `folder`; its process id.

    Signals that reach the child before it has handlers of its own wait until it has them.
    """
    sys.stdout.flush()
    sys.stderr.flush()
    before = signal.pthread_sigmask(signal.SIG_BLOCK, HANDLED)
    child = os.fork()
    if child:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        return child
    code = 99
    try:
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.pthread_sigmask(signal.SIG_SETMASK, before)
        for number, name in ((1, "out"), (2, "err")):
            os.dup2(os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_TRUNC), number)
        sys.stdout = os.fdopen(1, "w", encoding="utf-8")
        sys.stderr = os.fdopen(2, "w", encoding="utf-8")
        if prepare is not None:
            prepare()
        main(list(words))
    except SystemExit as end:
        code = int(end.code or 0)
    except KeyboardInterrupt:  # before the command line has begun
        code = 130
    except BaseException as error:
        sys.stderr.write(f"Traceback (most recent call last): {type(error).__name__}: {error}")
    finally:
        for stream in (sys.stdout, sys.stderr):
            with contextlib.suppress(OSError, ValueError, AttributeError):  # None if it is closed
                stream.flush()
        os._exit(code)


def ended(
    child: int,
    folder: Path,
    *,
    after: float | None = None,
    number: int = signal.SIGKILL,
    watch: Callable[[], None] | None = None,
) -> Ended:
    """Wait for a child, which gets the signal `number` after so many seconds.

    `watch` is called again and again in the meantime.
    """
    began = time.monotonic()
    status = None
    while status is None:
        done, told = os.waitpid(child, os.WNOHANG)
        if done:
            status = told
        elif after is not None and time.monotonic() - began >= after:
            os.kill(child, number)
            after = None
        else:
            if watch is not None:
                watch()
            left = 0.05 if after is None else after - (time.monotonic() - began)
            time.sleep(max(0.0005, min(0.002, left)))
    files = [folder / name for name in ("out", "err")]  # not there if it was killed at once
    said = [file.read_text("utf-8", "replace") if file.exists() else "" for file in files]
    return Ended(os.waitstatus_to_exitcode(status), said[0], said[1], time.monotonic() - began)


def small_memory() -> None:
    """Tables are made in little memory."""
    for name, value in SMALL.items():
        setattr(file_layers, name, value)
