"""Whether the kernel `change` agrees with the kernel `estimate`."""

from searchkit.checks.machine_code.kernels import stepping_forms
from searchkit.compiled.specialise.names import heuristic, inlined
from searchkit.packed import DEAD_END, PackedStep


@inlined
def remembered(H, memo, state):
    """The estimate of a state."""
    return heuristic.estimate(H, state)


@inlined
def anew(H, memo, child):
    """The estimate of a child."""
    return heuristic.estimate(H, child)


@inlined
def carried_wrongly(H, memo, own, value, step: PackedStep):
    """Compare what a step changes; dead ends cannot be carried along."""
    if not heuristic.INCREMENTAL:
        return stepping_forms.RIGHT, value
    if own >= DEAD_END or value >= DEAD_END:
        return stepping_forms.DEAD_ENDS, value
    after = own + heuristic.change(H, step.state, step.control, step.operator, step.child)
    if after != value:
        return stepping_forms.CHANGE, after
    return stepping_forms.RIGHT, value
