"""The forms in which a heuristic says one thing: from scratch, and carried along a step."""

from __future__ import annotations

from typing import Any

import attrs
import numpy as np

from searchkit.heuristic import Heuristic
from searchkit.packed import (
    DEAD_END,
    CarriedHeuristic,
    PackedHeuristic,
    PackedStep,
    has_candidates,
    left_out,
)

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


def wrong_form(
    heuristic: PackedHeuristic,
    step: PackedStep,
    before: float,
    after: float,
    memo: list[int],
    near: int = NEAR,
) -> tuple[str, float, float] | None:
    """The first form that disagrees after a step, with what it should give, and what it gives.

    `before` and `after` are the estimates of both ends from scratch. `memo` begins with the words
    of the state; then there is room for those of the child, and after it may be those that `begin`
    finds. `follow` is tried with `near` bounds below the estimate. O(near) kernel calls.
    """
    if not isinstance(heuristic, CarriedHeuristic):
        if max(before, after) >= DEAD_END:
            return DEAD_END_FORM, after, DEAD_END
        change = heuristic.change(*step)
        if before + change != after:
            return "change", after, before + change
        is_lost = has_candidates(heuristic) and left_out(heuristic, step, change)
        return (LEFT_OUT, after, DEAD_END) if is_lost else None
    size = heuristic.memory
    if before >= DEAD_END:
        return None
    if (given := heuristic.recall(memo, 0)) != before:
        return "recall", before, given
    for below in range(1, near + 1):
        most = int(after) - below
        given = heuristic.follow(memo, 0, size, step, most)
        if given <= most or (given > after and after < DEAD_END):
            return BOUNDED_FORM, after, given
    given = heuristic.follow(memo, 0, size, step, DEAD_END - 1)
    if min(given, after) >= DEAD_END:
        return None
    if given != after:
        return "follow", after, given
    if (given := heuristic.recall(memo, size)) != after:
        return "recall", after, given
    begun = memo[2 * size :]
    return (WORDS_FORM, after, after) if begun and begun != memo[size : 2 * size] else None
