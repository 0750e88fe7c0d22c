"""Which engine runs: the one place where that is decided, for all that has a choice of engines."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import attrs

from searchkit.algorithms import Algorithm
from searchkit.compiled.plan import CompiledPlan, plan_search
from searchkit.engine import CHOICES
from searchkit.errors import (
    CompilationError,
    NoCompilerError,
    NoRoomError,
    ProblemError,
    UnsuitableError,
    UsageError,
)
from searchkit.heuristic import Heuristic
from searchkit.limits import LimitKind, Limits, TrialLimits
from searchkit.packed import CarriedHeuristic, ZeroHeuristic
from searchkit.problem import Problem
from searchkit.result import Statistics
from searchkit.running.collecting import collecting_seldom
from searchkit.running.making import search_clock
from searchkit.solving.engines import engine_kinds

if TYPE_CHECKING:
    from searchkit.compiled.layers.linear_tables import LinearSpace
    from searchkit.translation.lazily import Earlier, Translation

TRIAL_NODES = 30_000
TRIAL_GENERATED = 100_000
TRIAL_SECONDS = 5.0
"""What the reference engine may do at first, before machine code is worth its loading.

Expansions and generated states decide, so that the same engine gives the answer on a busy
machine; seconds are for rules of which each step takes long.
"""

PATIENCE = 10
"""How many times longer the trial of an ordinary problem is until machine code was made of its
rules, which takes seconds."""

AT_HAND = 10
"""How many times shorter the first trial of an ordinary problem is: machine code that was made of
its rules before is loaded after it."""

LEAST_OF_CODE = 0.5
"""How many seconds machine code of an ordinary problem takes to make at least: what trials have
taken that is less is no loss."""

SMALL = 100
"""Where machine code is loaded, a search has a trial of so many expansions if the one before it
took no more: machine code takes as long to begin."""

IN_TRIAL = "it was done in the trial"
"""Why the reference engine ran where a compiled one was not lacking."""

T = TypeVar("T")


def check_choice(engine: str, *, known: Sequence[str] = CHOICES, also: Sequence[str] = ()) -> None:
    """Raise `UsageError` if there is no such kind of engine.

    `also` are the names of engines that a message need not list.
    """
    if engine not in (*known, *also):
        *others, last = map(repr, known)
        raise UsageError(f"engine is {engine!r}; it must be {', '.join(others)} or {last}")


@attrs.define(eq=False, repr=False)
class Trials:
    """What the reference engine has done at first, in all searches of one puzzle together.

    Machine code takes some seconds to make, and is worth it once they have taken as much work
    as one trial may. Then it is there.
    """

    expanded: int = 0
    are_over: bool = False
    no_code: str | None = None
    """Why no machine code can be made, once that was tried."""
    last: float = math.inf
    """How many states the last search has expanded, since trials are over."""
    is_noted: bool = False
    """Whether machine code has run."""
    in_vain: float | None = None
    """How many seconds went into a proof that there is no solution, where none was found."""
    done: int = 0
    """How many searches of an ordinary problem ended in their trials, ..."""
    seconds: float = 0.0
    """... and how long they took together."""
    forecast: float | None = None
    """How many seconds its machine code is likely to take, once that was asked."""

    @property
    def nodes(self) -> int:
        """How much the next trial may expand; none is needed where that is 0."""
        if not self.are_over:
            return TRIAL_NODES
        return SMALL if self.last <= SMALL else 0

    def have_lost(self, translation: Translation) -> bool:
        """Whether trials, with one more like them, take as long as machine code is to be made.

        Who rents until that has cost the price, and then buys, pays twice as much as was necessary
        at most (A. Karlin, M. Manasse, L. Rudolph, D. Sleator: "Competitive Snoopy Caching", 1988).
        """
        if not self.done or self.are_over:
            return False
        lost = self.seconds + self.seconds / self.done
        if self.forecast is None and lost >= LEAST_OF_CODE:
            self.forecast = translation.making.forecast()
        return self.forecast is not None and lost >= self.forecast

    def note(self, expanded: int, *, is_done: bool, patience: int = 1) -> None:
        """Note the work of a trial, and whether it was enough."""
        if self.are_over:
            self.last = expanded
        self.expanded += expanded
        self.are_over |= not is_done or self.expanded > patience * TRIAL_NODES


def trial_limits(
    limits: Limits,
    go_on: Callable[[LimitKind, float], Limits | None] = lambda limit, seconds: None,
    patience: float = 1,
) -> TrialLimits:
    """What a trial may do: a part of `limits`; see `TrialLimits` for `go_on`."""
    most = math.ceil(patience * TRIAL_NODES)
    expansions = most if limits.expansions is None else min(limits.expansions, most)
    time = TRIAL_SECONDS if limits.time is None else min(limits.time, TRIAL_SECONDS)
    return TrialLimits.of(
        limits, time=time, expansions=expansions, whole_time=limits.time, go_on=go_on,
        generated=math.ceil(patience * TRIAL_GENERATED),
    )  # fmt: skip


def end_of_trial(
    limit: LimitKind | None, seconds: float, limits: Limits, patience: float = 1
) -> tuple[bool, LimitKind | None]:
    """Whether a trial that took this long and was stopped by `limit`, if by any, is the end of all.

    And by which limit. Where no time is left, that is the limit of time: machine code would be made
    for nothing.
    """
    is_over = limits.time is not None and seconds >= limits.time
    has_more = limits.expansions is None or limits.expansions > patience * TRIAL_NODES
    if limit is LimitKind.EXPANSIONS and has_more:
        return is_over, LimitKind.TIME if is_over else limit
    return limit is not LimitKind.TIME or is_over, limit


@attrs.frozen(eq=False, repr=False, kw_only=True)
class Ran(Generic[T]):
    """What one engine has done, and which one it was, and why."""

    found: T
    limit: LimitKind | None
    statistics: Statistics
    kind: str = ""
    reason: str | None = None

    def by(self, kind: str, reason: str | None, limit: LimitKind | None) -> Ran[T]:
        """The same, said to be by a kind of engine, and stopped by `limit`."""
        return attrs.evolve(self, kind=kind, reason=reason, limit=limit)


@attrs.frozen(eq=False, repr=False, kw_only=True)
class Plan:
    """Which kind of engine is to run, and why it is not the compiled one where that is asked.

    With `trial`, the reference engine tries first. With `fallback`, it goes on where no machine
    code can be made. `space` is what a compiled engine by bitmaps begins with. Where kernels are
    made of the rules of an ordinary problem, if they can be, `translates` names its methods that
    list steps.
    """

    kind: str
    reason: str | None = None
    trial: bool = False
    fallback: bool = False
    space: LinearSpace | None = None
    translates: tuple[str, ...] = ()
    trials: Trials = attrs.field(factory=Trials)

    def __str__(self) -> str:
        text = f"{self.kind} engine"
        if self.reason is not None:
            return f"{text}: {self.reason}"
        if self.space is not None:
            text += ", by bitmaps"
        return f"{text}, after a trial of the reference engine" if self.trial else text

    @collecting_seldom()
    def translation(
        self,
        problem: Problem[Any, Any],
        heuristic: Heuristic[Any, Any] | None,
        starts: Sequence[Any],
        purpose: str,
        kept: dict[Any, Any] | None = None,
    ) -> Translation | None:
        """What makes machine code of an ordinary problem's rules when it is asked; else None.

        Raises `UnsuitableError` at once where the compiled engine was asked for, and there is none.
        """
        if not self.translates:
            return None
        from searchkit.translation.lazily import Translation  # noqa: PLC0415  (of no use to others)

        made = Translation(
            problem, heuristic, starts, purpose,
            is_asked=not self.fallback, methods=self.translates, kept=kept,
        )  # fmt: skip
        reason = None if self.fallback else made.making.why_not()
        if reason is not None:
            raise UnsuitableError(f"no compiled engine for this problem: {reason}")
        return made

    @collecting_seldom()
    def carry_out(
        self,
        limits: Limits,
        run: Callable[[str, Limits, Ran[T] | None], Ran[T]],
        translation: Translation | None = None,
        earlier: Earlier | None = None,
    ) -> Ran[T]:
        """What `run(kind, limits, tried)` has done in the end; `tried` is the trial before it.

        `translation` is asked after the trial why there is no machine code, if there is none: then
        the reference engine goes on. Until some was made of these rules, which `earlier` knows, the
        trial is longer; there is none once those before have lost as much as it takes to make.
        Raises `CompilationError` and `NoCompilerError` if there is no fallback.
        """
        tried: Ran[T] | None = None
        trials, earlier = self.trials, translation or earlier
        are_longer = translation is not None and not trials.are_over
        patience = trials.nodes / max(1, TRIAL_NODES) / (AT_HAND if are_longer else 1)

        def go_on(limit: LimitKind, seconds: float) -> Limits | None:
            nonlocal patience, are_longer
            if translation is None or end_of_trial(limit, seconds, limits, patience)[0]:
                return None
            if are_longer and seconds < TRIAL_SECONDS and not translation.was_compiled():
                patience, are_longer = PATIENCE, False
                return trial_limits(limits, go_on, patience)
            self.trials.no_code = translation.making.why_not()
            return None if self.trials.no_code is None else limits

        if self.trial and not (translation and trials.have_lost(translation)):
            ran = run("reference", trial_limits(limits, go_on, patience), None)
            if self.trials.no_code is not None:
                return ran.by("reference", self.trials.no_code, ran.limit)
            seconds = ran.statistics.seconds
            is_done, limit = end_of_trial(ran.limit, seconds, limits, patience)
            most = 1 if translation is None else PATIENCE
            trials.note(ran.statistics.expanded, is_done=is_done, patience=most)
            is_long = trials.expanded > TRIAL_NODES / AT_HAND
            if earlier is not None and not trials.are_over and is_long:
                trials.are_over = earlier.was_compiled()
            tried = ran.by("reference", IN_TRIAL, limit)
            if is_done and translation is not None:
                trials.done, trials.seconds = trials.done + 1, trials.seconds + seconds
            if is_done:
                return tried
            limits = limits.less(seconds)
        began = search_clock()
        try:
            ran = run(self.kind, limits, tried)
        except (ProblemError, NoCompilerError) as error:
            # Machine code asks an ordinary problem's rules in an order of its own: the reference
            # engine knows whether what they raise there is met at all.
            is_ours = bool(self.translates) or not isinstance(error, ProblemError)
            if not self.fallback or not (is_ours or isinstance(error, CompilationError)):
                raise
            if self.translates or not isinstance(error, NoRoomError):  # others have other tables
                self.trials.no_code = str(error)
            limits = limits.less(search_clock() - began)
            ran = run("reference", limits, tried)
            return ran.by("reference", str(error), ran.limit)
        if self.kind == "compiled":
            if earlier is not None and not trials.is_noted:
                earlier.note()
            trials.are_over = trials.is_noted = True
            trials.last = ran.statistics.expanded
        return ran.by(self.kind, self.reason, ran.limit)


def plan(
    problem: Problem[Any, Any],
    algorithm: Algorithm,
    heuristic: Heuristic[Any, Any] = ZeroHeuristic(),  # noqa: B008  (has no state)
    *,
    engine: str = "auto",
    starts: Sequence[Any] | None = None,
    trials: Trials | None = None,
) -> Plan:
    """How to search by `algorithm` with `heuristic`; `trials` are those of the same puzzle before.

    Raises `UnsuitableError` where the engine that was asked for cannot.
    """
    kinds = engine_kinds(type(algorithm))
    if engine not in ("auto", *kinds):
        known = ", ".join(kinds)
        raise UnsuitableError(f"algorithm {algorithm.name} has no {engine} engine; it has {known}")
    # What is carried along the path is computed from scratch for each state by the reference
    # engine, and operators are pruned by the compiled one alone.
    is_pruned = bool(getattr(algorithm, "operator_pruning", 0))
    is_slow = is_pruned or isinstance(heuristic, CarriedHeuristic)
    made = choose(
        engine,
        lambda: plan_search(problem, algorithm, heuristic, starts),
        kinds=kinds,
        trial=algorithm.trial and not is_slow,
        trials=trials,
    )
    if made.kind not in kinds:
        raise UnsuitableError(
            f"algorithm {algorithm.name} has a compiled engine only: {made.reason}"
        )
    return made


def choose(
    engine: str,
    compiled: Callable[[], CompiledPlan],
    *,
    kinds: Sequence[str] = ("reference", "compiled"),
    trial: bool = True,
    trials: Trials | None = None,
    insist: bool = True,
) -> Plan:
    """The plan for one of the engines `kinds`, the compiled one if that is asked for and can.

    Unless `insist`, the reference engine stands in for a compiled one that cannot.
    """
    trials = Trials() if trials is None else trials
    if engine == "auto" and "compiled" not in kinds:
        return Plan(kind=kinds[0])
    if engine not in ("auto", "compiled"):
        return Plan(kind=engine)
    found = compiled()
    if found.reason is not None and engine == "compiled" and insist:
        raise UnsuitableError(f"no compiled engine for this problem: {found.reason}")
    has_choice = engine == "auto" and "reference" in kinds
    reason = found.reason or (trials.no_code if has_choice else None)
    if reason is not None:
        return Plan(kind="reference", reason=reason)
    return Plan(
        kind="compiled",
        trial=has_choice and trial and trials.nodes > 0,
        fallback=has_choice,
        space=found.space,
        translates=found.translates,
        trials=trials,
    )
