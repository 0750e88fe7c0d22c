"""Keeps the estimate of a heuristic where engines call it by its address."""

from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.names import (
    ESTIMATE_AT,
    borrowed,
    entry,
    heuristic,
    inlined,
    keep_asking,
    keep_tables,
)


@inlined
def estimate_for(H, state):
    """The estimate of a state by itself."""
    return heuristic.estimate_of(H, state)


@entry
def keep_estimate(H, states, at):
    """Keep the estimate and its tables in `at`; how many words of it that takes.

    `states` is any one state: only its type matters.
    """
    H = borrowed(H)
    keep_asking(at, ESTIMATE_AT, estimate_for, H, words.load(states, 0))
    return keep_tables(at, H)
