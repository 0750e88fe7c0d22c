"""Whole processes, from the start of Python to its end: what a command or a script costs.

Nothing of searchkit is imported here. Each process has a cache folder of searchkit that no other
work has seen; the bytecode of modules is there, as it is after the first use of an installation.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory, TemporaryFile
from typing import NamedTuple

from bench.runs.timing import Report, check

SCRIPTS = Path(__file__).parents[1] / "scripts"
NO_BYTECODE = "PYTHONDONTWRITEBYTECODE"
"""With it, each process would compile all modules."""


class Ended(NamedTuple):
    """What one process printed, and what it took."""

    answer: str
    cpu_seconds: float
    wall_seconds: float
    peak_bytes: int


def first(algorithm: str, start: str, cost: int, repeats: int, engine: str = "compiled") -> Report:
    """The process that finds no machine code, and makes it."""
    command, ended = _eight(algorithm, start, engine), []
    for _ in range(repeats):
        with TemporaryDirectory() as folder:
            _run([*command[:-1], "reference"], folder)  # so that there is bytecode
            ended.append(_run(command, folder))
    return _report(ended, cost)


def following(
    algorithm: str, start: str, cost: int, repeats: int, engine: str = "compiled"
) -> Report:
    """A process that finds all machine code that it needs."""
    command = _eight(algorithm, start, engine)
    with TemporaryDirectory() as folder:
        for _ in range(2):  # the second notes what the first has compiled
            _run(command, folder)
        return _report([_run(command, folder) for _ in range(repeats)], cost)


def loop(algorithm: str, start: str, cost: int, repeats: int) -> Report:
    """The same search without a library."""
    command = [str(SCRIPTS / "eight_loop.py"), start, algorithm]
    return _report([_run(command) for _ in range(repeats)], cost)


def statement(text: str, repeats: int) -> Report:
    """A process that does one thing, like importing a library."""
    _run(["-c", text])
    return _report([_run(["-c", text]) for _ in range(repeats)])


def _eight(algorithm: str, start: str, engine: str) -> list[str]:
    return [str(SCRIPTS / "eight.py"), start, algorithm, engine]


def _report(ended: Sequence[Ended], cost: int | None = None) -> Report:
    for each in ended:
        check(cost is None or int(each.answer) == cost, f"finds {each.answer}, not {cost}")
    return {
        "cpu_seconds": [each.cpu_seconds for each in ended],
        "wall_seconds": [each.wall_seconds for each in ended],
        "peak_bytes": max(each.peak_bytes for each in ended),
    }


def _run(arguments: Sequence[str], cache: str = "") -> Ended:
    """Run Python, and ask the system what that took."""
    environment = {name: text for name, text in os.environ.items() if name != NO_BYTECODE}
    environment |= {"SEARCHKIT_CACHE_DIR": cache} if cache else {}
    began = time.perf_counter()
    with (
        TemporaryFile("w+") as errors,
        subprocess.Popen(
            [sys.executable, *arguments], stdout=subprocess.PIPE, stderr=errors, text=True,
            env=environment,
        ) as process,
    ):  # fmt: skip
        assert process.stdout is not None
        answer = process.stdout.read().strip()
        _, status, used = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        errors.seek(0)
        check(process.returncode == 0, errors.read().strip())
    peak = used.ru_maxrss if sys.platform == "darwin" else used.ru_maxrss * 1024
    seconds = time.perf_counter() - began
    return Ended(answer, used.ru_utime + used.ru_stime, seconds, peak)
