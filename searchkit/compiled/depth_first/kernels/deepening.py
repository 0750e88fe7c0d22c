"""Depth-first search within a bound on f = g + h, in slices, with an explicit stack.

The stack is in arrays, one entry per state on the current path. Children are tried one by one. By
operators, STOP stands behind every list of them, so that the place of what is to be tried next is
all there is to know; or they are bits of a word (MASKS): see `masks`. Where the problem lists its
steps by `expand`, all children of a state are listed when it is expanded, and wait one behind
another in one array, those of the last state of the path at its end.

The slack is what remains of the bound: bound - g - h if the estimate is carried along (INCREMENTAL
or MEMORY), else bound - g. The excess of a child is by how much its f is above the bound; the least
of them gives the next bound.
In weighted search, g and h are G_WEIGHT and H_WEIGHT times as much in all of these. No sum of
what is allowed comes near NO_EXCESS: see `searchkit.compiled.depth_first.resumable`.

With a TABLE, states from which nothing was found are remembered: see
`searchkit.engines.transpositions`.
"""

from enum import IntEnum
from typing import Any, NamedTuple

import numpy as np

from searchkit.compiled.depth_first.kernels import masks, pruning, transpositions
from searchkit.compiled.specialise.kernels import successors, words
from searchkit.compiled.specialise.kernels.children import WRONG_COST
from searchkit.compiled.specialise.names import (
    borrowed,
    count_ones,
    entry,
    heuristic,
    inlined,
    lowest_one,
    natural,
    parameter,
    problem,
)
from searchkit.packed import PackedStep

STOP = parameter()
"""What stands behind the last operator of a list."""
CYCLES = parameter()
"""Which children are left out: 0 none, 1 the state itself and the one before, 2 all of the path."""
MASKS = parameter()
"""Whether operators are the bits of words."""
BETWEEN = parameter()
"""Whether the way to one state is searched for, whatever the goals are, by steps that cost 1."""
PAIRWISE_BOUND = parameter()
"""Whether the problem bounds the distance to that state."""
TABLE = parameter()
"""What is remembered of states besides those of the path: see `Tables`."""
Tables = IntEnum("Tables", "NONE ITERATION LASTING", start=0)
"""Nothing; for one iteration; for all, where the graph has no cycles."""
UNIT_COSTS = BETWEEN or problem.UNIT_COSTS
CHILD_LATER = CYCLES == 0 and not successors.LISTED and not PAIRWISE_BOUND and heuristic.CHILD_LATER
"""Whether a child is not looked at before it is known to be within the bound."""
Info = IntEnum(
    "Info",
    "GENERATED EXPANDED NEXT_EXCESS DEPTH PENDING LONGEST LATER BOUND SOLVED STORED "
    "CUT_SLACK CUT_DEPTH ROOM ROOTS RUN_SIZE RUNS FILLED "
    "FIRST_DOUBTFUL DOUBTFUL FIRST_ASKING ASKING NEAREST",
    start=0,
)
"""What is counted and where the search is, in `info`; the first three in batches as well."""
Ended = IntEnum(
    "Ended",
    "DONE FOUND OUT_OF_BUDGET STACK_FULL WRONG_ESTIMATE CYCLE LISTED",
    start=0,
)
"""Or why successors cannot be listed: see `children`."""
FILTER = 4096
COUNTED = 0 if MASKS else 1
"""How many children are counted as generated when one is tried."""
EXPANDED_LATER = successors.LISTED or MASKS
"""Whether all that is to be tried of a state is found when it is expanded."""
LEAVES = (
    CYCLES == 0
    and not BETWEEN
    and problem.STATIC
    and UNIT_COSTS
    and not pruning.MEMORY
    and TABLE == Tables.NONE
    and not successors.LISTED
    and not MASKS
)
"""Whether subtrees can be left to others."""


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


class Waiting(NamedTuple):
    """The children that wait, as in `Children`, and more of the states of the current path.

    Those of a state are to be tried from its place on, until `ends`; before it is expanded, they
    are to be put there. With a table, `names` are the states as they are found there, and
    `excesses` the least excess below each so far.
    """

    states: Any
    costs: Any
    operators: Any
    ends: Any
    excesses: Any
    names: Any


