"""Searches of one puzzle, from one start after another."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import attrs

from searchkit.algorithms import Algorithm, AStar, CompleteBeam, IDAStar
from searchkit.algorithms.validators import expect
from searchkit.authors.blame import blaming
from searchkit.authors.kin import kin_of
from searchkit.capabilities import (
    HasBoundBetween,
    HasGoalStates,
    HasOpenGoals,
    HasToggles,
    own_heuristic,
)
from searchkit.certificates import Certificate
from searchkit.compiled.plan import plan_search
from searchkit.engine import EngineChoice, check_threads
from searchkit.errors import ProblemError, UnsuitableError, UsageError
from searchkit.heuristic import Heuristic, ProblemHeuristic
from searchkit.later import instances
from searchkit.limits import EXACTLY, LimitKind, Limits, ProgressListener, TrialLimits
from searchkit.packed import PackedHeuristic, ZeroHeuristic, by_kernels, has_expand
from searchkit.premises.asking import starts_of
from searchkit.premises.near_misses import point_out
from searchkit.premises.reasons import explaining
from searchkit.problem import INFINITY, Costs, Problem
from searchkit.result import Found, Improvement, SearchResult, Status
from searchkit.running.building import BuildStoppedError, building_within
from searchkit.running.driver import Driver, Ended
from searchkit.running.making import search_clock
from searchkit.running.overdue import NoAnswerError, Watched
from searchkit.running.reservoir import Reservoir
from searchkit.running.task import EngineFunction, Outcome, Task
from searchkit.solving.conclusion import Wanted, result_of, stopped_before, told
from searchkit.solving.engines import engine_kinds, engine_of
from searchkit.solving.plan import Plan, Ran, Trials, check_choice, plan
from searchkit.solving.prepare import Call, look_at, rooted
from searchkit.solving.unsolvable import CertifiedError, Doubts, certificate_of

if TYPE_CHECKING:
    from searchkit.executors.executor import Executor

Searched = tuple[Task, Ended[Outcome]]

FIRST_BEAM = 16
"""The width of the first beam beside another search: narrower ones often have no solution, and
those of wider ones take longer.
"""
is_of_pieces = instances("searchkit.pieces.puzzle:Pieces")
"""Whether a problem is a puzzle of pieces."""


@attrs.define(eq=False, repr=False, kw_only=True)
class Series:
    """Searches of problems that differ in their starts alone; the options are those of `solve`.

    What holds for all problems of the same rules is found out once: whether machine code is worth
    its loading, and can be made at all, and whether the rules keep their laws, of which fewer
    states are asked once enough have been.
    """

    algorithm: Algorithm
    want: Wanted = "one"
    limits: Limits = attrs.field(factory=Limits)
    engine: EngineChoice = "auto"
    threads: int = 1
    executor: Executor | None = None
    trials: Trials | None = None
    """Those of problems of the same rules, if none are given: see `kin_of`."""
    tell: Callable[[Found[Any, Any]], None] | None = None
    """Called with each better solution when it is found."""
    has_other_starts: bool = False
    """Whether tables that do not fit a start are found or made again for it, by their name."""
    _has_choice: bool = attrs.field(default=True, init=False)
    """Whether the last search, or the one at hand, may be done by a trial."""
    _has_looked: bool = attrs.field(default=False, init=False)
    """Whether a problem was looked at."""

    def __attrs_post_init__(self) -> None:
        algorithm, want = self.algorithm, self.want
        expect(self.limits, Limits, "limits", "Limits, like Limits(time=10)")
        kinds = engine_kinds(type(algorithm))
        if not kinds:
            raise UnsuitableError(f"no engine is registered for algorithm {algorithm!r}")
        is_number = isinstance(want, int) and not isinstance(want, bool) and want >= 1
        if not is_number and want not in ("one", "all", "count"):
            raise UsageError(
                f"want is {want!r}; it must be 'one', 'all', 'count', or a number from 1 on"
            )
        if want != "one" and not algorithm.finds_all:
            raise UnsuitableError(
                f"{algorithm.name} finds one solution and cannot list or count the optimal ones; "
                "use astar, idastar or another that is optimal"
            )
        if self.limits.within is not None:
            _check_within(algorithm, want, self.limits)
        check_choice(self.engine, also=kinds)
        check_threads(self.threads)

    @property
    def is_settled(self) -> bool:
        """Whether it is known which engine runs from now on, whatever the next problems take."""
        trials = self.trials or Trials()
        return trials.are_over or trials.no_code is not None or not self._has_choice

    def solve(
        self, problem: Problem[Any, Any], progress: ProgressListener | None = None
    ) -> SearchResult[Any, Any]:
        """The result for one of the problems; raises what `searchkit.solve` does."""
        within = self.limits.within
        if within is not None and self.want != "one":
            exactly = attrs.evolve(self.limits, within=None)
            found = attrs.evolve(self, want="one", limits=exactly).solve(problem, progress)
            return self._near(problem, progress, found)
        try:
            with Watched(self.limits.time, lambda: self.limits.is_cancelled, problem):
                found = self._checked_and_solved(problem, progress)
        except (BuildStoppedError, NoAnswerError) as stopped:
            found = stopped_before(problem, self.algorithm, stopped)
            if self.limits.is_cancelled:
                found = attrs.evolve(found, status=Status.INTERRUPTED, limit=None)
        is_short = found.limit in (LimitKind.MEMORY, LimitKind.TIME)
        if is_short and found.hint is None and found.unfinished is None:
            from searchkit.solving.helps import help_at_limit  # noqa: PLC0415  (seldom)

            try:
                found = attrs.evolve(found, hint=help_at_limit(problem, found))
            except KeyboardInterrupt:
                return attrs.evolve(found, status=Status.INTERRUPTED, limit=None)
        is_told = found.open_goals is not None  # by the search that a checked one is
        if found.status is Status.LIMIT and found.solution is None and not is_told:
            return attrs.evolve(found, open_goals=_open_goals(problem))
        return found

    def _near(
        self, problem: Problem[Any, Any], progress: ProgressListener | None, found: Any
    ) -> SearchResult[Any, Any]:
        """The result with the solutions near an optimal one, which was `found`."""
        from searchkit.solving.near import NearSearch  # noqa: PLC0415  (seldom)

        near = NearSearch(
            problem=problem,
            heuristic=heuristic_of(problem, self.algorithm),
            limits=self.limits,
            most=self.want if isinstance(self.want, int) else INFINITY,
            progress=progress,
            statistics=found.statistics,
        )
        with blaming(problem):
            return near.result(found)

    def _checked_and_solved(
        self, problem: Problem[Any, Any], progress: ProgressListener | None
    ) -> SearchResult[Any, Any]:
        algorithm = self.algorithm
        look_at(problem, self.engine, again=self._has_looked)
        self._has_looked = True
        algorithm.check(problem)
        if self.has_other_starts and algorithm.uses_heuristic:
            with building_within(self.limits) as left:
                with blaming(problem):
                    other = fitting(problem, algorithm)
                if other is not algorithm:
                    by = attrs.evolve(self, algorithm=other, limits=left(), has_other_starts=False)
                    return by._checked_and_solved(problem, progress)
        if self.engine == "checked":
            from searchkit.checked.problem import checked  # noqa: PLC0415  (seldom needed)

            with blaming(problem):
                own, with_own = checked(problem, algorithm)
            by = attrs.evolve(self, algorithm=with_own or algorithm, engine="reference")
            found = by.solve(own, progress)
            return attrs.evolve(found, problem=problem, algorithm=algorithm, engine="checked")
        with building_within(self.limits) as left:
            with blaming(problem):
                heuristic = heuristic_of(problem, algorithm)
                point_out(heuristic)
                starts = rooted(problem, starts_of(problem))
            call = self._prepared(problem, heuristic, starts)
            with explaining(problem, call.heuristic, by_kernels=call.premises.by_kernels):
                return _Search(self, left, call, heuristic, progress).result()

    def _prepared(self, problem: Any, heuristic: Any, starts: Any) -> Call:
        """The call for a search from some starts, and by which engine."""
        algorithm = self.algorithm
        asked_for = heuristic if algorithm.uses_heuristic else None
        call = Call(
            problem=problem, starts=starts, heuristic=asked_for, engine=self.engine,
            name=algorithm.name, purpose=self._purpose(problem, asked_for, starts),
        )  # fmt: skip
        planned = plan(
            problem, algorithm, heuristic, engine=self.engine, starts=starts,
            trials=self.trials or call.trials,
        )  # fmt: skip
        if self.trials is not None and planned.translates:
            # Each start has a trial of its own: processes can then share starts from the first on.
            planned = attrs.evolve(planned, trials=Trials())
        if self.executor is not None and not planned.translates:
            planned = attrs.evolve(planned, trial=False)  # what has workers is worth its loading
        self._has_choice = planned.trial and not planned.translates
        call.follow(planned, backward=_begins_at_goals(problem, algorithm, planned.kind))
        return call

    def _purpose(self, problem: Any, heuristic: Any, starts: tuple[Any, ...]) -> tuple[Any, ...]:
        """What else than the rules tells searches apart that are prepared alike."""
        is_own = heuristic is None or isinstance(heuristic, ProblemHeuristic)
        apart = problem, *starts
        rules = type(heuristic) if is_own else kin_of(heuristic, apart, are_read=True)
        return type(self.algorithm), rules


@attrs.frozen(eq=False, repr=False)
class _Search:
    """One search of a series."""

    series: Series
    left: Callable[[], Limits]
    """What is left of the limits of the series."""
    call: Call
    heuristic: Heuristic[Any, Any]
    progress: ProgressListener | None

    def result(self) -> SearchResult[Any, Any]:
        """What is found, unless it is certified that there is nothing to find."""
        call = self.call
        problem, premises = call.problem, call.premises
        with blaming(problem):
            certificate = certificate_of(problem, tuple(call.starts))
            if certificate is not None:
                premises.check_no_solution(by="certificate", certificate=certificate)
                return self._certified(certificate)
        call.begin()
        limits = self.left()
        if problem.complete_certificates:
            return self._searched(limits)
        doubts = Doubts(problem, tuple(call.starts), limits, self.progress)
        try:
            return doubts.of(attrs.evolve(self, progress=doubts)._searched(limits))
        except CertifiedError as found:
            premises.check_no_solution(by="certificate", certificate=found.certificate)
            return self._certified(found.certificate)

    def _certified(self, certificate: Certificate) -> SearchResult[Any, Any]:
        return SearchResult(
            status=Status.UNSOLVABLE, certificate=certificate, complete=True,
            count=0, lower_bound=INFINITY, **self._shared(self.call.plan),
        )  # fmt: skip

    def _searched(self, limits: Limits) -> SearchResult[Any, Any]:
        """What the search finds."""
        call, series = self.call, self.series
        problem, premises = call.problem, call.premises
        from searchkit.translation.lazily import Earlier  # noqa: PLC0415  (of no use to others)

        earlier = None
        if series.trials is None:
            purpose = f"{series.algorithm.name} {type(self.heuristic).__qualname__}"
            earlier = Earlier(problem, purpose)
        ran = call.plan.carry_out(limits, self._run, call.translation, earlier)
        task, ended = ran.found
        task.problem, task.heuristic = problem, self.heuristic  # solutions are replayed by these
        if ended.limit is not ran.limit:
            ended = attrs.evolve(ended, limit=ran.limit)
        return result_of(task, premises, ended, series.want, limits, self._shared(ran))

    def _shared(self, by: Plan | Ran[Searched]) -> dict[str, Any]:
        """What a result says of how it was found."""
        algorithm = self.series.algorithm
        return {
            "problem": self.call.problem,
            "algorithm": algorithm,
            "engine": by.kind,
            "engine_reason": by.reason,
            "heuristic": self.heuristic.name if algorithm.uses_heuristic else None,
        }

    def _run(self, kind: str, limits: Limits, tried: Ran[Searched] | None) -> Ran[Searched]:
        series, call = self.series, self.call
        most = series.want if isinstance(series.want, int) else None
        heuristic = self.heuristic
        is_made = call.premises.by_kernels and kind == "reference"
        if is_made and isinstance(heuristic, PackedHeuristic):
            heuristic = heuristic.by_kernels()
        task = Task(
            problem=by_kernels(call.problem) if is_made else call.problem,
            algorithm=series.algorithm,
            heuristic=heuristic,
            starts=tuple(call.premises.starts),
            every=series.want != "one",
            max_solutions=float("inf") if most is None else most,
            max_cost=float("inf") if limits.cost is None else limits.cost,
            within=limits.within or EXACTLY,
            threads=series.threads,
            executor=series.executor,
            space=call.plan.space,
            reservoir=call.premises.reservoir(),
            kept=call.kept,
        )
        if series.tell is not None:
            # Solutions are replayed by these.
            task.tell = self._telling(
                attrs.evolve(task, problem=call.problem, heuristic=heuristic), kind
            )
        if tried is not None:
            if isinstance(self.progress, Doubts):
                self._certify(self.progress)
            task.go_on_from(tried.found[0])
            tried.found[0].reservoir = Reservoir()  # nothing rests on what it has expanded
        if isinstance(limits, TrialLimits) and series.executor is not None:
            task.executor = None
            limits = _with_workers_later(limits, task, series.executor)
        driver = Driver[Outcome](task, limits, self.progress, sliced=kind == "compiled")
        engine = self._engine(kind)
        if kind == "compiled" and call.translation is not None:
            engine = call.translation.making.engine(engine)
        elif kind == "compiled" and hasattr(call.problem, "compared"):
            from searchkit.translation.lazily import compared  # noqa: PLC0415  (of no use to others)

            engine = compared(engine)
        ended = driver.run(engine)
        if tried is not None:
            ended = ended.after(tried.statistics)
        fault = self.heuristic.fault()
        if fault is not None:
            raise ProblemError(fault)
        return Ran(found=(task, ended), limit=ended.limit, statistics=ended.statistics)

    def _certify(self, doubts: Doubts) -> None:
        """Look for a proof before machine code is made, or loaded: in vain but once.

        Then it is looked for where a search has lasted as long as that took.
        """
        trials = self.call.plan.trials
        if trials.in_vain is not None:
            doubts.lasting = min(doubts.lasting, trials.in_vain)
            return
        began = search_clock()
        doubts.certify()
        trials.in_vain = search_clock() - began

    def _telling(self, task: Task, kind: str) -> Callable[[Outcome, Improvement], None]:
        """What tells of a solution that an engine finds."""
        tell, premises = self.series.tell, self.call.premises
        assert tell is not None

        def found(outcome: Outcome, improvement: Improvement) -> None:
            with blaming(task.problem):
                known = told(task, premises, outcome, improvement, compiled=kind == "compiled")
            if known is not None:
                tell(known)

        return found

    def _engine(self, kind: str) -> EngineFunction:
        """The engine; beside it, where the algorithm says so, one that finds some solution soon."""
        series, algorithm = self.series, self.series.algorithm
        engine = engine_of(type(algorithm), kind)
        beside = getattr(algorithm, "incumbents", None) if algorithm.optimal else None
        if beside == "none" and series.limits.within is not None and not algorithm.is_textbook:
            without = "words" if is_of_pieces(self.call.problem) else "novelty"
            beside = "beam" if algorithm.uses_heuristic else without
        if beside in (None, "none") or series.want != "one" or series.executor is not None:
            return engine
        if beside == "novelty":
            from searchkit.engines import incumbents, novelty  # noqa: PLC0415  (seldom)

            share, most = novelty.SHARES[kind], series.limits.memory
            return incumbents.with_incumbents(engine, novelty.by_novelty, algorithm, share, most)
        has_words = is_of_pieces(self.call.problem)
        if has_words:
            from searchkit.engines import incumbents, words  # noqa: PLC0415  (seldom)

            share = words.SHARES[kind]
            engine = incumbents.with_incumbents(engine, words.by_words, algorithm, share)
        if not isinstance(algorithm, (AStar, IDAStar)):
            return engine
        return self._with_beams(engine, algorithm, kind, proves=not has_words)

    def _with_beams(
        self, engine: EngineFunction, algorithm: AStar | IDAStar, kind: str, *, proves: bool
    ) -> EngineFunction:
        """The engine; beside it wider and wider beams."""
        series = self.series
        beam = CompleteBeam(heuristic=algorithm.heuristic, width=FIRST_BEAM)
        planned = plan_search(self.call.problem, beam, self.heuristic)
        if kind == "compiled" and planned.reason is not None:
            return engine
        from searchkit.engines.incumbents import SHARES, with_incumbents  # noqa: PLC0415  (seldom)

        share = SHARES[kind, type(algorithm).deepens]
        beside, most = engine_of(CompleteBeam, kind), series.limits.memory
        shorten, problem = None, self.call.problem
        has_ways = isinstance(problem, HasBoundBetween) and not has_expand(problem)
        if kind == "compiled" and has_ways and problem.costs is Costs.UNIT:
            from searchkit.compiled.depth_first import refinement  # noqa: PLC0415  (seldom)

            shorten = refinement.shortening
        return with_incumbents(engine, beside, beam, share, most, shorten, proves=proves)


def _check_within(algorithm: Algorithm, want: Wanted, limits: Limits) -> None:
    """Raise where it cannot be told whether a solution is as good as asked for, or without end."""
    if limits.within.is_any and want in ("all", "count"):
        raise UsageError("within=any has no end; say how many solutions are wanted, or +2 or 1.1")
    weight = getattr(algorithm, "weight", None)
    is_kept = limits.within.is_any or (weight is not None and weight <= limits.within.ratio)
    if not (is_kept or algorithm.is_exact or algorithm.anytime):
        early = " with goal_test=early" if algorithm.optimal else ""
        raise UnsuitableError(
            f"{algorithm.name}{early} does not go on until a solution is proved good enough; for "
            "within, use cabs, anytime or an algorithm that is optimal"
        )


def _with_workers_later(limits: TrialLimits, task: Task, executor: Executor | None) -> TrialLimits:
    """The same limits; the task has workers from when it goes on as more than a trial."""

    def go_on(limit: LimitKind, seconds: float) -> Limits | None:
        more = limits.go_on(limit, seconds)
        if isinstance(more, TrialLimits):
            return _with_workers_later(more, task, executor)
        if more is not None:
            task.executor = executor
        return more

    return attrs.evolve(limits, go_on=go_on)


def _begins_at_goals(problem: Problem[Any, Any], algorithm: Algorithm, kind: str) -> bool:
    """Whether a search makes use of the listed goals, and of what leads to them."""
    if not isinstance(problem, HasGoalStates):
        return False
    by_toggles = kind == "compiled" and isinstance(problem, HasToggles)
    return by_toggles or algorithm.uses_goal_states


def heuristic_of(problem: Problem[Any, Any], algorithm: Algorithm) -> Heuristic[Any, Any]:
    """The heuristic of a search; `UnsuitableError` where it is none for the problem."""
    if not algorithm.uses_heuristic:
        return ZeroHeuristic()
    chosen: Heuristic[Any, Any] | None = getattr(algorithm, "heuristic", None)
    if chosen is None:
        return own_heuristic(problem)
    reason = chosen.unfit(problem)
    if reason is not None:
        raise UnsuitableError(f"heuristic {chosen.name} cannot be used on this problem: {reason}")
    return chosen


def fitting(problem: Problem[Any, Any], algorithm: Algorithm) -> Algorithm:
    """The algorithm, with tables for the problem where its own are of the same name for another."""
    chosen: Heuristic[Any, Any] | None = getattr(algorithm, "heuristic", None)
    if chosen is None or chosen.unfit(problem) is None:
        return algorithm
    from searchkit.heuristics.kinds import named_again  # noqa: PLC0415  (seldom)

    made = named_again(chosen, problem)
    return algorithm if made is None else attrs.evolve(algorithm, heuristic=made)  # type: ignore[call-arg]


def _open_goals(problem: Problem[Any, Any]) -> str | None:
    """What the problem says of its goals, from its only start."""
    if not isinstance(problem, HasOpenGoals):
        return None
    with Watched(None, problem=problem), blaming(problem):
        starts = tuple(problem.initial_states())
        said = problem.open_goals(starts[0]) if len(starts) == 1 else None
        if said is None or isinstance(said, str):
            return said
        name = type(problem).__name__
        raise ProblemError(f"{name}: open_goals returned {said!r}; it must be a text or None")
