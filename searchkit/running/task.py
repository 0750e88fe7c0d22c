"""What an engine is given, what it counts, and what it returns."""

from __future__ import annotations

import math
import operator
import time
from collections.abc import (
    Callable,
    Collection,
    Generator,
    Hashable,
    Iterable,
    Iterator,
    Mapping,
    Sequence,
)
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from itertools import chain, islice
from typing import TYPE_CHECKING, Any, ParamSpec, Protocol, Self, TypeVar
from weakref import ref

import attrs

from searchkit.authors.user_code import place_of
from searchkit.certificates import Certificate
from searchkit.errors import ProblemError
from searchkit.heuristic import Heuristic, ProblemHeuristic, is_estimate, wrong_estimate
from searchkit.limits import EXACTLY, Iteration, LimitKind, Within
from searchkit.packed import ZeroHeuristic, successors_of
from searchkit.problem import INFINITY, Costs, Problem, name_of
from searchkit.result import Improvement
from searchkit.running.making import search_clock
from searchkit.running.reservoir import Reservoir
from searchkit.running.source import Source

if TYPE_CHECKING:
    import random

ONE = 1
"""The cost of most steps: a look at what it is takes less time than at whether it is legal."""

LOOK_EVERY = 1 << 16
"""Reference engines look at the limits after this many generated states, also amid an expansion."""

PAUSE_AFTER = 0.02
"""Seconds between the pauses of what pauses `seldom`."""

P = ParamSpec("P")
T = TypeVar("T")

Steps = Callable[[Any], Iterable[Any]]
"""The steps out of a state, or into it."""


class Listed(Protocol):
    """Steps, and how many of them are still to be counted."""

    def __len__(self) -> int: ...
    def __iter__(self) -> Iterator[Any]: ...


PROMISED = {Costs.UNIT: {1}, Costs.ZERO_ONE: {0, 1}, Costs.INTEGER: {0, 1}}
"""Costs that are legal by what a problem promises: all, or the first of many."""
_MOST_LEGAL_COSTS = 10_000


def seldom(pausing: Callable[P, Generator[None, None, T]]) -> Callable[P, Generator[None, None, T]]:
    """Pause only when some time has passed since the last pause.

    Of an engine whose pauses take no time, the driver would take states for cheap.
    """

    @wraps(pausing)
    def function(*arguments: P.args, **named: P.kwargs) -> Generator[None, None, T]:
        running = pausing(*arguments, **named)
        began = time.monotonic()
        while True:
            try:
                next(running)
            except StopIteration as stopped:
                done: T = stopped.value
                return done
            if time.monotonic() - began > PAUSE_AFTER:
                yield
                began = time.monotonic()

    return function


def aside(task: Run, work: Generator[None, None, T]) -> Generator[None, None, T]:
    """Do what expands nothing, and then go on: where it pauses is no expansion limit."""
    task.is_all_expanded = True
    done = yield from work
    task.is_all_expanded = False
    return done


class Stored(Protocol):
    """What has states of a search."""

    def drawn(self, count: int, choose: random.Random) -> Sequence[Any]:
        """Some of them, at most `count`, drawn from anywhere; packed."""


@attrs.define(eq=False, repr=False)
class Counters:
    """Live counts of a running search; their meaning is that of `Statistics`."""

    expanded: int = 0
    generated: int = 0
    reopened: int = 0
    frontier: int = 0
    max_frontier: int = 0
    stored: int = 0
    peak_stored: int = 0
    lower_bound: float = 0
    layer: tuple[int, int, int] | None = None
    """Of an exploration: the layer at hand, its states, and what was expanded before it."""
    iterations: list[Iteration] = attrs.field(factory=list)
    improvements: list[Improvement] = attrs.field(factory=list)
    containers: tuple[Collection[Any], ...] = ()
    """What holds the stored states, for the estimate of bytes."""
    setup_seconds: float = 0.0
    """Time spent on tables after the search had begun, which counts as setup."""
    bytes: int = 0
    """The bytes of the stored states, where the engine knows them exactly."""

    def waiting(self, frontier: int) -> None:
        """Note how many states wait for expansion now."""
        self.frontier = frontier
        self.max_frontier = max(self.max_frontier, frontier)

    def enter_layer(self, depth: int, states: int) -> None:
        """Note that a layer of `states` states is to be expanded now."""
        if self.layer is None or self.layer[0] != depth:
            self.layer = depth, states, self.expanded

    def prove(self, lower_bound: float) -> None:
        """Note a lower bound; what an earlier search of the same has proved stays."""
        self.lower_bound = max(self.lower_bound, lower_bound)

    def holding(self, stored: int) -> None:
        """Note how many states are held in memory now."""
        self.stored = stored
        self.peak_stored = max(self.peak_stored, stored)

    def note(self, frontier: int, stored: int) -> None:
        """Note both: once for each expansion, so that it must take little time."""
        self.frontier, self.stored = frontier, stored
        if frontier > self.max_frontier:  # noqa: PLR1730  (max takes longer)
            self.max_frontier = frontier
        if stored > self.peak_stored:  # noqa: PLR1730
            self.peak_stored = stored


