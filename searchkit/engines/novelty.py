"""Some solution, soon, by rules that have no heuristic: best-first width search.

Lipovetzky and Geffner, "Best-first width search" (2017): states that have something that none had
before them, of those that lack as much, come first. In turn with it, as in LAMA (Richter and
Westphal 2010), go two queues that look at nothing but what is lacking, by counts and by steps. See
`searchkit.guides.wishes` for what that is. Where steps are permutations, words of these come first:
`searchkit.engines.motions`.
"""

from __future__ import annotations

from collections.abc import Generator, Hashable, Sequence
from contextlib import suppress
from heapq import heappop, heappush
from itertools import islice
from random import Random
from typing import Any

import attrs

from searchkit.capabilities import HasGoalStates
from searchkit.engines.incumbents import Share
from searchkit.engines.motions import way_by_motions
from searchkit.engines.neighbourhood import Rules, shorter_ways
from searchkit.guides.wishes import LONG, MOST_ALTERNATIVES, Wishes
from searchkit.premises.asking import truth
from searchkit.problem import Problem
from searchkit.running.overdue import GivenUpError, in_passing
from searchkit.running.task import Outcome, Task, legal_cost

SHARES = {
    "reference": Share(start=20_000, burst=0, rate=4, first=3_000, soon=20_000),
    "compiled": Share(
        start=3_000_000, burst=10_000, rate=1_000, first=10_000, soon=500_000, early=120
    ),
}
"""When it begins beside an engine of a kind, and what it may expand: always in Python."""

LEARNED_WHOLE = 1_000
"""Of so many expansions, all steps are looked at for how parts change."""
LEARNED_OF = 16
"""And later of one of so many."""
PAUSE_EVERY = 1_024
"""Turns, of which many may put a state in again whose places rest on what was known before."""
MOST_GOALS = 4
"""Words of motions are looked for to this number of the goals that are known, at most."""
MOST_ATOMS = 500_000
"""How many things that states have are remembered, at most."""
_NONE: Any = object()
"""The key of the parent of a start."""


def by_novelty(task: Task) -> Generator[None, None, Outcome]:
    """Note some solution, and then cheaper ones near it; none of them need be optimal.

    By the author's rules, also beside machine code that was made of them. A state that is generated
    takes O(its parts) more time than by breadth-first search.
    """
    rules = Rules(task)
    try:
        way = yield from _Search(task, rules.problem, rules.starts).way()
        if way is not None:
            rules.note(way)
            yield from shorter_ways(rules, way)
    except MemoryError:
        raise
    except (Exception, SystemExit):
        pass  # by the rules: the search beside meets it, too, or needs no state so far away
    return Outcome()


@attrs.define(eq=False, repr=False)
class _Entry:
    """A state that waits in all queues until it is taken from one."""

    state: Any
    key: Hashable
    g: int
    version: int
    """What of the wishes its places in the queues rest on."""


