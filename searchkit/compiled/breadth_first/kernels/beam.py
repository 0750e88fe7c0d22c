"""Beam search: the states of a beam are expanded in order, and the next layer gathers.

There are two sets of states: all that are or were in the beam, the present beam at the end, and
those found for the next layer. Children of some states at a time are made and their slots asked
for; then they are looked up in their order.
"""

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.breadth_first.kernels.expansion import Batch
from searchkit.compiled.specialise.kernels import estimates, successors, words
from searchkit.compiled.specialise.names import (
    borrowed,
    entry,
    heuristic,
    problem,
)
from searchkit.compiled.states.kernels import state_set
from searchkit.compiled.states.kernels.state_set import StateSet

Info = IntEnum(
    "Info",
    "NEXT END FOUND ENTRIES EXPANDED GENERATED MOST COST_LIMIT CUT GOAL_G GOAL_PARENT AGAIN AHEAD",
    start=0,
)  # fmt: skip
"""Where the search is, what is counted, the cheapest goal (whose parent is -1 if none is), whether
a state is taken again where it is reached at a smaller g, and how many rows of words are ahead."""
Ended = IntEnum("Ended", "LAYER_DONE OUT_OF_BUDGET SET_FULL WRONG_ESTIMATE", start=0)
"""Or why successors cannot be listed: see `children`."""
Number = IntEnum("Number", "PARENT G H ENTRY", start=0)
"""What is known of a state: the index of its parent, and when it was found, among others."""


class Numbered(NamedTuple):
    """A set of states, and a row of numbers for each: see `Number`."""

    known: StateSet
    numbers: Any


class Sets(NamedTuple):
    """The states that are or were in the beam, those found for the next layer, and the goal.

    `memo` has the words of the present beam, and then those of the states found.
    """

    past: Numbered
    found: Numbered
    goal: Any
    memo: Any


@entry
def expand_beam(P, H, lists, sets: Sets, batch: Batch, info, budget):
    """Expand the states `NEXT` to `END` of the beam, at most `budget` of them.

    `sets.goal` gets the cheapest goal, or the state whose estimate is wrong. What cannot be listed
    are the successors of the state `NEXT`.
    """
    P, H, lists = borrowed(P), borrowed(H), borrowed(lists)
    past, found, goal, memo = borrowed(sets)
    info = borrowed(info)
    room, hashes, ends = borrowed(batch)
    children, numbers = room.states, found.numbers
    expanding, end, count = info[Info.NEXT], info[Info.END], info[Info.FOUND]
    limit, ahead = expanding + budget, info[Info.AHEAD]
    result = Ended.LAYER_DONE
    while expanding < end and result == Ended.LAYER_DONE:
        taken = min(len(ends), end - expanding, limit - expanding)
        if taken <= 0:
            info[Info.MOST] = max(info[Info.MOST], end - expanding + count)
            result = Ended.OUT_OF_BUDGET
            break
        listed = successors.list_successors(
            P, lists, past.known.states, expanding, taken, room, ends
        )
        if listed == 0:
            result = ends[0]
            break
        taken = min(taken, listed)
        made = ends[taken - 1]
        # Asked before anything is changed: a call that stops here is repeated.
        if count + made > len(found.known.states):
            result = Ended.SET_FULL
            break
        for j in range(made):
            hashes[j] = words.mixed(words.load(children, j))
            state_set.prefetch_slot(past.known, hashes[j])
            state_set.prefetch_slot(found.known, hashes[j])
        for j in range(made):
            state_set.prefetch_state(past.known, hashes[j])
            state_set.prefetch_state(found.known, hashes[j])
        j = 0
        for i in range(taken):
            parent = expanding + i
            state = words.load(past.known.states, parent)
            control = successors.control_at(P, state)
            g, own_h = past.numbers[parent, Number.G], past.numbers[parent, Number.H]
            info[Info.MOST] = max(info[Info.MOST], end - parent + count)
            while j < ends[i]:
                step = successors.listed_step(state, control, room, j)
                child, hashed, child_g = step.child, hashes[j], g + 1
                if not problem.UNIT_COSTS:
                    child_g = g + room.costs[j]
                j += 1
                before = state_set.index_of(past.known, child, hashed)
                if before >= 0 and not (
                    info[Info.AGAIN] and past.numbers[before, Number.G] > child_g
                ):
                    continue
                index = state_set.index_of(found.known, child, hashed)
                if index >= 0 and numbers[index, Number.G] <= child_g:
                    continue
                row = ahead + (index if index >= 0 else count)
                h = estimates.of_child(H, memo, parent - end + ahead, row, own_h, step)
                if np.uint64(h) >= np.uint64(estimates.NEVER):  # or negative
                    if h == estimates.NEVER and not heuristic.INCREMENTAL:
                        continue
                    words.store(goal, 0, child)
                    return Ended.WRONG_ESTIMATE
                if estimates.sum_of(child_g, h) > info[Info.COST_LIMIT]:
                    info[Info.CUT] = 1
                    continue
                if problem.at_goal(P, child):
                    if info[Info.GOAL_PARENT] < 0 or child_g < info[Info.GOAL_G]:
                        info[Info.GOAL_G], info[Info.GOAL_PARENT] = child_g, parent
                        words.store(goal, 0, child)
                    continue
                if index < 0:
                    state_set.add(found.known, -1 - index, child, hashed, count)
                    index = count
                    count += 1
                numbers[index, Number.PARENT], numbers[index, Number.G] = parent, child_g
                numbers[index, Number.H], numbers[index, Number.ENTRY] = h, info[Info.ENTRIES]
                info[Info.ENTRIES] += 1
        expanding += taken
        info[Info.EXPANDED] += taken
        info[Info.GENERATED] += made
    info[Info.NEXT], info[Info.FOUND] = expanding, count
    return result
