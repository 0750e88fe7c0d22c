"""What remains of the bound on f after a step, and what is beyond it."""

from searchkit.compiled.specialise.kernels.heuristic import estimate_of
from searchkit.compiled.specialise.names import (
    INCREMENTAL,
    UNIT_COSTS,
    heuristic_change,
    inlined,
    parameter,
    problem_cost,
)
from searchkit.packed import DEAD_END

G_WEIGHT = parameter()
"""The weight of g in a weighted search, else 1."""
H_WEIGHT = parameter()
"""The weight of h."""
NONE_OVER = (1 << 63) - 1
"""By how much nothing is above the bound. With bounds up to `resumable.MOST_BOUND`, costs up to
`costs.MOST_COST`, estimates up to `DEAD_END` and weights up to `weights.MOST_PART`, all sums that
machine code makes are below it: what is pruned is never mistaken for nothing."""
INVALID = -NONE_OVER
"""What no sum is."""


@inlined
def above_of(value, room):
    """By how much an estimate of `value` makes f go above the bound, which leaves `room` for it.

    NONE_OVER for a dead end, and INVALID for what is not an estimate.
    """
    above = H_WEIGHT * value - room
    above = above if value < DEAD_END else NONE_OVER
    return above if 0 <= value <= DEAD_END else INVALID


@inlined
def excess(H, rest, child):
    """By how much f of the child is above the bound (negative: below); see `above_of`."""
    if INCREMENTAL:
        return -rest
    return above_of(estimate_of(H, child), rest)


@inlined
def rest_after(P, H, rest, state, control, operator, child):
    """What remains of the bound after a step."""
    if not UNIT_COSTS:
        rest -= G_WEIGHT * problem_cost(P, state, control, operator)
    else:
        rest -= G_WEIGHT
    if INCREMENTAL:
        rest -= H_WEIGHT * heuristic_change(H, state, control, operator, child)
    return rest
