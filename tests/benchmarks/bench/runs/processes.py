"""Whole processes, from the start of Python to its end: what a command or a script costs.

Nothing of searchkit is imported here. Each process has a cache folder of searchkit that no other
work has seen; the bytecode of modules is there, as it is after the first use of an installation.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from bench.runs.timing import Report, Stopwatch, check

SCRIPTS = Path(__file__).parents[1] / "scripts"


def first(algorithm: str, start: str, cost: int, repeats: int, engine: str = "compiled") -> Report:
    """The process that finds no machine code, and makes it."""
    command, watch = _eight(algorithm, start, engine), Stopwatch(_below)
    for _ in range(repeats):
        with TemporaryDirectory() as folder:
            _run([*command[:-1], "reference"], folder)  # so that there is bytecode
            answer = watch.time(lambda folder=folder: _run(command, folder))
        check(int(answer) == cost, f"finds {answer}, not {cost}")
    return _report(watch)


def following(
    algorithm: str, start: str, cost: int, repeats: int, engine: str = "compiled"
) -> Report:
    """A process that finds all machine code that it needs."""
    command, watch = _eight(algorithm, start, engine), Stopwatch(_below)
    with TemporaryDirectory() as folder:
        for _ in range(2):  # the second notes what the first has compiled
            _run(command, folder)
        for _ in range(repeats):
            answer = watch.time(lambda: _run(command, folder))
            check(int(answer) == cost, f"finds {answer}, not {cost}")
    return _report(watch)


def loop(algorithm: str, start: str, cost: int, repeats: int) -> Report:
    """The same search without a library."""
    command, watch = [str(SCRIPTS / "eight_loop.py"), start, algorithm], Stopwatch(_below)
    for _ in range(repeats):
        answer = watch.time(lambda: _run(command))
        check(int(answer) == cost, f"finds {answer}, not {cost}")
    return _report(watch)


def statement(text: str, repeats: int) -> Report:
    """A process that does one thing, like importing a library."""
    watch = Stopwatch(_below)
    _run(["-c", text])
    for _ in range(repeats):
        watch.time(lambda: _run(["-c", text]))
    return _report(watch)


def _report(watch: Stopwatch) -> Report:
    """The times, and the most memory that one of the processes held."""
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss
    return watch.report(peak_bytes=peak if sys.platform == "darwin" else peak * 1024)


def _eight(algorithm: str, start: str, engine: str) -> list[str]:
    return [str(SCRIPTS / "eight.py"), start, algorithm, engine]


def _run(arguments: Sequence[str], cache: str = "") -> str:
    """What a process prints."""
    environment = {name: text for name, text in os.environ.items() if name != NO_BYTECODE}
    environment |= {"SEARCHKIT_CACHE_DIR": cache} if cache else {}
    command = [sys.executable, *arguments]
    ended = subprocess.run(command, capture_output=True, text=True, check=False, env=environment)
    check(ended.returncode == 0, ended.stderr.strip())
    return ended.stdout.strip()


NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"
"""With it, each process would compile all modules."""


def _below() -> float:
    """The CPU time of the processes below this one that have ended."""
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    return used.ru_utime + used.ru_stime
