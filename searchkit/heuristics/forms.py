"""The forms in which a heuristic says one thing: from scratch, and carried along a step."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from searchkit.heuristic import Heuristic
from searchkit.packed import CarriedHeuristic, PackedHeuristic, has_candidates

LEFT_OUT = "candidates"
"""An operator is left out though it changes the estimate by no more than is allowed."""
FAR_FORM = "follow, some steps later"
NEAR = 3
"""`follow` is tried with bounds so far below the estimate."""
DEAD_END_FORM = "change with DEAD_END"
BOUNDED_FORM = "follow within a bound"
WORDS_FORM = "the words of follow"
"""What `follow` has remembered is not what `begin` remembers: nothing wrong by itself."""


@attrs.frozen
class Mismatch:
    """A disagreement by numbers: at which state, after which of its steps (-1 for none)."""

    form: str
    state: int
    step: int
    expected: float
    given: float


@attrs.frozen(eq=False, kw_only=True)
class Steps:
    """The steps out of some states: of which state, and as which of its steps, each comes.

    `value` is the estimate of what it leads to, from scratch.
    """

    source: np.ndarray[Any, Any]
    number: np.ndarray[Any, Any]
    cost: np.ndarray[Any, Any]
    value: np.ndarray[Any, Any]
    found: list[Mismatch]


def overridden(heuristic: Heuristic[Any, Any]) -> tuple[str, ...]:
    """The ways in which a heuristic can be carried along a step."""
    kind = type(heuristic)
    names = []
    if kind.after is not Heuristic.after:
        names.append("after")
    if isinstance(heuristic, CarriedHeuristic):
        names.append("follow")
    elif (
        isinstance(heuristic, PackedHeuristic)
        and type(heuristic).change is not PackedHeuristic.change
    ):
        names.append("change")
    if has_candidates(heuristic):
        names.append(LEFT_OUT)
    return tuple(names)
