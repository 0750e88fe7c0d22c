"""A walk to 0 whose heuristics are right, too large, or contradict themselves."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from searchkit import Heuristic, Parameter, Problem, Step, hookimpl


class Row(Problem[int, str]):
    """Cells from 0 to `size` - 1."""

    undirected = True

    def __init__(self, size: int) -> None:
        self.size = size

    def initial_states(self) -> list[int]:
        return [self.size - 1]

    def successors(self, state: int) -> Iterable[Step[int, str]]:
        if state > 0:
            yield Step("down", state - 1)
        if state + 1 < self.size:
            yield Step("up", state + 1)

    def is_goal(self, state: int) -> bool:
        return state == 0

    def goal_states(self) -> list[int]:
        return [0]


class Bound(Heuristic[int, str]):
    """`by` more than the distance at 7; `carried` more when carried along."""

    def __init__(self, name: str, by: float, carried: int = 0) -> None:
        self.name, self.by, self.carried = name, by, carried

    def __call__(self, state: int) -> float:
        return state + (self.by if state == 7 else 0)

    def after(self, h: float, state: int, step: Step[int, str]) -> float:
        return self(step.state) + self.carried


class Failing(Bound):
    """Fails."""

    def __call__(self, state: int) -> float:
        raise ZeroDivisionError("no bound")


@hookimpl
def searchkit_register_puzzles(register: Any) -> None:
    register("row", Row, parameters=[Parameter("size", 20)])


@hookimpl
def searchkit_register_heuristics(register: Any) -> None:
    for bound in [
        Bound("good", 0),
        Bound("low", -3),
        Bound("large", 1),
        Bound("endless", float("inf")),
        Bound("torn", 0, 1),
    ]:
        register(bound.name, lambda problem, it=bound: it, suits=lambda p: isinstance(p, Row))
    register("failing", lambda problem: Failing("failing", 0), suits=lambda p: isinstance(p, Row))
