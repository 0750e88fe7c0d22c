"""Depth-first search within a bound on f = g + h, in slices, by words of operators.

The heuristic says of a state, at a glance, which operators can stay within the bound, as the bits
of a word (`candidates`); the others are counted, and not looked at. What is left to try of a state
is such a word as well. It is for states with many operators of which few are within the bound.

Counts are those of trying operators one by one, in ascending order: a state counts all of its
operators when it is expanded, and how many were not tried yet is in `info[LATER]` at the end.

Needs the parameters of `deepening`, UNIT_COSTS, ALWAYS_LEGAL, INCREMENTAL and CYCLES = 0.
"""

from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.depth_first.kernels import pruning
from searchkit.compiled.depth_first.kernels.deepening import Ended, Info
from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.names import (
    borrowed,
    called,
    count_ones,
    entry,
    heuristic,
    inlined,
    lowest_one,
    natural,
    problem,
)
from searchkit.packed import PackedStep


class MaskedLists(NamedTuple):
    """The operators of each node as the bits of a word, and its control state.

    `following` has a row of 64 for each node: which node an operator leads to, -1 if that must be
    read off the state.
    """

    masks: Any
    controls: Any
    following: Any


class MaskedPath(NamedTuple):
    """The states of the current path: node, slack, what is left to try, and what was tried last."""

    states: Any
    nodes: Any
    slacks: Any
    left: Any
    tried: Any


@called  # seldom: once an excess of 1 was met, none is smaller
def least_excess(P, H, state, control, slack, operators, least):
    """The least by which f of a child is above the bound, of some operators, or `least`."""
    while operators != 0:
        operator = lowest_one(operators)
        operators &= operators - 1
        child = state
        if not heuristic.CHILD_LATER:
            child = problem.apply(P, state, control, operator)
        step = PackedStep(state, control, operator, child)
        excess = pruning.slack_and_excess(H, slack, 1, step, slack)[1]
        if 0 < excess < least:
            least = excess
    return least


@inlined
def later(operator):
    """The bits of the operators that come after one."""
    bit = np.int64(1) << operator
    return ~(bit | (bit - 1))


@entry
def search_masked(P, H, lists: MaskedLists, path: MaskedPath, nothing, info, budget):
    """Go on until a goal is found, the bound is exhausted, or `budget` states are expanded.

    After FOUND the path to the goal is in `path.states[:depth + 2]`.
    """
    P, H, lists, path = borrowed(P), borrowed(H), borrowed(lists), borrowed(path)
    depth, expanded = info[Info.DEPTH], info[Info.EXPANDED]
    generated = info[Info.GENERATED]
    next_excess, longest = info[Info.NEXT_EXCESS], info[Info.LONGEST]
    limit = expanded + budget
    bound = info[Info.BOUND]
    capacity = len(path.nodes) - 1
    is_new = info[Info.PENDING] != 0
    if is_new and budget <= 0:
        return Ended.OUT_OF_BUDGET
    info[Info.PENDING] = 0
    result = Ended.DONE
    depth = natural(depth)
    state = words.load(path.states, depth)
    node = natural(path.nodes[depth])
    slack = path.slacks[depth]
    left = path.left[depth]
    while True:
        control = np.int64(lists.controls[node])
        if is_new:
            is_new = False
            if expanded == limit:
                info[Info.PENDING] = 1
                result = Ended.OUT_OF_BUDGET
                break
            longest = max(longest, depth)
            expanded += 1
            listed = lists.masks[node]
            most = (slack - pruning.G_WEIGHT) // pruning.H_WEIGHT
            left = heuristic.candidates(H, state, control, most) & listed
            generated += count_ones(listed)
            if next_excess > 1:
                next_excess = least_excess(P, H, state, control, slack, listed & ~left, next_excess)
        if left == 0:
            depth -= 1
            if depth < 0:
                break
            depth = natural(depth)
            state = words.load(path.states, depth)
            node = natural(path.nodes[depth])
            slack = path.slacks[depth]
            left = path.left[depth]
            continue
        operator = lowest_one(left)
        child = state
        if not heuristic.CHILD_LATER:
            child = problem.apply(P, state, control, operator)
        step = PackedStep(state, control, operator, child)
        child_slack, excess = pruning.slack_and_excess(H, slack, 1, step, slack)
        if excess > 0:
            left &= left - 1
            next_excess = min(next_excess, excess)
            continue
        if depth + 2 > capacity:
            path.left[depth] = left
            result = Ended.STACK_FULL
            break
        left &= left - 1
        path.left[depth], path.tried[depth] = left, operator
        if heuristic.CHILD_LATER:
            child = problem.apply(P, state, control, operator)
        words.store(path.states, depth + 1, child)
        # No estimate is negative: what was carried along is too small if more would remain.
        if child_slack > bound - pruning.G_WEIGHT * (depth + 1):
            result = Ended.WRONG_ESTIMATE
            break
        if problem.at_goal(P, child):
            result = Ended.FOUND
            break
        after = np.int64(lists.following[node, operator])
        if not problem.STATIC and after < 0:
            after = problem.control(P, child)  # the first nodes are the control states
        node = natural(after)
        if problem.ASKED > 0 and expanded < problem.ASKED:
            problem.compare_control(P, child, np.int64(lists.controls[node]))
        depth = natural(depth + 1)
        state, slack = child, child_slack
        path.nodes[depth], path.slacks[depth] = node, slack
        is_new = True
    # Where a goal was found, the last state has tried its operator as well.
    ends = depth if info[Info.PENDING] else depth + 1
    untried = 0
    for i in range(ends):
        untried += count_ones(lists.masks[path.nodes[i]] & later(path.tried[i]))
    info[Info.LATER] = untried
    info[Info.DEPTH] = depth
    info[Info.GENERATED] = generated
    info[Info.EXPANDED] = expanded
    info[Info.NEXT_EXCESS] = next_excess
    info[Info.LONGEST] = longest
    return result
