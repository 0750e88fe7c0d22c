"""What a search has found and proved: the one place where that is stated."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice
from typing import Any, Literal, TypeVar

import attrs

from searchkit.algorithms import Algorithm
from searchkit.authors.blame import blaming
from searchkit.certificates import Certificate, closed_set
from searchkit.errors import EngineError, ProblemError
from searchkit.limits import EXACTLY, LimitKind, Limits, Within
from searchkit.packed import has_expand, has_written_rules
from searchkit.premises.estimates import overestimate
from searchkit.premises.reasons import Premises
from searchkit.problem import INFINITY, Problem
from searchkit.result import (
    Found,
    Improvement,
    Overestimate,
    SearchResult,
    Solution,
    Statistics,
    Status,
)
from searchkit.running.building import BuildStoppedError
from searchkit.running.driver import Driver, Ended
from searchkit.running.overdue import NoAnswerError
from searchkit.running.reservoir import Reservoir
from searchkit.running.task import Counters, Outcome, Task
from searchkit.solutions.optimal_graph import Distances, OptimalGraph, not_replayed

Wanted = Literal["one", "all", "count"] | int
"""What is asked for; a number is of solutions that are listed, at most."""

T = TypeVar("T")

DRAWN = 8
"""At how many states that machine code has stored, and on a solution, kernels are compared with
the rules that they were made of, ..."""
REPLAYED = 100
"""... and at how many on a solution that is none by these."""
COUNTING_GRACE = 1.0
"""Seconds allowed for counting the solutions of a search that was stopped."""


def result_of(
    task: Task,
    premises: Premises,
    ended: Ended[Outcome],
    want: Wanted,
    limits: Limits,
    shared: dict[str, Any],
) -> SearchResult[Any, Any]:
    """What `solve` returns for a search of `task` that ended so; `shared` is known already.

    Raises `LawError` if what the answer rests on does not hold.
    """
    status, limit = _status(task, ended)
    outcome, statistics = ended.outcome or Outcome(), ended.statistics
    engine, insisting = shared["engine"], _Insisting()
    with blaming(task.problem):
        try:
            graph, solution = insisting.on(
                lambda: _graph(task, ended.outcome, by_kernels=premises.by_kernels)
            )
        except NoAnswerError:
            raise
        except ProblemError:  # where kernels differ from the rules, that is the cause
            premises.check_kernels(_on_solutions(outcome))
            raise
        proof = outcome.certificate
        known: Iterable[Solution[Any, Any]] = ()
        if graph is not None and solution is not None:
            known = graph if task.every else (solution,)
        doubt, is_checked = None, True
        try:
            doubt = insisting.on(lambda: _checked(task, premises, status, known, engine, ended))
            doubt = insisting.on(
                lambda: _asked_again(task, premises, ended, solution, doubt, engine)
            )
        except KeyboardInterrupt:
            is_checked = False
    count = None
    if insisting.is_interrupted:
        status, limit = Status.INTERRUPTED, None
    elif want != "one" and graph is not None:
        counted = _counted(task, graph, ended, limits)
        count = counted.outcome
        both = statistics.seconds + counted.statistics.seconds
        statistics = attrs.evolve(statistics, seconds=both)
        if count is None and ended.outcome is not None:
            limit = counted.limit
            status = Status.INTERRUPTED if limit is None else Status.LIMIT
    elif want != "one" or status is Status.UNSOLVABLE:
        count = 0
    lower_bound = task.counters.lower_bound
    if not is_checked or doubt is not None:
        lower_bound = 0
    elif status is Status.UNSOLVABLE:
        lower_bound = INFINITY
    elif graph is not None and task.algorithm.is_exact and not task.counters.improvements:
        lower_bound = graph.cost
    elif outcome.cut:
        lower_bound = max(lower_bound, task.max_cost + 1)
    if graph is not None:
        lower_bound = min(lower_bound, graph.cost)  # above it only by an inadmissible heuristic
    return SearchResult(
        status=status,
        certificate=_certificate(task, proof) if status is Status.UNSOLVABLE else None,
        limit=limit,
        solution=solution,
        solutions=graph,
        count=count,
        complete=doubt is None and _is_complete(task, status, count),
        optimal=graph is not None and lower_bound >= graph.cost,
        lower_bound=lower_bound,
        overestimate=doubt,
        improvements=_improvements(task, is_proved=is_checked and doubt is None),
        unfinished=ended.unfinished,
        statistics=statistics,
        **shared,
    )


def stopped_before(
    problem: Problem[Any, Any], algorithm: Algorithm, stopped: BuildStoppedError | NoAnswerError
) -> SearchResult[Any, Any]:
    """The result where a limit was reached outside of the search: for a table, or by a rule."""
    limit: LimitKind | None = LimitKind.TIME
    why, setup = str(stopped), 0.0
    if isinstance(stopped, BuildStoppedError):
        limit, why, setup = stopped.limit, stopped.why, stopped.building.seconds
    return SearchResult(
        status=Status.INTERRUPTED if limit is None else Status.LIMIT,
        limit=limit,
        unfinished=why,
        problem=problem,
        algorithm=algorithm,
        engine="reference",
        statistics=Statistics(setup_seconds=setup),
    )


def joined(
    found: SearchResult[Any, Any],
    before: SearchResult[Any, Any] | None,
    within: Within = EXACTLY,
) -> SearchResult[Any, Any]:
    """The result of a search for one solution, with what was found of the same problem `before`.

    Both together may have proved the best solution so good as `within` says.
    """
    if before is None or found.status is Status.UNSOLVABLE:
        return found
    doubt = found.overestimate or before.overestimate
    bound = 0 if doubt is not None else max(found.lower_bound, before.lower_bound)
    cost, rows = found.cost, found.statistics.iterations
    if before.cost is not None and (cost is None or before.cost < cost):
        cost, rows = before.cost, ()
        found = attrs.evolve(
            found, solution=before.solution, solutions=before.solutions, improvements=()
        )
    if before.algorithm == found.algorithm:  # else the heuristic tells of a search before
        rows = ()
    is_optimal = cost is not None and bound >= cost
    both = before.statistics.and_of(found.statistics)
    found = attrs.evolve(
        found, overestimate=doubt, optimal=is_optimal,
        lower_bound=bound if cost is None else min(bound, cost),
        improvements=tuple(_one_after_another(before, found, is_proved=doubt is None)),
        statistics=attrs.evolve(both, iterations=rows),
    )  # fmt: skip
    if cost is not None and within.holds(cost, found.lower_bound):
        return attrs.evolve(found, status=Status.SOLVED, limit=None, hint=None, unfinished=None)
    return found


def _one_after_another(
    before: SearchResult[Any, Any], after: SearchResult[Any, Any], *, is_proved: bool
) -> Iterator[Improvement]:
    """The improvements of two searches, as those of one that has gone on."""
    known, bound, best = before.statistics, 0.0, INFINITY
    took = known.seconds + known.setup_seconds
    later = (
        attrs.evolve(each, expanded=known.expanded + each.expanded, seconds=took + each.seconds)
        for each in after.improvements
    )
    for each in (*before.improvements, *later):
        if each.cost < best:
            best = each.cost
            bound = min(max(bound, each.lower_bound), best) if is_proved else 0
            yield attrs.evolve(each, lower_bound=bound)


class _Insisting:
    """Goes on where Ctrl-C comes amid what takes a moment, so that nothing known is lost: once."""

    def __init__(self) -> None:
        self.is_interrupted = False

    def on(self, ask: Callable[[], T]) -> T:
        """What is asked; `KeyboardInterrupt` where Ctrl-C comes for the second time."""
        try:
            return ask()
        except KeyboardInterrupt:
            if self.is_interrupted:
                raise
            self.is_interrupted = True
            return ask()


def _checked(
    task: Task,
    premises: Premises,
    status: Status,
    solutions: Iterable[Solution[Any, Any]],
    engine: str,
    ended: Ended[Outcome],
) -> Overestimate | None:
    """Ask for what the answer rests on; an estimate too large."""
    expanded, seconds = task.counters.expanded, ended.statistics.seconds
    proof = None if ended.outcome is None else ended.outcome.certificate
    if status is Status.UNSOLVABLE:
        premises.check_no_solution(
            expanded=expanded,
            by=task.algorithm.name,
            compiled=engine == "compiled",
            certificate=proof,
        )
    else:
        premises.check(expanded, compiled=engine == "compiled")
    if engine == "compiled":
        premises.check_promises()
    if premises.are_compared:
        met = next(iter(solutions), None)
        on_way = () if met is None else met.states[:: -(-len(met.states) // DRAWN)]
        drawn: Sequence[Any] = ()
        if task.stores:
            from random import Random  # noqa: PLC0415  (machine code has loaded it)

            drawn = task.drawn(DRAWN, Random(1))
        premises.check_kernels((*drawn, *on_way), seconds)
    if premises.heuristic is None:
        return None
    return overestimate(task.problem, premises.heuristic, solutions)


def _asked_again(
    task: Task,
    premises: Premises,
    ended: Ended[Outcome],
    solution: Solution[Any, Any] | None,
    doubt: Overestimate | None,
    engine: str,
) -> Overestimate | None:
    """Ask states of the whole search again; what is in doubt."""
    reservoir = task.reservoir
    status, _ = _status(task, ended)
    cost: float | None = INFINITY if status is Status.UNSOLVABLE else None
    solution = solution if status is Status.SOLVED else None
    if solution is not None:
        cost = solution.cost
    is_cut = ended.outcome is not None and ended.outcome.cut
    proved = task.max_cost + 1 if is_cut else task.counters.lower_bound
    bound = proved if cost is None else cost
    if status is Status.SOLVED and not (task.algorithm.is_exact and not task.counters.improvements):
        bound = min(bound, task.counters.lower_bound)  # good enough need not be optimal
    if doubt is not None:
        bound = 0  # nothing is said of it
    found = premises.check_again(
        reservoir, ended.statistics.seconds, cost, bound, solution,
        by=task.algorithm.name, compiled=engine == "compiled",
    )  # fmt: skip
    task.reservoir = Reservoir()
    return doubt or found


def told(
    task: Task, premises: Premises, outcome: Outcome, improvement: Improvement, *, compiled: bool
) -> Found[Any, Any] | None:
    """A solution of a search that goes on; None if it cannot be replayed, as the end will say.

    Raises `LawError` if what its bound rests on is seen not to hold.
    """
    shown = attrs.evolve(task, partial=outcome)
    try:
        _, solution = _graph(shown, None, by_kernels=premises.by_kernels)
    except ProblemError:
        return None
    assert solution is not None
    premises.check(task.counters.expanded, compiled=compiled)
    doubt = None
    if premises.heuristic is not None:
        doubt = overestimate(task.problem, premises.heuristic, (solution,))
    known = {each.name: getattr(improvement, each.name) for each in attrs.fields(Improvement)}
    if doubt is not None:
        known["lower_bound"] = 0
    return Found(**known, solution=solution, overestimate=doubt)


def _improvements(task: Task, *, is_proved: bool) -> tuple[Improvement, ...]:
    """The solutions of an anytime search, with bounds unless those are in doubt."""
    found = tuple(task.counters.improvements)
    return found if is_proved else tuple(attrs.evolve(each, lower_bound=0) for each in found)


def _graph(
    task: Task, ended: Outcome | None, *, by_kernels: bool
) -> tuple[OptimalGraph, Solution[Any, Any]] | tuple[None, None]:
    """The solutions that were found, and the first; None if there are none.

    An outcome with a cost but no solution is possible only under an inadmissible heuristic: a
    state on every solution became cheaper after the last time it was expanded. Then the
    engine's partial outcome holds one solution. In all other cases the problem, or the engine,
    contradicts itself. Kernels that were made of rules find the moves of one solution, each of
    which is then made by its rules.
    """
    most = task.max_solutions if task.every else 1
    found = [each for each in (ended, task.partial) if each is not None]
    made = by_kernels and has_written_rules(task.problem) and not has_expand(task.problem)
    for outcome in found:
        if outcome.cost is None:
            continue
        is_found = made and most == 1 and not outcome.operators
        for guided in (True, False) if is_found else (False,):
            graph = OptimalGraph(
                task.problem, task.starts, outcome.cost, outcome.remaining,
                most=most, operators=outcome.operators, by_kernels=guided,
            )  # fmt: skip
            solution = next(iter(graph), None)
            if solution is not None:
                _check_cost(task, outcome, solution.cost)
                return graph, solution
        if outcome is found[-1] or not type(task.algorithm).uses_heuristic:
            raise not_replayed(task.problem, task.starts)
    return None, None


def _check_cost(task: Task, outcome: Outcome, cost: int) -> None:
    """Raise if a solution that was replayed costs something else than its engine claims."""
    claimed = outcome.cost if outcome.claimed is None else outcome.claimed
    if cost != outcome.cost or (claimed is not None and cost > claimed):
        found = f"the solution costs {cost} when it is replayed, and {claimed} when it was found"
        raise not_replayed(task.problem, task.starts, found)


def _on_solutions(outcome: Outcome) -> Iterable[Any]:
    """States on solutions that were found, as far as an engine has listed them."""
    return () if isinstance(outcome.remaining, Distances) else islice(outcome.remaining, REPLAYED)


def _counted(task: Task, graph: OptimalGraph, ended: Ended[Outcome], limits: Limits) -> Ended[int]:
    """The number of solutions, counted within what is left of the limits.

    If the search was stopped, what it has found until then is counted for a second at most.
    """
    seconds: float | None = COUNTING_GRACE
    if ended.outcome is not None:
        seconds = limits.less(ended.statistics.seconds).time
    counting = attrs.evolve(task, counters=Counters(), budget=0)
    within = Limits(time=seconds, memory=limits.memory, cancel=limits.cancel)
    return Driver[int](counting, within, sliced=graph.is_in_arrays).run(graph.counting)


def _status(task: Task, ended: Ended[Outcome]) -> tuple[Status, LimitKind | None]:
    outcome = ended.outcome
    if outcome is None:
        return (Status.INTERRUPTED if ended.limit is None else Status.LIMIT), ended.limit
    if not isinstance(outcome, Outcome):
        name = task.algorithm.name
        raise EngineError(f"the engine of {name} returned {outcome!r}; it must be an Outcome")
    if outcome.cost is not None:
        return Status.SOLVED, None
    if outcome.cut:
        return Status.LIMIT, LimitKind.COST
    if outcome.gave_up is not None:
        return Status.LIMIT, outcome.gave_up
    return Status.UNSOLVABLE, None


def _certificate(task: Task, proof: Certificate | None) -> Certificate:
    """The proof of the engine, or that every state was tried."""
    if proof is not None:
        return proof
    expanded = task.counters.expanded
    text = f"every state that can be reached was tried ({expanded} expanded)"
    symmetry = str(getattr(task.algorithm, "symmetry", "none"))
    return closed_set(text, expanded=expanded, algorithm=task.algorithm.name, symmetry=symmetry)


def _is_complete(task: Task, status: Status, count: int | None) -> bool:
    if status is Status.UNSOLVABLE:
        return True
    return status is Status.SOLVED and count is not None and count < task.max_solutions
