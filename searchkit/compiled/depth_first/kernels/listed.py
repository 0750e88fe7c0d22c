"""Depth-first search within a bound on f = g + h over listed successors, in slices.

It is for steps that are no operators of a list, such as chains. All children of a state are listed
when it is expanded, and wait one behind another in one array, those of the last state of the path
at its end. Estimates are from scratch; the slack is bound - g. Counts are those of a search that
asks for one child after another.
"""

from typing import Any, NamedTuple

from searchkit.compiled.depth_first.kernels import deepening, pruning
from searchkit.compiled.depth_first.kernels.deepening import FILTER, Ended, Info
from searchkit.compiled.specialise.kernels import successors, words
from searchkit.compiled.specialise.kernels.children import NO_ROOM, Children
from searchkit.compiled.specialise.names import borrowed, entry, heuristic, natural, problem


class Trail(NamedTuple):
    """The states of the current path, each with its slack and its g.

    Its children from `places` on are to be tried, until `ends`; before it is expanded, they are to
    be put there. Costs are filled in unless all steps cost 1.
    """

    states: Any
    places: Any
    ends: Any
    slacks: Any
    costs: Any


@entry
def search_listed(P, H, lists, trail: Trail, children: Children, filtered, info, budget):
    """Go on until a goal is found, the bound is exhausted, or `budget` states are expanded.

    What is PENDING is the expansion of the last state of the path. For the rest see
    `deepening.search`.
    """
    P, H, lists = borrowed(P), borrowed(H), borrowed(lists)
    trail, children = borrowed(trail), borrowed(children)
    depth, generated, expanded = info[Info.DEPTH], info[Info.GENERATED], info[Info.EXPANDED]
    next_excess, longest = info[Info.NEXT_EXCESS], info[Info.LONGEST]
    limit = expanded + budget
    capacity = len(trail.places) - 1
    pending = info[Info.PENDING]
    result = Ended.DONE
    depth = natural(depth)
    state = words.load(trail.states, depth)
    place, end, slack = trail.places[depth], trail.ends[depth], trail.slacks[depth]
    while True:
        if pending:
            if expanded == limit:
                result = Ended.OUT_OF_BUDGET
                break
            end = successors.append(P, lists, state, children, place)
            if end < 0:
                result = Ended.STACK_FULL if end == NO_ROOM else Ended.WRONG_COST
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
            depth -= 1
            if depth < 0:
                break
            depth = natural(depth)
            state = words.load(trail.states, depth)
            place, end, slack = trail.places[depth], trail.ends[depth], trail.slacks[depth]
            continue
        place = natural(place)
        child = words.load(children.states, place)
        cost = 1
        if not problem.UNIT_COSTS:
            cost = children.costs[place]
        place += 1
        if deepening.CYCLES == 1:
            if child == state or (depth > 0 and words.load(trail.states, depth - 1) == child):
                continue
        if deepening.CYCLES == 2 and deepening.on_path(trail.states, filtered, depth, child):
            continue
        generated += 1
        room = slack - pruning.G_WEIGHT * cost
        excess = pruning.excess_with(heuristic.estimate_of(H, child), room)
        if excess > 0:
            next_excess = min(next_excess, excess)
            continue
        if depth + 2 > capacity:  # the same child is tried again when there is room
            trail.places[depth] = place - 1
            generated -= 1
            result = Ended.STACK_FULL
            break
        trail.places[depth] = place
        words.store(trail.states, depth + 1, child)
        if not problem.UNIT_COSTS:
            trail.costs[depth + 1] = trail.costs[depth] + cost
        if excess == pruning.INVALID:
            result = Ended.WRONG_ESTIMATE
            break
        if problem.at_goal(P, child):
            result = Ended.FOUND
            break
        depth += 1
        state, place, slack = child, end, room
        trail.places[depth], trail.slacks[depth] = place, slack
        pending = 1
    info[Info.DEPTH] = depth
    info[Info.PENDING] = pending
    info[Info.GENERATED] = generated
    info[Info.EXPANDED] = expanded
    info[Info.NEXT_EXCESS] = next_excess
    info[Info.LONGEST] = longest
    return result