class Tried(NamedTuple):
    """With masks, the nodes of the states of the current path, and what was tried last."""

    nodes: Any
    tried: Any


class Roots(NamedTuple):
    """States below which others search: their nodes of the operator lists, and their slacks."""

    states: Any
    nodes: Any
    slacks: Any


class Aside(NamedTuple):
    """What a search by operators needs besides the path.

    `filtered` counts the states of the path by their hashes. `roots` has room for what is left to
    others, in runs: run `i` begins at root `begins[i]`. `sizes` says of each slack how large such a
    subtree is, about.
    """

    filtered: Any
    roots: Roots
    begins: Any
    sizes: Any


class Known(NamedTuple):
    """What one over listed steps, or with a table, needs: its slots, and the images of bytes."""

    filtered: Any
    slots: Any
    images: Any


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


@inlined
def is_met(path: Path, filtered, depth, state, child):
    """Whether a child is one of the states that no step may lead back to."""
    if CYCLES == 1:
        return child == state or (depth > 0 and words.load(path.states, depth - 1) == child)
    return CYCLES == 2 and on_path(path.states, filtered, depth, child)


@inlined
def room_below(slack, bound, g):
    """What remains of the bound for a way on from a state."""
    if heuristic.INCREMENTAL or pruning.MEMORY:
        return bound - pruning.G_WEIGHT * g
    return slack


@inlined
def slack_after(P, H, path: Path, depth, slack, cost, step: PackedStep, bound):
    """What remains of the bound after a step, and by how much f is above the bound, at least."""
    if not BETWEEN:
        return pruning.follow_step(H, path.memo, depth, depth + 1, slack, cost, step, bound)
    left = slack - 1
    if PAIRWISE_BOUND:
        left -= problem.bound_change(P, step.state, step.control, step.operator, step.child, H.aim)
    return left, -left


@inlined
def is_end(P, H, state):
    """Whether a state is what is searched for."""
    if BETWEEN:
        return state == H.target
    return problem.at_goal(P, state)


@inlined
def leave(aside, info, listed, state, node, slack):
    """Leave what is below a state to others; how many roots are listed then."""
    words.store(aside.roots.states, listed, state)
    aside.roots.nodes[listed], aside.roots.slacks[listed] = node, slack
    info[Info.FILLED] += aside.sizes[min(slack, len(aside.sizes) - 1)]
    if info[Info.FILLED] >= info[Info.RUN_SIZE]:
        info[Info.FILLED] = 0
        info[Info.RUNS] += 1
        aside.begins[info[Info.RUNS]] = listed + 1
    return listed + 1


@inlined
def close(waiting: Waiting, known: Known, stored, depth, room, least):
    """Note in the table that nothing was found from a state; how many states there are then."""
    bound = room + 1
    if TABLE == Tables.LASTING:
        bound = transpositions.NEVER
        if least < pruning.NO_EXCESS:
            bound = room + least
    name = words.load(waiting.names, depth)
    count = len(known.slots) // transpositions.SLOT
    return transpositions.store(known.slots, count, stored, name, bound)


