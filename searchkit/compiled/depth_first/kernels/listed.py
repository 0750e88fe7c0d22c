"""Depth-first search within a bound on f = g + h over listed successors, in slices.

It is for steps that are no operators of a list: chains, and what `expand` yields. All children of a
state are listed when it is expanded, and wait one behind another in one array, those of the last
state of the path at its end. The slack is bound - g. Counts are those of a search that asks for one
child after another.

With a TABLE, states from which nothing was found are remembered: see
`searchkit.engines.transpositions`.
"""

from enum import IntEnum
from typing import Any, NamedTuple

from searchkit.compiled.depth_first.kernels import deepening, pruning, transpositions
from searchkit.compiled.depth_first.kernels.deepening import FILTER, Ended, Info
from searchkit.compiled.specialise.kernels import estimates, successors, words
from searchkit.compiled.specialise.kernels.children import NO_ROOM, TRAPPED, Children
from searchkit.compiled.specialise.names import (
    borrowed,
    entry,
    heuristic,
    natural,
    parameter,
    problem,
)

TABLE = parameter()
"""One of `Tables`."""
Tables = IntEnum("Tables", "NONE ITERATION LASTING", start=0)
"""No table, one that holds for one iteration, or one that holds for all."""


class Trail(NamedTuple):
    """The states of the current path, each with its slack, its g and its estimate.

    Its children from `places` on are to be tried, until `ends`; before it is expanded, they are to
    be put there. Costs are filled in unless all steps cost 1. With a table, `names` are the states
    as they are found there, and `excesses` the least excess below each so far.
    """

    states: Any
    places: Any
    ends: Any
    slacks: Any
    costs: Any
    estimates: Any
    excesses: Any
    names: Any


class Known(NamedTuple):
    """The states of the path, counted by their hashes; the table; the images of bytes."""

    filtered: Any
    slots: Any
    images: Any


@entry
def search_listed(P, H, lists, trail: Trail, children: Children, known: Known, info, budget):
    """Go on until a goal is found, the bound is exhausted, or `budget` states are expanded.

    What is PENDING is the expansion of the last state of the path. For the rest see
    `deepening.search`.
    """
    P, H, lists = borrowed(P), borrowed(H), borrowed(lists)
    trail, children, known = borrowed(trail), borrowed(children), borrowed(known)
    filtered, slots, images = known
    count = len(slots) // transpositions.SLOT
    solved, stored = info[Info.SOLVED], info[Info.STORED]
    depth, generated, expanded = info[Info.DEPTH], info[Info.GENERATED], info[Info.EXPANDED]
    next_excess, longest = info[Info.NEXT_EXCESS], info[Info.LONGEST]
    limit = expanded + budget
    capacity = len(trail.places) - 1
    pending = info[Info.PENDING]
    result = Ended.DONE
    depth = natural(depth)
    state = words.load(trail.states, depth)
    place, end, slack = trail.places[depth], trail.ends[depth], trail.slacks[depth]
    least = trail.excesses[depth]
    control = successors.control_at(P, state)
    while True:
        if pending:
            if expanded == limit:
                result = Ended.OUT_OF_BUDGET
                break
            end = successors.append(P, lists, state, children, place)
            if end < 0:
                result = Ended.WRONG_COST
                if end == NO_ROOM:
                    result = Ended.STACK_FULL
                elif end == TRAPPED:
                    result = Ended.TRAPPED
                break
            pending = 0
            trail.ends[depth] = end
            if deepening.CYCLES == 2:
                filtered[words.mixed(state) & (FILTER - 1)] += 1
            longest = max(longest, depth)
            expanded += 1
        if place == end:
            if deepening.CYCLES == 2:
                filtered[words.mixed(state) & (FILTER - 1)] -= 1
            if TABLE != Tables.NONE:
                if depth <= solved:  # there is a solution from here
                    solved = depth - 1
                else:
                    bound = slack + 1
                    if TABLE == Tables.LASTING:
                        bound = transpositions.NEVER
                        if least < pruning.NO_EXCESS:
                            bound = slack + least
                    name = words.load(trail.names, depth)
                    stored = transpositions.store(slots, count, stored, name, bound)
            depth -= 1
            if depth < 0:
                break
            depth = natural(depth)
            state = words.load(trail.states, depth)
            place, end, slack = trail.places[depth], trail.ends[depth], trail.slacks[depth]
            control = successors.control_at(P, state)
            if TABLE == Tables.LASTING:
                least = min(least, trail.excesses[depth])
            continue
        place = natural(place)
        step = successors.listed_step(state, control, children, place)
        child, cost = step.child, 1
        if not problem.UNIT_COSTS:
            cost = children.costs[place]
        place += 1
        is_met = False
        if deepening.CYCLES == 1:
            is_met = child == state
            is_met |= depth > 0 and words.load(trail.states, depth - 1) == child
        if deepening.CYCLES == 2:
            is_met = deepening.on_path(trail.states, filtered, depth, child)
        if is_met:
            if TABLE == Tables.LASTING:
                trail.places[depth] = place
                result = Ended.CYCLE
                break
            continue
        generated += 1
        room = slack - pruning.G_WEIGHT * cost
        estimate = estimates.of_child(H, trail.estimates[depth], step)
        if heuristic.FLOATS:
            excess = pruning.excess_of_float(estimate, room, info[Info.BOUND])
        else:
            excess = pruning.excess_with(estimate, room)
        if heuristic.INCREMENTAL and estimate >= estimates.NEVER:
            excess = pruning.INVALID
        if excess > 0:
            next_excess = min(next_excess, excess)
            if TABLE == Tables.LASTING:
                least = min(least, excess)
            continue
        if depth + 2 > capacity:  # the same child is tried again when there is room
            trail.places[depth] = place - 1
            generated -= 1
            result = Ended.STACK_FULL
            break
        trail.places[depth] = place
        words.store(trail.states, depth + 1, child)
        if heuristic.INCREMENTAL:
            trail.estimates[depth + 1] = estimate
        if not problem.UNIT_COSTS:
            trail.costs[depth + 1] = trail.costs[depth] + cost
        if excess == pruning.INVALID:
            result = Ended.WRONG_ESTIMATE
            break
        if problem.at_goal(P, child):
            result = Ended.FOUND
            solved = depth
            break
        if TABLE != Tables.NONE:
            name = transpositions.name_of(images, child)
            at = transpositions.find(slots, count, name) * transpositions.SLOT
            bound = slots[at + problem.WORDS]
            if bound > room:
                if TABLE == Tables.LASTING and bound < transpositions.NEVER:
                    next_excess = min(next_excess, bound - room)
                    least = min(least, bound - room)
                continue
            words.store(trail.names, depth + 1, name)
            trail.excesses[depth] = least
            least = pruning.NO_EXCESS
        depth += 1
        state, place, slack = child, end, room
        control = successors.control_at(P, state)
        trail.places[depth], trail.slacks[depth] = place, slack
        pending = 1
    if depth >= 0:
        trail.excesses[depth] = least
    info[Info.SOLVED], info[Info.STORED] = solved, stored
    info[Info.DEPTH] = depth
    info[Info.PENDING] = pending
    info[Info.GENERATED] = generated
    info[Info.EXPANDED] = expanded
    info[Info.NEXT_EXCESS] = next_excess
    info[Info.LONGEST] = longest
    return result


@entry
def mark_path(states, filtered, count):
    """Note that the first `count` states are on the path, for a search that goes on there."""
    for i in range(count):
        filtered[words.mixed(words.load(states, i)) & (FILTER - 1)] += 1
