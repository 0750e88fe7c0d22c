"""Shortens paths by optimal search between the ends of windows (see the kernels)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import attrs
import numpy as np

from searchkit.capabilities import HasBoundBetween
from searchkit.compiled.specialise.entries import direct
from searchkit.compiled.specialise.module import python_state
from searchkit.compiled.specialise.prepare import Specialised, specialise
from searchkit_stages.compiled.kernels import path_refinement
from searchkit_stages.compiled.kernels.path_refinement import (
    BACK,
    BEGIN,
    EXPANDED,
    GENERATED,
    LENGTH,
    PROVED,
    SEARCHING,
    STRIDE,
    SWEPT,
    WINDOW,
    Stack,
)
from searchkit_stages.refinement import Sweep

INFO = 11


@attrs.define(eq=False)
class Refiner:
    """The machine code that shortens paths of a problem."""

    spec: Specialised
    shorten: Callable[..., Any]

    @classmethod
    def of(cls, problem: Any) -> Refiner:
        """That of `problem`, not yet loaded."""
        spec = specialise(
            problem,
            None,
            (path_refinement,),
            skip_inverses=True,
            PAIRWISE_BOUND=isinstance(problem, HasBoundBetween),
            CYCLES=lambda lists: 0 if lists.without_inverses else 1,
        )
        return cls(spec, spec.module.shorten)

    def load(self, state: Any) -> None:
        """Load the machine code, or make it; `state` is any state."""
        path = CompiledPath.of(self, self.spec.states([state]), 0)
        path.begin_sweep(1, 1, 1)
        self.shorten = direct(self.spec.module.shorten, *path.arguments, 0)


@attrs.define(eq=False)
class CompiledPath:
    """A path that is made shorter by machine code: `path[:length + 1]`.

    `info` is that of the kernels.
    """

    refiner: Refiner
    path: np.ndarray[Any, Any]
    info: np.ndarray[Any, Any]
    arguments: tuple[Any, ...]

    @classmethod
    def of(cls, refiner: Refiner, path: np.ndarray[Any, Any], length: int) -> CompiledPath:
        """The path of `length` steps; `path` is contiguous."""
        spec = refiner.spec
        info = np.zeros(INFO, dtype=np.int64)
        info[LENGTH] = length
        stack = Stack(spec.empty(length + 1), *np.zeros((3, length + 1), dtype=np.int64))
        arguments = (spec.head[0], spec.lists, path, stack, info)
        return cls(refiner, path, info, arguments)

    @property
    def length(self) -> int:
        """The steps that the path has now."""
        return int(self.info[LENGTH])

    def begin_sweep(self, window: int, stride: int, back: int) -> None:
        """Begin with the first window."""
        self.info[WINDOW] = window
        self.info[STRIDE] = stride
        self.info[BACK] = back
        self.info[BEGIN] = self.info[SEARCHING] = 0

    def advance(self, budget: int) -> tuple[Sweep, int, int]:
        """Go on for up to `budget` expansions."""
        self.info[EXPANDED] = self.info[GENERATED] = 0
        result = self.refiner.shorten(*self.arguments, budget)
        sweep = {SWEPT: Sweep.ENDED, PROVED: Sweep.PROVED}.get(result, Sweep.AMID)
        return sweep, int(self.info[EXPANDED]), int(self.info[GENERATED])

    def states(self) -> list[Any]:
        """The states from start to goal."""
        return [python_state(state) for state in self.path[: self.length + 1]]
