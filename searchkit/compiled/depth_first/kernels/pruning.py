"""What remains of the bound on f after a step, the slack, and what is beyond it, the excess."""

import numpy as np

from searchkit.compiled.specialise.kernels import estimates
from searchkit.compiled.specialise.names import (
    heuristic,
    inlined,
    parameter,
    problem,
    whole,
)
from searchkit.packed import DEAD_END, PackedStep

G_WEIGHT = parameter()
"""The weight of g in a weighted search, else 1."""
H_WEIGHT = parameter()
"""The weight of h."""
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
def room_after(P, slack, step: PackedStep, own):
    """What a step from a state with the estimate `own` leaves of the bound for the child's.

    `own` is 0 if the slack is not less by the estimate.
    """
    if problem.UNIT_COSTS:
        return slack - G_WEIGHT + H_WEIGHT * own
    cost = problem.cost(P, step.state, step.control, step.operator)
    return slack - G_WEIGHT * cost + H_WEIGHT * own


@inlined
def slack_and_excess(P, H, slack, step: PackedStep):
    """What remains of the bound after a step, and by how much f of the child is above the bound.

    The second number is negative if f is below the bound; see `excess_with`. For heuristics that
    remember nothing but their estimate.
    """
    slack = room_after(P, slack, step, 0)
    if heuristic.INCREMENTAL:
        change = heuristic.change(H, step.state, step.control, step.operator, step.child)
        slack -= H_WEIGHT * change
        return slack, -slack
    return slack, excess_with(heuristic.estimate_of(H, step.child), slack)


@inlined
def estimate_after(P, H, memo, at, after, slack, step: PackedStep):
    """The estimate that `follow` gives, the most that is within the bound, and the room for it."""
    room = room_after(P, slack, step, recalled(H, memo, at))
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
def follow_step(P, H, memo, at, after, slack, step: PackedStep):
    """What remains of the bound after a step, and by how much f is above the bound, at least.

    If the heuristic remembers words, those of the state are in row `at`, and those of the child
    come to row `after`, unless the second number is positive.
    """
    if not heuristic.MEMORY:
        return slack_and_excess(P, H, slack, step)
    value, most, room = estimate_after(P, H, memo, at, after, slack, step)
    return slack_with(value, most, room)


@inlined
def recompute_step(P, H, own, slack, step: PackedStep):
    """What `follow_step` gives, exactly, for a state with the estimate `own`; keeps no words."""
    if not heuristic.MEMORY:
        return slack_and_excess(P, H, slack, step)
    room = room_after(P, slack, step, own)
    value = heuristic.estimate_of(H, step.child)
    return room - H_WEIGHT * value, excess_with(value, room)


@inlined
def own_estimate(H, state):
    """What `recompute_step` needs of the state."""
    return heuristic.estimate_of(H, state) if heuristic.MEMORY else 0


@inlined
def recalled(H, memo, at):
    """The estimate of the state whose words are in row `at`."""
    return heuristic.recall(H, memo, at * heuristic.MEMORY)
