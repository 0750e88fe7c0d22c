"""Small puzzles of different kinds for the tests of the command line."""

from __future__ import annotations

import random
import time
from collections.abc import Iterable
from pathlib import Path
from typing import Any, ClassVar

from searchkit import Costs, Parameter, Problem, Step, hookimpl
from searchkit.capabilities import Symmetry
from searchkit.certificates import Certificate


class Line(Problem[int, str]):
    """Walk along the numbers to 0; no step leads from the negative ones to the others."""

    undirected = True

    def __init__(self, start: int = 3, goal: int = 0) -> None:
        self.start, self.goal = start, goal

    def initial_states(self) -> list[int]:
        return [self.start]

    def successors(self, state: int) -> Iterable[Step[int, str]]:
        if state != 0:
            yield Step("left", state - 1)
        if state != -1:
            yield Step("right", state + 1)

    def is_goal(self, state: int) -> bool:
        return state == self.goal

    def goal_states(self) -> list[int]:
        return [self.goal]

    def heuristic(self, state: int) -> float:
        return abs(state - self.goal)

    def parse(self, text: str) -> int:
        return int(text)

    def with_start(self, state: int) -> Line:
        return Line(state, self.goal)

    def with_goal(self, state: int) -> Line:
        return Line(self.start, state)

    def random_state(self, rng: random.Random) -> int:
        return rng.randrange(10)

    def certificate(self, state: int) -> Certificate | None:
        if state >= 0:
            return None
        return Certificate("negative", "negative numbers are out of bounds")


class Jugs(Problem[tuple[int, int], str]):
    """Two jugs: no goal states, a fixed start, action labels with blanks."""

    def __init__(self, a: int, b: int, want: int) -> None:
        self.a, self.b, self.want = a, b, want

    def initial_states(self) -> list[tuple[int, int]]:
        return [(0, 0)]

    def is_goal(self, state: tuple[int, int]) -> bool:
        return self.want in state

    def successors(self, state: tuple[int, int]) -> Iterable[Step[tuple[int, int], str]]:
        a, b = state
        to_b, to_a = min(a, self.b - b), min(b, self.a - a)
        for action, after in [
            ("fill A", (self.a, b)),
            ("fill B", (a, self.b)),
            ("empty A", (0, b)),
            ("empty B", (a, 0)),
            ("A to B", (a - to_b, b + to_b)),
            ("B to A", (a + to_a, b - to_a)),
        ]:
            if after != state:
                yield Step(action, after)


class Endless(Problem[int, str]):
    """No goal and no end; `pause` seconds per expansion.

    From state 100 on, they make the file `mark`: what is asked before a search is nearer.
    """

    def __init__(self, pause: float = 0, mark: str = "") -> None:
        self.pause, self.mark = pause, mark

    def initial_states(self) -> list[int]:
        return [0]

    def successors(self, state: int) -> Iterable[Step[int, str]]:
        if self.mark and state >= 100:
            Path(self.mark).touch()
        time.sleep(self.pause)
        yield Step("a", 2 * state + 1)
        yield Step("b", 2 * state + 2)

    def is_goal(self, state: int) -> bool:
        return False


class Costly(Problem[str, str]):
    """Integer costs, two starts, two goals."""

    costs = Costs.INTEGER
    edges: ClassVar[dict[str, list[tuple[str, int]]]] = {
        "s": [("t", 5), ("g", 9)],
        "t": [("g", 2), ("t2", 0)],
        "t2": [("h", 2)],
        "g": [],
    }

    def initial_states(self) -> list[str]:
        return ["s", "far"]

    def successors(self, state: str) -> Iterable[Step[str, str]]:
        return [Step(f"{state}{to}", to, cost) for to, cost in self.edges.get(state, [])]

    def is_goal(self, state: str) -> bool:
        return state in ("g", "h")

    def goal_states(self) -> list[str]:
        return ["g", "h"]


class Star(Problem[str, str]):
    """First steps in classes of two and of one: a symmetry swaps a and b."""

    def initial_states(self) -> list[str]:
        return ["s"]

    def successors(self, state: str) -> Iterable[Step[str, str]]:
        if state == "s":
            return [Step(name, name) for name in "abc"]
        return [Step(f"{state}1", "g"), Step(f"{state}2", "g")] if state != "g" else []

    def is_goal(self, state: str) -> bool:
        return state == "g"

    def symmetries(self) -> list[Symmetry[str, str]]:
        def swap(text: str) -> str:
            return text.translate(str.maketrans("ab", "ba"))

        return [Symmetry("swap", swap, swap)]


class Raising(Line):
    """Its code fails in a part of the caller's choice."""

    def __init__(self, part: str) -> None:
        super().__init__()
        setattr(self, part, self._fail)

    def _fail(self, *_: Any) -> Any:
        raise IndexError("the toy\nis broken")


def _wants_good(text: str) -> Any:
    if text == "good":
        return Line()
    raise KeyError(f"no {text}")


@hookimpl
def searchkit_register_puzzles(register: Any) -> None:
    register("line", Line, summary="walk to 0")
    register(
        "jugs",
        Jugs,
        summary="two jugs",
        parameters=[Parameter(*pair) for pair in [("a", 3), ("b", 5), ("want", 4)]],
    )
    register(
        "endless",
        Endless,
        parameters=[Parameter("pause", 0.0), Parameter("mark", "")],
    )
    register("costly", Costly)
    register("star", Star)
    register("raising", Raising, parameters=[Parameter("part", "successors")])
    register("failing-factory", _wants_good, parameters=[Parameter("text", "bad")])
    register("no-problem", lambda: 42)  # type: ignore[arg-type,return-value]


@hookimpl
def searchkit_register_heuristics(register: Any) -> None:
    register("no-heuristic", lambda problem: 0, suits=lambda problem: isinstance(problem, Line))


@hookimpl
def searchkit_register_renderers(register: Any) -> None:
    register(
        "stars",
        lambda problem, state: "*" * state,
        suits=lambda problem: isinstance(problem, Line),
    )
