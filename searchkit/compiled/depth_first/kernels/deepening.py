"""Depth-first search within a bound on f = g + h, in slices, with an explicit stack.

The stack is in arrays, one entry per state on the current path. Behind every list of operators
stands STOP, so that the place of what is to be tried next is all there is to know. The slack is
what remains of the bound: bound - g - h if the estimate is carried along (INCREMENTAL or MEMORY),
else bound - g. The excess of a child is by how much its f is above the bound; the least of them
gives the next bound.
In weighted search, g and h are G_WEIGHT and H_WEIGHT times as much in all of these. No sum of
what is allowed comes near NO_EXCESS: see `searchkit.compiled.depth_first.resumable`.
"""

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.depth_first.kernels import pruning
from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.names import (
    borrowed,
    entry,
    heuristic,
    inlined,
    natural,
    parameter,
    problem,
)
from searchkit.compiled.specialise.operators import EndedLists
from searchkit.packed import PackedStep

STOP = parameter()
"""What stands behind the last operator of a list."""
CYCLES = parameter()
"""Which children are left out: 0 none, 1 the state itself and the one before, 2 all of the path."""
Info = IntEnum(
    "Info",
    "GENERATED EXPANDED NEXT_EXCESS DEPTH PENDING LONGEST LATER BOUND SOLVED STORED "
    "CUT_SLACK CUT_DEPTH ROOM ROOTS RUN_SIZE RUNS FILLED",
    start=0,
)
"""What is counted and where the search is, in `info`; the first three in batches as well."""
Ended = IntEnum(
    "Ended",
    "DONE FOUND OUT_OF_BUDGET STACK_FULL WRONG_COST WRONG_ESTIMATE CYCLE LISTED TRAPPED",
    start=0,
)
FILTER = 4096


class Path(NamedTuple):
    """The states of the current path, each with what is to be tried next, its slack and its g.

    Costs are filled in unless all steps cost 1. Row `i` of `memo` has the words that the heuristic
    remembers of state `i`.
    """

    states: Any
    places: Any
    slacks: Any
    costs: Any
    memo: Any


class Roots(NamedTuple):
    """States below which others search: their nodes of the operator lists, and their slacks."""

    states: Any
    nodes: Any
    slacks: Any


class Aside(NamedTuple):
    """What a search needs besides the path.

    `filtered` counts the states of the path by their hashes. `roots` has room for what is left to
    others, in runs: run `i` begins at root `begins[i]`. `sizes` says of each slack how large such a
    subtree is, about.
    """

    filtered: Any
    roots: Roots
    begins: Any
    sizes: Any


@inlined
def on_path(states, filtered, depth, child):
    """Whether the child is one of the states 0 to `depth`."""
    if depth > 0 and words.load(states, depth - 1) == child:
        return True
    if filtered[words.mixed(child) & (FILTER - 1)] == 0:
        return False
    for i in range(depth + 1):
        if words.load(states, i) == child:
            return True
    return False


