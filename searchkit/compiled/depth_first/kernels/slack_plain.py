"""What remains of the bound, for heuristics that remember nothing but their estimate."""

from searchkit.compiled.depth_first.kernels import pruning
from searchkit.compiled.specialise.names import inlined
from searchkit.packed import PackedStep


@inlined
def follow_step(P, H, memo, at, after, slack, step: PackedStep):
    """What remains of the bound after a step, and by how much f is above the bound."""
    return pruning.slack_and_excess(P, H, slack, step)


@inlined
def recompute_step(P, H, own, slack, step: PackedStep):
    """The same."""
    return pruning.slack_and_excess(P, H, slack, step)


@inlined
def own_estimate(H, state):
    """Not needed."""
    return 0


@inlined
def recalled(H, memo, at):
    """Not needed."""
    return 0