def look_at_nothing() -> None:
    """What a run without a driver looks at amid expansions."""


@attrs.define(eq=False, repr=False, kw_only=True)
class Run:
    """What runs under limits, whatever it is for: its counts, and what it may take."""

    problem: Problem[Any, Any]
    counters: Counters = attrs.field(factory=Counters)
    threads: int = 1
    executor: Any = None
    """The `Executor` whose workers share the work, if there is one."""
    max_bytes: float = math.inf
    budget: int = 0
    """Of a sliced engine: how many states it may expand before it yields again.

    The engine subtracts what it expands, and yields where it would expand more.
    """
    pause_at: int = 0
    """Of another engine: it need not yield before it has expanded that many states in all."""
    most_expansions: float = math.inf
    """The limit: an engine that expands states in another order goes back when it comes to it."""
    stores: list[ref[Stored]] = attrs.field(factory=list)
    """Where a compiled engine has the states that it has met; they are not kept alive."""
    reservoir: Reservoir = attrs.field(factory=Reservoir)
    """States of the search that are asked again before its answer, and what its lists say."""
    began: float = 0
    """When the search began, by `search_clock`, with a trial before it; that, before it begins."""
    at_hand: Any = None
    """Where a reference engine yields: the state that it expands next."""
    is_all_expanded: bool = False
    """Set by an engine while it expands nothing: its yields mean no expansion limit then."""
    kept: dict[Any, Any] = attrs.field(factory=dict)
    """What was made for problems of the same rules."""
    backward: Run | None = None
    """Of a search from both ends where steps back are those of another problem: the run of that.

    It has the same counts; see `searchkit.running.drawing`.
    """
    look: Callable[[], None] = look_at_nothing
    """Called by reference engines amid long expansions; raises `GeneratorExit` at a limit."""
    legal_costs: set[int] = attrs.field(init=False)
    """Costs that are known to keep the promise of the problem; see `legal_cost`."""
    successors: Steps = attrs.field(init=False)
    """Those of the problem; `lister` makes lists of what is none."""
    key_of: Callable[[Any], Hashable] | None = attrs.field(init=False)
    """None where a state is its own key, which saves a call for each step."""

    def __attrs_post_init__(self) -> None:
        key_of = self.problem.key
        self.legal_costs = set(PROMISED[self.problem.costs])
        self.successors = successors_of(self.problem)
        self.key_of = None if getattr(key_of, "__func__", None) is Problem.key else key_of

    def drawn(self, count: int, choose: random.Random) -> list[Any]:
        """Some of the states that a compiled engine has met, about `count` of each of its sets."""
        stores = [each() for each in self.stores]
        return [state for each in stores if each is not None for state in each.drawn(count, choose)]

    def reserve(self, total: int) -> None:
        """Note that a sliced engine is about to hold `total` bytes; `MemoryError` if too many."""
        if total > self.max_bytes:
            raise MemoryError
        self.counters.bytes = max(self.counters.bytes, total)

    def lister(self, *, counting: bool = True) -> Callable[[Iterable[Any]], Listed]:
        """What makes a list of the steps that `successors` gave, if they are not one, and end.

        No code of the author's runs between two of them then. There may be no end: where there
        are very many, they come one by one, and the limits are looked at now and then. They have
        no length, for they are counted as they come, if `counting`.
        """

        def listed(given: Iterable[Any]) -> Listed:
            steps = list(islice(given, LOOK_EVERY))
            if len(steps) < LOOK_EVERY:
                return steps
            is_used_up = iter(given) is given
            return _OneByOne(self, chain(steps, given) if is_used_up else given, counting)

        return listed

    def legal_cost(self, action: Any, cost: Any) -> int:
        """The cost as an int, where it is none or not among `legal_costs`; raise if it may not be.

        Sums of numpy's short integers would overflow.
        """
        whole = legal_cost(self.problem, action, cost)
        if len(self.legal_costs) < _MOST_LEGAL_COSTS:
            self.legal_costs.add(whole)
        return whole

    def wrong_cost(self, action: Any, cost: Any) -> ProblemError:
        """The error to raise for a step whose cost breaks the promise of the problem."""
        return wrong_cost(self.problem, action, cost)

    def wrong_cost_among(self, states: Iterable[Any]) -> ProblemError:
        """The error to raise where a step out of one of `states` was found not to cost 1."""
        for state in states:
            for action, _, cost in self.problem.successors(state):
                if cost != 1:
                    return self.wrong_cost(action, cost)
        return ProblemError(f"{name_of(self.problem)}: a step does not cost 1")


