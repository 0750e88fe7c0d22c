"""Tables of distances to the goals of a stage, two bits for each state, and the way down.

An entry is the distance modulo 3, or UNSEEN. Every step can be taken back, so that neighbours
differ by at most 1: one with the entry before this one's is one step nearer.
"""

from searchkit.compiled.specialise.kernels.control import problem_control
from searchkit.compiled.specialise.kernels.words import load, store
from searchkit.compiled.specialise.names import (
    ALWAYS_LEGAL,
    UNIT_COSTS,
    entry,
    inlined,
    problem_apply,
    problem_at_goal,
    problem_cost,
    problem_legal,
    problem_rank,
    problem_unrank,
)

UNSEEN = 3
TOO_FAR = 255
AT, MADE, STEPS, LOOKED = range(4)
DONE, FULL, WRONG_NUMBER, WRONG_COST, OUT_OF_BUDGET = range(5)


@inlined
def entry_of(table, rank):
    """The entry of a state."""
    return table[rank >> 2] >> 2 * (rank & 3) & 3


@inlined
def set_entry(table, rank, value):
    """Write an entry that was UNSEEN."""
    table[rank >> 2] ^= (UNSEEN ^ value) << 2 * (rank & 3)


@entry
def mark_goals(P, H, first, operators, following, controls, table, ranks, far, frontier, info, end):
    """Find the goals among the states from `info[AT]` to `end`, and give them entry 0.

    If `far` has room for all states, it gets the distances themselves.
    """
    made = info[MADE]
    result = DONE
    for index in range(info[AT], end):
        state = problem_unrank(P, index)
        rank = problem_rank(P, state)
        if rank != index:
            info[LOOKED] = rank
            result = WRONG_NUMBER
            break
        if problem_at_goal(P, state):
            if made == len(frontier):
                result = FULL
                info[AT] = index
                break
            store(frontier, made, state)
            set_entry(table, index, 0)
            if len(far) > 0:
                far[index] = 0
            made += 1
    if result == DONE:
        info[AT] = end
    info[MADE] = made
    return result


@entry
def expand(
    P,
    H,
    first,
    operators,
    following,
    controls,
    table,
    ranks,
    far,
    depth,
    frontier,
    end,
    found,
    info,
):
    """Reach the neighbours at `depth` of the states from `info[AT]` to `end` of a layer."""
    made = info[MADE]
    result = DONE
    at = info[AT]
    while at < end:
        state = load(frontier, at)
        control = problem_control(P, state)
        if made + first[control + 1] - first[control] > len(found):
            result = FULL
            break
        for place in range(first[control], first[control + 1]):
            operator = operators[place]
            if not ALWAYS_LEGAL:
                if not problem_legal(P, state, control, operator):
                    continue
            if not UNIT_COSTS:
                if problem_cost(P, state, control, operator) != 1:
                    result = WRONG_COST
                    break
            child = problem_apply(P, state, control, operator)
            rank = problem_rank(P, child)
            if rank < 0 or rank >= ranks:
                info[LOOKED] = rank
                result = WRONG_NUMBER
                break
            if entry_of(table, rank) == UNSEEN:
                set_entry(table, rank, depth % 3)
                if len(far) > 0:
                    far[rank] = depth
                store(found, made, child)
                made += 1
        if result != DONE:
            break
        at += 1
    info[AT] = at
    info[MADE] = made
    return result


@inlined
def step_down(P, first, operators, table, ranks, state, value, info):
    """The first neighbour that is one step nearer, and whether there is one."""
    control = problem_control(P, state)
    wanted = value - 1 if value > 0 else 2
    for place in range(first[control], first[control + 1]):
        operator = operators[place]
        if not ALWAYS_LEGAL:
            if not problem_legal(P, state, control, operator):
                continue
        info[LOOKED] += 1
        child = problem_apply(P, state, control, operator)
        rank = problem_rank(P, child)
        if 0 <= rank < ranks:
            if entry_of(table, rank) == wanted:
                return True, child
    return False, state


@entry
def descend(
    P,
    H,
    first,
    operators,
    following,
    controls,
    table,
    ranks,
    paths,
    width,
    begin,
    end,
    lengths,
    info,
):
    """Go on with the paths from `begin` to `end` to goals of the stage, `info[STEPS]` steps.

    Path `i` is in `paths[i * width:]` and has `lengths[i]` steps already; -1 if there is no way.
    """
    for i in range(begin, end):
        length = lengths[i]
        if length < 0:
            continue
        state = load(paths, i * width + length)
        rank = problem_rank(P, state)
        value = UNSEEN
        if 0 <= rank < ranks:
            value = entry_of(table, rank)
        if value == UNSEEN:
            lengths[i] = -1
            continue
        while value != 0 or not problem_at_goal(P, state):
            if info[STEPS] == 0:
                return OUT_OF_BUDGET
            nearer, state = step_down(P, first, operators, table, ranks, state, value, info)
            if not nearer or length + 1 == width:
                lengths[i] = -1
                break
            info[STEPS] -= 1
            length += 1
            value = value - 1 if value > 0 else 2
            store(paths, i * width + length, state)
            lengths[i] = length
    return DONE


@entry
def remove_loops(paths, width, begin, end, lengths):
    """Cut out of each path what lies between two visits of one state."""
    for i in range(begin, end):
        base = i * width
        kept = 0
        at = 0
        while at <= lengths[i]:
            state = load(paths, base + at)
            last = at
            for later in range(lengths[i], at, -1):
                if load(paths, base + later) == state:
                    last = later
                    break
            store(paths, base + kept, state)
            kept += 1
            at = last + 1
        lengths[i] = kept - 1
