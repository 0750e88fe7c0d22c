"""Depth-first over the states of a finished search, along the steps that gave them their g.

For problems that cannot be searched backwards. The path is a stack in arrays.
"""

from enum import IntEnum
from typing import Any, NamedTuple

from searchkit.compiled.best_first.kernels import closed_list
from searchkit.compiled.best_first.kernels.closed_list import Table
from searchkit.compiled.specialise.kernels import successors, words
from searchkit.compiled.specialise.kernels.children import Children
from searchkit.compiled.specialise.names import borrowed, entry, natural, problem

Ended = IntEnum("Ended", "SWEPT ARRIVED PAUSED PATH_FULL", start=0)
"""Or why successors cannot be listed."""
MET, ON_SOLUTION = 1, 2
"""What `seen` says of a place."""
STEPS = 1 << 16
"""The states that one call does."""


class Path(NamedTuple):
    """The states of a path: the place of each in the table, its node, how many steps were tried.

    `seen` says of every place of the table whether it was `MET`, or is `ON_SOLUTION`: a wanted one.
    """

    states: Any
    seen: Any
    places: Any
    nodes: Any
    following: Any
    room: Children


@entry
def sweep(P, lists, closed: Table, path: Path, depth, goal, bound, relaxed):
    """Go on until all is swept, STEPS states are done, or (if `bound` < 0) `goal` is reached.

    Solutions end in goals with g = `bound`. With `relaxed`, steps that would give a smaller g
    count too, and states that were not expanded. Returns how it ended, and the depth. `lists` are
    those of `successors.append`.
    """
    lists, closed, path = borrowed(lists), borrowed(closed), borrowed(path)
    marks = closed.marks
    states, seen, places, nodes, following_place, room = path
    every, steps = bound >= 0, STEPS
    target = words.load(goal, 0)
    while depth >= 0:
        state = words.read(states, depth * problem.WORDS)
        here = places[depth]
        # A mark is 2 (g + 1), and one more if the state was expanded.
        g = (closed_list.mark_of(marks, here) >> 1) - 1
        node = natural(nodes[depth])
        begin, end = successors.steps_of(P, lists, state, node, room)
        if end < 0:
            return end, depth
        control = successors.control_of(lists, node)
        at = begin + following_place[depth]
        while at < end:
            place = at
            at += 1
            if not successors.is_legal(P, lists, state, control, place):
                continue
            step = successors.step_at(P, lists, state, control, room, place)
            child, child_g = step.child, g + 1
            if not problem.UNIT_COSTS:
                child_g = g + successors.cost_at(P, room, step, place)
            there = closed_list.find(closed, child)
            mark = closed_list.mark_of(marks, there)
            known = (mark >> 1) - 1
            # Only the steps that gave a state its g are on solutions.
            if known != child_g and not (relaxed and known > child_g):
                continue
            if mark & 1 == 0 and not relaxed:
                continue
            if problem.at_goal(P, child):
                if every and known == bound:
                    seen[here] = ON_SOLUTION
                if not every and child == target:
                    return Ended.ARRIVED, depth
                continue
            # It was met before and leads to a goal, and so does this state.
            if seen[there] == ON_SOLUTION:
                seen[here] = ON_SOLUTION
            if seen[there] != 0:
                continue
            if depth + 1 == len(places):
                # The same step is taken again when there is room.
                following_place[depth] = place - begin
                return Ended.PATH_FULL, depth
            following_place[depth] = at - begin
            depth += 1
            seen[there] = MET
            words.write(states, depth * problem.WORDS, child)
            places[depth] = there
            following_place[depth] = 0
            nodes[depth] = successors.node_after(lists, place)
            if not problem.STATIC and nodes[depth] < 0:
                nodes[depth] = problem.control(P, child)
            break
        else:
            depth -= 1
            # What is known of a state is handed to the one before it when it is left.
            if depth >= 0 and seen[here] == ON_SOLUTION:
                seen[places[depth]] = ON_SOLUTION
        steps -= 1
        if steps <= 0:
            return Ended.PAUSED, depth
    return Ended.SWEPT, depth


@entry
def place_of(closed: Table, states):
    """The place of the first of `states`."""
    return closed_list.find(closed, words.load(states, 0))
