"""The estimate of a state by itself, whatever the heuristic remembers."""

from searchkit.compiled.specialise.names import MEMORY, inlined, whole

if MEMORY:
    from searchkit.compiled.specialise.kernels.heuristic_with_memory import heuristic_estimate
else:
    from searchkit.compiled.specialise.names import heuristic_estimate

__all__ = ["estimate_of", "heuristic_estimate"]


@inlined
def estimate_of(H, state):
    """The estimate of a state, known to be an integer."""
    return whole(heuristic_estimate(H, state))
