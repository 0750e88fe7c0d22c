"""What remains of the bound on f after a step, the slack, and what is beyond it, the excess."""

import numpy as np

from searchkit.compiled.specialise.kernels import estimates, successors
from searchkit.compiled.specialise.names import (
    heuristic,
    inlined,
    parameter,
    whole,
)
from searchkit.packed import DEAD_END, PackedStep

G_WEIGHT = parameter()
"""The weight of g in a weighted search, else 1."""
H_WEIGHT = parameter()
"""The weight of h."""
MEMORY = heuristic.MEMORY if heuristic.FOLLOWED else 0
"""The words that are carried along: none where steps are chains, which no heuristic follows."""
NO_EXCESS = (1 << 63) - 1
"""By how much nothing is above the bound. With bounds up to `resumable.MOST_BOUND`, costs up to
`costs.MOST_COST`, estimates up to `DEAD_END` and weights up to `weights.MOST_PART`, all sums that
machine code makes are below it: what is pruned is never mistaken for nothing."""
INVALID = -NO_EXCESS
"""What no sum is."""
NO_BOUND = 1 << 61
"""What the slack of a start is where f is a float, of which the slack is no part."""


@inlined
def excess_with(value, room):
    """By how much an estimate of `value` makes f go above the bound, which leaves `room` for it.

    NO_EXCESS for a dead end, and INVALID for what is not an estimate.
    """
    excess = H_WEIGHT * value - room
    excess = excess if value < DEAD_END else NO_EXCESS
    return excess if 0 <= value <= DEAD_END else INVALID


@inlined
def excess_of_float(word, room, bound):
    """The same as a difference of words: of f, the float that Python makes of it, and the bound.

    The slack is then `NO_BOUND` less what g weighs.
    """
    f = estimates.weighed_sum(1, NO_BOUND - room, H_WEIGHT, word)
    excess = f - bound if word < estimates.NEVER else NO_EXCESS
    return excess if 0 <= word <= estimates.NEVER else INVALID


@inlined
def room_after(slack, cost, own):
    """What a step from a state with the estimate `own` leaves of the bound for the child's.

    `own` is 0 if the slack is not less by the estimate.
    """
    return slack - G_WEIGHT * cost + H_WEIGHT * own


@inlined
def slack_and_excess(H, slack, cost, step: PackedStep, bound):
    """What remains of the bound after a step, and by how much f of the child is above the bound.

    The second number is negative if f is below the bound; see `excess_with`. For heuristics that
    remember nothing but their estimate. `bound` is looked at only where f is a float.
    """
    slack = room_after(slack, cost, 0)
    if heuristic.INCREMENTAL:
        change = heuristic.change(H, step.state, step.control, step.operator, step.child)
        # Where steps are listed, the time to look at it does not count.
        if successors.LISTED and (change < -DEAD_END or change > DEAD_END):
            return NO_EXCESS, INVALID
        slack -= H_WEIGHT * change
        return slack, -slack
    estimate = heuristic.estimate_of(H, step.child)
    if heuristic.FLOATS:
        return slack, excess_of_float(estimate, slack, bound)
    return slack, excess_with(estimate, slack)


@inlined
def estimate_after(H, memo, at, after, slack, cost, step: PackedStep):
    """The estimate that `follow` gives, the most that is within the bound, and the room for it."""
    room = room_after(slack, cost, recalled(H, memo, at))
    most = room // H_WEIGHT
    at, after = at * heuristic.MEMORY, after * heuristic.MEMORY
    value = whole(heuristic.follow(H, memo, at, after, step, most))
    return value, most, room


@inlined
def slack_with(value, most, room):
    """What remains of the bound with an estimate of `value`, and by how much f is above the bound.

    -1 and INVALID for what is not an estimate.
    """
    if np.uint64(value) < np.uint64(DEAD_END) or (value < 0 and value > most):  # stopped early
        slack = room - H_WEIGHT * value
        return slack, -slack
    return -1, excess_with(value, room)


@inlined
def follow_step(H, memo, at, after, slack, cost, step: PackedStep, bound):
    """What remains of the bound after a step, and by how much f is above the bound, at least.

    If the heuristic remembers words, those of the state are in row `at`, and those of the child
    come to row `after`, unless the second number is positive.
    """
    if not MEMORY:
        return slack_and_excess(H, slack, cost, step, bound)
    value, most, room = estimate_after(H, memo, at, after, slack, cost, step)
    return slack_with(value, most, room)


@inlined
def recompute_step(H, own, slack, cost, step: PackedStep):
    """By how much f is above the bound, exactly, after a step from a state with that estimate."""
    return excess_with(heuristic.estimate_of(H, step.child), room_after(slack, cost, own))


@inlined
def recalled(H, memo, at):
    """The estimate of the state whose words are in row `at`."""
    return heuristic.recall(H, memo, at * heuristic.MEMORY)
