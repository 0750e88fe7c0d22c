"""Puzzles whose searches end badly, and one with a set of boards whose known costs are wrong."""

from __future__ import annotations

import os
import signal
import sys
import time
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Any

from searchkit import Parameter, Problem, Step, hookimpl
from searchkit.capabilities import KnownBoard


class Walk(Problem[int, str]):
    """Walk to 0; a state of 13 ends in a way of the caller's choice."""

    def __init__(self, end: str = "", start: int = 3) -> None:
        self.end, self.start = end, start

    def initial_states(self) -> list[int]:
        return [self.start]

    def successors(self, state: int) -> Iterable[Step[int, str]]:
        if self.start == 13:
            self._do_end()
        yield Step("left", state - 1)
        yield Step("right", state + 1)

    def _do_end(self) -> None:
        if self.end == "kill":
            os.kill(os.getpid(), signal.SIGKILL)
        elif self.end == "exit":
            print("this is the end", file=sys.stderr)
            os._exit(7)
        elif self.end == "fail":
            raise IndexError("the end")
        elif self.end.startswith("sleep"):  # sleep:FILE makes a file before
            if ":" in self.end:
                Path(self.end.partition(":")[2]).touch()
            time.sleep(1000)
        elif self.end == "talk":
            print("not for the comparison")

    def is_goal(self, state: int) -> bool:
        return state == 0

    def heuristic(self, state: int) -> float:
        return 2 * abs(state) if self.end == "lie" and abs(state) == 2 else 0

    def parse(self, text: str) -> int:
        return int(text)

    def with_start(self, state: int) -> Walk:
        return Walk(self.end, state)

    def board_sets(self) -> Mapping[str, str]:
        return {"known": "right costs", "wrong": "wrong ones"}

    def board_set(self, name: str) -> Sequence[KnownBoard]:
        more = 1 if name == "wrong" else 0
        return [KnownBoard(name=f"no. {k}", start=k, cost=k + more) for k in (2, 4)]


class Detour(Walk):
    """A heuristic that is too large on the short way, so that A* finds the long one.

    The short way begins among so many dead ends that a short search of it finds no goal.
    """

    def __init__(self, start: int = 3) -> None:
        super().__init__("", start)

    def successors(self, state: int) -> Iterable[Step[int, str]]:
        if state >= 1000:
            return
        if state == self.start - 1:
            for i in range(10_000):
                yield Step(f"aside {i}", 1000 + i)
        yield Step("down", state - 1)
        if state == self.start:
            yield Step("away", 100)
        if state >= 100:
            yield Step("on", state + 1 if state < 104 else 0)

    def heuristic(self, state: int) -> float:
        return 50 if state == self.start - 1 else 0

    def with_start(self, state: int) -> Detour:
        return Detour(state)


@hookimpl
def searchkit_register_puzzles(register: Any) -> None:
    register("walk", Walk, parameters=[Parameter("end", "")])
    register("detour", Detour)