@inlined
def go_on(P, H, lists, path: Path, waiting, aside, info, budget):
    """Do what `search` says."""
    P, H, lists, path = borrowed(P), borrowed(H), borrowed(lists), borrowed(path)
    aside = borrowed(aside)
    filtered = aside.filtered
    if LEAVES:
        cut_slack, cut_depth = info[Info.CUT_SLACK], info[Info.CUT_DEPTH]
        listed, room = info[Info.ROOTS], info[Info.ROOM]
    if EXPANDED_LATER or TABLE != Tables.NONE:
        waiting = borrowed(waiting)
    depth, generated, expanded = info[Info.DEPTH], info[Info.GENERATED], info[Info.EXPANDED]
    next_excess, longest = info[Info.NEXT_EXCESS], info[Info.LONGEST]
    limit = expanded + budget
    bound = info[Info.BOUND]
    capacity = len(path.places) - 1
    pending = info[Info.PENDING]
    result = Ended.DONE
    depth = natural(depth)
    state = words.load(path.states, depth)
    place, slack = path.places[depth], path.slacks[depth]
    if successors.LISTED:
        end = waiting.ends[depth]
    if MASKS:
        node = natural(waiting.nodes[depth])
    if TABLE != Tables.NONE:
        solved, stored = info[Info.SOLVED], info[Info.STORED]
        least = waiting.excesses[depth]
    if not EXPANDED_LATER and pending:
        if budget <= 0:
            return Ended.OUT_OF_BUDGET
        info[Info.PENDING] = 0
        if CYCLES == 2:
            filtered[words.mixed(state) & (FILTER - 1)] += 1
        longest = max(longest, depth)
        expanded += 1
    while True:
        if EXPANDED_LATER and pending:
            if expanded >= limit:
                result = Ended.OUT_OF_BUDGET
                break
            if successors.LISTED:
                end = successors.append(P, lists, state, waiting, place)
                if end < 0:
                    result = end
                    break
                waiting.ends[depth] = end
            if MASKS:
                generated += count_ones(lists.masks[node])
                place, next_excess = masks.within_bound(
                    P, H, lists, state, node, slack, next_excess
                )
            pending = 0
            if CYCLES == 2:
                filtered[words.mixed(state) & (FILTER - 1)] += 1
            longest = max(longest, depth)
            expanded += 1
        if not MASKS:
            place = natural(place)
        if successors.LISTED:
            is_tried = place == end
        elif MASKS:
            is_tried = place == 0
        else:
            operator = lists.operators[place]
            is_tried = operator == STOP
        if is_tried:
            if CYCLES == 2:
                filtered[words.mixed(state) & (FILTER - 1)] -= 1
            if TABLE != Tables.NONE:
                if depth <= solved:  # there is a solution from here
                    solved = depth - 1
                else:
                    g = depth if UNIT_COSTS else path.costs[depth]
                    room = room_below(slack, bound, g)
                    stored = close(waiting, aside, stored, depth, room, least)
            depth -= 1
            if depth < 0:
                break
            depth = natural(depth)
            state = words.load(path.states, depth)
            place, slack = path.places[depth], path.slacks[depth]
            if successors.LISTED:
                end = waiting.ends[depth]
            if MASKS:
                node = natural(waiting.nodes[depth])
            if TABLE == Tables.LASTING:
                least = min(least, waiting.excesses[depth])
            continue
        cost = 1
        if successors.LISTED:
            step = successors.listed_step(state, 0, waiting, place)
            child = step.child
            if not UNIT_COSTS:
                cost = waiting.costs[place]
            place += 1
        else:
            if MASKS:
                operator, control = lowest_one(place), np.int64(lists.controls[node])
                place &= place - 1
            else:
                operator, control = np.int64(operator), np.int64(lists.controls[place])
                after = np.int64(lists.following[place])
                place += 1
            if not problem.ALWAYS_LEGAL and not problem.legal(P, state, control, operator):
                continue
            child = state
            if not CHILD_LATER:
                child = problem.apply(P, state, control, operator)
            step = PackedStep(state, control, operator, child)
        if CYCLES != 0 and is_met(path, filtered, depth, state, child):
            if TABLE == Tables.LASTING:
                words.store(path.states, depth + 1, child)
                result = Ended.CYCLE
                break
            continue
        if not successors.LISTED and not UNIT_COSTS:
            cost = problem.cost(P, state, control, operator)
            if cost < problem.LEAST_COST or cost > problem.MOST_COST:
                result = WRONG_COST  # type: ignore[assignment]
                path.places[depth] = place - 1
                break
        generated += COUNTED
        depth = natural(depth)
        child_slack, excess = slack_after(P, H, path, depth, slack, cost, step, bound)
        if excess > 0:
            if pruning.MEMORY != 0 and (
                excess < next_excess or (TABLE == Tables.LASTING and excess < least)
            ):  # `follow` may have stopped early
                own = pruning.recalled(H, path.memo, depth)
                if CHILD_LATER:
                    child = problem.apply(P, state, control, operator)
                    step = PackedStep(state, control, operator, child)
                excess = pruning.recompute_step(H, own, slack, cost, step)
            if pruning.MEMORY == 0 or excess != pruning.INVALID:
                next_excess = min(next_excess, excess)
                if TABLE == Tables.LASTING:
                    least = min(least, excess)
                continue
        if CHILD_LATER:
            child = problem.apply(P, state, control, operator)
        path.places[depth] = place
        if MASKS:
            waiting.tried[depth] = operator
        words.store(path.states, depth + 1, child)
        g = depth + 1
        if not UNIT_COSTS:
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
        if is_end(P, H, child):
            result = Ended.FOUND
            if TABLE != Tables.NONE:
                solved = depth
            break
        if LEAVES:
            if child_slack <= cut_slack or depth + 1 >= cut_depth:
                if listed == room:  # the same child is made again
                    path.places[depth] = place - 1
                    generated -= 1
                    result = Ended.LISTED
                    break
                listed = leave(aside, info, listed, child, lists.nodes[after], child_slack)
                continue
        if depth + 2 > capacity:  # the same child is tried again when there is room
            path.places[depth] = place - 1
            if MASKS:
                path.places[depth] = place | np.int64(1) << operator
            generated -= COUNTED
            result = Ended.STACK_FULL
            break
        if TABLE != Tables.NONE:
            name = transpositions.name_of(aside.images, child)
            shown = transpositions.bound_of(aside.slots, name)
            left = room_below(child_slack, bound, g)
            if shown > left:
                if TABLE == Tables.LASTING and shown < transpositions.NEVER:
                    next_excess = min(next_excess, shown - left)
                    least = min(least, shown - left)
                continue
            words.store(waiting.names, depth + 1, name)
            waiting.excesses[depth] = least
            least = pruning.NO_EXCESS
        depth += 1
        state, slack = child, child_slack
        if successors.LISTED:
            place = end
        else:
            if MASKS:
                after = np.int64(lists.following[node, operator])
            if not problem.STATIC and after < 0:
                after = np.int64(lists.begins[problem.control(P, child)])
            place = after
            if problem.ASKED > 0 and expanded < problem.ASKED:
                problem.compare_control(P, child, np.int64(lists.controls[natural(place)]))
            if MASKS:
                node = natural(after)
                waiting.nodes[depth] = node
        path.slacks[depth] = slack
        if not EXPANDED_LATER:
            if expanded == limit:
                path.places[depth] = place
                info[Info.PENDING] = 1
                result = Ended.OUT_OF_BUDGET
                break
            if CYCLES == 2:
                filtered[words.mixed(state) & (FILTER - 1)] += 1
            longest = max(longest, depth)
            expanded += 1
        else:
            pending = 1
    if TABLE != Tables.NONE:
        info[Info.SOLVED], info[Info.STORED] = solved, stored
        if depth >= 0:
            waiting.excesses[depth] = least
    info[Info.DEPTH] = depth
    if EXPANDED_LATER:
        info[Info.PENDING] = pending
        if pending:
            path.places[depth] = place
    if MASKS:
        info[Info.LATER] = masks.untried(lists, waiting, depth + 1 - pending)
    info[Info.GENERATED], info[Info.EXPANDED] = generated, expanded
    info[Info.NEXT_EXCESS], info[Info.LONGEST] = next_excess, longest
    if LEAVES:
        info[Info.ROOTS] = listed
    return result


