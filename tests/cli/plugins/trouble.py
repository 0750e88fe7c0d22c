"""A walk to 0 that crashes, fails, sleeps or takes memory from some starts, for tests of processes.

Only in a process that is a child: the command itself would be ended as well.
"""

from __future__ import annotations

import os
import signal
import time
import warnings
from collections.abc import Iterable
from pathlib import Path

from searchkit import Problem, Step, hookimpl
from searchkit.errors import SearchkitWarning

CRASHES, FAILS, SLEEPS, WARNS = 13, 17, 19, 23
FAR = 100
"""How far an endless walk has come when it leaves a file in the folder named by FOLDER.

Its name is that of the start and the process: what the command begins, a child may begin once more.
"""


class Trouble(Problem[int, str]):
    """Walk along the numbers to 0."""

    def __init__(self, start: int = 3) -> None:
        self.start = start

    def initial_states(self) -> list[int]:
        return [self.start]

    def successors(self, state: int) -> Iterable[Step[int, str]]:
        if state == self.start == CRASHES:
            os.kill(os.getpid(), signal.SIGKILL)
        if state == self.start == FAILS:
            raise RuntimeError("seventeen")
        if state == self.start == SLEEPS:
            time.sleep(1000)
        if state == self.start == WARNS:
            warnings.warn("twenty-three", SearchkitWarning, stacklevel=1)
        if state > 0:
            yield Step("left", state - 1)

    def is_goal(self, state: int) -> bool:
        return state == 0

    def parse(self, text: str) -> int:
        return int(text)

    def with_start(self, state: int) -> Trouble:
        return Trouble(state)


class Endless(Trouble):
    """Walk away from the goal, for ever."""

    def successors(self, state: int) -> Iterable[Step[int, str]]:
        if state - self.start == FAR:
            Path(os.environ["FOLDER"], f"{self.start}.{os.getpid()}").touch()
        yield Step("right", state + 1)

    def with_start(self, state: int) -> Endless:
        return Endless(state)


@hookimpl
def searchkit_register_puzzles(register: object) -> None:
    assert callable(register)
    register("trouble", Trouble)
    register("endless", Endless)
