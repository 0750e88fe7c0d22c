"""Tables of the ways to the goals of a stage, and the way down.

An entry says which operator leads one step nearer, the first one that does, and to which number:
so that going down takes one look-up a step, and no number is counted twice. In its lowest two
bits it has the distance modulo 3, or UNSEEN. Every step can be taken back, so that neighbours
differ by at most 1: one with the distance before this one's is one step nearer.
"""

from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.names import borrowed, entry, inlined, problem
from searchkit.compiled.specialise.operators import OperatorLists

UNSEEN = 3
TOO_FAR = 255
AT, MADE, STEPS, LOOKED = range(4)
DONE, FULL, WRONG_NUMBER, WRONG_COST, OUT_OF_BUDGET = range(5)


class Table(NamedTuple):
    """The entries of a stage, and the distances themselves if `far` has room.

    Above the distance, an entry has the place of the operator in the list of its control state,
    in `place_bits` bits, and the number that it leads to: that of the state itself at a goal.
    """

    entries: Any
    far: Any
    ranks: Any
    place_bits: Any


class Paths(NamedTuple):
    """Path `i` is in `states[i * width:]`, and has `lengths[i]` steps; -1 if there is no way."""

    states: Any
    lengths: Any
    width: Any


class Joined(NamedTuple):
    """Paths one after the other: path `i` is `states[begins[i]:begins[i + 1]]`.

    `slots` remember where on a path a state is, by its hash: a power of two of them, more than a
    path has states.
    """

    states: Any
    begins: Any
    slots: Any


@inlined
def packed_entry(table, depth, place, after):
    """The entry of a state at `depth` that the operator at `place` leads from to `after`."""
    return (after << table.place_bits | place) << 2 | depth % 3


@entry
def mark_goals(P, table, found, info, end):
    """Find the goals among the states from `info[AT]` to `end`, and give them distance 0."""
    made = info[MADE]
    result = DONE
    for index in range(info[AT], end):
        state = problem.unrank(P, index)
        rank = problem.rank(P, state)
        if rank != index:
            info[LOOKED] = rank
            result = WRONG_NUMBER
            break
        if problem.at_goal(P, state):
            if made == len(found):
                result = FULL
                info[AT] = index
                break
            words.store(found, made, state)
            table.entries[index] = packed_entry(table, 0, 0, index)
            if len(table.far) > 0:
                table.far[index] = 0
            made += 1
    if result == DONE:
        info[AT] = end
    info[MADE] = made
    return result


@entry
def expand(P, lists: OperatorLists, table, depth, frontier, found, info, end):
    """Reach the neighbours at `depth` of the states from `info[AT]` to `end` of a layer.

    The states themselves, at the distance before, get their way down.
    """
    first, operators = lists.first, lists.operators
    made = info[MADE]
    result = DONE
    at = info[AT]
    nearer = (depth - 2) % 3 if depth > 1 else UNSEEN
    while at < end:
        state = words.load(frontier, at)
        control = problem.control(P, state)
        # Room is asked for before the state is expanded, so that it is never expanded by half.
        if made + first[control + 1] - first[control] > len(found):
            result = FULL
            break
        has_way = nearer == UNSEEN
        for place in range(first[control], first[control + 1]):
            operator = operators[place]
            if not problem.ALWAYS_LEGAL and not problem.legal(P, state, control, operator):
                continue
            if not problem.UNIT_COSTS:
                if problem.cost(P, state, control, operator) != 1:
                    result = WRONG_COST
                    break
            child = problem.apply(P, state, control, operator)
            rank = problem.rank(P, child)
            if rank < 0 or rank >= table.ranks:
                # The number is what the error will name.
                info[LOOKED] = rank
                result = WRONG_NUMBER
                break
            value = table.entries[rank] & 3
            if value == UNSEEN:
                # Neighbours differ by one at most: distances modulo 3 say which are nearer.
                table.entries[rank] = packed_entry(table, depth, 0, rank)
                if len(table.far) > 0:
                    table.far[rank] = depth
                words.store(found, made, child)
                made += 1
            elif value == nearer and not has_way:
                has_way = True
                own = problem.rank(P, state)
                table.entries[own] = packed_entry(table, depth - 1, place - first[control], rank)
        if result != DONE:
            break
        at += 1
    info[AT] = at
    info[MADE] = made
    return result


@inlined
def looked_at(P, lists: OperatorLists, state, control, chosen):
    """How many children there are up to that of the operator at `chosen`; 0 if it is not legal."""
    if problem.ALWAYS_LEGAL:
        return chosen - lists.first[control] + 1
    if not problem.legal(P, state, control, lists.operators[chosen]):
        return 0
    count = 1
    for place in range(lists.first[control], chosen):
        count += problem.legal(P, state, control, lists.operators[place])
    return count


@entry
def descend(P, lists: OperatorLists, table, paths, info):
    """Go on with all paths to goals of the stage, for up to `info[STEPS]` steps."""
    P, lists, table, paths, info = borrowed((P, lists, table, paths, info))
    lengths, width, entries = paths.lengths, paths.width, table.entries
    last_place = (1 << table.place_bits) - 1
    steps, looked = info[STEPS], info[LOOKED]
    result = DONE
    for i in range(len(lengths)):
        length = lengths[i]
        if length < 0:
            continue
        state = words.load(paths.states, i * width + length)
        rank = problem.rank(P, state)
        if rank < 0 or rank >= table.ranks:
            lengths[i] = -1
            continue
        if entries[rank] & 3 == UNSEEN:
            lengths[i] = -1
            continue
        control = problem.control(P, state)
        while True:
            way = np.int64(entries[rank]) >> 2
            after = way >> table.place_bits
            if after == rank:
                break
            if steps == 0:
                result = OUT_OF_BUDGET
                break
            rank = after
            place = lists.first[control] + (way & last_place)
            count = looked_at(P, lists, state, control, place)
            if count == 0 or length + 1 == width:
                length = -1
                break
            state = problem.apply(P, state, control, lists.operators[place])
            control = problem.control(P, state)
            steps -= 1
            looked += count
            length += 1
            words.store(paths.states, i * width + length, state)
        lengths[i] = length
        if result != DONE:
            break
    info[STEPS], info[LOOKED] = steps, looked
    return result


@entry
def join(paths, joined):
    """Put the paths one after the other, without what lies between two visits of one state."""
    paths, joined = borrowed((paths, joined))
    slots = joined.slots
    end = 0
    for i in range(len(paths.lengths)):
        begin = end
        for at in range(i * paths.width, i * paths.width + paths.lengths[i] + 1):
            state = words.load(paths.states, at)
            # A slot of a path before this one is free. What loops leave behind stays taken.
            slot = words.mixed(state) & len(slots) - 1
            while slots[slot] >= begin and words.load(joined.states, slots[slot]) != state:
                slot = slot + 1 & len(slots) - 1
            if begin <= slots[slot] < end:
                end = slots[slot]
            words.store(joined.states, end, state)
            slots[slot] = end
            end += 1
        joined.begins[i + 1] = end
