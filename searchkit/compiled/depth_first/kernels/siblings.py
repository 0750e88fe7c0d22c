"""Depth-first search within a bound on f = g + h that makes all children of a state at once.

Only those within the bound are kept, without a branch that the processor would have to guess,
and what they look up in tables is independent: it waits for memory once, not child by child. It
is for heuristics whose look-ups cost more than children do.

Waiting states are a stack, the next one on top, each with the words that the heuristic
remembers of it, the place of its list of operators, and the place that led to it. Lists are read
backwards, so that the first operator's child comes to the top. The states on the current path
are in `path`. Counts are those of making the children one by one: what was made of later
siblings too early is in `info[LATER]`.

Needs the functions of `deepening`, UNIT_COSTS, MEMORY and CYCLES = 0.
"""

import numpy as np

from searchkit.compiled.depth_first.kernels.deepening import STOP, Ended, Info
from searchkit.compiled.depth_first.kernels.slack import H_WEIGHT
from searchkit.compiled.depth_first.kernels.slack_with_memory import (
    estimate_after,
    left_anew,
    left_of,
    recalled,
)
from searchkit.compiled.specialise.kernels.control import compare_control, problem_control
from searchkit.compiled.specialise.kernels.words import load, store
from searchkit.compiled.specialise.names import (
    ALWAYS_LEGAL,
    ASKED,
    MEMORY,
    STATIC,
    borrowed,
    entry,
    heuristic_begin,
    inlined,
    natural,
    problem_apply,
    problem_at_goal,
    problem_legal,
    wrapping_multiply,
    wrapping_subtract,
)
from searchkit.packed import DEAD_END

REJECTED = -1
"""In the place of the rest of a state whose estimate is none: `left_after` says that -1 is left."""
PLACE_BITS = 32
PLACE_MASK = (1 << PLACE_BITS) - 1


@inlined
def siblings_later(P, path, path_begins, path_places, depth, steps, controls):
    """How many children of the states on the path come after those on it."""
    later = 0
    for i in range(depth):
        state = load(path, i)
        for place in range(path_begins[i], path_places[i + 1]):
            if ALWAYS_LEGAL:
                later += 1
            elif problem_legal(P, state, np.int64(controls[place]), steps[place] & PLACE_MASK):
                later += 1
    return later


@entry
def search_in_bursts(
    P,
    H,
    steps,
    controls,
    begins,
    path,
    path_begins,
    path_places,
    states,
    lists,
    rests,
    memo,
    widest,
    info,
    budget,
):
    """Go on until a goal is found, the bound is exhausted, or `budget` states are expanded.

    A step is an operator and, above it, where the list of its child begins, -1 if that must be
    read off the child. `lists` holds where the list of a waiting state begins and, above it, the
    place that led to it; `rests` what remains of the bound and, above it, the depth. Row i + 1 of
    `memo` is that of the waiting state i. After FOUND the path to the goal is in
    `path[:info[DEPTH] + 1]`.
    """
    P, H, memo, states = borrowed(P), borrowed(H), borrowed(memo), borrowed(states)
    steps, controls = borrowed(steps), borrowed(controls)
    lists, rests = borrowed(lists), borrowed(rests)
    path, path_begins = borrowed(path), borrowed(path_begins)
    path_places = borrowed(path_places)
    waiting, generated, expanded = info[Info.PENDING], info[Info.GENERATED], info[Info.EXPANDED]
    over, longest = info[Info.OVER], info[Info.LONGEST]
    limit = expanded + budget
    halt = limit
    if expanded < ASKED:
        halt = expanded
    room = len(lists) - widest
    result = Ended.DONE
    depth = 0
    while waiting > 0:
        top = natural(waiting - 1)
        state = load(states, top)
        if rests[top] == REJECTED:
            store(path, 0, state)
            result = Ended.WRONG_ESTIMATE
            break
        depth = natural(rests[top] >> PLACE_BITS)
        rest = rests[top] & PLACE_MASK
        begin = natural(lists[top] & PLACE_MASK)
        store(path, depth, state)
        path_begins[depth] = begin
        path_places[depth] = natural(lists[top] >> PLACE_BITS)
        if problem_at_goal(P, state):
            waiting = top
            result = Ended.FOUND
            break
        if expanded >= halt:  # seldom, after the first ASKED
            if expanded == limit:
                result = Ended.OUT_OF_BUDGET
                break
            compare_control(P, state, np.int64(controls[begin]))
            if expanded >= ASKED:
                halt = limit
        if waiting >= room or depth + 2 > len(path_begins):
            result = Ended.STACK_FULL
            break
        waiting = top
        longest = max(longest, depth)
        expanded += 1
        for word in range(MEMORY):
            memo[word] = memo[(top + 1) * MEMORY + word]
        own = recalled(H, memo, 0)
        place = begin
        control = np.int64(controls[begin])
        while True:
            step = steps[natural(place)]
            operator = step & PLACE_MASK
            if operator == STOP:
                break
            after = step >> PLACE_BITS
            place += 1
            if not ALWAYS_LEGAL:
                if not problem_legal(P, state, control, operator):
                    continue
            child = problem_apply(P, state, control, operator)
            generated += 1
            waiting = natural(waiting)
            value, most, space = estimate_after(
                P, H, memo, 0, waiting + 1, rest, state, control, operator, child
            )
            # All that is seldom is asked by one branch; what is not an estimate may overflow here.
            left = wrapping_subtract(space, wrapping_multiply(H_WEIGHT, value))
            above = wrapping_subtract(0, left)
            is_next = np.uint64(above - 1) < np.uint64(over - 1)
            if is_next | (np.uint64(value) >= np.uint64(DEAD_END)):
                left, above = left_of(value, most, space)
                if above > 0 and above < over:  # `follow` may have stopped early
                    over = min(over, left_anew(P, H, own, rest, state, control, operator, child)[1])
            if not STATIC:
                if after < 0:
                    after = begins[problem_control(P, child)]
            store(states, waiting, child)
            lists[waiting] = after | (place - 1) << PLACE_BITS
            rests[waiting] = left | (depth + 1) << PLACE_BITS
            waiting += above <= 0
    info[Info.PENDING] = waiting
    info[Info.DEPTH] = depth
    info[Info.GENERATED] = generated
    info[Info.EXPANDED] = expanded
    info[Info.OVER] = over
    info[Info.LONGEST] = longest
    info[Info.LATER] = 0
    if result != Ended.DONE:
        info[Info.LATER] = siblings_later(P, path, path_begins, path_places, depth, steps, controls)
    return result


@entry
def remember_below(H, memo, states):
    """Fill in the words of the first waiting state."""
    heuristic_begin(H, memo, MEMORY, load(states, 0))
