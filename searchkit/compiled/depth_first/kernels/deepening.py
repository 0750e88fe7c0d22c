"""Depth-first search within a bound on f = g + h, in slices, with an explicit stack.

The stack is in arrays, one entry per state on the current path. Behind every list of operators
stands STOP, so that the place of what is to be tried next is all there is to know. `rest` is what
remains of the bound: bound - g - h if the estimate is carried along (INCREMENTAL or MEMORY), else
bound - g.
In weighted search, g and h are G_WEIGHT and H_WEIGHT times as much in all of these. No sum of
what is allowed comes near NONE_OVER: see `searchkit.compiled.depth_first.resumable`.
Row `i` of `memo` has the words that the heuristic remembers of state `i`.
"""

from enum import IntEnum

import numpy as np

from searchkit.compiled.depth_first.kernels.slack import G_WEIGHT, INVALID
from searchkit.compiled.specialise.kernels.control import compare_control, problem_control
from searchkit.compiled.specialise.kernels.words import load, mixed, store
from searchkit.compiled.specialise.names import (
    ALWAYS_LEGAL,
    ASKED,
    CHILD_LATER,
    INCREMENTAL,
    LEAST_COST,
    MEMORY,
    MOST_COST,
    STATIC,
    UNIT_COSTS,
    borrowed,
    entry,
    inlined,
    natural,
    parameter,
    problem_apply,
    problem_at_goal,
    problem_cost,
    problem_legal,
)
from searchkit.compiled.specialise.operators import OperatorLists

if MEMORY:
    from searchkit.compiled.depth_first.kernels.slack_with_memory import (
        left_after,
        left_anew,
        own_estimate,
        recalled,
    )
else:
    from searchkit.compiled.depth_first.kernels.slack_plain import (
        left_after,
        left_anew,
        own_estimate,
        recalled,
    )

STOP = parameter()
"""What stands behind the last operator of a list."""
CYCLES = parameter()
"""Which children are left out: 0 none, 1 the state itself and the one before, 2 all of the path."""
Info = IntEnum("Info", "DEPTH GENERATED EXPANDED OVER PENDING LONGEST LATER BOUND WRONG", start=0)
"""What is counted and where the search is, in `info`."""
Ended = IntEnum("Ended", "DONE FOUND OUT_OF_BUDGET STACK_FULL WRONG_COST WRONG_ESTIMATE", start=0)
FILTER = 4096


@inlined
def on_path(states, filtered, depth, child):
    """Whether the child is one of the states 0 to `depth`."""
    if depth > 0 and load(states, depth - 1) == child:
        return True
    if filtered[mixed(child) & (FILTER - 1)] == 0:
        return False
    for i in range(depth + 1):
        if load(states, i) == child:
            return True
    return False


