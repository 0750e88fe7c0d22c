"""Whether the algorithm, the engine and the heuristic that a document names are known at all."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import Any

from searchkit.capabilities import own_heuristic
from searchkit.documents.document import Document
from searchkit.errors import UnknownNameError
from searchkit.heuristic import ProblemHeuristic
from searchkit.heuristics.kinds import row_of
from searchkit.packed import ZeroHeuristic
from searchkit.problem import Problem
from searchkit.registry import Registry
from searchkit.solving.engines import engine_kinds
from searchkit.texts.amounts import quoted

CHECKED = "checked"


def unknown_name(document: Document, problem: Problem[Any, Any], registry: Registry) -> str | None:
    """In one line, the first name that nothing has, None if all are known."""
    try:
        algorithm = registry.algorithms.get(document.algorithm).algorithm
    except UnknownNameError:
        return f"no algorithm is named {quoted(document.algorithm)}; is its plugin missing?"
    kinds = engine_kinds(algorithm)
    if document.engine not in (*kinds, CHECKED):  # all algorithms take that
        known = ", ".join(kinds) or "none"
        return f"{document.algorithm} has no engine {quoted(document.engine)}; known: {known}"
    if document.heuristic is None:
        return None
    unknown = [part for part in _parts(document.heuristic) if row_of(part) is None]
    for names in (_registered(problem, registry), _made(problem, registry)):
        known_names = set(names)
        unknown = [part for part in unknown if part not in known_names]
        if not unknown:
            return None
    return f"no heuristic for this puzzle is named {quoted(unknown[0])}; is its plugin missing?"


def _parts(text: str) -> Iterator[str]:
    """The heuristics of which `text` is the larger, or that one."""
    if text.startswith("max(") and text.endswith(")"):
        yield from text[len("max(") : -1].split(",")
    else:
        yield text


def _registered(problem: Problem[Any, Any], registry: Registry) -> Iterator[str]:
    yield ProblemHeuristic(problem).name
    yield ZeroHeuristic().name
    yield own_heuristic(problem).name
    for entry in registry.heuristics.suiting(problem):
        yield entry.name


def _made(problem: Problem[Any, Any], registry: Registry) -> Iterator[str]:
    """What heuristics call themselves, which may take time to find out."""
    for entry in registry.heuristics.suiting(problem):
        with suppress(Exception):  # one that cannot be made has no other name
            yield entry.factory(problem).name
