"""What remains of the bound, for heuristics that remember words of every state on a path."""

import numpy as np

from searchkit.compiled.depth_first.kernels.slack import G_WEIGHT, H_WEIGHT, above_of
from searchkit.compiled.specialise.kernels.heuristic import estimate_of
from searchkit.compiled.specialise.kernels.words import load
from searchkit.compiled.specialise.names import (
    MEMORY,
    UNIT_COSTS,
    entry,
    heuristic_begin,
    heuristic_follow,
    heuristic_recall,
    inlined,
    problem_cost,
    whole,
)
from searchkit.packed import DEAD_END


@inlined
def estimate_after(P, H, memo, at, after, rest, state, control, operator, child):
    """The estimate that `follow` gives, the most that is within the bound, and the room for it."""
    room = rest - G_WEIGHT
    if not UNIT_COSTS:
        room = rest - G_WEIGHT * problem_cost(P, state, control, operator)
    room += H_WEIGHT * heuristic_recall(H, memo, at * MEMORY)
    most = room // H_WEIGHT
    value = whole(
        heuristic_follow(
            H, memo, at * MEMORY, after * MEMORY, state, control, operator, child, most
        )
    )
    return value, most, room


@inlined
def left_of(value, most, room):
    """What remains of the bound with an estimate of `value`, and by how much f is above the bound.

    -1 and INVALID for what is not an estimate.
    """
    if np.uint64(value) < np.uint64(DEAD_END) or (value < 0 and value > most):  # stopped early
        left = room - H_WEIGHT * value
        return left, -left
    return -1, above_of(value, room)


@inlined
def left_after(P, H, memo, at, after, rest, state, control, operator, child):
    """What remains of the bound after a step, and by how much f is above the bound, at least.

    The words of the state are in row `at`, those of the child come to row `after`, unless the
    second number is positive.
    """
    value, most, room = estimate_after(P, H, memo, at, after, rest, state, control, operator, child)
    return left_of(value, most, room)


@inlined
def left_anew(P, H, own, rest, state, control, operator, child):
    """The same, exactly, without words, for a state with the estimate `own`."""
    left = rest - G_WEIGHT
    if not UNIT_COSTS:
        left = rest - G_WEIGHT * problem_cost(P, state, control, operator)
    left += H_WEIGHT * own
    value = estimate_of(H, child)
    return left - H_WEIGHT * value, above_of(value, left)


@inlined
def own_estimate(H, state):
    """What `left_anew` needs of the state."""
    return estimate_of(H, state)


@inlined
def recalled(H, memo, at):
    """The estimate of the state whose words are in row `at`."""
    return heuristic_recall(H, memo, at * MEMORY)


@entry
def remember(H, memo, states):
    """Fill in the words of the first state of a path."""
    heuristic_begin(H, memo, 0, load(states, 0))