@entry
def search(P, H, lists, path: Path, waiting, aside, info, budget):
    """Go on until a goal is found, the bound is exhausted, or `budget` states are expanded.

    What is PENDING is the expansion of the last state of the path.
    After FOUND the path to the goal is in `path.states[:depth + 2]`, and, unless all costs are 1,
    the cost of its parts in `path.costs`. Where batches could search on, children with a
    slack up to CUT_SLACK, or in a depth from CUT_DEPTH on, are only listed, until there are as many
    as there is ROOM. Runs of them have RUN_SIZE states or more; of the last one FILLED are there.

    Where steps are listed, or there is a table, `waiting` and `aside` are `Waiting` and `Known`;
    elsewhere `aside` is an `Aside`, and `waiting` is nothing, or with MASKS `Tried`.
    """
    return go_on(P, H, lists, path, waiting, aside, info, budget)


@entry
def mark_path(states, filtered, count):
    """Note that the first `count` states are on the path, for a search that goes on there."""
    for i in range(count):
        filtered[words.mixed(words.load(states, i)) & (FILTER - 1)] += 1


@entry
def remember(H, memo, row, states, count):
    """Fill in the words of the first `count` of some states, from `row` on."""
    if pruning.MEMORY:
        for i in range(count):
            heuristic.begin(H, memo, (row + i) * pruning.MEMORY, words.load(states, i))