class _OneByOne:
    """Steps of which there may be no end."""

    def __init__(self, run: Run, steps: Iterable[Any], counting: bool) -> None:
        self._run, self._steps, self._counting = run, steps, counting

    def __len__(self) -> int:
        return 0

    def __iter__(self) -> Iterator[Any]:
        for number, step in enumerate(self._steps, 1):
            if number % LOOK_EVERY == 0:
                self._run.look()
            self._run.counters.generated += self._counting
            yield step


@attrs.define(eq=False, repr=False, kw_only=True)
class Task(Run):
    """One search to be done.

    `every` asks for all optimal solutions, up to `max_solutions`. `max_cost` is the cost limit:
    paths that cost more are cut off, which the engine must report in its outcome. `partial` is
    where an engine leaves solutions found before it is done.
    """

    algorithm: Any
    heuristic: Heuristic[Any, Any]
    starts: tuple[Any, ...]
    every: bool = False
    max_solutions: float = math.inf
    max_cost: float = math.inf
    within: Within = EXACTLY
    """How good a solution must be for an anytime search to end."""
    partial: Outcome | None = None
    tell: Callable[[Outcome, Improvement], None] = lambda found, improvement: None
    """Called with each better solution when it is found."""
    source: Source | None = None
    """What workers are to make the problem and the heuristic of, if these cannot be sent."""
    space: Any = None
    """Where a compiled engine is to search by bitmaps: the `LinearSpace` of their numbers."""

    def go_on_from(self, tried: Task) -> None:
        """Keep what a search of the same has proved, and its best solution if it was anytime."""
        self.counters.prove(tried.counters.lower_bound)
        self.began = tried.began - search_clock()
        if tried.counters.improvements:
            self.partial = tried.partial
            self.counters.improvements = tried.counters.improvements

    def estimate(self, state: Any) -> float:
        """The estimate of `state` from scratch, checked."""
        return self.plain_estimate(self.heuristic(state), state)

    def from_scratch(self) -> Callable[[Any], Any] | None:
        """What gives the estimate of a state by the fewest calls; None if `after` is to give it."""
        heuristic = self.heuristic
        if isinstance(heuristic, ZeroHeuristic):
            return ().count  # 0 for whatever it is called with
        if getattr(heuristic.after, "__func__", None) is not Heuristic.after:
            return None
        if isinstance(heuristic, ProblemHeuristic):
            return heuristic.problem.heuristic
        return heuristic.__call__

    def plain_estimate(self, value: Any, state: Any) -> float:
        """An estimate of `state` as one of Python's numbers; raise if it is wrong.

        Called where it is not an int of 0 or more. Sums with numpy's short numbers would overflow.
        """
        if not is_estimate(value):
            raise wrong_estimate(self.heuristic.name, value, self.problem.format_state(state))
        item = getattr(value, "item", None)
        return value if item is None else item()  # type: ignore[no-any-return]

    def is_cut(self, f: float) -> bool:
        """Whether a path of this f, too much for the cost limit, is not a dead end."""
        return f < INFINITY


