"""Random searches: an algorithm with its options, what is wanted, and limits at any place."""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Any

from hunt.random_graphs import DEAD, Space
from searchkit import (
    IDDFS,
    Algorithm,
    Anytime,
    AStar,
    BeamSearch,
    BIDAStar,
    Bidirectional,
    BreadthFirst,
    CompleteBeam,
    GreedyBestFirst,
    Heuristic,
    IDAStar,
    Limits,
    UniformCost,
    WeightedAStar,
    WeightedIDAStar,
)

ALGORITHMS: dict[str, type[Algorithm]] = {
    each.name: each
    for each in (
        BreadthFirst, Bidirectional, AStar, UniformCost, IDDFS, IDAStar,
        WeightedAStar, WeightedIDAStar, Anytime, GreedyBestFirst, BeamSearch,
        CompleteBeam, BIDAStar,
    )
}  # fmt: skip
OPTIMAL = {"bfs", "bidirectional", "astar", "ucs", "iddfs", "idastar", "bida"}
UNIT_ONLY = {"bfs", "bidirectional", "bida"}
FROM_GOALS = {"bidirectional", "bida"}
"""Those that need the listed goals, and steps back."""
DEEPENING = {"iddfs", "idastar", "widastar", "bida"}
REMEMBERING = {"table", "perimeter", "incumbents"}
"""Options by which engines expand other states: each forgets, or interleaves, in its own way."""
MOST_DEEPENING_NODES = 1200
"""Paths are many; each takes some microseconds in the reference engine."""
HEAVY = ("3/2", "2", "1.001", "999999/999998")
"""Weights of weighted IDA*, which are constants of machine code."""


@dataclass(frozen=True)
class Search:
    """One call of `solve`.

    `engine` "both" and "checked" compare the reference engine with machine code, and with itself
    where each operation is checked.
    """

    algorithm: str
    options: tuple[tuple[str, Any], ...] = ()
    heuristic: str = ""
    """The name of a heuristic object; empty for the problem's own."""
    want: str = "one"
    most: int | None = None
    nodes: int | None = None
    depth: int | None = None
    seconds: float | None = None
    engine: str = "reference"
    threads: int = 1

    @property
    def is_optimal(self) -> bool:
        return self.algorithm in OPTIMAL

    @property
    def uses_heuristic(self) -> bool:
        return ALGORITHMS[self.algorithm].uses_heuristic

    def value(self, heuristic: Heuristic[Any, Any] | None) -> Algorithm:
        """The algorithm as a value."""
        options = dict(self.options)
        if self.uses_heuristic and heuristic is not None:
            options["heuristic"] = heuristic
        return ALGORITHMS[self.algorithm](**options)

    @property
    def limits(self) -> Limits:
        return Limits(expansions=self.nodes, cost=self.depth, time=self.seconds)

    @property
    def how(self) -> dict[str, Any]:
        """What `solve` takes besides problem, algorithm and engine."""
        return {"want": self.most or self.want, "limits": self.limits}


def random_search(
    rng: random.Random, space: Space, algorithms: list[str], *, engine: str = "reference"
) -> Search:
    """A search that suits the costs of a space."""
    suited = [name for name in algorithms if space.costs == "unit" or name not in UNIT_ONLY]
    name = rng.choice(suited)
    want, most = "one", None
    if name in OPTIMAL:
        want = rng.choice(("one", "all", "count"))
        most = rng.choice((None, None, 1, 2, 5)) if want == "all" else None
    nodes = rng.choice((None, None, None, rng.randint(0, 60)))
    if name in DEEPENING:
        nodes = rng.choice((MOST_DEEPENING_NODES, rng.randint(0, 60)))
    depth = None
    if rng.random() < 0.3:
        best = space.graph.best
        depth = rng.randint(0, 12) if best is None else max(0, best + rng.randint(-2, 2))
    seconds = 0.0 if rng.random() < 0.01 else None
    return Search(
        name, options_of(rng, name), "", want, most, nodes, depth, seconds, engine,
        rng.choice((1, 1, 2, 3)),
    )  # fmt: skip


def options_of(rng: random.Random, name: str) -> tuple[tuple[str, Any], ...]:
    """Options of an algorithm."""
    options: dict[str, Any] = {}
    if name in DEEPENING and rng.random() < 0.5:
        options["cycles"] = rng.choice(("auto", "path", "parent"))
    if name in ("iddfs", "idastar") and rng.random() < 0.4:
        options["table"] = rng.choice((64, 300, 2000, 100_000))
    if name == "bida":
        options["perimeter"] = rng.choice((0, 100, 1000, 100_000))
    if name in ("astar", "idastar") and rng.random() < 0.2:
        options["incumbents"] = "beam"
    if name == "widastar":
        options["weight"] = rng.choice(HEAVY)
    if name == "wastar":
        options["weight"] = rng.choice(("1", "1.1", "3/2", "2", "7", "999999/999998", "1000000"))
    if name == "anytime":
        options["weights"] = rng.choice(("3,1", "5,3,2,1.5,1", "1.1,1", "1", "1.001,1"))
    if name in ("beam", "cabs"):
        options["width"] = rng.choice((1, 2, 5, 1000))
    return tuple(sorted(options.items()))


def is_admissible(space: Space) -> bool:
    """Whether no estimate is above the distance."""
    return all(
        distance is None if value == DEAD else distance is None or value <= distance
        for value, distance in zip(space.estimates, space.graph.distances, strict=True)
    )
