"""Depth-first search within a bound on f = g + h that makes all children of a state at once.

Only those within the bound are kept, without a branch that the processor would have to guess,
and what they look up in tables is independent: it waits for memory once, not child by child. It
is for heuristics whose look-ups cost more than children do.

Waiting states are a stack, the next one on top. Lists are read backwards, so that the first
operator's child comes to the top. Counts are those of making the children one by one: what was
made of later siblings too early is in `info[LATER]`.

Subtrees may be left to others: those whose roots have little slack, in depth-first order.

Needs the functions of `deepening`, UNIT_COSTS, MEMORY and CYCLES = 0.
"""

from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.depth_first.kernels import deepening, pruning
from searchkit.compiled.depth_first.kernels.deepening import Ended, Info, Roots
from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.names import (
    borrowed,
    entry,
    heuristic,
    inlined,
    natural,
    problem,
    wrapping_multiply,
    wrapping_subtract,
)
from searchkit.compiled.specialise.operators import EndedLists
from searchkit.packed import DEAD_END, PackedStep

REJECTED = -1
"""The slack of a state whose estimate is none: see `slack_with`."""
PLACE_BITS = 32
PLACE_MASK = (1 << PLACE_BITS) - 1


class Branch(NamedTuple):
    """The states on the current path, where their lists begin, and the places that led to them."""

    states: Any
    begins: Any
    places: Any


class Waiting(NamedTuple):
    """A stack of states that are to be expanded.

    `places` holds where the list of a state begins and, above it, the place that led to it;
    `slacks` what remains of the bound and, above it, the depth. Row i + 1 of `memo` has the words
    that the heuristic remembers of state i; row 0 is that of the state that is expanded.
    """

    states: Any
    places: Any
    slacks: Any
    memo: Any


class Left(NamedTuple):
    """What a search leaves to others, as in `deepening.Aside`; how long the longest list is."""

    widest: Any
    roots: Roots
    begins: Any
    sizes: Any


@inlined
def siblings_later(P, lists, branch, depth):
    """How many children of the states on the path come after those on it."""
    later = 0
    for i in range(depth):
        state = words.load(branch.states, i)
        for place in range(branch.begins[i], branch.places[i + 1]):
            operator = lists.operators[place] & PLACE_MASK
            control = np.int64(lists.controls[place])
            if problem.ALWAYS_LEGAL or problem.legal(P, state, control, operator):
                later += 1
    return later


