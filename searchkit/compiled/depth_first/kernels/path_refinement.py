"""Shortens a path: between the ends of each of its windows, IDA* looks for a shorter way.

Needs BETWEEN of `deepening`, whose loop searches.
"""

from typing import Any, NamedTuple

from searchkit.compiled.depth_first.kernels import deepening, pruning
from searchkit.compiled.depth_first.kernels.deepening import PAIRWISE_BOUND, Ended, Info, Path
from searchkit.compiled.specialise.kernels import words
from searchkit.compiled.specialise.names import borrowed, entry, inlined, problem
from searchkit.compiled.specialise.operators import EndedLists

LENGTH, WINDOW, STRIDE, BACK, BEGIN, SEARCHING = range(6)
"""Where the refinement is, in `at`."""
SWEPT, OUT_OF_BUDGET, PROVED = range(3)


class Target(NamedTuple):
    """The end of a window, and what bounds the distance to it: see `HasBoundBetween`."""

    target: Any
    aim: Any


@inlined
def begin_iteration(P, lists: EndedLists, state, aim, stack: Path, info):
    """Put the first state of the window on the stack."""
    words.store(stack.states, 0, state)
    stack.places[0] = lists.begins[problem.control(P, state)]
    stack.slacks[0] = info[Info.BOUND]
    if PAIRWISE_BOUND:
        stack.slacks[0] -= problem.bound_to(P, state, aim)
    info[Info.DEPTH], info[Info.PENDING] = 0, 1
    info[Info.NEXT_EXCESS] = pruning.NO_EXCESS


@inlined
def splice(path, begin, end, states, steps, at):
    """Put the states of so many steps in the place of a window."""
    for i in range(1, steps):
        words.store(path, begin + i, words.load(states, i))
    for i in range(end, at[LENGTH] + 1):
        words.store(path, begin + steps + i - end, words.load(path, i))
    at[LENGTH] -= end - begin - steps


@entry
def shorten(P, lists: EndedLists, path, stack: Path, aside, info, at, budget):
    """Go on with the windows of one length, up to `budget` expansions.

    After PROVED the whole path was a window, and there is no shorter one between its ends.
    """
    P, lists, stack, info, at = borrowed((P, lists, stack, info, at))
    stop = info[Info.EXPANDED] + budget
    while True:
        begin = at[BEGIN]
        if not at[SEARCHING]:
            if begin > 0 and begin + at[WINDOW] > at[LENGTH]:
                return SWEPT
            at[SEARCHING] = 1
            info[Info.DEPTH] = -1
            info[Info.BOUND] = -1
        end = min(begin + at[WINDOW], at[LENGTH])
        target = words.load(path, end)
        aim = target
        if PAIRWISE_BOUND:
            aim = problem.aim(P, target)
        if info[Info.BOUND] < 0:
            info[Info.BOUND] = 0
            if PAIRWISE_BOUND:
                info[Info.BOUND] = problem.bound_to(P, words.load(path, begin), aim)
        found = begin < end and words.load(path, begin) == target  # no step is needed
        while not found and info[Info.BOUND] < end - begin:
            if info[Info.DEPTH] < 0:
                begin_iteration(P, lists, words.load(path, begin), aim, stack, info)
            ended = deepening.go_on(
                P, Target(target, aim), lists, stack, 0, aside, info, stop - info[Info.EXPANDED]
            )
            if ended == Ended.OUT_OF_BUDGET:
                return OUT_OF_BUDGET
            found = ended == Ended.FOUND
            if info[Info.NEXT_EXCESS] == pruning.NO_EXCESS:
                break
            info[Info.BOUND] += info[Info.NEXT_EXCESS]
        at[SEARCHING] = 0
        if found:
            splice(path, begin, end, stack.states, info[Info.DEPTH] + 1, at)
            at[BEGIN] = max(0, begin - at[BACK])
        elif begin == 0 and end == at[LENGTH]:
            return PROVED
        else:
            at[BEGIN] = begin + at[STRIDE]
