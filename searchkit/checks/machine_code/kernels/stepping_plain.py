"""Whether the kernel `change` agrees with the kernel `estimate`."""

from searchkit.checks.machine_code.kernels.stepping_forms import CHANGE, DEAD_ENDS, RIGHT
from searchkit.compiled.specialise.kernels.heuristic import heuristic_estimate
from searchkit.compiled.specialise.names import INCREMENTAL, heuristic_change, inlined
from searchkit.packed import DEAD_END


@inlined
def remembered(H, memo, state):
    """The estimate of a state."""
    return heuristic_estimate(H, state)


@inlined
def anew(H, memo, child):
    """The estimate of a child."""
    return heuristic_estimate(H, child)


@inlined
def carried_wrongly(H, memo, own, value, state, control, operator, child):
    """Compare what a step changes; dead ends cannot be carried along."""
    if not INCREMENTAL:
        return RIGHT, value
    if own >= DEAD_END or value >= DEAD_END:
        return DEAD_ENDS, value
    after = own + heuristic_change(H, state, control, operator, child)
    if after != value:
        return CHANGE, after
    return RIGHT, value
