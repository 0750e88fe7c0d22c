"""Whether the statistics of a document can be those of a search at all."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import Any

from searchkit.algorithms import ALGORITHMS

DEEPENING = frozenset(name for name, each in ALGORITHMS.items() if each.deepens)
SLACK = 1e-6
"""Seconds are summed in floating point."""


def work_contradiction(
    algorithm: str, statistics: Mapping[str, Any], moves: int, cost: int | None
) -> str | None:
    """In one line, what no search of that algorithm can have counted; None if nothing.

    `moves` is the length of the shortest solution that is listed, 0 without one. Nothing is known
    of the algorithms of plugins.
    """
    if algorithm not in ALGORITHMS:
        return None
    expanded, generated = statistics["expanded"], statistics["generated"]
    if moves > expanded:
        return f"its solutions have {moves} moves, but only {expanded} states were expanded"
    if cost is not None and generated < 1:
        return "it has a solution, but no state was generated"
    for less, more in (
        ("expanded", "generated"),
        ("max_frontier", "stored"),
        ("reopened", "expanded"),
    ):
        if statistics[less] > statistics[more]:
            return (
                f"its statistics say {less} {statistics[less]} and {more} {statistics[more]}; "
                f"{less} is never more"
            )
    return _of_iterations(algorithm, statistics)


def _of_iterations(algorithm: str, statistics: Mapping[str, Any]) -> str | None:
    rows: Sequence[Mapping[str, Any]] = statistics["iterations"]
    if not rows:
        return None
    if algorithm not in DEEPENING:
        return f"{algorithm} has no iterations, but its statistics have {len(rows)}"
    expanded = sum(row["expanded"] for row in rows)
    if expanded != statistics["expanded"]:
        return f"its iterations expanded {expanded} states, not {statistics['expanded']}"
    generated = sum(row["generated"] for row in rows)
    if generated > statistics["generated"]:
        return f"its iterations generated {generated} states, not {statistics['generated']}"
    if sum(row["seconds"] for row in rows) > statistics["seconds"] + SLACK:
        return f"its iterations took longer than its {statistics['seconds']} seconds"
    bounds = [math.inf if row["bound"] is None else row["bound"] for row in rows]
    if any(bound >= after for bound, after in pairwise(bounds)):
        return "the bounds of its iterations do not rise"
    return None
