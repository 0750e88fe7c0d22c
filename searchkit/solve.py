"""`solve`: one problem, one algorithm, one result."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import attrs

from searchkit.algorithms import Algorithm
from searchkit.algorithms.validators import expect
from searchkit.authors.blame import blaming
from searchkit.authors.packed_rules import check_starts
from searchkit.capabilities import HasCertificate, HasGoalStates, HasToggles, own_heuristic
from searchkit.certificates import Certificate, start_by_start
from searchkit.checked.problem import checked
from searchkit.compiled.specialise.module import check_tables
from searchkit.compiled.suitability import why_not_compiled
from searchkit.errors import (
    CompilationError,
    NoCompilerError,
    ProblemError,
    UnsuitableError,
    UsageError,
)
from searchkit.heuristic import Heuristic, ZeroHeuristic
from searchkit.kernel_language.collector import check_kernels_of
from searchkit.limits import Limits, ProgressListener
from searchkit.packed import CarriedHeuristic, PackedProblem
from searchkit.premises import Premises, check_kinds, explaining, starts_of
from searchkit.premises.near_misses import point_out
from searchkit.problem import INFINITY, Problem
from searchkit.registry import load_plugin_of
from searchkit.result import SearchResult, Status
from searchkit.running.driver import Driver, Ended
from searchkit.running.task import Outcome, Task
from searchkit.solving.conclusion import Wanted, result_of
from searchkit.solving.engines import engine_kinds, engine_of
from searchkit.solving.trial import is_done_in_trial, limit_of_trial, trial_limits

EngineChoice = Literal["auto", "reference", "compiled", "checked"]


def solve(
    problem: Problem[Any, Any],
    algorithm: Algorithm,
    *,
    want: Wanted = "one",
    max_solutions: int | None = None,
    limits: Limits = Limits(),  # noqa: B008  (frozen)
    progress: ProgressListener | None = None,
    engine: EngineChoice = "auto",
    threads: int = 1,
) -> SearchResult[Any, Any]:
    """Search `problem` with `algorithm`.

    `want` is "one" optimal solution, "all" of them (`result.solutions`, listed lazily, at most
    `max_solutions`), or their exact "count". A problem that certifies all its starts
    unsolvable is not searched. Ctrl-C ends the search with what is known so far.

    `engine` "checked" runs the reference engine and checks each operation of the kernels of a
    `PackedProblem`, which is slow (see `searchkit.checked`); "compiled" runs machine code
    specialised to the problem, which must be a `PackedProblem` with a `PackedHeuristic`; "auto"
    does so where it can, after a trial of
    30,000 expansions of the reference engine, which answers small problems sooner. To make
    machine code takes some seconds once, which no limit of time counts: it is in
    `statistics.setup_seconds`. `threads` is the number of threads that a compiled engine may use.

    Raises `UnsuitableError` if the algorithm cannot be used on the problem, `ProblemError` if
    the problem's own code fails or breaks the protocol: `LawError` if it is known which law.

    >>> from searchkit import AStar, Limits, Problem, Step, solve
    >>> class Walk(Problem[int, str]):
    ...     undirected = True
    ...     def initial_states(self):
    ...         return [3]
    ...     def successors(self, state):
    ...         return [Step("left", state - 1), Step("right", state + 1)]
    ...     def is_goal(self, state):
    ...         return state == 0
    ...     def heuristic(self, state):
    ...         return abs(state)
    >>> result = solve(Walk(), AStar())
    >>> result.status.value, result.cost, result.statistics.expanded
    ('solved', 3, 3)
    """
    expect(problem, Problem, "problem", "a Problem")
    expect(algorithm, Algorithm, "algorithm", "an algorithm like AStar()")
    expect(limits, Limits, "limits", "Limits, like Limits(time=10)")
    expect(threads, int, "threads", "a whole number, 1 or more")
    load_plugin_of(type(algorithm))
    engines = engine_kinds(type(algorithm))
    if not engines:
        raise UnsuitableError(f"no engine is registered for algorithm {algorithm!r}")
    if want not in ("one", "all", "count"):
        raise UsageError(f"want is {want!r}; it must be 'one', 'all' or 'count'")
    if max_solutions is not None:
        expect(max_solutions, int, "max_solutions", "a whole number, 1 or more, or None")
    if max_solutions is not None and max_solutions < 1:
        raise UsageError(f"max_solutions is {max_solutions}; it must be 1 or more, or None")
    if want != "one" and not algorithm.finds_all:
        raise UnsuitableError(
            f"{algorithm.name} finds one solution and cannot list or count the optimal ones; "
            "use astar, idastar or another that is optimal"
        )
    check_kinds(problem)
    point_out(problem)
    algorithm.check(problem)
    if engine not in ("auto", "checked", "reference", "compiled", *engines):
        raise UsageError(
            f"engine is {engine!r}; it must be 'auto', 'reference', 'compiled' or 'checked'"
        )
    if threads < 1:
        raise UsageError(f"threads is {threads}; it must be 1 or more")
    if isinstance(problem, PackedProblem):
        check_kernels_of(problem, ("at_goal", "control", "legal", "apply", "cost"))
        if engine == "compiled":  # before Python's own words on what kernels do with wrong tables
            check_tables(problem)
    if engine == "checked":
        with blaming(problem):
            own, with_own = checked(problem, algorithm)
        found = solve(
            own, with_own or algorithm, want=want, max_solutions=max_solutions, limits=limits,
            progress=progress, engine="reference",
        )  # fmt: skip
        return attrs.evolve(found, problem=problem, algorithm=algorithm, engine="checked")
    with blaming(problem):
        heuristic = _heuristic(problem, algorithm)
        starts = starts_of(problem)
        if isinstance(problem, PackedProblem):
            check_starts(problem, starts)
    kind, reason = _kind(engine, engines, problem, algorithm, heuristic)
    shared: dict[str, Any] = {
        "problem": problem,
        "algorithm": algorithm,
        "engine": kind,
        "engine_reason": reason,
        "heuristic": heuristic.name if algorithm.uses_heuristic else None,
    }
    premises = Premises(
        problem=problem,
        starts=starts,
        heuristic=heuristic if algorithm.uses_heuristic else None,
        backward=_begins_at_goals(problem, algorithm, kind),
    )

    def run(kind: str, limits: Limits, tried: Task | None = None) -> tuple[Task, Ended[Outcome]]:
        task = Task(
            problem=problem,
            algorithm=algorithm,
            heuristic=heuristic,
            starts=starts,
            every=want != "one",
            only_count=want == "count",
            max_solutions=float("inf") if max_solutions is None else max_solutions,
            max_cost=float("inf") if limits.cost is None else limits.cost,
            threads=threads,
        )
        if tried is not None:
            task.go_on_from(tried)
        driver = Driver[Outcome](task, limits, progress, sliced=kind == "compiled")
        ended = driver.run(engine_of(type(algorithm), kind))
        fault = heuristic.fault()
        if fault is not None:
            raise ProblemError(fault)
        return task, ended

    def concluded(task: Task, ended: Ended[Outcome]) -> SearchResult[Any, Any]:
        return result_of(task, premises, ended, want, limits, shared)

    with explaining(problem, premises.heuristic):
        with blaming(problem):
            premises.check_first()
            certificate = _certificate(problem, starts)
            if certificate is not None:
                premises.check_no_solution(by="certificate", certificate=certificate)
                return SearchResult(
                    status=Status.UNSOLVABLE, certificate=certificate, complete=True,
                    count=0, lower_bound=INFINITY, **shared,
                )  # fmt: skip
        tried = None
        pruned = getattr(algorithm, "operator_pruning", 0) or not algorithm.trial
        # What is carried along the path is computed anew for each state by the reference engine.
        slow = bool(pruned) or isinstance(heuristic, CarriedHeuristic)
        if kind == "compiled" and engine == "auto" and "reference" in engines and not slow:
            tried, ended = run("reference", trial_limits(limits))
            ended = attrs.evolve(ended, limit=limit_of_trial(ended.limit, ended.seconds, limits))
            if is_done_in_trial(ended.limit, tried.counters.expanded, ended.seconds, limits):
                shared |= {"engine": "reference", "engine_reason": "it was done in the trial"}
                return concluded(tried, ended)
            if limits.time is not None:
                limits = attrs.evolve(limits, time=limits.time - ended.seconds)
        try:
            return concluded(*run(kind, limits, tried))
        except (CompilationError, NoCompilerError) as error:
            if engine != "auto" or "reference" not in engines:
                raise
            shared |= {"engine": "reference", "engine_reason": str(error)}
            return concluded(*run("reference", limits, tried))


def _begins_at_goals(problem: Problem[Any, Any], algorithm: Algorithm, kind: str) -> bool:
    """Whether a search makes use of the listed goals, and of what leads to them."""
    if not isinstance(problem, HasGoalStates):
        return False
    by_toggles = kind == "compiled" and isinstance(problem, HasToggles)
    return by_toggles or algorithm.uses_goal_states


def _kind(
    engine: EngineChoice,
    engines: Sequence[str],
    problem: Problem[Any, Any],
    algorithm: Algorithm,
    heuristic: Heuristic[Any, Any],
) -> tuple[str, str | None]:
    """Which kind of engine to use, and why not the compiled one."""
    if engine in engines:
        reason = None
        if engine == "compiled":
            reason = why_not_compiled(problem, heuristic, algorithm)
            if reason is not None:
                raise UnsuitableError(f"no compiled engine for this problem: {reason}")
        return engine, reason
    if engine != "auto":
        known = ", ".join(engines)
        raise UnsuitableError(f"algorithm {algorithm.name} has no {engine} engine; it has {known}")
    if "compiled" not in engines:
        return engines[0], None
    reason = why_not_compiled(problem, heuristic, algorithm)
    if reason is not None and "reference" not in engines:
        raise UnsuitableError(f"algorithm {algorithm.name} has a compiled engine only: {reason}")
    return ("reference" if reason else "compiled"), reason


def _heuristic(problem: Problem[Any, Any], algorithm: Algorithm) -> Heuristic[Any, Any]:
    if not algorithm.uses_heuristic:
        return ZeroHeuristic()
    chosen: Heuristic[Any, Any] | None = getattr(algorithm, "heuristic", None)
    if chosen is None:
        return own_heuristic(problem)
    reason = chosen.unfit(problem)
    if reason is not None:
        raise UnsuitableError(f"heuristic {chosen.name} cannot be used on this problem: {reason}")
    return chosen


def _certificate(problem: Problem[Any, Any], starts: tuple[Any, ...]) -> Certificate | None:
    """Why each of `starts` is unsolvable; None unless that is known of all."""
    if not isinstance(problem, HasCertificate):
        return None
    found: dict[str, Certificate] = {}
    for start in starts:
        certificate = problem.certificate(start)
        if certificate is None:
            return None
        if not isinstance(certificate, Certificate):
            raise ProblemError(
                f"{type(problem).__name__}: certificate returned {certificate!r}; it must be a "
                "Certificate or None"
            )
        if len(starts) == 1:
            return certificate
        found[problem.format_state(start)] = certificate
    return start_by_start(found) if found else None
