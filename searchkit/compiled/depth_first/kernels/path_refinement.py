"""Shortens a path: between the ends of each of its windows, IDA* looks for a shorter way."""

from typing import Any, NamedTuple

from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.names import borrowed, entry, inlined, parameter, problem
from searchkit.compiled.specialise.operators import OperatorLists

PAIRWISE_BOUND = parameter()
"""Whether the problem bounds the distance between any two states."""

CYCLES = parameter()
"""Whether children are compared with the state and the one before it."""
LENGTH, WINDOW, STRIDE, BACK, BEGIN, SEARCHING, DEPTH, BOUND, OVER = range(9)
EXPANDED, GENERATED = range(9, 11)
SWEPT, OUT_OF_BUDGET, PROVED = range(3)
NONE_OVER = 1 << 40


class Stack(NamedTuple):
    """The states of a path, their nodes, the places in the lists, and what is left of the bound."""

    states: Any
    nodes: Any
    places: Any
    rests: Any


@inlined
def begin_iteration(P, lists: OperatorLists, state, aim, stack, info):
    """Put the first state of the window on the stack."""
    node = problem.control(P, state)
    words.store(stack.states, 0, state)
    stack.nodes[0], stack.places[0] = node, lists.first[node]
    stack.rests[0] = info[BOUND]
    if PAIRWISE_BOUND:
        stack.rests[0] -= problem.bound_to(P, state, aim)
    info[DEPTH] = 0
    info[OVER] = NONE_OVER


@inlined
def deepen(P, lists: OperatorLists, target, aim, stack, info, budget):
    """Depth-first search within the bound, up to `budget` expansions; whether it meets the target.

    `info[DEPTH]` is -1 when it is done.
    """
    first, operators, following, controls, _ = lists
    states, nodes, places, rests = stack
    depth, generated, over = info[DEPTH], 0, info[OVER]
    expanded = 0
    found = False
    # The state at hand is held in local variables, which the compiler keeps in registers.
    state, node, place, rest = words.load(states, depth), nodes[depth], places[depth], rests[depth]
    end, control = first[node + 1], controls[node]
    while True:
        if place == end:
            depth -= 1
            if depth < 0:
                break
            state, node, place, rest = (
                words.load(states, depth),
                nodes[depth],
                places[depth],
                rests[depth],
            )
            end, control = first[node + 1], controls[node]
            continue
        # An expansion is counted with its first operator, so that a call can end before one.
        if place == first[node]:
            if expanded == budget:
                break
            expanded += 1
        operator = operators[place]
        place += 1
        places[depth] = place
        if not problem.ALWAYS_LEGAL and not problem.legal(P, state, control, operator):
            continue
        child = problem.apply(P, state, control, operator)
        if CYCLES == 1:
            if child == state or (depth > 0 and words.load(states, depth - 1) == child):
                continue
        generated += 1
        # The bound less g and h is carried along: each step changes it by 1 and by what h changes.
        left = rest - 1
        if PAIRWISE_BOUND:
            left -= problem.bound_change(P, state, control, operator, child, aim)
        if left < 0:
            # The least excess over the bound is what the next bound grows by.
            over = min(over, -left)
            continue
        if child == target:
            found = True
            break
        after = following[place - 1]
        if not problem.STATIC:
            if after < 0:
                after = problem.control(P, child)
        depth += 1
        state, node, rest = child, after, left
        place, end, control = first[node], first[node + 1], controls[node]
        words.store(states, depth, state)
        nodes[depth], places[depth], rests[depth] = node, place, rest
    info[DEPTH] = depth
    info[OVER] = over
    info[EXPANDED] += expanded
    info[GENERATED] += generated
    return found


@inlined
def splice(path, begin, end, states, info):
    """Put the states on the stack in the place of a window."""
    steps = info[DEPTH] + 1
    for i in range(1, steps):
        words.store(path, begin + i, words.load(states, i))
    for i in range(end, info[LENGTH] + 1):
        words.store(path, begin + steps + i - end, words.load(path, i))
    info[LENGTH] -= end - begin - steps


@entry
def shorten(P, lists: OperatorLists, path, stack, info, budget):
    """Go on with the windows of one length, up to `budget` expansions.

    After PROVED the whole path was a window, and there is no shorter one between its ends.
    """
    P, lists, stack, info = borrowed((P, lists, stack, info))
    stop = info[EXPANDED] + budget
    while True:
        begin = info[BEGIN]
        if not info[SEARCHING]:
            if begin > 0 and begin + info[WINDOW] > info[LENGTH]:
                return SWEPT
            info[SEARCHING] = 1
            info[DEPTH] = -1
            info[BOUND] = -1
        end = min(begin + info[WINDOW], info[LENGTH])
        target = words.load(path, end)
        aim = target
        if PAIRWISE_BOUND:
            aim = problem.aim(P, target)
        if info[BOUND] < 0:
            info[BOUND] = 0
            if PAIRWISE_BOUND:
                info[BOUND] = problem.bound_to(P, words.load(path, begin), aim)
        found = False
        while not found and info[BOUND] < end - begin:
            if info[DEPTH] < 0:
                begin_iteration(P, lists, words.load(path, begin), aim, stack, info)
            found = deepen(P, lists, target, aim, stack, info, stop - info[EXPANDED])
            if found:
                break
            if info[DEPTH] >= 0:
                return OUT_OF_BUDGET
            if info[OVER] == NONE_OVER:
                break
            info[BOUND] += info[OVER]
        info[SEARCHING] = 0
        if found:
            splice(path, begin, end, stack.states, info)
            info[BEGIN] = max(0, begin - info[BACK])
        elif begin == 0 and end == info[LENGTH]:
            return PROVED
        else:
            info[BEGIN] = begin + info[STRIDE]
