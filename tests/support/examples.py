"""The puzzles of `examples/` by name, and the algorithms that suit a problem."""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any

from searchkit import (
    IDDFS,
    Algorithm,
    AStar,
    Bidirectional,
    BreadthFirst,
    IDAStar,
    Problem,
    UniformCost,
    UnsuitableError,
)
from searchkit.registry import Registry

EXAMPLES = Path(__file__).parents[2] / "examples"
ALGORITHMS: tuple[Algorithm, ...] = (
    BreadthFirst(),
    Bidirectional(),
    AStar(),
    UniformCost(),
    IDDFS(),
    IDAStar(),
)


@cache
def registry() -> Registry:
    """All examples."""
    return Registry.load(sorted(EXAMPLES.glob("*.py")))


def make(puzzle: str, **parameters: str) -> Problem[Any, Any]:
    """An example, with values of its parameters."""
    return registry().puzzles.get(puzzle).create(**parameters)


def suitable(problem: Problem[Any, Any]) -> list[Algorithm]:
    """The algorithms for a problem."""
    fitting = []
    for algorithm in ALGORITHMS:
        try:
            algorithm.check(problem)
        except UnsuitableError:
            continue
        fitting.append(algorithm)
    return fitting
