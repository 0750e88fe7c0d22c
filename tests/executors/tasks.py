"""Tasks for the tests of executors: at the top level of a module, as all tasks."""

from __future__ import annotations

import os
import signal
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import searchkit
from searchkit.errors import LawError
from searchkit.executors.parcels import Parcel
from searchkit.executors.worker import allow

made: list[str] = []


def square(number: int) -> int:
    return number * number


def process() -> int:
    return os.getpid()


def fail(message: str) -> None:
    raise KeyError(message)


def break_law() -> None:
    raise LawError("Walk: it is undirected no more", "undirected", place="walk.py:3")


class Secret(Exception):  # noqa: N818
    def __init__(self, one: int, two: Any) -> None:
        super().__init__(f"{one} and more")
        self.two = two


def fail_by_own_class() -> None:
    raise Secret(1, 2)


def fail_by_what_cannot_travel() -> None:
    raise Secret(1, lambda: 0)


def leave() -> None:
    sys.exit(5)


def unsendable() -> Any:
    return lambda: 0


def append(file: str, line: str) -> None:
    with Path(file).open("a") as out:
        out.write(f"{line}\n")


def die(file: str, times: int) -> str:
    """Die by signal 9, as a process that runs out of memory does, but so many times only."""
    append(file, "died")
    if len(Path(file).read_text().splitlines()) <= times:
        os.kill(os.getpid(), signal.SIGKILL)
    return "well"


def leave_scratch(file: str) -> int:
    """Leave a temporary file behind; die at first."""
    handle, name = tempfile.mkstemp(prefix="left")
    os.close(handle)
    die(file, 1)
    return len(list(Path(name).parent.glob("left*"))) - (len(Path(file).read_text().split()) - 2)


def sleep(seconds: float, file: str = "") -> float:
    if file:
        append(file, str(os.getpid()))
    time.sleep(seconds)
    return seconds


def talk() -> str:
    print("this is not a result")
    os.write(1, b"nor is this\n")
    return "said"


def take(size: int) -> int:
    return len(bytearray(size))


def be_late() -> None:
    allow(60.0, "it took a minute")
    allow(0.05, "it took too long")
    time.sleep(60)


def be_in_time() -> str:
    allow(0.2, "it took too long")
    allow(None, "")
    time.sleep(0.4)
    return "in time"


def make(name: str) -> str:
    made.append(name)
    return name


def opened(parcel: Parcel[str]) -> tuple[str, int]:
    return parcel.open(), len(made)


def solved(parcel: Parcel[Any]) -> tuple[Any, Any]:
    return searchkit.solve(parcel.open()).cost, parcel.open()


def lose_parent(file: str) -> str:
    """Kill, once, the process that has sent the task to this one."""
    append(file, "died")
    if len(Path(file).read_text().splitlines()) == 1:
        os.kill(os.getppid(), signal.SIGKILL)
        time.sleep(60)
    return "well"


def add_up(parcel: Parcel[dict[str, Any]]) -> tuple[int, bool]:
    """The sum of a shared array, which is changed after that, if it may be: only here."""
    array = parcel.open()["large"]
    total = int(array.sum())
    if array.flags.writeable:
        array[0] = 1
    return total, bool(array.flags.writeable)
