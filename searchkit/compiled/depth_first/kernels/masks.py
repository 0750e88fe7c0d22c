"""Operators as the bits of a word, for heuristics with `candidates`.

The heuristic says of a state, at a glance, which operators can stay within the bound; the others
are counted, and not looked at. What is left to try of a state is such a word as well. It is for
states with many operators of which few are within the bound.

Counts are those of trying operators one by one, in ascending order: a state counts all of its
operators when it is expanded, and how many were not tried yet is found at the end.

Needs UNIT_COSTS, ALWAYS_LEGAL, INCREMENTAL and CYCLES = 0.
"""

import numpy as np

from searchkit.compiled.depth_first.kernels import pruning
from searchkit.compiled.specialise.names import (
    called,
    count_ones,
    heuristic,
    inlined,
    lowest_one,
    problem,
)
from searchkit.packed import PackedStep


@called  # seldom: once an excess of 1 was met, none is smaller
def least_excess(P, H, state, control, slack, operators, least):
    """The least by which f of a child is above the bound, of some operators, or `least`."""
    while operators != 0:
        operator = lowest_one(operators)
        operators &= operators - 1
        child = state
        if not heuristic.CHILD_LATER:
            child = problem.apply(P, state, control, operator)
        step = PackedStep(state, control, operator, child)
        excess = pruning.slack_and_excess(H, slack, 1, step, slack)[1]
        if 0 < excess < least:
            least = excess
    return least


@inlined
def later(operator):
    """The bits of the operators that come after one."""
    bit = np.int64(1) << operator
    return ~(bit | (bit - 1))


@inlined
def within_bound(P, H, lists, state, node, slack, next_excess):
    """The operators of a node that may be within the bound; the least excess of the others."""
    control, listed = np.int64(lists.controls[node]), lists.masks[node]
    most = (slack - pruning.G_WEIGHT) // pruning.H_WEIGHT
    left = heuristic.candidates(H, state, control, most) & listed
    if next_excess > 1:
        next_excess = least_excess(P, H, state, control, slack, listed & ~left, next_excess)
    return left, next_excess


@inlined
def untried(lists, waiting, count):
    """How many operators of the first states of the path come after those that were tried."""
    found = 0
    for i in range(count):
        found += count_ones(lists.masks[waiting.nodes[i]] & later(waiting.tried[i]))
    return found
