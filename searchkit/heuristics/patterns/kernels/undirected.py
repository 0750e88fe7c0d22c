"""Breadth-first search over the entries of an undirected pattern space: a byte for each.

A layer is what has its value. Either its entries look for those that were not reached, or these
look for an entry of the layer, whichever are fewer steps: most entries are in one or two layers,
and then the first neighbours that are asked are likely to be in it (S. Beamer, K. Asanović and
D. Patterson, Direction-optimizing breadth-first search, 2012).
"""

from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.specialise.names import borrowed, entry, parameter, space
from searchkit.heuristics.patterns.database import UNREACHED
from searchkit.heuristics.patterns.kernels.patterns import Fault, Info, note_fault

OPERATORS = parameter()


class Values(NamedTuple):
    """The value of each entry."""

    count: Any
    values: Any


@entry
def expand_layer(T, group, level, begin, end, entries: Values, info):
    """Expand the entries `begin` to `end` of a layer: neighbours that are new are in the next one.

    `info` counts, and has what is wrong with the space, as in `kernels.patterns`.
    """
    T = borrowed(T)
    count, values = borrowed(entries)
    filled = 0
    for own in range(begin, end):
        if values[own] != level:
            continue
        word = space.unrank(T, own, group)
        if space.rank(T, word, group) != own:
            note_fault(info, Fault.OWN_RANK, own, 0, 0)
        filled += 1
        for operator in range(OPERATORS):
            other = space.rank(T, space.previous(T, word, group, operator, 0), group)
            if np.uint64(other) >= np.uint64(count):
                note_fault(info, Fault.MOVE, own, operator, 0)
                other = own
            if values[other] == UNREACHED:
                values[other] = level + 1
    info[Info.FILLED] += filled
    info[Info.EXPANDED] += filled


@entry
def join_layer(T, group, level, begin, end, entries: Values, info):
    """Of the entries `begin` to `end` that are new, those beside the layer are in the next one."""
    T = borrowed(T)
    count, values = borrowed(entries)
    filled = 0
    for own in range(begin, end):
        if values[own] == level:
            filled += 1
        if values[own] != UNREACHED:
            continue
        word = space.unrank(T, own, group)
        for operator in range(OPERATORS):
            other = space.rank(T, space.previous(T, word, group, operator, 0), group)
            # What was never reached may have no place among the entries.
            if np.uint64(other) < np.uint64(count) and values[other] == level:
                values[own] = level + 1
                break
    info[Info.FILLED] += filled
    info[Info.EXPANDED] += filled
