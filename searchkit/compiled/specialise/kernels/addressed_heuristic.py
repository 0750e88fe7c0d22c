"""The estimate of a heuristic, called by its address in the table `at`."""

from searchkit.compiled.specialise.names import ESTIMATE_AT, call_asking, inlined


@inlined
def heuristic_estimate(H, state):
    """The estimate of a state by itself."""
    return call_asking(H.at, ESTIMATE_AT, state)
