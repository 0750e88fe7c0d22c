"""What remains of the bound on f after a step, the slack, and what is beyond it, the excess."""

from searchkit.compiled.specialise.names import heuristic, inlined, parameter, problem
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


@inlined
def excess_with(value, room):
    """By how much an estimate of `value` makes f go above the bound, which leaves `room` for it.

    NO_EXCESS for a dead end, and INVALID for what is not an estimate.
    """
    excess = H_WEIGHT * value - room
    excess = excess if value < DEAD_END else NO_EXCESS
    return excess if 0 <= value <= DEAD_END else INVALID


@inlined
def slack_and_excess(P, H, slack, step: PackedStep):
    """What remains of the bound after a step, and by how much f of the child is above the bound.

    The second number is negative if f is below the bound; see `excess_with`.
    """
    if not problem.UNIT_COSTS:
        slack -= G_WEIGHT * problem.cost(P, step.state, step.control, step.operator)
    else:
        slack -= G_WEIGHT
    if heuristic.INCREMENTAL:
        change = heuristic.change(H, step.state, step.control, step.operator, step.child)
        slack -= H_WEIGHT * change
        return slack, -slack
    return slack, excess_with(heuristic.estimate_of(H, step.child), slack)