@entry
def search_in_bursts(
    P, H, lists: EndedLists, branch: Branch, waiting: Waiting, left: Left, info, budget
):
    """Go on until a goal is found, the bound is exhausted, or `budget` states are expanded.

    Above each operator of the lists is where the list of its child begins, -1 if that must be
    read off the child. After FOUND the path to the goal is in `branch.states[:info[DEPTH] + 2]`.
    States with a slack up to CUT_SLACK, or in a depth from CUT_DEPTH on, are only listed: see
    `deepening.search`.
    """
    P, H, lists = borrowed(P), borrowed(H), borrowed(lists)
    branch, waiting, left = borrowed(branch), borrowed(waiting), borrowed(left)
    cut_slack, cut_depth = info[Info.CUT_SLACK], info[Info.CUT_DEPTH]
    listed = info[Info.ROOTS]
    count, generated, expanded = info[Info.PENDING], info[Info.GENERATED], info[Info.EXPANDED]
    next_excess, longest = info[Info.NEXT_EXCESS], info[Info.LONGEST]
    limit = expanded + budget
    halt = limit
    if expanded < problem.ASKED:
        halt = expanded
    room = len(waiting.states) - left.widest
    result = Ended.DONE
    depth = 0
    while count > 0:
        top = natural(count - 1)
        state = words.load(waiting.states, top)
        if waiting.slacks[top] == REJECTED:
            words.store(branch.states, depth, state)
            result = Ended.WRONG_ESTIMATE
            break
        depth = natural(waiting.slacks[top] >> PLACE_BITS)
        slack = waiting.slacks[top] & PLACE_MASK
        begin = natural(waiting.places[top] & PLACE_MASK)
        words.store(branch.states, depth, state)
        branch.begins[depth] = begin
        branch.places[depth] = natural(waiting.places[top] >> PLACE_BITS)
        if problem.at_goal(P, state):
            count = top
            result = Ended.FOUND
            break
        if slack <= cut_slack or depth >= cut_depth:
            if listed == info[Info.ROOM]:
                result = Ended.LISTED
                break
            listed = deepening.leave(left, info, listed, state, lists.nodes[begin], slack)
            count = top
            continue
        if expanded >= halt:  # seldom, after the first ASKED
            if expanded == limit:
                result = Ended.OUT_OF_BUDGET
                break
            problem.compare_control(P, state, np.int64(lists.controls[begin]))
            if expanded >= problem.ASKED:
                halt = limit
        if count >= room or depth + 2 > len(branch.begins):
            result = Ended.STACK_FULL
            break
        count = top
        longest = max(longest, depth)
        expanded += 1
        # Its first child takes its row of words.
        for word in range(heuristic.MEMORY):
            waiting.memo[word] = waiting.memo[(top + 1) * heuristic.MEMORY + word]
        own = pruning.recalled(H, waiting.memo, 0)
        place = begin
        control = np.int64(lists.controls[begin])
        while True:
            entry_of_list = lists.operators[natural(place)]
            operator = entry_of_list & PLACE_MASK
            if operator == deepening.STOP:
                break
            after = entry_of_list >> PLACE_BITS
            place += 1
            if not problem.ALWAYS_LEGAL and not problem.legal(P, state, control, operator):
                continue
            if heuristic.CHILD_LATER:
                child = state  # not looked at before it is known to be within the bound
            else:
                child = problem.apply(P, state, control, operator)
            generated += 1
            count = natural(count)
            step = PackedStep(state, control, operator, child)
            value, most, space = pruning.estimate_after(
                H, waiting.memo, 0, count + 1, slack, 1, step
            )
            # All that is seldom is asked by one branch; what is not an estimate may overflow here.
            child_slack = wrapping_subtract(space, wrapping_multiply(pruning.H_WEIGHT, value))
            excess = wrapping_subtract(0, child_slack)
            is_next = np.uint64(excess - 1) < np.uint64(next_excess - 1)
            if is_next | (np.uint64(value) >= np.uint64(DEAD_END)):
                child_slack, excess = pruning.slack_with(value, most, space)
                if excess > 0 and excess < next_excess:  # `follow` may have stopped early
                    if heuristic.CHILD_LATER:
                        child = problem.apply(P, state, control, operator)
                        step = PackedStep(state, control, operator, child)
                    next_excess = min(next_excess, pruning.recompute_step(H, own, slack, 1, step))
            if heuristic.CHILD_LATER:
                if excess > 0:
                    continue
                child = problem.apply(P, state, control, operator)
            if not problem.STATIC and after < 0:
                after = lists.begins[problem.control(P, child)]
            words.store(waiting.states, count, child)
            waiting.places[count] = after | (place - 1) << PLACE_BITS
            waiting.slacks[count] = child_slack | (depth + 1) << PLACE_BITS
            # A child that is pruned stays above the top, where the next one is written over it.
            count += excess <= 0
    info[Info.PENDING] = count
    info[Info.DEPTH] = depth - 1  # that of the last state that was expanded
    info[Info.GENERATED] = generated
    info[Info.EXPANDED] = expanded
    info[Info.NEXT_EXCESS] = next_excess
    info[Info.LONGEST] = longest
    info[Info.ROOTS] = listed
    info[Info.LATER] = 0
    if result != Ended.DONE:
        info[Info.LATER] = siblings_later(P, lists, branch, depth)
    return result
