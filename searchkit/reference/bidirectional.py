"""Bidirectional breadth-first search (Pohl, "Bi-directional search", 1971)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from searchkit.capabilities import steps_into
from searchkit.engines.both_ends import BothEnds
from searchkit.packed import successors_of
from searchkit.reference.bfs import breadth_first
from searchkit.reference.layers import ReferenceLayers
from searchkit.running.reservoir import Lists
from searchkit.running.task import Outcome, Task
from searchkit.solutions.by_layers import by_steps, distances_back
from searchkit.symmetry import stabiliser


def bidirectional(task: Task) -> Generator[None, None, Outcome]:
    """Grow layers from the start and from the goals, the smaller one first, until they meet.

    Unit costs only. Time and memory O(states within half the solution's distance of either end).
    See `BothEnds` for the loop, and why one solution needs no more than the first meeting. Up to
    symmetry layers are finished all the same: which states stand for others, and so the order in
    which they are expanded, depends on the engine.
    """
    problem: Any = task.problem  # has goal_states: checked before
    symmetries = stabiliser(problem, task.starts) if task.algorithm.symmetry == "auto" else []
    until_met = not task.every and len(symmetries) < 2
    back: Any = steps_into(problem)  # checked before, too
    forward, backward = (
        ReferenceLayers(task, steps, symmetries, keep=True, until_met=until_met)
        for steps in (successors_of(problem), back)
    )
    forward.other, backward.other = backward, forward
    forward.begin(list(task.starts))
    backward.begin(list(problem.goal_states()))
    if not backward.sizes:  # only by trying every state it is known that none is a goal
        return (yield from breadth_first(task))
    task.counters.generated = forward.size + backward.size
    try:
        found = yield from _ReferenceSearch(task, forward, backward).meet()
    finally:
        forward.other = backward.other = None  # else only the garbage collector lets them go
    if not symmetries:  # not before: a search beside this one may end both, where they have met
        own = forward.distances.keys if task.key_of is None else None
        task.reservoir.lists = (
            Lists(forward.distances.get, forward.is_expanded, states=own),
            Lists(backward.distances.get, backward.is_expanded, backward=True),
        )
    return found


class _ReferenceSearch(BothEnds[ReferenceLayers]):
    def meeting(self) -> list[Any]:
        """The states that both last layers hold, with those that symmetries make equal."""
        mine, others = self.forward, self.backward
        distance, depth = others.distances.get, others.depth
        if others.distances.keys().isdisjoint(mine.members):
            return []
        if not mine.symmetries:
            return [state for key, state in mine.canonical if distance(key) == depth]
        orbits = (mine.orbit(state).items() for state in mine.layer)
        return [state for orbit in orbits for key, state in orbit if distance(key) == depth]

    def join(self, meeting: list[Any]) -> Generator[None, None, Outcome]:
        """The solutions through the states of `meeting`.

        On the backward side every state's distance to the goal is known already. On the forward
        side it is found by following predecessors from the meeting towards the start.
        """
        task, forward, backward = self.task, self.forward, self.backward
        before = by_steps(task, forward.contains, every=task.every, steps=backward.steps)
        remaining = yield from distances_back(
            task, meeting, forward.depth, before, nearest=backward.depth
        )
        return Outcome(
            cost=forward.depth + backward.depth, remaining=backward.distances | remaining
        )
