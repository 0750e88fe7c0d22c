"""Runs an engine in slices, so that limits, progress and Ctrl-C live in one place."""

from __future__ import annotations

import math
import sys
from collections.abc import Callable, Generator, Iterator
from contextlib import closing, contextmanager
from inspect import isgenerator
from itertools import islice
from time import monotonic
from typing import Any, Generic, TypeVar

import attrs

from searchkit.authors.blame import is_own, problem_error
from searchkit.errors import EngineError
from searchkit.limits import (
    LimitKind,
    Limits,
    PausingLimits,
    Progress,
    ProgressListener,
    TrialLimits,
)
from searchkit.result import Statistics
from searchkit.running.building import Building, BuildStoppedError, telling_of_building
from searchkit.running.making import clock_of_this_thread, search_clock, telling_of_code
from searchkit.running.memory import GrowingTables, estimate_bytes
from searchkit.running.overdue import NoAnswerError, Watched
from searchkit.running.task import Counters, Run, Task, look_at_nothing

SLICE_SECONDS = 0.02
PROGRESS_SECONDS = 0.1
MEMORY_GROWTH = 1.05
"""How many times as many states are stored when their bytes are estimated again, ..."""
FAR_GROWTH, FAR = 2.0, 8
"""... and where the limit of memory is as many times as far."""
FIRST_BUDGET = 1000
MOST_BUDGET = 1 << 40
"""Compiled engines take it as a machine word."""


T = TypeVar("T")


class _AtLimit(GeneratorExit):
    """Ends an engine that cannot yield, as if it were closed."""

    def __init__(self, limit: LimitKind) -> None:
        self.limit = limit


@attrs.frozen(eq=False, repr=False)
class Ended(Generic[T]):
    """How a run ended: with an outcome, at a limit, or interrupted (neither)."""

    outcome: T | None
    limit: LimitKind | None
    statistics: Statistics
    unfinished: str | None = None
    """Which table was being built at the limit, or which rule had not answered."""

    def after(self, trial: Statistics) -> Ended[T]:
        """The same, where a trial came before: its time went into getting ready."""
        setup = self.statistics.setup_seconds + trial.seconds + trial.setup_seconds
        return attrs.evolve(self, statistics=attrs.evolve(self.statistics, setup_seconds=setup))


