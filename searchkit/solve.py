"""`solve`: one problem, one algorithm, one result."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from searchkit.algorithms import Algorithm
from searchkit.algorithms.validators import expect
from searchkit.engine import Engine, EngineChoice
from searchkit.errors import UnsuitableError, UsageError
from searchkit.executors.asked import Workers, executing
from searchkit.heuristic import Heuristic
from searchkit.limits import Limits, ProgressListener
from searchkit.problem import Problem
from searchkit.result import SearchResult
from searchkit.running.overdue import within_limits
from searchkit.running.task import keeping_lists
from searchkit.solving.conclusion import Wanted
from searchkit.solving.engines import is_known
from searchkit.solving.series import Series

if TYPE_CHECKING:
    from pathlib import Path

    from searchkit.proofs.writing import Proof

S = TypeVar("S")
A = TypeVar("A")


@within_limits
def solve(
    problem: Problem[S, A],
    algorithm: Algorithm | None = None,
    *,
    want: Wanted = "one",
    limits: Limits = Limits(),  # noqa: B008  (frozen)
    progress: ProgressListener | None = None,
    engine: Engine | EngineChoice = "auto",
    proof: Proof | Path | str | None = None,
) -> SearchResult[S, A]:
    """Searches a problem: one algorithm, one result.

    A problem that certifies all its starts unsolvable is not searched. Ctrl-C ends the search with
    what is known so far.

    Args:
        problem: What to search.
        algorithm: Like `AStar()`. Without one, the algorithm that suits the problem runs, with the
            best heuristic that is ready, as on the command line; a search that lasts may build a
            table first, where the problem recommends one.
        want: `"one"` optimal solution, `"all"` of them (`result.solutions`, listed lazily), at most
            a number of them, like 20, or their exact `"count"`.
        limits: When to give up. What making machine code takes, some seconds once, is counted
            against no limit of time: it is in `statistics.setup_seconds`.
        progress: Called a few times a second with how far the search is.
        engine: `"reference"`, `"compiled"`, `"checked"` or `"auto"`, or an `Engine`, which tells
            them apart, and has threads and workers besides. Workers share out the iterations of
            IDA* and IDDFS.
        proof: A file for a proof that nothing is cheaper. Writing it has the same limits again.

    Raises:
        NoProofError: The search ended, but no proof of its result could be written.
        UnsuitableError: The algorithm cannot be used on the problem.
        ProblemError: The problem's own code fails or breaks the protocol; a `LawError` if it is
            known which law.

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
    options: dict[str, Any] = {"want": want, "limits": limits, "progress": progress}
    engine = Engine.of(engine)
    options |= {"engine": engine.kind, "threads": engine.threads_of_search}
    options["workers"] = engine.workers
    if proof is not None:
        return _proved(problem, algorithm, proof, **options)
    return searched(problem, algorithm, **options)


def searched(
    problem: Problem[S, A],
    algorithm: Algorithm | None,
    *,
    limits: Limits,
    workers: Workers = None,
    progress: ProgressListener | None = None,
    **options: Any,
) -> SearchResult[S, A]:
    """What `solve` returns; `tell` is called with each better solution when it is found."""
    expect(limits, Limits, "limits", "Limits, like Limits(time=10)")
    lacks_heuristic = getattr(algorithm, "heuristic", algorithm) is None
    if algorithm is None or (limits.tables and lacks_heuristic):
        options |= {"workers": workers, "progress": progress}
        return _by_default(problem, algorithm, limits=limits, **options)
    make_known(algorithm)
    if workers is not None:
        _check_shared(algorithm, options["engine"])
    series = Series(algorithm=algorithm, limits=limits, **options)
    with executing(workers) as series.executor:
        return series.solve(problem, progress)


def _proved(
    problem: Problem[S, A],
    algorithm: Algorithm | None,
    proof: Proof | Path | str,
    **options: Any,
) -> SearchResult[S, A]:
    """The result of a search, of which a proof is written; see `searchkit.proofs.writing`."""
    from searchkit.proofs.writing import Proof, check_provable, prove  # noqa: PLC0415  (seldom)

    proof = proof if isinstance(proof, Proof) else Proof(path=proof)
    if algorithm is not None:
        make_known(algorithm)
        check_provable(problem, algorithm, proof)
    with keeping_lists() as kept:
        result = searched(problem, algorithm, **options)
    how = {name: options[name] for name in ("limits", "progress", "engine", "threads")}
    prove(result, proof, kept=kept, **how)
    return result


def _by_default(
    problem: Problem[S, A],
    algorithm: Algorithm | None,
    *,
    want: Wanted,
    limits: Limits,
    progress: ProgressListener | None,
    **options: Any,
) -> SearchResult[S, A]:
    """The result by the default algorithm, or by one for which databases may be built."""
    from searchkit.solving.onward import Onward  # noqa: PLC0415  (as well)
    from searchkit.solving.with_tables import method_for  # noqa: PLC0415  (knows much)

    progress = None if progress is None else Onward(progress)

    def look(algorithm: Algorithm, limits: Limits) -> SearchResult[Any, Any]:
        return searched(problem, algorithm, want=want, limits=limits, progress=progress, **options)

    named = partial(registered_heuristic, problem)
    method = method_for(problem, named, algorithm, limits, look, any_solution=want == "one")
    return method.answer(look)


def make_known(algorithm: Algorithm) -> None:
    """Load the plugin of an algorithm, if it has one, for its engines."""
    expect(algorithm, Algorithm, "algorithm", "an algorithm like AStar()")
    if not is_known(type(algorithm)):
        from searchkit.registry import load_plugin_of  # noqa: PLC0415  (looks for all plugins)

        load_plugin_of(type(algorithm))


def _check_shared(algorithm: Algorithm, engine: EngineChoice) -> None:
    """Raise where workers cannot share what is asked for."""
    if not algorithm.shares_out:
        raise UnsuitableError(
            f"workers cannot share the work of {algorithm.name}; use idastar or iddfs, or leave "
            "workers out"
        )
    if getattr(algorithm, "table", 0):
        raise UnsuitableError(
            "workers have no transposition table in common; leave out table, or workers"
        )
    if engine == "checked":
        raise UsageError("workers are not for engine='checked'; leave them out")


def registered_heuristic(problem: Problem[Any, Any], name: str) -> Heuristic[Any, Any]:
    """The heuristic that an installed plugin has registered for the problem."""
    from searchkit.registry import installed  # noqa: PLC0415  (looks for all plugins)

    return installed().heuristics.get(name, problem).factory(problem)
