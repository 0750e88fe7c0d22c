"""How many ways lead from states to the goals, along steps that are known to be optimal."""

from enum import IntEnum
from typing import Any, NamedTuple

from searchkit.compiled.specialise.kernels import canonical, successors, words
from searchkit.compiled.specialise.kernels.children import Children
from searchkit.compiled.specialise.names import borrowed, entry, problem
from searchkit.compiled.states.kernels import state_set

Ended = IntEnum("Ended", "DONE OUT_OF_BUDGET TOO_MANY", start=0)
"""Or why successors cannot be listed."""


class Ways(NamedTuple):
    """Of each state its distance to the goal, whether its ways are counted, and their number.

    Numbers are rows of words, from the lowest.
    """

    distances: Any
    counted: Any
    numbers: Any


@entry
def count_ways(P, lists, known: state_set.StateSet, ways: Ways, room: Children, begin, budget):
    """Count the ways from the states from `begin` on, which are in the order of their distance.

    A state waits for the next call where one that a step of cost 0 leads to is not counted.
    How it ended, and at which state.
    """
    lists, known, ways, room = borrowed(lists), borrowed(known), borrowed(ways), borrowed(room)
    distances, counted, numbers = ways
    end = len(distances)
    for i in range(begin, min(end, begin + budget)):
        if counted[i] != 0:
            continue
        state = words.load(known.states, i)
        if problem.at_goal(P, state):
            numbers[i, 0] = 1
            counted[i] = 1
            continue
        made = successors.append(P, lists, state, room, 0)
        if made < 0:
            return made, i
        waits, carry = False, 0
        for j in range(made):
            cost = 1
            if not problem.UNIT_COSTS:
                cost = room.costs[j]
            child = words.load(room.states, j)
            there = state_set.index_of(known, child, words.mixed(child))
            if there < 0 or distances[there] != distances[i] - cost:
                continue
            waits |= counted[there] == 0
            here = 0
            for limb in range(numbers.shape[1]):
                old = numbers[i, limb]
                total = old + numbers[there, limb]
                carried = canonical.less(total, old)
                total += here
                here = carried | (here & (total == 0))
                numbers[i, limb] = total
            carry |= here
        if waits or carry != 0:
            for limb in range(numbers.shape[1]):
                numbers[i, limb] = 0
        if carry != 0:
            return Ended.TOO_MANY, i
        if not waits:
            counted[i] = 1
    if begin + budget < end:
        return Ended.OUT_OF_BUDGET, begin + budget
    return Ended.DONE, end
