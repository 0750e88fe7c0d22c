"""Beam search: breadth-first search that keeps the best states of each layer only.

Lowerre, "The HARPY speech recognition system" (1976); Bisiani, "Beam search" (1987). Beams that
grow until nothing is left out: Zhang, "Complete anytime beam search" (1998).
"""

from __future__ import annotations

import math
from collections.abc import Generator, Hashable
from heapq import nsmallest
from typing import Any

import attrs

from searchkit.engines.anytime import best_cost, is_enough, note_solution
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
    beam = _Beam(task, task.algorithm.width, min(task.max_cost, FINITE))
    yield from beam.run()
    if beam.goal is not None:
        return beam.solution()
    if not (beam.is_narrow or beam.cut):  # then all steps lead to what was met, at whatever cost
        task.reservoir.lists = (beam.lists(),)
    left_out = LimitKind.WIDTH if beam.is_narrow else LimitKind.COST if beam.cut else None
    return Outcome(gave_up=left_out)


def complete_beam_search(task: Task) -> Generator[None, None, Outcome]:
    """Search with a beam, and with beams twice as wide until one has left nothing out.

    What cannot lead to a cheaper solution than the best so far is left out, too. A state of a beam
    that is reached again at a smaller g is taken again, so that a beam which left nothing out
    proves its solution optimal. By costs other than 1, a beam may find several goals. The smallest
    f that was left out is a lower bound: of each cheaper solution some state would have been in the
    beam. The last beam takes the time and memory of breadth-first search in the worst case, all
    others together as much.
    """
    width = task.algorithm.width
    while True:
        most = min(task.max_cost, FINITE, best_cost(task) - 1)
        beam = _Beam(task, width, most, is_complete=True)
        yield from beam.run()
        if beam.is_left:
            break
        found = Outcome() if beam.goal is None else beam.solution()
        cost = math.inf if found.cost is None else found.cost
        least = min(beam.least_left_out, cost, best_cost(task))
        task.counters.prove(least if least < FINITE else 0)
        if beam.goal is not None:
            note_solution(task, found, width=width)
        if not beam.is_narrow or is_enough(task):
            break
        width *= 2
    if task.partial is None and not beam.cut:
        task.reservoir.lists = (beam.lists(),)
    return task.partial or Outcome(cut=beam.cut)


@attrs.define(eq=False, repr=False)
class _Beam:
    """One search with a beam; a complete one goes on for cheaper goals than it has found."""

    task: Task
    width: int
    most: float
    """No path of a larger f is followed."""
    is_complete: bool = False
    parents: dict[Hashable, Any] = attrs.field(factory=dict)
    """Of the states that are or were in the beam."""
    is_narrow: bool = False
    """Whether a state was left out as the beam was full."""
    least_left_out: float = FINITE
    """The smallest f of such a state."""
    cut: bool = False
    is_left: bool = False
    """Whether a solution was good enough before the end."""
    goal: tuple[int, Hashable, Hashable] | None = None
    """The g, the key and the parent of the cheapest goal."""

    def run(self) -> Generator[None, None, None]:
        """Expand one beam after the other."""
        task, counters, h, parents = (
            self.task,
            self.task.counters,
            self.task.heuristic,
            self.parents,
        )
        problem, is_goal, after, key_of = task.problem, task.problem.is_goal, h.after, task.key_of
        successors, listed, legal_costs = task.successors, task.lister(), task.legal_costs
        reached: dict[Hashable, int] | None = {} if self.is_complete else None
        most = self.most
        found = self._starts()
        entries = counters.generated
        while found:
            beam = self._chosen(found)
            for entry in beam:
                parents[entry[4]] = found[entry[4]][1]
                if reached is not None:
                    reached[entry[4]] = entry[3]
            found = {}
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
                    if key in parents and (reached is None or reached[key] <= child_g):
                        continue
                    known = found.get(key)
                    if known is not None and known[0][3] <= child_g:
                        continue
                    child_h = after(estimate, state, step)
                    if child_h.__class__ is not int or child_h < 0:
                        child_h = task.plain_estimate(child_h, child)
                    f = child_g + child_h
                    if not f <= most:
                        self.cut = task.is_cut(f) or self.cut
                    elif (is_end := is_goal(child)) is False or not truth(problem, child, is_end):
                        entries += 1
                        found[key] = (f, child_h, entries, child_g, key, child), parent
                    elif self.goal is None or child_g < self.goal[0]:
                        self.goal = child_g, key, parent
                counters.holding(len(parents) + len(found))
            if self.goal is not None:
                if not self.is_complete:
                    return
                most = min(most, self.goal[0] - 1)
                found = {key: each for key, each in found.items() if each[0][0] <= most}
                if found:
                    note_solution(task, self.solution(), width=self.width)
                    if is_enough(task):
                        self.is_left = True
                        return

    def _starts(self) -> dict[Hashable, tuple[Entry, Any]]:
        """The first layer: the starts, with no parents; none if one is a goal."""
        task, counters, problem = self.task, self.task.counters, self.task.problem
        found: dict[Hashable, tuple[Entry, Any]] = {}
        least = FINITE
        for start in task.starts:
            counters.generated += 1
            key, estimate = problem.key(start), task.estimate(start)
            least = min(least, estimate)
            if not estimate <= self.most:
                self.cut = task.is_cut(estimate) or self.cut
            elif problem.is_goal(start):
                self.goal = 0, key, None
                return {}
            else:
                found[key] = (estimate, estimate, counters.generated, 0, key, start), None
        counters.prove(least if least < FINITE else 0)
        return found

    def _chosen(self, found: dict[Hashable, tuple[Entry, Any]]) -> list[Entry]:
        """The next beam: the best of what was found."""
        if len(found) <= self.width:
            return sorted(entry for entry, _ in found.values())
        self.is_narrow = True
        best = nsmallest(self.width + 1, (entry for entry, _ in found.values()))
        self.least_left_out = min(self.least_left_out, best.pop()[0])
        return best

    def solution(self) -> Outcome:
        """The solution that ends at the goal."""
        assert self.goal is not None
        g, key, parent = self.goal
        return one_path(
            self.task, key, g, lambda each: [parent if each == key else self.parents[each]]
        )

    def lists(self) -> Lists:
        """What a search has met, and expanded, that left nothing out."""
        parents = self.parents
        own = parents.keys if self.task.key_of is None else None
        return Lists(lambda key: 0 if key in parents else None, parents.__contains__, states=own)
