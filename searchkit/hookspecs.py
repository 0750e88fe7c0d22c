"""The hooks a plugin may implement. A plugin is any importable module, or a single file.

A plugin marks its functions with `searchkit.hookimpl` and is found through an entry point of
the group `searchkit`, or through `searchkit --plugin FILE`. The host hands each hook a
`register` function; a hook may call it any number of times.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any, Protocol

import pluggy

if TYPE_CHECKING:
    from searchkit.algorithms import Algorithm
    from searchkit.heuristic import Heuristic
    from searchkit.parameters import Parameter
    from searchkit.problem import Problem
    from searchkit.running.task import EngineFunction
    from searchkit.solving.engines import ManyEngine

hookspec = pluggy.HookspecMarker("searchkit")
hookimpl = pluggy.HookimplMarker("searchkit")


class RegisterPuzzle(Protocol):
    """What `searchkit_register_puzzles` is handed."""

    def __call__(
        self,
        name: str,
        factory: Callable[..., Problem[Any, Any]],
        *,
        summary: str = "",
        parameters: Sequence[Parameter] = (),
    ) -> None:
        """Register one puzzle."""


class RegisterHeuristic(Protocol):
    """What `searchkit_register_heuristics` is handed."""

    def __call__(
        self,
        name: str,
        factory: Callable[[Any], Heuristic[Any, Any]],
        *,
        suits: Callable[[Any], bool],
        summary: str = "",
    ) -> None:
        """Register one heuristic."""


class RegisterRenderer(Protocol):
    """What `searchkit_register_renderers` is handed."""

    def __call__(
        self,
        name: str,
        render: Callable[[Any, Any], str],
        *,
        suits: Callable[[Any], bool],
        summary: str = "",
    ) -> None:
        """Register one renderer."""


class RegisterEngine(Protocol):
    """What `searchkit_register_engines` is handed."""

    def __call__(
        self,
        algorithm: type[Algorithm],
        engine: EngineFunction | ManyEngine,
        *,
        kind: str = "reference",
    ) -> None:
        """Register an engine for an algorithm."""


@hookspec
def searchkit_register_puzzles(register: RegisterPuzzle) -> None:
    """Register puzzles: `register(name, factory, summary=..., parameters=[Parameter(...)])`.

    `factory(**parameters)` returns a `Problem`; the values arrive in the
    types of the defaults.
    """


@hookspec
def searchkit_register_heuristics(register: RegisterHeuristic) -> None:
    """Register heuristics: `register(name, factory, suits=..., summary=...)`.

    `suits(problem)` says whether the heuristic is for that problem, `factory(problem)` makes
    the `Heuristic`.
    """


@hookspec
def searchkit_register_engines(register: RegisterEngine) -> None:
    """Register algorithms: `register(algorithm_class, engine, kind="reference")`.

    `algorithm_class` is a subclass of `Algorithm`; `engine(task)` is a generator that yields
    just before every expansion, so that a limit on expansions is exact, and returns an `Outcome`
    (see `searchkit.running.task`). One of the kind "compiled" yields when it is set up, and then
    whenever it has expanded `task.budget` states, which it counts down. One of the kind "many" is
    for `solve_many`: `engine(problem, algorithm, starts)` prepares what all starts share, and
    returns a function that gives for some of them two arrays: the states of all solutions, and
    where in it each begins, and the last ends.
    """


@hookspec
def searchkit_register_renderers(register: RegisterRenderer) -> None:
    """Register pictures of states: `register(name, render, suits=..., summary=...)`.

    `render(problem, state)` returns text of one or several lines.
    """