@attrs.define(eq=False, repr=False)
class ForWorkers:
    """What is sent to workers that share the work of a task."""

    problem: Any
    heuristic: Any
    algorithm: Any
    every: bool

    @classmethod
    def of(cls, task: Task, **more: Any) -> Self:
        """That of a task, and what is sent besides."""
        return cls(task.problem, task.heuristic, task.algorithm, task.every, **more)

    def task(self) -> Task:
        """The task as a worker has it, which is told where to begin."""
        return Task(
            problem=self.problem, heuristic=self.heuristic, algorithm=self.algorithm,
            every=self.every, starts=(),
        )  # fmt: skip


MOST_COST = 1 << 53
"""Of a step: sums are compared with bounds, which may be floats."""


def whole_cost(cost: Any) -> int | None:
    """The cost as an int; None if it is not an integer from 0 to `MOST_COST`."""
    try:
        whole = operator.index(cost)
    except TypeError:
        return None
    return whole if 0 <= whole <= MOST_COST else None


def promised_cost(costs: Costs, cost: Any) -> int | None:
    """The cost as an int; None if it is not one that `costs` promises."""
    whole = whole_cost(cost)
    return whole if costs is Costs.INTEGER or whole in PROMISED[costs] else None


def legal_cost(problem: Problem[Any, Any], action: Any, cost: Any, *out_of: Any) -> int:
    """The cost of a step as an int; raise if it breaks the promise of the problem.

    The error names the state that the step leads `out_of`, if it is given.
    """
    if cost.__class__ is int and cost == 1:  # which is promised by all
        return 1
    whole = promised_cost(problem.costs, cost)
    if whole is None:
        raise wrong_cost(problem, action, cost, *out_of)
    return whole


def wrong_cost(problem: Problem[Any, Any], action: Any, cost: Any, *out_of: Any) -> ProblemError:
    """The error to raise for a step whose cost breaks the promise of the problem."""
    where = "".join(f" at {problem.format_state(state)!s:.80}" for state in out_of)
    author = getattr(problem, "author", None)  # of whose rules kernels were made
    rules = author if isinstance(author, Problem) else problem
    place = place_of(rules, "cost", "successors", "expand")
    what = f"costs {cost!r:.80}, but the problem promises {problem.costs.value} costs"
    cure = "costs = Costs.INTEGER allows 0, 1, 2, ..."
    if isinstance(cost, int) and cost > MOST_COST:
        what, cure = (
            "costs more than 2**53, which is the most that a step may cost",
            "scale it down",
        )
    elif problem.costs is Costs.INTEGER:
        cure = "scale all costs so that each is one of 0, 1, 2, ..."
    return ProblemError(
        f"{name_of(problem)}: action {action!r}{where} {what}; {cure}"
        f"{'' if place is None else f' ({place})'}"
    )


@attrs.frozen(eq=False, repr=False, kw_only=True)
class Outcome:
    """What an engine found.

    `cost` is that of an optimal solution, None if there is none; `claimed` is what the engine's
    own lists have for it, where `cost` was summed along the path. `remaining` maps the key of every
    state on a wanted solution to its distance from the goal, or is the `Distances` of an
    engine that keeps them in arrays: `solutions.OptimalGraph` lists and counts the solutions from
    it. `cut` says that something was left out at `max_cost`.
    `operators` maps keys to the operators of a packed problem by which an engine found a single
    solution: one that is a step along it saves asking for all of them.
    `gave_up` is for searches that are not systematic: the limit for which something was left
    out, which says nothing about the cost of solutions. `certificate` is the proof of an engine
    that has not tried every state.
    """

    cost: int | None = None
    claimed: int | None = None
    remaining: Any = attrs.field(factory=dict)
    operators: Mapping[Hashable, int] = attrs.field(factory=dict)
    cut: bool = False
    gave_up: LimitKind | None = None
    certificate: Certificate | None = None


EngineFunction = Callable[[Task], Generator[None, None, Outcome]]
"""Does one search, in slices."""
_kept: ContextVar[list[Any] | None] = ContextVar("_kept", default=None)


@contextmanager
def keeping_lists(*, when: bool = True) -> Iterator[list[Any]]:
    """Keeps the engine of the last search within it that has ended and can tell its closed states.

    A proof lists them, and to close them again takes as long as the search did.
    """
    kept: list[Any] = []
    token = _kept.set(kept if when else None)
    try:
        yield kept
    finally:
        _kept.reset(token)


def keep_lists(engine: Any) -> None:
    """Keep an engine whose search has ended, if somebody asks for it."""
    kept = _kept.get()
    if kept is not None:
        kept[:] = [engine]