@attrs.define(eq=False, repr=False)
class _Search:
    """A search for some way to a goal."""

    task: Task
    rules: Problem[Any, Any]
    starts: Sequence[Any]
    wishes: Wishes = attrs.field(init=False)
    parents: dict[Hashable, tuple[Hashable, Any]] = attrs.field(factory=dict, init=False)
    """The key of each state's parent, and the state."""
    queues: tuple[list[Any], ...] = attrs.field(factory=lambda: ([], [], []), init=False)
    atoms: set[Any] = attrs.field(factory=set, init=False)
    """What states had, each with how much these lacked."""
    entered: int = attrs.field(default=0, init=False)
    _choose: Random = attrs.field(factory=lambda: Random(0), init=False)
    """Of states that are as far, the one that comes next is drawn: an order may never get out."""

    def __attrs_post_init__(self) -> None:
        goals: list[Any] = []
        if isinstance(self.rules, HasGoalStates):
            with suppress(GivenUpError), in_passing(self.rules):  # after some, there may be no end
                goals = list(islice(self.rules.goal_states(), MOST_ALTERNATIVES + 1))
        self.wishes = Wishes(self.rules.is_goal, goals if len(goals) <= MOST_ALTERNATIVES else [])

    def way(self) -> Generator[None, None, list[Any] | None]:
        """The states from a start to a goal; None if no goal is within reach."""
        task, counters, wishes, rules = self.task, self.task.counters, self.wishes, self.rules
        listed, key_of, parents = task.lister(counting=False), rules.key, self.parents
        closed: set[Hashable] = set()
        counters.containers = (parents, self.atoms, closed, *self.queues)
        for start in self.starts:
            parents[key_of(start)] = _NONE, start
            if truth(rules, start, rules.is_goal(start)):
                return [start]
            self._learn(start)
            for goal in wishes.wholes[:MOST_GOALS]:
                way = yield from way_by_motions(rules, start, goal)
                if way is not None:
                    return way
            self._enter(_Entry(start, key_of(start), 0, 0))
        turn = 0
        while any(self.queues):
            turn += 1
            if turn % PAUSE_EVERY == 0:
                yield
            queue = self.queues[turn % len(self.queues)]
            if not queue:
                continue
            entry = heappop(queue)[-1]
            if entry.key in closed:
                continue
            if entry.version != wishes.version:
                self._enter(entry)
                continue
            closed.add(entry.key)
            if counters.expanded >= task.pause_at:
                yield
            counters.expanded += 1
            is_new = counters.expanded < LEARNED_WHOLE or counters.expanded % LEARNED_OF == 0
            for action, child, cost in listed(rules.successors(entry.state)):
                counters.generated += 1
                key = key_of(child)
                if key in parents:
                    continue
                g = entry.g + legal_cost(rules, action, cost)
                if g > task.max_cost:
                    continue
                parents[key] = entry.key, child
                if truth(rules, child, rules.is_goal(child)):
                    return self._way_to(key)
                if is_new:
                    wishes.learn_step(entry.state, child)
                if self._enter(_Entry(child, key, g, 0)) == 0:
                    self._learn(child)
            counters.holding(len(parents))
        return None

    def _learn(self, state: Any) -> None:
        """Ask what a state lacks, unless a goal test has not answered of what is no state."""
        if not self.wishes.is_asking:
            return
        try:
            with in_passing(self.rules):
                self.wishes.learn(state)
        except GivenUpError:
            self.wishes.is_asking = False

    def _enter(self, entry: _Entry) -> float:
        """Put a state into all queues; what it lacks."""
        entry.version = self.wishes.version
        missing, far = self.wishes.missing(entry.state)
        is_novel = False
        if len(self.atoms) < MOST_ATOMS:
            before = len(self.atoms)
            self.atoms.update([(missing, each) for each in atoms_of(entry.key)])
            is_novel = len(self.atoms) > before
        self.entered += 1
        places = (
            (not is_novel, missing),
            (missing, -self.entered),
            (far, self._choose.random()),
        )
        for queue, place in zip(self.queues, places, strict=True):
            heappush(queue, (*place, self.entered, entry))
        return missing

    def _way_to(self, key: Hashable) -> list[Any]:
        way: list[Any] = []
        while key is not _NONE:
            key, state = self.parents[key]
            way.append(state)
        return way[::-1]


def atoms_of(value: Any) -> list[Any]:
    """What a state has: the value of each of its parts, the members of its sets, its bits."""
    found: list[Any] = []
    _add_atoms(found, value, ())
    return found


def _add_atoms(found: list[Any], value: Any, path: tuple[Any, ...]) -> None:
    if isinstance(value, tuple):
        for i, each in enumerate(value):
            if each.__class__ is int and -LONG < each < LONG:
                found.append((path, i, each))
            else:
                _add_atoms(found, each, (*path, i))
    elif value.__class__ is str:
        found.extend((path, i, each) for i, each in enumerate(value))
    elif isinstance(value, frozenset):
        found.extend((path, each) for each in value)
        found.append((path, len(value)))
    elif value.__class__ is int and value >= LONG:
        found.extend((path, i) for i in range(value.bit_length()) if value >> i & 1)
    else:
        found.append((path, value))
