"""What remains of the bound, for heuristics that remember nothing but their estimate."""

from searchkit.compiled.depth_first.kernels.slack import excess, rest_after
from searchkit.compiled.specialise.names import inlined


@inlined
def left_after(P, H, memo, at, after, rest, state, control, operator, child):
    """What remains of the bound after a step, and by how much f is above the bound."""
    left = rest_after(P, H, rest, state, control, operator, child)
    return left, excess(H, left, child)


@inlined
def left_anew(P, H, own, rest, state, control, operator, child):
    """The same."""
    left = rest_after(P, H, rest, state, control, operator, child)
    return left, excess(H, left, child)


@inlined
def own_estimate(H, state):
    """Not needed."""
    return 0


@inlined
def recalled(H, memo, at):
    """Not needed."""
    return 0
