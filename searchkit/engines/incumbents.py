"""A search for an optimal solution, and beside it one for good ones, until their bounds meet."""

from __future__ import annotations

import math
from collections.abc import Generator
from typing import Any

import attrs

from searchkit.engines.anytime import is_enough
from searchkit.running.driver import MEMORY_GROWTH
from searchkit.running.memory import estimate_bytes
from searchkit.running.reservoir import Reservoir
from searchkit.running.task import Counters, Engine, Outcome, Task

MEMORY_SHARE = 4
"""The search beside takes at most this part of the memory, where there is a limit."""


@attrs.frozen(kw_only=True)
class Share:
    """What a search beside another may expand.

    `burst` states when the other has expanded `start`, and then one for `rate` of the other. Counts
    decide, not clocks, so that the same solutions are found on a busy machine.
    """

    start: int
    burst: int
    rate: int

    def due(self, expanded: int) -> int:
        """What it may expand when the other has expanded so much."""
        beyond = expanded - self.start
        return 0 if beyond < 0 else self.burst + beyond // self.rate


SHARES = {
    ("reference", False): Share(start=30_000, burst=30_000, rate=4),
    ("reference", True): Share(start=30_000, burst=30_000, rate=4),
    ("compiled", False): Share(start=500_000, burst=200_000, rate=4),
    ("compiled", True): Share(start=100_000_000, burst=200_000, rate=500),
}
"""When a search for some solution begins beside one for an optimal one: after half a second or so.

By the engine, and whether it deepens: machine code expands some hundred times as fast then.
"""


def with_incumbents(
    engine: Engine, beside: Engine, algorithm: Any, share: Share, memory: float | None = None
) -> Engine:
    """`engine`, and after a while `beside` it one that finds better and better solutions.

    They end together: where `engine` does, or where what both have proved is enough for the best
    solution so far. Where `beside` would take more than its share of `memory`, the limit of both,
    it ends alone, with its best. What both expand counts. `algorithm` is that of `beside`.
    """
    part = math.inf if memory is None else memory / MEMORY_SHARE

    def both(task: Task) -> Generator[None, None, Outcome]:
        main = _Part(attrs.evolve(task, counters=Counters(), partial=None), engine)
        known = Counters(improvements=task.counters.improvements)  # those of a trial
        inner = attrs.evolve(
            task, algorithm=algorithm, counters=known, reservoir=Reservoir(), stores=[], kept={},
        )  # fmt: skip
        other = _Part(inner, beside)
        search = _Both(task, main, other, share, part, task.counters.setup_seconds)
        try:
            return (yield from search.run())
        finally:
            main.close()
            other.close()
            search.note()

    return both


@attrs.define(eq=False, repr=False)
class _Part:
    """One of the two searches, with counters of its own."""

    task: Task
    engine: Engine
    running: Generator[None, None, Outcome] | None = None
    is_over: bool = False

    def step(self, budget: int, room: int) -> Outcome | None:
        """Let it go on for so much; its outcome, if that is there."""
        task = self.task
        task.budget, task.pause_at = budget, task.counters.expanded + room
        if self.running is None:
            self.running = self.engine(task)
        try:
            next(self.running)
        except StopIteration as stopped:
            self.is_over = True
            outcome: Outcome = stopped.value
            return outcome
        return None

    def close(self) -> None:
        """End it; it notes what it knows."""
        if self.running is not None:
            self.running.close()

    def give_up(self) -> None:
        """End it, and forget its lists."""
        self.close()
        self.is_over, self.running = True, None
        counters = self.task.counters
        counters.containers, counters.stored, counters.frontier = (), 0, 0


@attrs.define(eq=False, repr=False)
class _Both:
    task: Task
    main: _Part
    other: _Part
    share: Share
    part: float
    """The bytes that the other may take."""
    setup_seconds: float
    _estimated_at: float = attrs.field(default=0, init=False)
    """How many states the other had stored when its bytes were estimated."""

    def run(self) -> Generator[None, None, Outcome]:
        """One step of each in turn."""
        task = self.task
        while True:
            outcome = self._step_of_main()
            if outcome is not None:
                return self._better(outcome)
            yield
            while self._step_beside():
                if is_enough(task):
                    return task.partial or Outcome()
                yield
            if is_enough(task):
                return task.partial or Outcome()

    def _better(self, outcome: Outcome) -> Outcome:
        """What the main search has found, or the best of the other where that costs less.

        An estimate of its states is then too large, if the main search is one for the optimum.
        """
        task, best = self.task, self.task.partial
        cost = math.inf if outcome.cost is None else outcome.cost
        if best is not None and best.cost is not None and best.cost < cost:
            return best
        if cost < math.inf and task.algorithm.is_exact:
            task.counters.prove(cost)
        return outcome

    def _step_of_main(self) -> Outcome | None:
        task, inner = self.task, self.main.task
        beside = self.other.task.counters
        inner.max_bytes = task.max_bytes - beside.bytes
        inner.most_expansions, inner.look = task.most_expansions - beside.expanded, task.look
        try:
            return self.main.step(task.budget, task.pause_at - task.counters.expanded)
        finally:
            task.budget, task.is_all_expanded = inner.budget, inner.is_all_expanded
            task.at_hand = inner.at_hand
            self.note()

    def _step_beside(self) -> bool:
        """Whether the other search was due to do something."""
        task, share, inner = self.task, self.share, self.other.task
        done = inner.counters.expanded
        due = share.due(self.main.task.counters.expanded) - done
        room = min(due, task.budget or task.pause_at - task.counters.expanded)
        if room <= 0 or self.other.is_over:
            return False
        inner.max_bytes = min(self.part, task.max_bytes - self.main.task.counters.bytes)
        inner.began, inner.look = task.began, task.look
        try:
            self.other.step(room, room)
            self._weigh()
        except MemoryError:
            self.other.give_up()
        finally:
            task.budget -= min(task.budget, inner.counters.expanded - done)
            self.note()
        return True

    def _weigh(self) -> None:
        """Raise `MemoryError` where the lists of the other, if its engine has any, take too much.

        The limit of both would end both then, be it that the first takes next to nothing.
        """
        counters, most = self.other.task.counters, self.part
        if most < math.inf and counters.stored > self._estimated_at * MEMORY_GROWTH:
            self._estimated_at = counters.stored
            if estimate_bytes(counters.containers) > most:
                raise MemoryError

    def note(self) -> None:
        """Add up what both have counted, and keep the best solution."""
        counters, parts = self.task.counters, (self.main.task.counters, self.other.task.counters)
        main, other = parts
        for name in (
            "expanded", "generated", "reopened", "frontier", "max_frontier", "stored",
            "peak_stored", "bytes",
        ):  # fmt: skip
            setattr(counters, name, sum(getattr(each, name) for each in parts))
        counters.containers = main.containers + other.containers
        counters.setup_seconds = self.setup_seconds + main.setup_seconds + other.setup_seconds
        counters.iterations = main.iterations
        counters.prove(max(main.lower_bound, other.lower_bound))
        if other.improvements:
            counters.improvements = other.improvements
        best = self.main.task.partial or self.other.task.partial
        if best is not None and best.cost is not None:
            self.task.partial = best
            # Above the cost only by an inadmissible heuristic.
            counters.lower_bound = min(counters.lower_bound, best.cost)