@attrs.define(eq=False, repr=False)
class Driver(Generic[T]):
    """Drives one engine to its end or to a limit.

    The engine is a generator that yields just before each expansion: the expansion limit is exact
    and the others are looked at about fifty times a second. It saves time by going on without a
    yield while it has expanded fewer than `task.pause_at` states. A *sliced* engine expands up to
    `task.budget` states before it yields again, and yields once before it begins; the time to
    the first yield is its setup. Its budget grows only while all of it is spent. No limit of time
    counts setup, nor machine code that is made or loaded later. An engine that is stopped at a
    limit is closed, and may then note what it knows; amid an expansion, where it calls `task.look`
    instead of yielding, a `GeneratorExit` comes from there.
    """

    task: Run
    limits: Limits
    progress: ProgressListener | None = None
    sliced: bool = False
    _interrupted: bool = attrs.field(default=False, init=False)
    _began: float | None = attrs.field(default=None, init=False)
    """When the search began, by a clock that stands still while machine code is made."""
    _outcome: T | None = attrs.field(default=None, init=False)
    _peak_bytes: int = attrs.field(default=0, init=False)
    _measured_at: float = attrs.field(default=0, init=False)
    _noted_at: float = attrs.field(default=0, init=False)
    _tables: GrowingTables = attrs.field(factory=GrowingTables, init=False)

    def run(self, engine: Callable[[Any], Generator[None, None, T]]) -> Ended[T]:
        """Run `engine` on the task."""
        called = monotonic()
        self.task.look = self._look
        if self.sliced and self.limits.memory is not None:
            self.task.max_bytes = self.limits.memory
        why = None
        try:
            with (
                Watched(self._time, self._lateness(), self.task.problem) as watched,
                self._hearing_ctrl_c(watched),
                telling_of_code(self._tell_of_code),
                telling_of_building(self._look_at_building),
                closing(self._remember(engine(self.task))) as running,
            ):
                limit = self._slices(running)
        except BuildStoppedError as stopped:
            self._outcome, limit, why = None, stopped.limit, stopped.why
        except _AtLimit as stopped:
            self._outcome, limit = None, stopped.limit
        except NoAnswerError as late:
            limit = None if self.limits.is_cancelled else LimitKind.TIME
            self._outcome, why = None, str(late)
        except KeyboardInterrupt as stopped:
            self._outcome, limit, why = None, None, str(stopped) or None
        except MemoryError:
            self._outcome, limit = None, LimitKind.MEMORY
        except BaseException as error:
            if self._interrupted:  # and whatever it met has failed with another error
                self._outcome, limit = None, None
            elif is_own(error):
                raise
            else:
                raise problem_error(self.task.problem, error) from error
        seconds = max(0.0, self._seconds() - self.task.counters.setup_seconds)
        self._measure()
        # Task and driver hold each other for a while, and all that is stored.
        self.task.counters.containers, self.task.look = (), look_at_nothing
        return Ended(
            self._outcome,
            limit,
            self._statistics(seconds, monotonic() - called - seconds),
            why,
        )

    @property
    def _time(self) -> float | None:
        """The limit of time, also of what goes on after a trial."""
        limits = self.limits
        return limits.whole_time if isinstance(limits, TrialLimits) else limits.time

    def _lateness(self) -> Callable[[], bool]:
        """What tells another thread whether the limit of time is over, or the search cancelled."""
        clock = clock_of_this_thread()

        def is_late() -> bool:
            if self.limits.is_cancelled:
                return True
            most, began = self._time, self._began
            return most is not None and began is not None and clock() - began >= most

        return is_late

    def _statistics(self, seconds: float, setup_seconds: float) -> Statistics:
        counters = self.task.counters
        return Statistics(
            expanded=counters.expanded,
            generated=counters.generated,
            reopened=counters.reopened,
            max_frontier=counters.max_frontier,
            stored=counters.peak_stored,
            bytes=self._peak_bytes,
            seconds=seconds,
            iterations=tuple(counters.iterations),
            setup_seconds=setup_seconds,
        )

    def _seconds(self) -> float:
        """Seconds of search so far, without compiling."""
        return 0.0 if self._began is None else search_clock() - self._began

    def _tell_of_code(self) -> None:
        """Say that machine code is made, which is said once before the search begins."""
        if self.progress is not None and self._began is not None:
            now = _snapshot(self.task.counters, self._seconds())
            self.progress(attrs.evolve(now, preparing=True))

    @contextmanager
    def _hearing_ctrl_c(self, watched: Watched) -> Iterator[None]:
        """Remember Ctrl-C: where it meets a destructor, or a bare except, its exception is lost."""

        def note() -> None:
            self._interrupted = True

        def ignore(lost: Any) -> None:
            if not isinstance(lost.exc_value, KeyboardInterrupt):
                hook(lost)

        with watched.hearing_ctrl_c(note) as is_heard:
            hook = sys.unraisablehook
            if is_heard:
                sys.unraisablehook = ignore
            try:
                yield
            finally:
                if is_heard:
                    sys.unraisablehook = hook

    def _slices(self, running: Generator[None, None, None]) -> LimitKind | None:
        counters, limits = self.task.counters, self.limits
        size = FIRST_BUDGET if self.sliced else 1
        if limits.expansions is not None:
            self.task.most_expansions = limits.expansions
        if not self.sliced:
            self._began = search_clock()
        elif self.progress is not None:
            self.progress(attrs.evolve(_snapshot(counters, 0.0), preparing=True))
        tried = self.task.began
        self.task.began += search_clock()
        next(running, None)  # to just before the first expansion
        if self.sliced:
            self._began = search_clock()
            self.task.began = tried + self._began
            next(running, None)  # with a budget of 0: the same
        self._noted_at = self._seconds()
        while self._outcome is None:
            before = self._seconds()
            limit = self._reached(before)
            if limit is not None:
                return limit
            limits = self.limits
            left = size if limits.expansions is None else limits.expansions - counters.expanded
            size = max(1, min(size, left))
            if limits.memory is not None and not self.sliced:
                size = min(size, self._room(limits.memory))
            if self.sliced:
                self.task.budget = min(size, left)
                next(running, None)
                # A pause for anything else does not say how long as many states would take.
                is_spent = self.task.budget <= 0
            else:
                self._run_slice(running, size)
                is_spent = True
            now = self._seconds()
            if limits.memory is not None and self._over(limits.memory):
                return LimitKind.MEMORY
            self._tell(now)
            if now - before < SLICE_SECONDS / 2 and is_spent:
                size = min(2 * size, MOST_BUDGET)
            elif now - before > SLICE_SECONDS:
                size = max(1, size // 2)
        return None

    def _run_slice(self, running: Generator[None, None, None], size: int) -> None:
        """Let a reference engine expand `size` states, of which some are taken by the reservoir."""
        task, counters, reservoir = self.task, self.task.counters, self.task.reservoir
        end = counters.expanded + size
        if counters.expanded == reservoir.due:
            reservoir.take(task.at_hand, counters.expanded)
        task.pause_at = int(min(end, reservoir.due))
        for _ in islice(running, size):
            if counters.expanded >= task.pause_at:
                if counters.expanded >= end:
                    break
                if counters.expanded >= reservoir.due:
                    reservoir.take(task.at_hand, counters.expanded)
                task.pause_at = int(min(end, reservoir.due))

    def _reached(self, now: float) -> LimitKind | None:
        """The limit of nodes or of time that is reached."""
        if self._interrupted or self.limits.is_cancelled:
            raise KeyboardInterrupt
        limit = self._limit_at(now)
        if limit is not None and isinstance(self.limits, TrialLimits):
            more = self.limits.go_on(limit, now)
            if more is not None:
                self.limits = more
                self.task.most_expansions = math.inf if more.expansions is None else more.expansions
                limit = self._limit_at(now)
        return limit

    def _limit_at(self, now: float) -> LimitKind | None:
        nodes, time = self.limits.expansions, self.limits.time
        is_done = nodes is not None and self.task.counters.expanded >= nodes
        if is_done and not self.task.is_all_expanded:
            return LimitKind.EXPANSIONS
        is_late = time is not None and now >= time
        if isinstance(self.limits, TrialLimits):
            is_late = is_late or self.task.counters.generated >= self.limits.generated
        if isinstance(self.limits, PausingLimits):
            found, bound = self.task.counters.improvements, self.task.counters.lower_bound
            ratio = None
            if found:
                ratio = found[-1].cost / bound if bound else math.inf
            is_late = is_late or self.limits.is_due(now, ratio)
        return LimitKind.TIME if is_late else None

    def _look(self) -> None:
        """Look at the limits amid an expansion, should that have no end."""
        now, memory = self._seconds(), self.limits.memory
        limit = self._reached(now)
        if limit is None and memory is not None:
            self._measured_at = -1  # what is stored is counted only after the expansion
            limit = LimitKind.MEMORY if self._over(memory) else None
        if limit is not None:
            raise _AtLimit(limit)
        self._tell(now)

    def _look_at_building(self, building: Building) -> None:
        """Look at the limits while a table is built, by the rules of an author."""
        if building.is_given_up:
            return
        memory = self.limits.memory
        if memory is not None and building.bytes > memory:
            raise BuildStoppedError(building, LimitKind.MEMORY)
        now, most = self._seconds(), self._time
        left = math.inf if most is None else most - now
        limit = self._reached(now + building.ahead_of(left))
        if limit is not None:
            raise BuildStoppedError(building, limit, left)

    def _tell(self, now: float) -> None:
        """Report progress if it is time to."""
        if self.progress is not None and now - self._noted_at >= PROGRESS_SECONDS:
            self._noted_at = now
            self.progress(_snapshot(self.task.counters, now))

    def _remember(self, engine: Generator[None, None, T]) -> Generator[None, None, None]:
        name = getattr(getattr(self.task, "algorithm", None), "name", "exploration")
        is_drawn = self.sliced and isinstance(self.task, Task)
        running = engine
        if is_drawn:
            from searchkit.running.drawing import drawing  # noqa: PLC0415  (for machine code alone)

            running = drawing(self.task, engine)
        if not isgenerator(engine):
            raise EngineError(
                f"the engine of {name} is not a generator function: it made {engine!r}"
            )
        self._outcome = yield from running
        if self._outcome is None:
            raise EngineError(f"the engine of {name} returned None; it must return an Outcome")

    def _room(self, most: int) -> int:
        """How many expansions should fit into `most` bytes, going by those done so far."""
        expanded = self.task.counters.expanded
        if not expanded or not self._peak_bytes:
            return 1
        return max(1, (most - self._peak_bytes) * expanded // self._peak_bytes)

    def _over(self, most: int) -> bool:
        stored = self.task.counters.stored
        ahead = 0
        is_far = not self.sliced and self._peak_bytes * FAR < most
        if stored > self._measured_at * (FAR_GROWTH if is_far else MEMORY_GROWTH):
            self._measured_at = stored
            self._measure()
            if not self.sliced:
                ahead = self._tables.bytes_ahead(self.task.counters.containers)
        return self._peak_bytes + ahead > most and self._outcome is None

    def _measure(self) -> None:
        counters = self.task.counters
        held = counters.bytes
        if not self.sliced:
            held = estimate_bytes((*counters.containers, self.task.reservoir.states))
        self._peak_bytes = max(self._peak_bytes, held)


def _snapshot(counters: Counters, seconds: float) -> Progress:
    layer = counters.layer
    if layer is not None:
        depth, states, before = layer
        layer = depth, states, min(states, counters.expanded - before)
    return Progress(
        expanded=counters.expanded,
        generated=counters.generated,
        stored=counters.stored,
        frontier=counters.frontier,
        lower_bound=counters.lower_bound,
        seconds=seconds,
        layer=layer,
        cost=counters.improvements[-1].cost if counters.improvements else None,
        iterations=tuple(counters.iterations),
    )
