"""Tables of distances to the goals of a stage, two bits for each state, and the way down.

An entry is the distance modulo 3, or UNSEEN. Every step can be taken back, so that neighbours
differ by at most 1: one with the entry before this one's is one step nearer.
"""

from typing import Any, NamedTuple

from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.names import borrowed, entry, inlined, problem
from searchkit.compiled.specialise.operators import OperatorLists

UNSEEN = 3
TOO_FAR = 255
AT, MADE, STEPS, LOOKED = range(4)
DONE, FULL, WRONG_NUMBER, WRONG_COST, OUT_OF_BUDGET = range(5)


class Table(NamedTuple):
    """The entries of a stage, four to a byte, and the distances themselves if `far` has room."""

    entries: Any
    far: Any
    ranks: Any


class Paths(NamedTuple):
    """Path `i` is in `states[i * width:]`, and has `lengths[i]` steps; -1 if there is no way."""

    states: Any
    lengths: Any
    width: Any


@inlined
def entry_of(table, rank):
    """The entry of a state."""
    return table.entries[rank >> 2] >> 2 * (rank & 3) & 3


@inlined
def set_entry(table, rank, value):
    """Write an entry that was UNSEEN."""
    table.entries[rank >> 2] ^= (UNSEEN ^ value) << 2 * (rank & 3)


@entry
def mark_goals(P, table, found, info, end):
    """Find the goals among the states from `info[AT]` to `end`, and give them entry 0."""
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
            set_entry(table, index, 0)
            if len(table.far) > 0:
                table.far[index] = 0
            made += 1
    if result == DONE:
        info[AT] = end
    info[MADE] = made
    return result


@entry
def expand(P, lists: OperatorLists, table, depth, frontier, found, info, end):
    """Reach the neighbours at `depth` of the states from `info[AT]` to `end` of a layer."""
    first, operators = lists.first, lists.operators
    made = info[MADE]
    result = DONE
    at = info[AT]
    while at < end:
        state = words.load(frontier, at)
        control = problem.control(P, state)
        # Room is asked for before the state is expanded, so that it is never expanded by half.
        if made + first[control + 1] - first[control] > len(found):
            result = FULL
            break
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
            if entry_of(table, rank) == UNSEEN:
                # Neighbours differ by one at most: distances modulo 3 say which are nearer.
                set_entry(table, rank, depth % 3)
                if len(table.far) > 0:
                    table.far[rank] = depth
                words.store(found, made, child)
                made += 1
        if result != DONE:
            break
        at += 1
    info[AT] = at
    info[MADE] = made
    return result


@inlined
def step_down(P, lists: OperatorLists, table, state, value, info):
    """The first neighbour that is one step nearer, and whether there is one."""
    control = problem.control(P, state)
    wanted = value - 1 if value > 0 else 2
    for place in range(lists.first[control], lists.first[control + 1]):
        operator = lists.operators[place]
        if not problem.ALWAYS_LEGAL and not problem.legal(P, state, control, operator):
            continue
        info[LOOKED] += 1
        child = problem.apply(P, state, control, operator)
        rank = problem.rank(P, child)
        if 0 <= rank < table.ranks:
            if entry_of(table, rank) == wanted:
                return True, child
    return False, state


@entry
def descend(P, lists: OperatorLists, table, paths, info):
    """Go on with all paths to goals of the stage, for up to `info[STEPS]` steps."""
    P, lists, table, paths, info = borrowed((P, lists, table, paths, info))
    lengths, width = paths.lengths, paths.width
    for i in range(len(lengths)):
        length = lengths[i]
        if length < 0:
            continue
        state = words.load(paths.states, i * width + length)
        rank = problem.rank(P, state)
        value = UNSEEN
        if 0 <= rank < table.ranks:
            value = entry_of(table, rank)
        if value == UNSEEN:
            lengths[i] = -1
            continue
        while value != 0 or not problem.at_goal(P, state):
            if info[STEPS] == 0:
                return OUT_OF_BUDGET
            nearer, state = step_down(P, lists, table, state, value, info)
            if not nearer or length + 1 == width:
                lengths[i] = -1
                break
            info[STEPS] -= 1
            length += 1
            value = value - 1 if value > 0 else 2
            words.store(paths.states, i * width + length, state)
            lengths[i] = length
    return DONE


@entry
def remove_loops(paths):
    """Cut out of each path what lies between two visits of one state."""
    paths = borrowed(paths)
    states, lengths = paths.states, paths.lengths
    for i in range(len(lengths)):
        base = i * paths.width
        kept = 0
        at = 0
        while at <= lengths[i]:
            state = words.load(states, base + at)
            # Hardly any state is met twice: to count them all takes vectors, and no jumps.
            after = states[base + at + 1 : base + lengths[i] + 1]
            met = 0
            for later in range(len(after)):
                met += words.load(after, later) == state
            last = at
            if met > 0:
                last = lengths[i]
                while words.load(states, base + last) != state:
                    last -= 1
            words.store(states, base + kept, state)
            kept += 1
            at = last + 1
        lengths[i] = kept - 1
