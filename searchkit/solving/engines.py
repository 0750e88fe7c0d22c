"""The engines of each algorithm: those that come with it, and those of plugins."""

from __future__ import annotations

from collections.abc import Callable, Generator, Mapping, Sequence
from importlib import import_module
from inspect import isgeneratorfunction
from typing import TYPE_CHECKING, Any

from searchkit.algorithms import Algorithm
from searchkit.errors import UsageError
from searchkit.premises.near_misses import add_capabilities
from searchkit.problem import Problem
from searchkit.running.overdue import is_engine
from searchkit.running.task import EngineFunction, Outcome, Task

if TYPE_CHECKING:
    import numpy as np

SolveSome = Callable[[Sequence[Any]], "tuple[np.ndarray[Any, Any], np.ndarray[Any, Any]]"]
"""Solves some starts: the states of all solutions, one after the other, as an array, and where
each begins, and the last ends. A start without a solution has no states."""
ManyEngine = Callable[[Problem[Any, Any], Any, Sequence[Any]], SolveSome]
"""Prepares an algorithm for all starts of a problem; what it gives is called by several threads."""

MANY = "many"
_REGISTERED: dict[type[Algorithm], dict[str, Any]] = {}
"""For all registries: an engine belongs to its algorithm, which is a class and has one meaning."""


def register_engine(
    algorithm: type[Algorithm], kind: str, engine: EngineFunction | ManyEngine
) -> None:
    """Make `engine` run `algorithm`; one that is there already cannot be replaced."""
    known = _REGISTERED.get(algorithm, {})
    if kind in _own_places(algorithm) or known.get(kind, engine) is not engine:
        raise UsageError(f"algorithm {algorithm.name} has a {kind} engine already")
    _REGISTERED.setdefault(algorithm, {})[kind] = engine
    is_engine(engine)
    add_capabilities(*algorithm.capabilities)


def is_known(algorithm: type[Algorithm]) -> bool:
    """Whether `algorithm` has an engine of any kind."""
    return bool(_own_places(algorithm)) or algorithm in _REGISTERED


def many_engine_of(algorithm: type[Algorithm]) -> ManyEngine | None:
    """The engine for many starts at once; None if there is none."""
    return _REGISTERED.get(algorithm, {}).get(MANY)


def engine_kinds(algorithm: type[Algorithm]) -> tuple[str, ...]:
    """The kinds of engines for one search that `algorithm` has."""
    kinds = dict.fromkeys((*_own_places(algorithm), *_REGISTERED.get(algorithm, ())))
    return tuple(kind for kind in kinds if kind != MANY)


def engine_of(algorithm: type[Algorithm], kind: str) -> EngineFunction:
    """The engine of that kind, one of `engine_kinds`.

    A reference engine is imported now, a compiled one when it runs: that loads numba.
    """
    place = _own_places(algorithm).get(kind)
    if place is None:
        registered: EngineFunction = _REGISTERED[algorithm][kind]
        # What is not a generator function is for the driver to refuse.
        is_compiled = kind == "compiled" and isgeneratorfunction(registered)
        return _blaming(lambda: registered) if is_compiled else registered
    return _blaming(lambda: _found(place)) if kind == "compiled" else _found(place)


def _own_places(algorithm: type[Algorithm]) -> Mapping[str, str]:
    """Where its own engines are; those of a class that it derives from are not its own."""
    places: Mapping[str, str] = vars(algorithm).get("engines", {})
    return places


def _found(place: str) -> EngineFunction:
    file, _, name = f"searchkit.{place}".partition(":")
    engine: EngineFunction = getattr(import_module(file), name)
    return engine


def _blaming(found: Callable[[], EngineFunction]) -> EngineFunction:
    """That engine, whose kernels are blamed for what the compiler says of them."""

    def engine(task: Task) -> Generator[None, None, Outcome]:
        from searchkit.compiled.specialise.failures import (  # noqa: PLC0415  (of no use to others)
            blaming_kernels,
        )

        with blaming_kernels(task.problem):
            return (yield from found()(task))

    return engine