@entry
def search(P, H, lists: EndedLists, path: Path, aside: Aside, info, budget):
    """Go on until a goal is found, the bound is exhausted, or `budget` states are expanded.

    After FOUND the path to the goal is in `path.states[:depth + 2]`, and, unless all costs are 1,
    the cost of its parts in `path.costs`. Where batches could search on, children with a
    slack up to CUT_SLACK, or in a depth from CUT_DEPTH on, are only listed, until there are as many
    as there is ROOM. Runs of them have RUN_SIZE states or more; of the last one FILLED are there.
    """
    P, H, lists, path = borrowed(P), borrowed(H), borrowed(lists), borrowed(path)
    aside = borrowed(aside)
    filtered, roots = aside.filtered, aside.roots
    cut_slack, cut_depth = info[Info.CUT_SLACK], info[Info.CUT_DEPTH]
    listed, room = info[Info.ROOTS], info[Info.ROOM]
    depth, generated, expanded = info[Info.DEPTH], info[Info.GENERATED], info[Info.EXPANDED]
    next_excess, longest = info[Info.NEXT_EXCESS], info[Info.LONGEST]
    limit = expanded + budget
    bound = info[Info.BOUND]
    capacity = len(path.places) - 1
    result = Ended.DONE
    if info[Info.PENDING]:
        if budget <= 0:
            return Ended.OUT_OF_BUDGET
        info[Info.PENDING] = 0
        longest = max(longest, depth)
        expanded += 1
    depth = natural(depth)
    state = words.load(path.states, depth)
    place = path.places[depth]
    slack = path.slacks[depth]
    while True:
        place = natural(place)
        operator = lists.operators[place]
        if operator == STOP:
            if CYCLES == 2:
                filtered[words.mixed(state) & (FILTER - 1)] -= 1
            depth -= 1
            if depth < 0:
                break
            depth = natural(depth)
            state = words.load(path.states, depth)
            place = path.places[depth]
            slack = path.slacks[depth]
            continue
        operator = np.int64(operator)
        control = np.int64(lists.controls[place])
        after = np.int64(lists.following[place])
        place += 1
        if not problem.ALWAYS_LEGAL and not problem.legal(P, state, control, operator):
            continue
        if CYCLES == 0 and heuristic.CHILD_LATER:
            child = state  # not looked at before it is known to be within the bound
        else:
            child = problem.apply(P, state, control, operator)
        if CYCLES == 1:
            if child == state or (depth > 0 and words.load(path.states, depth - 1) == child):
                continue
        if CYCLES == 2 and on_path(path.states, filtered, depth, child):
            continue
        if not problem.UNIT_COSTS:
            cost = problem.cost(P, state, control, operator)
            if cost < problem.LEAST_COST or cost > problem.MOST_COST:
                result = Ended.WRONG_COST
                path.places[depth] = place - 1
                break
        generated += 1
        depth = natural(depth)
        step = PackedStep(state, control, operator, child)
        child_slack, excess = pruning.follow_step(P, H, path.memo, depth, depth + 1, slack, step)
        if excess > 0:
            if heuristic.MEMORY != 0 and excess < next_excess:  # `follow` may have stopped early
                own = pruning.recalled(H, path.memo, depth)
                if CYCLES == 0 and heuristic.CHILD_LATER:
                    child = problem.apply(P, state, control, operator)
                    step = PackedStep(state, control, operator, child)
                excess = pruning.recompute_step(P, H, own, slack, step)[1]
            if heuristic.MEMORY == 0 or excess != pruning.INVALID:
                next_excess = min(next_excess, excess)
                continue
        if CYCLES == 0 and heuristic.CHILD_LATER:
            child = problem.apply(P, state, control, operator)
        path.places[depth] = place
        words.store(path.states, depth + 1, child)
        g = depth + 1
        if not problem.UNIT_COSTS:
            g = path.costs[depth] + cost
            path.costs[depth + 1] = g
        if heuristic.INCREMENTAL:
            # No estimate is negative: what was carried along is too small if more would remain.
            is_wrong = child_slack > bound - pruning.G_WEIGHT * g
        else:
            is_wrong = excess == pruning.INVALID
        if is_wrong:
            result = Ended.WRONG_ESTIMATE
            break
        if problem.at_goal(P, child):
            result = Ended.FOUND
            break
        if CYCLES == 0 and problem.STATIC and problem.UNIT_COSTS and not heuristic.MEMORY:
            if child_slack <= cut_slack or depth + 1 >= cut_depth:
                if listed == room:  # the same child is made again
                    path.places[depth] = place - 1
                    generated -= 1
                    result = Ended.LISTED
                    break
                words.store(roots.states, listed, child)
                roots.nodes[listed], roots.slacks[listed] = lists.nodes[after], child_slack
                listed += 1
                info[Info.FILLED] += aside.sizes[min(child_slack, len(aside.sizes) - 1)]
                if info[Info.FILLED] >= info[Info.RUN_SIZE]:
                    info[Info.FILLED] = 0
                    info[Info.RUNS] += 1
                    aside.begins[info[Info.RUNS]] = listed
                continue
        if depth + 2 > capacity:  # the same child is made again when there is room
            path.places[depth] = place - 1
            generated -= 1
            result = Ended.STACK_FULL
            break
        depth += 1
        state = child
        slack = child_slack
        if not problem.STATIC and after < 0:
            after = np.int64(lists.begins[problem.control(P, child)])
        place = after
        if problem.ASKED > 0 and expanded < problem.ASKED:
            problem.compare_control(P, child, np.int64(lists.controls[natural(place)]))
        path.slacks[depth] = slack
        if CYCLES == 2:
            filtered[words.mixed(state) & (FILTER - 1)] += 1
        if expanded == limit:
            path.places[depth] = place
            info[Info.PENDING] = 1
            result = Ended.OUT_OF_BUDGET
            break
        longest = max(longest, depth)
        expanded += 1
    info[Info.DEPTH] = depth
    info[Info.GENERATED] = generated
    info[Info.EXPANDED] = expanded
    info[Info.NEXT_EXCESS] = next_excess
    info[Info.LONGEST] = longest
    info[Info.ROOTS] = listed
    return result


@entry
def mark(states, filtered, depth):
    """Note that the state at `depth` is on the path."""
    filtered[words.mixed(words.load(states, depth)) & (FILTER - 1)] += 1


@entry
def remember(H, memo, row, states, count):
    """Fill in the words of the first `count` of some states, from `row` on."""
    if heuristic.MEMORY:
        for i in range(count):
            heuristic.begin(H, memo, (row + i) * heuristic.MEMORY, words.load(states, i))
