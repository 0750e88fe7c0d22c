"""`solve_many`: the results of many starts of one problem, in one go."""

from __future__ import annotations

from bisect import bisect_right
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import cached_property, partial
from itertools import pairwise, starmap
from typing import TYPE_CHECKING, Any, Generic, TypeVar, overload

import attrs

from searchkit.algorithms import Algorithm
from searchkit.algorithms.validators import expect
from searchkit.authors.blame import blaming
from searchkit.capabilities import HasStart
from searchkit.compiled.plan import plan_kernels
from searchkit.compiled.specialise.failures import blaming_kernels
from searchkit.engine import Engine, EngineChoice
from searchkit.errors import CompilationError, UnsuitableError, UsageError, WorkerError
from searchkit.executors.asked import Workers, executing
from searchkit.executors.parcels import Parcel
from searchkit.executors.travelling import are_equal_elsewhere
from searchkit.limits import Limits, ProgressListener
from searchkit.packed import successors_of
from searchkit.problem import Problem, Step
from searchkit.result import SearchResult, Solution, Status
from searchkit.running.processors import processors
from searchkit.solve import make_known, registered_heuristic
from searchkit.solving.default import default_algorithm
from searchkit.solving.engines import ManyEngine, many_engine_of
from searchkit.solving.in_order import InOrder
from searchkit.solving.plan import Trials, check_choice, choose
from searchkit.solving.series import Series
from searchkit.solving.solver import Solver

if TYPE_CHECKING:
    import numpy as np

S = TypeVar("S")
A = TypeVar("A")

AT_ONCE = 2048
"""The most starts that an engine for many solves together: their paths take some megabytes."""

PARTS_A_THREAD = 4
"""Parts take unequal time, and no thread should wait long for the last one."""


@attrs.frozen(eq=False)
class _Part(Generic[S, A]):
    """Results of some starts; one is made when it is asked for."""

    costs: Sequence[int] | np.ndarray[Any, Any]
    make: Callable[[int], SearchResult[S, A]]


@attrs.define(eq=False, repr=False)
class ManyResults(Sequence[SearchResult[S, A]], Generic[S, A]):
    """The results of many starts, in their order.

    They come while it is iterated over, and stay. Whatever needs those that have not come yet,
    like its length, waits for them.

    >>> import attrs
    >>> from searchkit import BreadthFirst, StartAndGoal, Step, solve_many
    >>> @attrs.frozen
    ... class Halve(StartAndGoal[int, str]):
    ...     start: int = 8
    ...     goal: int = 1
    ...     def successors(self, state):
    ...         return [Step("halve", state // 2)] if state % 2 == 0 else []
    >>> found = solve_many(Halve(), [4, 6], BreadthFirst())
    >>> [result.status.value for result in found], found.costs
    (['solved', 'unsolvable'], array([ 2, -1]))
    >>> found.to_dicts()[0]["moves"]
    'halve halve'
    """

    problem: Problem[S, A]
    _coming: Iterator[_Part[S, A]]
    _parts: list[_Part[S, A]] = attrs.field(factory=list, init=False)
    _ends: list[int] = attrs.field(factory=list, init=False)
    """How many results there are up to the end of each part."""
    _error: BaseException | None = attrs.field(default=None, init=False)

    def __iter__(self) -> Iterator[SearchResult[S, A]]:
        place = 0
        while place < len(self._parts) or self._has_next():
            part = self._parts[place]
            yield from map(part.make, range(len(part.costs)))
            place += 1

    def __len__(self) -> int:
        while self._has_next():
            pass
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, i: int) -> SearchResult[S, A]: ...
    @overload
    def __getitem__(self, i: slice) -> Sequence[SearchResult[S, A]]: ...
    def __getitem__(self, i: int | slice) -> SearchResult[S, A] | Sequence[SearchResult[S, A]]:
        """Result `i`. O(log n), and O(steps) calls of `successors` where it has to be made."""
        if isinstance(i, slice):
            return [self[each] for each in range(*i.indices(len(self)))]
        while (i < 0 or not self._ends or self._ends[-1] <= i) and self._has_next():
            pass
        most = self._ends[-1] if self._ends else 0
        if not -most <= i < most:
            raise IndexError(f"result {i} of {most}")
        place = bisect_right(self._ends, i % most)
        part = self._parts[place]
        return part.make(i % most - (self._ends[place] - len(part.costs)))

    @property
    def costs(self) -> np.ndarray[Any, Any]:
        """The costs of the solutions, `int64`; -1 where there is none."""
        import numpy as np  # noqa: PLC0415

        len(self)
        none = np.zeros(0, dtype=np.int64)
        return np.concatenate([none, *(np.asarray(each.costs, np.int64) for each in self._parts)])

    def to_dicts(self) -> list[dict[str, Any]]:
        """A row for each start, of which `pandas.DataFrame` and `polars.DataFrame` make a table.

        `cost` and `moves` are None without a solution; `seconds` are those of the search alone.
        """
        return [self._row(result) for result in self]

    def _row(self, result: SearchResult[S, A]) -> dict[str, Any]:
        problem, moves = self.problem, None
        with blaming(problem):
            if result.solution is not None:
                moves = " ".join(map(problem.format_action, result.solution.actions))
            (start,) = (result.problem or problem).initial_states()
            row = {"start": problem.format_state(start), "status": result.status.value}
        row |= {
            name: getattr(result, name) for name in ("cost", "optimal", "lower_bound", "engine")
        }
        work = ("expanded", "generated", "stored", "bytes", "seconds")
        return row | {name: getattr(result.statistics, name) for name in work} | {"moves": moves}

    def _has_next(self) -> bool:
        """Whether another part has come; raises what has ended the work, each time."""
        if self._error is not None:
            raise self._error
        try:
            part = next(self._coming, None)
        except BaseException as error:
            self._error = error
            raise
        if part is not None:
            self._parts.append(part)
            self._ends.append(len(part.costs) + (self._ends[-1] if self._ends else 0))
        return part is not None

    def __repr__(self) -> str:
        return f"<ManyResults: {self._ends[-1] if self._ends else 0:,} so far>"


