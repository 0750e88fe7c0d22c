"""What remains of the bound, for heuristics that remember words of every state on a path."""

import numpy as np

from searchkit.compiled.depth_first.kernels import pruning
from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.names import entry, heuristic, inlined, problem, whole
from searchkit.packed import DEAD_END, PackedStep


@inlined
def estimate_after(P, H, memo, at, after, slack, step: PackedStep):
    """The estimate that `follow` gives, the most that is within the bound, and the room for it."""
    room = room_after(P, slack, step, heuristic.recall(H, memo, at * heuristic.MEMORY))
    most = room // pruning.H_WEIGHT
    at, after = at * heuristic.MEMORY, after * heuristic.MEMORY
    value = whole(heuristic.follow(H, memo, at, after, step, most))
    return value, most, room


@inlined
def room_after(P, slack, step: PackedStep, own):
    """What a step from a state with the estimate `own` leaves of the bound for the child's."""
    if problem.UNIT_COSTS:
        return slack - pruning.G_WEIGHT + pruning.H_WEIGHT * own
    cost = problem.cost(P, step.state, step.control, step.operator)
    return slack - pruning.G_WEIGHT * cost + pruning.H_WEIGHT * own


@inlined
def slack_with(value, most, room):
    """What remains of the bound with an estimate of `value`, and by how much f is above the bound.

    -1 and INVALID for what is not an estimate.
    """
    if np.uint64(value) < np.uint64(DEAD_END) or (value < 0 and value > most):  # stopped early
        slack = room - pruning.H_WEIGHT * value
        return slack, -slack
    return -1, pruning.excess_with(value, room)


@inlined
def follow_step(P, H, memo, at, after, slack, step: PackedStep):
    """What remains of the bound after a step, and by how much f is above the bound, at least.

    The words of the state are in row `at`, those of the child come to row `after`, unless the
    second number is positive.
    """
    value, most, room = estimate_after(P, H, memo, at, after, slack, step)
    return slack_with(value, most, room)


@inlined
def recompute_step(P, H, own, slack, step: PackedStep):
    """The same, exactly, without words, for a state with the estimate `own`."""
    room = room_after(P, slack, step, own)
    value = heuristic.estimate_of(H, step.child)
    return room - pruning.H_WEIGHT * value, pruning.excess_with(value, room)


@inlined
def own_estimate(H, state):
    """What `recompute_step` needs of the state."""
    return heuristic.estimate_of(H, state)


@inlined
def recalled(H, memo, at):
    """The estimate of the state whose words are in row `at`."""
    return heuristic.recall(H, memo, at * heuristic.MEMORY)


@entry
def remember(H, memo, states):
    """Fill in the words of the first state of a path."""
    heuristic.begin(H, memo, 0, words.load(states, 0))