@entry
def search(
    P,
    H,
    operators,
    controls,
    following,
    begins,
    states,
    places,
    rests,
    costs,
    filtered,
    memo,
    info,
    budget,
):
    """Go on until a goal is found, the bound is exhausted, or `budget` states are expanded.

    After FOUND the path to the goal is in `states[:depth + 2]`, and, unless all costs are 1,
    the cost of its parts in `costs`.
    """
    P, H, memo, states = borrowed(P), borrowed(H), borrowed(memo), borrowed(states)
    operators, controls = borrowed(operators), borrowed(controls)
    following, places = borrowed(following), borrowed(places)
    rests, costs = borrowed(rests), borrowed(costs)
    depth, generated, expanded, over = (
        info[Info.DEPTH],
        info[Info.GENERATED],
        info[Info.EXPANDED],
        info[Info.OVER],
    )
    longest = info[Info.LONGEST]
    limit = expanded + budget
    bound = info[Info.BOUND]
    capacity = len(places) - 1
    result = Ended.DONE
    if info[Info.PENDING]:
        if budget <= 0:
            return Ended.OUT_OF_BUDGET
        info[Info.PENDING] = 0
        longest = max(longest, depth)
        expanded += 1
    depth = natural(depth)
    state = load(states, depth)
    place = places[depth]
    rest = rests[depth]
    while True:
        place = natural(place)
        operator = operators[place]
        if operator == STOP:
            if CYCLES == 2:
                filtered[mixed(state) & (FILTER - 1)] -= 1
            depth -= 1
            if depth < 0:
                break
            depth = natural(depth)
            state = load(states, depth)
            place = places[depth]
            rest = rests[depth]
            continue
        operator = np.int64(operator)
        control = np.int64(controls[place])
        after = np.int64(following[place])
        place += 1
        if not ALWAYS_LEGAL:
            if not problem_legal(P, state, control, operator):
                continue
        if CYCLES == 0 and CHILD_LATER:
            child = state  # not looked at before it is known to be within the bound
        else:
            child = problem_apply(P, state, control, operator)
        if CYCLES == 1:
            if child == state or (depth > 0 and load(states, depth - 1) == child):
                continue
        if CYCLES == 2:
            if on_path(states, filtered, depth, child):
                continue
        if not UNIT_COSTS:
            cost = problem_cost(P, state, control, operator)
            if cost < LEAST_COST or cost > MOST_COST:
                result = Ended.WRONG_COST
                places[depth] = place - 1
                break
        generated += 1
        depth = natural(depth)
        left, above = left_after(
            P, H, memo, depth, depth + 1, rest, state, control, operator, child
        )
        if above > 0:
            if MEMORY != 0 and above < over:  # `follow` may have stopped early
                own = recalled(H, memo, depth)
                above = left_anew(P, H, own, rest, state, control, operator, child)[1]
            if MEMORY == 0 or above != INVALID:
                over = min(over, above)
                continue
        if CYCLES == 0 and CHILD_LATER:
            child = problem_apply(P, state, control, operator)
        if INCREMENTAL:
            g = depth + 1
            if not UNIT_COSTS:
                g = costs[depth] + cost
            is_wrong = left > bound - G_WEIGHT * g
        else:
            is_wrong = above == INVALID
        if is_wrong:
            places[depth] = place
            store(states, depth + 1, child)
            result = Ended.WRONG_ESTIMATE
            break
        if problem_at_goal(P, child):
            places[depth] = place
            store(states, depth + 1, child)
            if not UNIT_COSTS:
                costs[depth + 1] = costs[depth] + problem_cost(P, state, control, operator)
            result = Ended.FOUND
            break
        if depth + 2 > capacity:
            place -= 1
            generated -= 1
            places[depth] = place
            result = Ended.STACK_FULL
            break
        places[depth] = place
        if not UNIT_COSTS:
            costs[depth + 1] = costs[depth] + problem_cost(P, state, control, operator)
        depth += 1
        state = child
        rest = left
        if not STATIC:
            if after < 0:
                after = begins[problem_control(P, child)]
        place = after
        if ASKED > 0:
            if expanded < ASKED:
                compare_control(P, child, np.int64(controls[natural(place)]))
        store(states, depth, state)
        rests[depth] = rest
        if CYCLES == 2:
            filtered[mixed(state) & (FILTER - 1)] += 1
        if expanded == limit:
            places[depth] = place
            info[Info.PENDING] = 1
            result = Ended.OUT_OF_BUDGET
            break
        longest = max(longest, depth)
        expanded += 1
    info[Info.DEPTH] = depth
    info[Info.GENERATED] = generated
    info[Info.EXPANDED] = expanded
    info[Info.OVER] = over
    info[Info.LONGEST] = longest
    return result


@entry
def widen(
    P,
    H,
    lists: OperatorLists,
    states,
    nodes,
    rests,
    places,
    generated,
    expanded,
    is_goal,
    count,
    new_states,
    new_nodes,
    new_rests,
    new_places,
    new_generated,
    new_expanded,
    new_is_goal,
    parents,
    info,
):
    """Replace every state of a list by its untried children within the bound, in order.

    `generated[i]` and `expanded[i]` count what depth-first search does after it has met entry
    i - 1 until it has met entry i; what follows the last entry is added to `info`. Goals stay.
    `info[WRONG]` is set if an estimate is none.
    """
    lists = borrowed(lists)
    made = 0
    carried_generated = 0
    carried_expanded = 0
    over = info[Info.OVER]
    for i in range(count):
        carried_generated += generated[i]
        carried_expanded += expanded[i]
        if is_goal[i]:
            store(new_states, made, load(states, i))
            new_nodes[made], new_rests[made], new_places[made] = nodes[i], rests[i], 0
            new_generated[made], new_expanded[made] = carried_generated, carried_expanded
            new_is_goal[made], parents[made] = True, -1 - i
            made += 1
            carried_generated = 0
            carried_expanded = 0
            continue
        state, node, rest = load(states, i), nodes[i], rests[i]
        control = lists.controls[node]
        own = own_estimate(H, state)
        if places[i] == lists.first[node]:
            carried_expanded += 1
        for place in range(places[i], lists.first[node + 1]):
            operator = lists.operators[place]
            if not ALWAYS_LEGAL:
                if not problem_legal(P, state, control, operator):
                    continue
            child = problem_apply(P, state, control, operator)
            carried_generated += 1
            left, above = left_anew(P, H, own, rest, state, control, operator, child)
            if above > 0:
                over = min(over, above)
                continue
            if above == INVALID:
                info[Info.WRONG] = 1
            after = lists.following[place]
            if ASKED > 0:
                compare_control(P, child, lists.controls[after])
            store(new_states, made, child)
            new_nodes[made], new_rests[made], new_places[made] = after, left, lists.first[after]
            new_generated[made], new_expanded[made] = carried_generated, carried_expanded
            new_is_goal[made], parents[made] = problem_at_goal(P, child), i
            made += 1
            carried_generated = 0
            carried_expanded = 0
    info[Info.OVER] = over
    info[Info.GENERATED] += carried_generated
    info[Info.EXPANDED] += carried_expanded
    return made


@entry
def mark(states, filtered, depth):
    """Note that the state at `depth` is on the path."""
    filtered[mixed(load(states, depth)) & (FILTER - 1)] += 1