def solve_many(
    problem: Problem[S, A],
    starts: Iterable[S],
    algorithm: Algorithm | None = None,
    *,
    limits: Limits = Limits(),  # noqa: B008  (frozen)
    engine: Engine | EngineChoice = "auto",
) -> ManyResults[S, A]:
    """Solves a problem from many starts: what holds for all of them is found out once.

    Each result is that of `solve`, for any number of threads and workers, and comes while the next
    are searched. An algorithm that has an engine for many starts solves them together:
    then results have a solution or why there is none, and neither bounds nor statistics.

    Args:
        problem: What to search, with a `with_start`; its own start is not searched.
        starts: The states to begin at, as the problem has them, which may be read as they come.
        algorithm: Like `AStar()`. Without one, that which suits the problem with its own start.
            Pattern databases that hold for other values than a start leads to are made again for
            it, by their name.
        limits: When to give up, for each start; not `tables`, which one search has built for it.
        engine: As `solve` has it.
        threads: How many threads one search may use, 1 by default; where an engine solves many
            starts together, how many share them, by default one for each processor that this
            process may use.
        workers: Who shares the starts: a number of processes of this machine, or an executor. The
            problem must be one that can be pickled, and in a script the call has to be below
            `if __name__ == "__main__":`.

    Raises:
        UnsuitableError: As `solve` does, and where the problem has a fixed start.

    What goes wrong in a search is raised where its result is asked for, a `WorkerError` where a
    process was lost.
    """
    expect(problem, Problem, "problem", "a Problem")
    expect(starts, Iterable, "starts", "a list of states")
    expect(limits, Limits, "limits", "Limits, like Limits(time=10)")
    if limits.tables:
        raise UsageError(
            "solve_many builds no databases; leave tables out, and give the algorithm a heuristic "
            "that has some, like pattern_heuristic(problem, 'auto')"
        )
    if algorithm is None:
        named = partial(registered_heuristic, problem)
        algorithm = default_algorithm(problem, named, any_solution=True)
    make_known(algorithm)
    asked = Engine.of(engine)
    kind, workers = asked.kind, asked.workers
    if workers is not None and limits.cancel is not None:
        raise UsageError("cancel ends searches of this process; leave out workers, or cancel")
    check_choice(kind)
    if not isinstance(problem, HasStart):
        raise UnsuitableError(
            f"{type(problem).__name__} has a fixed start; give it with_start, or use solve"
        )
    algorithm.check(problem)
    solver = _SolverOf(problem, algorithm, limits, kind, asked.threads_of_search)
    together = many_engine_of(type(algorithm))
    is_apart = workers is not None or limits != Limits() or kind not in {"auto", "compiled"}
    is_compiled = partial(choose, kind, lambda: plan_kernels(problem), trial=False)
    if together is None or is_apart or is_compiled().kind != "compiled":
        return ManyResults(problem, _one_by_one(solver, starts, workers))
    count = asked.threads or processors()
    return ManyResults(problem, _together(solver, starts, together, count))


