"""Beam search: breadth-first search that keeps the best states of each layer only.

Lowerre, "The HARPY speech recognition system" (1976); Bisiani, "Beam search" (1987).
"""

from __future__ import annotations

from collections.abc import Generator, Hashable
from heapq import nsmallest
from typing import Any

from searchkit.limits import LimitKind
from searchkit.premises.asking import truth
from searchkit.reference.best_first import FINITE
from searchkit.running.reservoir import Lists
from searchkit.running.task import ONE, Outcome, Task
from searchkit.solutions.from_parents import one_path

Entry = tuple[float, float, int, int, Hashable, Any]
"""f = g + h, h, the number of the entry, g, key, state."""


def beam_search(task: Task) -> Generator[None, None, Outcome]:
    """Expand the best states of a layer, by f = g + h, to the next, until that has a goal.

    Ties go to the smaller h, then to the state generated first. The goal test is on generation;
    the cheapest goal of the first layer that has one is taken. A state that was in the beam is
    never taken again, so the search ends in every finite space. If no layer had more than `width`
    states, every state was tried; else the end of the beam proves nothing. Time and memory
    O(width x layers).
    """
    problem, counters, h = task.problem, task.counters, task.heuristic
    is_goal, after, width, key_of = problem.is_goal, h.after, task.algorithm.width, task.key_of
    successors, listed, legal_costs = task.successors, task.lister(), task.legal_costs
    most = min(task.max_cost, FINITE)
    parents: dict[Hashable, Any] = {}  # of the states that are or were in the beam
    found: dict[Hashable, tuple[Entry, Any]] = {}  # the next layer, and its parents
    narrow = cut = False
    entries = 0
    least = FINITE
    for start in task.starts:
        counters.generated += 1
        entries += 1
        key, estimate = problem.key(start), task.estimate(start)
        least = min(least, estimate)
        if not estimate <= most:
            cut = task.is_cut(estimate) or cut
        elif is_goal(start):
            return one_path(task, key, 0, lambda key: [])
        else:
            found[key] = (estimate, estimate, entries, 0, key, start), None
    counters.prove(least if least < FINITE else 0)
    while found:
        beam = nsmallest(width, (entry for entry, _ in found.values()))
        narrow = narrow or len(beam) < len(found)
        for entry in beam:
            parents[entry[4]] = found[entry[4]][1]
        found = {}
        goal: tuple[int, Hashable, Hashable] | None = None
        counters.containers = (parents, beam, found)
        for place, (_, estimate, _, g, parent, state) in enumerate(beam):
            counters.waiting(len(beam) - place + len(found))
            if counters.expanded >= task.pause_at:
                task.at_hand = state
                yield
            counters.expanded += 1
            steps = successors(state)
            if steps.__class__ is not list:
                steps = listed(steps)
            counters.generated += len(steps)
            for step in steps:
                action, child, cost = step
                if cost is not ONE and (cost.__class__ is not int or cost not in legal_costs):
                    cost = task.legal_cost(action, cost)
                key = child if key_of is None else key_of(child)
                child_g = g + cost
                if key in parents:
                    continue
                known = found.get(key)
                if known is not None and known[0][3] <= child_g:
                    continue
                child_h = after(estimate, state, step)
                if child_h.__class__ is not int or child_h < 0:
                    child_h = task.plain_estimate(child_h, child)
                f = child_g + child_h
                if not f <= most:
                    cut = task.is_cut(f) or cut
                elif (is_end := is_goal(child)) is False or not truth(problem, child, is_end):
                    entries += 1
                    found[key] = (f, child_h, entries, child_g, key, child), parent
                elif goal is None or child_g < goal[0]:
                    goal = child_g, key, parent
            counters.holding(len(parents) + len(found))
        if goal is not None:
            goal_g, key, parent = goal
            parents[key] = parent
            return one_path(task, key, goal_g, lambda key: [parents[key]])
    if not (narrow or cut):  # then all steps lead to what was met, at whatever cost
        task.reservoir.lists = (_lists_of(task, parents),)
    left_out = LimitKind.WIDTH if narrow else LimitKind.COST if cut else None
    return Outcome(gave_up=left_out)


def _lists_of(task: Task, parents: dict[Hashable, Any]) -> Lists:
    """What a search has met, and expanded, whose layers were not narrow."""
    own = parents.keys if task.key_of is None else None
    return Lists(lambda key: 0 if key in parents else None, parents.__contains__, states=own)
