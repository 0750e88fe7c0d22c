"""Calls what makes the children of a batch."""

from searchkit.compiled.depth_first.kernels import batched
from searchkit.compiled.depth_first.kernels.batched import Batch
from searchkit.compiled.specialise.names import entry


@entry
def make_children(P, H, batch: Batch, taken, slack, operator):
    """Call `apply_to_batch` for the only control state."""
    return batched.apply_to_batch(P, H, batch, taken, slack, 0, operator)
