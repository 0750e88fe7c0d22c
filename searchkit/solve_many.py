"""`solve_many`: the solutions of many starts of one problem, in one go."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any, Generic, TypeVar

import attrs

from searchkit.algorithms import Algorithm
from searchkit.algorithms.validators import expect
from searchkit.authors.blame import blaming
from searchkit.compiled.plan import plan_kernels
from searchkit.compiled.specialise.failures import blaming_kernels
from searchkit.errors import UnsuitableError
from searchkit.problem import Problem, Step
from searchkit.registry import load_plugin_of
from searchkit.result import Solution
from searchkit.running.processors import processors
from searchkit.solving.engines import many_engine_of
from searchkit.solving.plan import check_choice, choose

if TYPE_CHECKING:
    import numpy as np

S = TypeVar("S")
A = TypeVar("A")

AT_ONCE = 2048
"""The most starts that are solved together: their paths take some megabytes."""

PARTS_A_THREAD = 4
"""Parts take unequal time, and no thread should wait long for the last one."""


@attrs.frozen(eq=False)
class ManySolutions(Generic[S, A]):
    """Solutions by the number of their start; one is made when it is asked for.

    `costs[i]` is the cost of that of start `i`, -1 if there is none.
    """

    problem: Problem[S, A]
    costs: np.ndarray[Any, Any]
    _at_once: int
    """The starts of each part but the last."""
    _parts: tuple[tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]], ...]
    """Of each part of the starts: the states of all solutions, and where each begins."""

    def __len__(self) -> int:
        return len(self.costs)

    def __iter__(self) -> Iterator[Solution[S, A] | None]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, i: int) -> Solution[S, A] | None:
        """The solution of start `i`, None if there is none. O(steps) calls of `successors`."""
        states = self.states(i)
        if not states:
            return None
        return Solution(states[0], tuple(map(self._step, states, states[1:])))

    def states(self, i: int) -> list[S]:
        """The states from start `i` to the goal; empty if there is no solution."""
        from searchkit.compiled.specialise.module import python_state  # noqa: PLC0415

        if not -len(self) <= i < len(self):
            raise IndexError(f"solution {i} of {len(self)}")
        part, place = divmod(i % len(self), self._at_once)
        states, begins = self._parts[part]
        return [python_state(state) for state in states[begins[place] : begins[place + 1]]]

    def _step(self, state: S, child: S) -> Step[S, A]:
        return next(
            Step(*step) for step in self.problem.successors(state) if tuple(step)[1] == child
        )


def solve_many(
    problem: Problem[S, A],
    starts: Iterable[S],
    algorithm: Algorithm,
    *,
    threads: int | None = None,
) -> ManySolutions[S, A]:
    """Solves a problem from many starts, compiled, by an algorithm that has an engine for that.

    The solutions are those of `solve`, for any number of threads. A start without a way to the goal
    has none.

    Args:
        problem: What to search; its own start plays no part.
        starts: The states to begin at, as the problem has them.
        algorithm: One with an engine for many starts.
        threads: How many threads share the starts; by default one for each processor that this
            process may use.

    Raises:
        UnsuitableError: As `solve` does, and for algorithms that solve one start at a time.
    """
    import numpy as np  # noqa: PLC0415

    expect(problem, Problem, "problem", "a Problem")
    expect(algorithm, Algorithm, "algorithm", "an algorithm for many starts")
    expect(starts, Iterable, "starts", "a list of states")
    if threads is None:
        threads = processors()
    check_choice("compiled", threads)
    load_plugin_of(type(algorithm))
    engine = many_engine_of(type(algorithm))
    if engine is None:
        raise UnsuitableError(f"{algorithm.name} solves one start at a time; use solve")
    algorithm.check(problem)
    choose("compiled", lambda: plan_kernels(problem))
    with blaming(problem), blaming_kernels(problem):
        starts = list(starts)
        solved = engine(problem, algorithm, starts)
        at_once = AT_ONCE
        if threads > 1:
            at_once = max(1, min(AT_ONCE, len(starts) // (PARTS_A_THREAD * threads)))
        parts = [starts[i : i + at_once] for i in range(0, len(starts), at_once)]
        if threads == 1 or len(parts) == 1:
            found = list(map(solved, parts))
        else:
            with ThreadPoolExecutor(threads) as pool:
                found = list(pool.map(solved, parts))
    none = np.zeros(0, dtype=np.int64)
    costs = np.concatenate([none, *(np.diff(begins) - 1 for _, begins in found)])
    return ManySolutions(problem, costs, at_once, tuple(found))
