"""Plain problems over an explicit graph, with states of several kinds."""

from __future__ import annotations

from collections.abc import Hashable, Iterator
from typing import Any

from hunt.packed import COSTS
from hunt.random_graphs import DEAD, Space
from searchkit import Heuristic, Problem, Step
from searchkit.certificates import Certificate


class Plain(Problem[Any, Any]):
    """States are numbers."""

    def __init__(self, space: Space) -> None:
        self.space = space
        self.costs = COSTS[space.costs]
        self.undirected = space.undirected

    def state(self, place: int) -> Any:
        return place

    def place(self, state: Any) -> int:
        return int(state)

    def initial_states(self) -> list[Any]:
        return [self.state(start) for start in self.space.graph.starts]

    def successors(self, state: Any) -> list[Step[Any, Any]]:
        steps = self.space.graph.steps[self.place(state)]
        return [Step(label, self.state(target), cost) for label, target, cost in steps]

    def is_goal(self, state: Any) -> bool:
        return self.place(state) in self.space.graph.goals

    def heuristic(self, state: Any) -> float:
        value = self.space.estimates[self.place(state)]
        return float("inf") if value == DEAD else value


class Lazy(Plain):
    """States are tuples, steps are generated one by one, and it can be searched backwards."""

    def state(self, place: int) -> Any:
        return ("at", place)

    def place(self, state: Any) -> int:
        return int(state[1])

    def successors(self, state: Any) -> Iterator[Step[Any, Any]]:  # type: ignore[override]
        yield from super().successors(state)

    def goal_states(self) -> list[Any]:
        return [self.state(goal) for goal in sorted(self.space.graph.goals)]

    def predecessors(self, state: Any) -> Iterator[Step[Any, Any]]:
        place = self.place(state)
        for source, steps in enumerate(self.space.graph.steps):
            for label, target, cost in steps:
                if target == place:
                    yield Step(label, self.state(source), cost)


class Keyed(Lazy):
    """States are lists with something that does not matter, so that they need keys."""

    def state(self, place: int) -> Any:
        self.made = getattr(self, "made", 0) + 1
        return [place, self.made]

    def place(self, state: Any) -> int:
        return int(state[0])

    def key(self, state: Any) -> Hashable:
        return int(state[0])


class Certified(Lazy):
    """Some of what cannot be solved has a certificate; `complete` says that all has."""

    def __init__(self, space: Space, *, complete: bool) -> None:
        super().__init__(space)
        self.complete_certificates = complete

    def certificate(self, state: Any) -> Certificate | None:
        place = self.place(state)
        if self.space.graph.distances[place] is None and (self.complete_certificates or place % 2):
            return Certificate("by the oracle", "the oracle says so", {"place": place})
        return None

    def check_certificate(self, start: Any, certificate: Certificate) -> str | None:
        known = certificate.data.get("place") == self.place(start)
        solvable = self.space.graph.distances[self.place(start)] is not None
        return None if known and not solvable else "it is not true"


class After(Heuristic[Any, Any]):
    """The estimates of a plain problem, carried along a step."""

    name = "after"

    def __init__(self, problem: Plain) -> None:
        self.problem = problem

    def __call__(self, state: Any) -> float:
        return self.problem.heuristic(state)

    def after(self, h: float, state: Any, step: Step[Any, Any]) -> float:
        estimates, place = self.problem.space.estimates, self.problem.place
        assert h == self(state)
        value = estimates[place(step.state)]
        return float("inf") if value == DEAD else value
