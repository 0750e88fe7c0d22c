"""A search for an optimal solution, and beside it one for good ones, until their bounds meet."""

from __future__ import annotations

import math
from collections.abc import Callable, Generator, Sequence
from typing import Any

import attrs

from searchkit.engines.anytime import best_cost, is_enough, note_solution
from searchkit.result import Improvement
from searchkit.running.driver import MEMORY_GROWTH
from searchkit.running.memory import estimate_bytes
from searchkit.running.reservoir import Reservoir
from searchkit.running.task import Counters, EngineFunction, Outcome, Task

MEMORY_SHARE = 4
"""The search beside takes at most this part of the memory, where there is a limit."""
SHORTENING = 2
"""How many states are expanded to shorten solutions for each of the search that finds them.

Depth-first search between two states takes a small part of the time.
"""


FAR = 300_000_000
"""A search that is forecast to expand more, some minutes of one by machine code, is a long one."""


EARLY = 10_000_000
"""Machine code expands so many in some ten seconds."""


@attrs.frozen(kw_only=True)
class Share:
    """What a search beside another may expand.

    `burst` states when the other has expanded `start`, and then one for `rate` of the other; while
    there is no solution, at least `first` when it has expanded `soon`. Of what the other expands
    while its end is not in sight, one for `far` of the first `FAR` states; of the first `EARLY` in
    any case one for `early`. Counts decide, not clocks, so that the same solutions are found on a
    busy machine.
    """

    start: int
    burst: int
    rate: int
    first: int = 0
    soon: int = 0
    far: int = 0
    early: int = 0

    def due(self, expanded: int, *, is_found: bool, is_far: bool) -> int:
        """What it may expand when the other has expanded so much."""
        beyond = expanded - self.start
        least = self.first if not is_found and expanded >= self.soon else 0
        more = min(beyond, FAR) // self.far if is_far and self.far else 0
        if self.early:
            more = max(more, min(beyond, EARLY) // self.early)
        return max(least, self.burst + max(more, beyond // self.rate) if beyond >= 0 else 0)


SHARES = {
    ("reference", False): Share(start=5_000, burst=0, rate=4, first=25_000, soon=5_000),
    ("reference", True): Share(start=5_000, burst=0, rate=4, first=25_000, soon=5_000),
    ("compiled", False): Share(start=500_000, burst=200_000, rate=4, first=200_000, soon=100_000),
    ("compiled", True): Share(
        start=10_000_000, burst=200_000, rate=100, first=200_000, soon=2_000_000, far=4
    ),
}
"""When a search for some solution begins beside one for an optimal one: after a tenth of a second,
or where machine code is to be loaded for it, a few.

By the engine, and whether it deepens: machine code expands some hundred times as fast then.
"""


def with_incumbents(
    engine: EngineFunction,
    beside: EngineFunction,
    algorithm: Any,
    share: Share,
    memory: float | None = None,
    shortening: Callable[[Sequence[Sequence[Any]]], EngineFunction] | None = None,
    *,
    proves: bool = True,
) -> EngineFunction:
    """`engine`, and after a while `beside` it one that finds better and better solutions.

    They end together: where `engine` does, or where what both have proved is enough for the best
    solution so far. Where `beside` would take more than its share of `memory`, the limit of both,
    it ends alone, with its best. What both expand counts. `algorithm` is that of `beside`.

    `shortening` gives an engine that makes paths shorter, which each solution goes through; the
    search beside goes on from its own, so that it finds others that can be made shorter.

    Unless it `proves`, `engine` has another search beside it already, and may end with what is
    enough: then its bound alone says what is optimal.
    """
    part = math.inf if memory is None else memory / MEMORY_SHARE

    def both(task: Task) -> Generator[None, None, Outcome]:
        main = _Part(
            attrs.evolve(task, counters=Counters(), partial=None, tell=_keep_quiet), engine
        )
        inner = attrs.evolve(
            task, algorithm=algorithm, counters=Counters(), reservoir=Reservoir(), stores=[],
            kept={}, tell=_keep_quiet,
        )  # fmt: skip
        other = _Part(inner, beside)
        setup_seconds = task.counters.setup_seconds
        search = _Both(task, main, other, share, part, setup_seconds, shortening, proves)
        try:
            return (yield from search.run())
        finally:
            for each in search.parts:
                each.close()
            search.note()

    return both


@attrs.define(eq=False, repr=False)
class _Part:
    """One of the two searches, with counters of its own."""

    task: Task
    engine: EngineFunction
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
    shortening: Callable[[Sequence[Sequence[Any]]], EngineFunction] | None
    proves: bool
    """Whether the solution that the first returns is optimal if the algorithm's are."""
    _estimated_at: float = attrs.field(default=0, init=False)
    """How many states the other had stored when its bytes were estimated."""
    _shorter: _Part | None = attrs.field(default=None, init=False)
    """What makes solutions shorter."""
    _shortened: Outcome | None = attrs.field(default=None, init=False)
    """The last solution of the other that goes through it."""

    def run(self) -> Generator[None, None, Outcome]:
        """One step of each in turn."""
        task, beside = self.task, (self._step_beside, self._step_shortening)
        while True:
            outcome = self._step_of_main()
            if outcome is not None:
                cost = math.inf if outcome.cost is None else outcome.cost
                best = best_cost(task)
                # Less only where an estimate is too large, or any solution would do.
                if cost <= best and cost < math.inf and task.algorithm.is_exact and self.proves:
                    task.counters.prove(cost)
                # Of two that cost the same, it is the one that was told of.
                return outcome if task.partial is None or cost < best else task.partial
            yield
            while any(step() for step in beside):
                if is_enough(task):
                    return task.partial or Outcome()
                yield
            if is_enough(task):
                return task.partial or Outcome()

    def _step_of_main(self) -> Outcome | None:
        task, inner = self.task, self.main.task
        inner.max_bytes = task.max_bytes - self.other.task.counters.bytes
        expanded = sum(each.task.counters.expanded for each in self.parts[1:])
        inner.most_expansions, inner.look = task.most_expansions - expanded, task.look
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
        is_found = task.partial is not None
        main = self.main.task.counters
        due = share.due(main.expanded, is_found=is_found, is_far=_is_far(main, best_cost(task)))
        due -= done
        room = min(due, task.budget or task.pause_at - task.counters.expanded)
        if room <= 0 or self.other.is_over:
            return False
        inner.max_bytes = min(self.part, task.max_bytes - self.main.task.counters.bytes)
        inner.began, inner.look = task.began, task.look
        inner.counters.prove(self.main.task.counters.lower_bound)
        try:
            self.other.step(room, room)
            self._weigh()
        except MemoryError:
            self.other.give_up()
        finally:
            task.budget -= min(task.budget, inner.counters.expanded - done)
            self.note()
        return True

    def _step_shortening(self) -> bool:
        """Whether a solution of the other search was due to be made shorter."""
        task, found, part = self.task, self.other.task.partial, self._shorter
        if self.shortening is None or found is None or found.remaining is None:
            return False
        counters = Counters() if part is None else part.task.counters
        room = SHORTENING * self.other.task.counters.expanded - counters.expanded
        room = min(room, task.budget)
        if room <= 0:
            return False
        if found is not self._shortened:
            if part is not None:
                part.close()
            best = task.partial
            ways = [path_of(each) for each in (found, best) if each is not None]
            inner = attrs.evolve(
                task, counters=counters, partial=None, stores=[], kept={}, tell=_keep_quiet
            )
            self._shorter = part = _Part(inner, self.shortening(ways[: 1 + (best is not found)]))
            self._shortened = found
        elif part is None or part.is_over:
            return False
        done, inner = counters.expanded, part.task
        inner.began, inner.look = task.began, task.look
        try:
            inner.partial = part.step(room, room) or inner.partial
        finally:
            task.budget -= min(task.budget, counters.expanded - done)
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

    @property
    def parts(self) -> tuple[_Part, ...]:
        """The searches that there are."""
        return (self.main, self.other, *([] if self._shorter is None else [self._shorter]))

    def note(self) -> None:
        """Add up what all have counted, and keep the best solution."""
        task, counters = self.task, self.task.counters
        parts = [each.task.counters for each in self.parts]
        for name in (
            "expanded", "generated", "reopened", "frontier", "max_frontier", "stored",
            "peak_stored", "bytes",
        ):  # fmt: skip
            setattr(counters, name, sum(getattr(each, name) for each in parts))
        main, other = parts[:2]
        counters.containers = main.containers + other.containers
        counters.setup_seconds = self.setup_seconds + sum(each.setup_seconds for each in parts)
        counters.iterations = main.iterations
        counters.prove(max(each.lower_bound for each in parts))
        known = (*other.improvements[-1:], *counters.improvements[-1:])
        for part in self.parts:
            if part.task.partial is not None and part.task.partial.cost is not None:
                width = next((each.width for each in known), None)
                note_solution(task, part.task.partial, width=width, is_listed=True)
        # Above the cost only by an inadmissible heuristic.
        counters.lower_bound = min(counters.lower_bound, best_cost(task))


def _is_far(counters: Counters, cost: float) -> bool:
    """Whether iterations that grow as they did take too many states to reach the best cost."""
    if len(counters.iterations) < 2 or cost == math.inf:
        return False
    before, last = counters.iterations[-2:]
    steps = (cost - last.bound) / max(1, last.bound - before.bound)
    growth = last.expanded / max(1, before.expanded)
    return growth > 1 and steps * math.log(growth) + math.log(last.expanded) > math.log(FAR)


def _keep_quiet(found: Outcome, improvement: Improvement) -> None:
    """What parts have found is told of when it is noted for both."""


def path_of(found: Outcome) -> list[Any]:
    """The states of one solution from its start on, by what remains at each."""
    return sorted(found.remaining, key=found.remaining.__getitem__, reverse=True)
