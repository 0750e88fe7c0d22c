"""Paths that machine code makes shorter: by IDA* between the ends of windows (see the kernels)."""

from __future__ import annotations

import math
from collections.abc import Generator, Sequence
from typing import Any

import numpy as np

from searchkit.capabilities import HasBoundBetween
from searchkit.compiled.depth_first.kernels import path_refinement as kernels
from searchkit.compiled.depth_first.kernels.deepening import Info, Known, Path, Tables
from searchkit.compiled.specialise.entries import DirectCalls
from searchkit.compiled.specialise.module import python_state
from searchkit.compiled.specialise.operators import EndedLists, stop_of
from searchkit.compiled.specialise.prepare import specialise
from searchkit.engines.refinement import Sweep, outcome_of, shortest
from searchkit.errors import UnsuitableError
from searchkit.packed import has_expand
from searchkit.running.task import EngineFunction, Outcome, Task


class Refiner:
    """The machine code that shortens paths of a problem.

    Raises `UnsuitableError` where steps are listed by `expand`.
    """

    def __init__(self, problem: Any) -> None:
        if has_expand(problem):
            raise UnsuitableError(
                f"{type(problem).__name__}: paths of steps by expand are not made shorter; write "
                "operators, legal and apply"
            )
        self.spec = specialise(
            problem,
            None,
            (kernels,),
            skip_inverses=True,
            BETWEEN=True,
            PAIRWISE_BOUND=isinstance(problem, HasBoundBetween),
            MASKS=False,
            TABLE=Tables.NONE,
            IMAGES=0,
            G_WEIGHT=1,
            H_WEIGHT=1,
            STOP=stop_of,
            CYCLES=lambda lists: 0 if lists.without_inverses else 1,
        )
        self.lists = EndedLists.of(self.spec.lists)
        self.calls = DirectCalls()


class CompiledPath:
    """A path that is made shorter by machine code: `path[:length + 1]`, which is contiguous.

    `info` is that of the kernels.
    """

    def __init__(self, refiner: Refiner, path: np.ndarray[Any, Any], length: int) -> None:
        spec = refiner.spec
        self.refiner, self.path = refiner, path
        self.info, self.at = np.zeros((2, len(Info)), dtype=np.int64)
        self.at[kernels.LENGTH] = length
        stack = Path(spec.empty(length + 1), *np.zeros((4, length + 1), dtype=np.int64))
        aside = Known(*np.zeros((3, 1), dtype=np.int64))  # nothing is remembered
        self.arguments = spec.head[0], refiner.lists, path, stack, aside, self.info, self.at

    @property
    def length(self) -> int:
        """The steps that the path has now."""
        return int(self.at[kernels.LENGTH])

    def begin_sweep(self, window: int, stride: int, back: int) -> None:
        """Begin with the first window."""
        self.at[kernels.WINDOW] = window
        self.at[kernels.STRIDE] = stride
        self.at[kernels.BACK] = back
        self.at[kernels.BEGIN] = self.at[kernels.SEARCHING] = 0

    def advance(self, budget: int) -> tuple[Sweep, int, int]:
        """Go on for up to `budget` expansions."""
        self.info[Info.EXPANDED] = self.info[Info.GENERATED] = 0
        refiner = self.refiner
        result = refiner.calls(refiner.spec.module, "shorten", *self.arguments, budget)
        ends = {kernels.SWEPT: Sweep.ENDED, kernels.PROVED: Sweep.PROVED}
        sweep = ends.get(result, Sweep.AMID)
        return sweep, int(self.info[Info.EXPANDED]), int(self.info[Info.GENERATED])

    def states(self) -> list[Any]:
        """The states from start to goal."""
        return [python_state(state) for state in self.path[: self.length + 1]]


def shortening(paths: Sequence[Sequence[Any]]) -> EngineFunction:
    """An engine that makes the shortest of some paths, for as long as it may expand states.

    The states of each come from a start to a goal, by steps that cost 1.
    """

    def shorten(task: Task) -> Generator[None, None, Outcome]:
        refiner = Refiner(task.problem)
        rows = [refiner.spec.states(list(path)) for path in paths]
        ways = [CompiledPath(refiner, states, len(states) - 1) for states in rows]
        return outcome_of(task, (yield from shortest(task, ways, math.inf)))

    return shorten