@attrs.frozen(slots=False)
class _SolverOf(Solver[Any, SearchResult[Any, Any]]):
    """Solves a problem from one start after another."""

    problem: Problem[Any, Any]
    algorithm: Algorithm
    limits: Limits
    engine: EngineChoice
    threads: int

    @cached_property
    def series(self) -> Series:
        """The searches, which share what is found out about the rules."""
        make_known(self.algorithm)
        return Series(
            algorithm=self.algorithm, limits=self.limits, engine=self.engine, threads=self.threads,
            has_other_starts=True,
        )  # fmt: skip

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), attrs.astuple(self, recurse=False)

    def solve(self, item: Any, progress: ProgressListener | None = None) -> SearchResult[Any, Any]:
        """The result for one start, light enough to travel: `_whole` adds what is left out."""
        with blaming(self.problem):
            problem: Problem[Any, Any] = self.problem.with_start(item)  # type: ignore[attr-defined]
        result = self.series.solve(problem, progress)
        return attrs.evolve(result, solutions=None, problem=None, algorithm=None)

    def lost(self, item: Any, error: WorkerError) -> SearchResult[Any, Any]:
        """Nothing is found for a start whose process was lost."""
        error.add_note(f"at the start {self.problem.format_state(item)}")
        raise error


def _one_by_one(
    solver: _SolverOf, starts: Iterable[Any], workers: Workers
) -> Iterator[_Part[Any, Any]]:
    """A part for each start: the first ones here, all others by the workers, if there are any."""
    begun: deque[Any] = deque()

    def items() -> Iterator[Any]:
        problem = solver.problem
        for start in starts:
            with blaming(problem):
                is_same = workers is None or are_equal_elsewhere([problem.key(start)])
            if not is_same:
                raise UnsuitableError(
                    f"states of {type(problem).__name__} are equal by identity alone, and so no "
                    "longer in another process; give them __eq__ and __hash__, or leave workers out"
                )
            begun.append(start)
            yield start

    if workers is not None:
        solver.series.trials = Trials()  # the same engine solves each, whichever process does
    with executing(workers) as executor:
        found = InOrder(
            solver=solver,
            parcel=lambda: Parcel.of(solver),
            start=None if executor is None else lambda: executor,
        ).solve(items())
        for result in found:
            whole = _whole(result, solver, begun.popleft())
            yield _Part([-1 if whole.cost is None else whole.cost], partial(_only, whole))


def _whole(result: SearchResult[Any, Any], solver: _SolverOf, start: Any) -> SearchResult[Any, Any]:
    with blaming(solver.problem):
        problem = solver.problem.with_start(start)  # type: ignore[attr-defined]
    return attrs.evolve(result, problem=problem, algorithm=solver.algorithm)


def _only(result: SearchResult[Any, Any], i: int) -> SearchResult[Any, Any]:
    return result


def _together(
    solver: _SolverOf, starts: Iterable[Any], engine: ManyEngine, threads: int
) -> Iterator[_Part[Any, Any]]:
    """Parts of the starts, solved by an engine that solves many together, by several threads."""
    import numpy as np  # noqa: PLC0415  (small searches do without)

    problem, starts = solver.problem, list(starts)
    with blaming(problem), blaming_kernels(problem):
        solved = engine(problem, solver.algorithm, starts)
        at_once = AT_ONCE
        if threads > 1:
            at_once = max(1, min(AT_ONCE, len(starts) // (PARTS_A_THREAD * threads)))
        parts = [starts[i : i + at_once] for i in range(0, len(starts), at_once)]
        if threads == 1 or len(parts) <= 1:
            found = list(map(solved, parts))
        else:
            with ThreadPoolExecutor(threads) as pool:
                found = list(pool.map(solved, parts))
    for part, (states, begins) in zip(parts, found, strict=True):
        yield _Part(np.diff(begins) - 1, partial(_found, solver, part, states, begins))


def _found(
    solver: _SolverOf, starts: Sequence[Any], states: np.ndarray[Any, Any],
    begins: np.ndarray[Any, Any], i: int,
) -> SearchResult[Any, Any]:  # fmt: skip
    """The result of start `i`, of whose solution the states are known; else that of a search."""
    from searchkit.compiled.specialise.module import python_state  # noqa: PLC0415  (loads numba)

    path = [python_state(state) for state in states[begins[i] : begins[i + 1]]]
    if not path:
        return _whole(solver.solve(starts[i]), solver, starts[i])
    with blaming(solver.problem):
        step = partial(_step, solver.problem, successors_of(solver.problem))
        steps = tuple(starmap(step, pairwise(path)))
    made: SearchResult[Any, Any] = SearchResult(
        status=Status.SOLVED, engine="compiled", solution=Solution(path[0], steps),
        algorithm=None,
    )  # fmt: skip
    return _whole(made, solver, starts[i])


def _step(
    problem: Problem[Any, Any], successors: Callable[[Any], Iterable[Any]], state: Any, child: Any
) -> Step[Any, Any]:
    for step in successors(state):
        if tuple(step)[1] == child:
            return Step(*step)
    raise CompilationError(
        f"the engine goes from {problem.format_state(state)} to {problem.format_state(child)}, "
        "which is not a successor of it"
    )
