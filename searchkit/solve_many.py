"""`solve_many`: the solutions of many starts of one problem, in one go."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING, Any

import attrs

from searchkit.algorithms import Stages
from searchkit.algorithms.validators import expect
from searchkit.authors.blame import blaming
from searchkit.compiled.engines import blaming_kernels
from searchkit.compiled.suitability import why_not_compiled
from searchkit.errors import UnsuitableError, UsageError
from searchkit.problem import Problem, Step
from searchkit.result import Solution
from searchkit.stages import not_solved, plans_of

if TYPE_CHECKING:
    import numpy as np

NO_BUDGET = 1 << 62
AT_ONCE = 512
"""How many starts are solved together: their paths take some megabytes."""


@attrs.frozen(eq=False)
class ManySolutions:
    """Solutions by the number of their start; one is made when it is asked for.

    `costs[i]` is the cost of that of start `i`, -1 if there is none.
    """

    problem: Problem[Any, Any]
    costs: np.ndarray[Any, Any]
    _parts: tuple[tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]], ...]
    """Of each part of the starts: the states of all paths, and where each path begins."""

    def __len__(self) -> int:
        return len(self.costs)

    def __iter__(self) -> Iterator[Solution[Any, Any] | None]:
        return (self[i] for i in range(len(self)))

    def __getitem__(self, i: int) -> Solution[Any, Any] | None:
        """The solution of start `i`, None if there is none. O(steps) calls of `successors`."""
        states = self.states(i)
        if not states:
            return None
        return Solution(states[0], tuple(map(self._step, states, states[1:])))

    def states(self, i: int) -> list[Any]:
        """The states from start `i` to the goal; empty if there is no solution."""
        from searchkit.compiled.specialise.module import python_state  # noqa: PLC0415

        if not -len(self) <= i < len(self):
            raise IndexError(f"solution {i} of {len(self)}")
        part, place = divmod(i % len(self), AT_ONCE)
        states, begins = self._parts[part]
        return [python_state(state) for state in states[begins[place] : begins[place + 1]]]

    def _step(self, state: Any, child: Any) -> Step[Any, Any]:
        return next(
            Step(*step) for step in self.problem.successors(state) if tuple(step)[1] == child
        )


def solve_many(
    problem: Problem[Any, Any],
    starts: Iterable[Any],
    algorithm: Stages = Stages(),  # noqa: B008  (frozen)
    *,
    threads: int = 1,
) -> ManySolutions:
    """Solve `problem` from each of `starts` in stages, compiled.

    The solutions are those of `solve`, each shortened with `algorithm.effort` expansions.
    A start without a way to the goal has none.

    O(steps) time for each start without `effort` and `beam`. Raises `UnsuitableError` as `solve`
    does.
    """
    import numpy as np  # noqa: PLC0415

    expect(problem, Problem, "problem", "a Problem")
    expect(algorithm, Stages, "algorithm", "Stages()")
    expect(starts, Iterable, "starts", "a list of states")
    expect(threads, int, "threads", "a whole number, 1 or more")
    algorithm.check(problem)
    reason = why_not_compiled(problem)
    if reason is not None:
        raise UnsuitableError(f"no compiled engine for this problem: {reason}")
    if threads < 1:
        raise UsageError(f"threads is {threads}; it must be 1 or more")
    with blaming(problem), blaming_kernels(problem):
        starts = list(starts)
        prepared = _Prepared.of(problem, starts, algorithm)
        parts = [starts[i : i + AT_ONCE] for i in range(0, len(starts), AT_ONCE)]
        if threads == 1 or len(parts) == 1:
            found = list(map(prepared.solved, parts))
        else:
            with ThreadPoolExecutor(threads) as pool:
                found = list(pool.map(prepared.solved, parts))
    costs = [begins[1:] - begins[:-1] - 1 for _, begins in found]
    return ManySolutions(
        problem, np.concatenate([np.zeros(0, dtype=np.int64), *costs]), tuple(found)
    )  # fmt: skip


@attrs.frozen(eq=False)
class _Prepared:
    """What all starts share, loaded by one thread: tables and machine code."""

    problem: Any
    algorithm: Stages
    tables: list[Any]
    calls: list[Any]
    windows: Any

    @classmethod
    def of(cls, problem: Any, starts: Sequence[Any], algorithm: Stages) -> _Prepared:
        from searchkit.compiled.stages.beams import Calls  # noqa: PLC0415
        from searchkit.compiled.stages.descents import Descents  # noqa: PLC0415
        from searchkit.compiled.stages.path_refinement import Windows  # noqa: PLC0415
        from searchkit.compiled.stages.stage_tables import tables_at_once  # noqa: PLC0415

        by_beams = algorithm.beam > 1
        tables = [tables_at_once(plan, far=by_beams) for plan in plans_of(problem, algorithm)]
        windows = Windows.of(problem)
        for some in tables:
            Descents.of(some, []).advance(0)
        if algorithm.effort and starts:
            windows.load(starts[0])
        calls = [Calls.of(some) for some in tables] if by_beams else []
        return cls(problem, algorithm, tables, calls, windows)

    def solved(self, starts: Sequence[Any]) -> tuple[Any, Any]:
        """The states of all paths from `starts`, one after the other, and where each begins."""
        import numpy as np  # noqa: PLC0415

        from searchkit.compiled.specialise.module import python_state  # noqa: PLC0415
        from searchkit.compiled.stages.staging import shortest_path  # noqa: PLC0415

        paths = []
        found = self._by_beams(starts) if self.calls else self._straight_down(starts)
        for each in found:
            ways = [way for way in each if len(way)]
            way = min(ways, key=len, default=self.windows.spec.empty(0))
            if len(way) and not self.problem.is_goal(python_state(way[-1])):
                raise not_solved(self.problem, python_state(way[-1]))
            if len(way) > 1 and (self.algorithm.effort or self.calls):
                way = shortest_path(self.problem, ways, self.windows, self.algorithm.effort)
            paths.append(way)
        begins = np.zeros(len(paths) + 1, dtype=np.int64)
        begins[1:] = np.cumsum([len(path) for path in paths])
        return np.concatenate(paths), begins

    def _straight_down(self, starts: Sequence[Any]) -> Iterator[list[Any]]:
        """For each start, the path of each plan, empty if there is none."""
        from searchkit.compiled.stages.descents import Descents  # noqa: PLC0415

        found = [Descents.of(some, starts) for some in self.tables]
        for descents in found:
            descents.advance(NO_BUDGET)
        for i in range(len(starts)):
            yield [descents.path(i)[: int(descents.lengths[i]) + 1] for descents in found]

    def _by_beams(self, starts: Sequence[Any]) -> Iterator[list[Any]]:
        """The same by beams."""
        from searchkit.compiled.stages.beams import Beam  # noqa: PLC0415

        for start in starts:
            beams = [
                Beam.of(some, calls, self.algorithm.beam, [start])
                for some, calls in zip(self.tables, self.calls, strict=True)
            ]
            for beam in beams:
                beam.advance(NO_BUDGET)
            yield [() if beam.path is None else beam.path for beam in beams]
