"""Pattern databases that a search has built for itself, once it has lasted as long as that takes.

So a search that is over sooner never begins a build, and another takes a small multiple of the
time of whatever would have been best. Larger databases follow where it lasts on.
"""

from __future__ import annotations

import math
import warnings
from typing import Any

import attrs

from searchkit.algorithms import Algorithm, AStar, IDAStar
from searchkit.authors.blame import blaming
from searchkit.capabilities import HasBestHeuristics, own_heuristic
from searchkit.errors import SearchkitWarning, UnsuitableError, UsageError
from searchkit.heuristic import Heuristic
from searchkit.heuristics.maximum import maximum
from searchkit.heuristics.names import (
    SMALL_TABLES,
    Named,
    is_ready,
    seconds_to_build,
    tables_within,
)
from searchkit.limits import EXACTLY, LimitKind, Limits
from searchkit.packed import PackedHeuristic, ZeroHeuristic
from searchkit.problem import Problem
from searchkit.result import Status
from searchkit.running.building import BuildStoppedError, building_within
from searchkit.running.making import search_clock
from searchkit.solving.conclusion import stopped_before, together
from searchkit.solving.default import Look, Method, default_algorithm, less, why_not, with_heuristic

AT_FIRST = 4.0
"""Seconds of search before anything is asked about databases."""


def with_tables(
    problem: Problem[Any, Any],
    named: Named,
    algorithm: Algorithm | None,
    limits: Limits,
    look: Look,
    *,
    any_solution: bool = False,
) -> Method:
    """Searches by `algorithm`, or by the default; builds databases for it where that lasts.

    They take up to `limits.tables` bytes, a few where none are named. `look` searches; the method
    has the answer, or databases, and what was found before they were there.
    """
    most, is_chosen = SMALL_TABLES if limits.tables is None else limits.tables, algorithm is None
    limits = attrs.evolve(limits, tables=None)
    if algorithm is None:
        algorithm = default_algorithm(problem, named, any_solution=any_solution)
    method, began, until = Method(algorithm, limits), search_clock(), AT_FIRST
    tables: list[tuple[str, int]] | None = None
    while True:
        spent, limits, is_short = search_clock() - began, method.limits, False
        if spent < until:
            is_last = limits.time is not None and limits.time <= until - spent
            slice_of = limits if is_last else attrs.evolve(limits, time=until - spent)
            found = look(method.algorithm, slice_of)
            is_short = found.limit is LimitKind.MEMORY
            if is_last or not (is_short or found.limit is LimitKind.TIME):
                return attrs.evolve(method, found=found)
            if method.before is not None:
                found = together(method.before, found, limits.within or EXACTLY)
                if found.status is Status.SOLVED:
                    return attrs.evolve(method, found=found)
            left = less(limits, found, expansions=True)
            method = attrs.evolve(method, limits=left, before=found)
            spent = search_clock() - began
        if tables is None:
            with blaming(problem):
                tables = _larger(tables_within(problem, most), method.algorithm)
        if not tables:
            return method
        text, takes = tables[0][0], seconds_to_build(tables[0][1])
        if (method.limits.time or takes) < takes:
            return method
        if spent < takes and not is_short and not _is_at_hand(problem, text):
            until = takes
            continue
        del tables[0]
        made = _built(problem, method, text, is_chosen=is_chosen)
        if made.found is not None or made.algorithm is method.algorithm or not tables:
            return made
        method, until = made, max(2 * (search_clock() - began), seconds_to_build(tables[0][1]))


def _larger(tables: list[tuple[str, int]], algorithm: Any) -> list[tuple[str, int]]:
    """Those databases that are larger than what the algorithm has, where that is one of them."""
    name = getattr(getattr(algorithm, "heuristic", None), "name", None)
    taken = [number for number, (text, _) in enumerate(tables, 1) if text == name]
    return tables[taken[-1] :] if taken else tables


def _is_at_hand(problem: Problem[Any, Any], text: str) -> bool:
    """Whether databases are built, where it takes no time to know which they are."""
    return isinstance(problem, HasBestHeuristics) and is_ready(problem, text)


def _built(problem: Problem[Any, Any], method: Method, text: str, *, is_chosen: bool) -> Method:
    """The method with the databases of that name; the same algorithm where there are none."""
    limits = method.limits
    try:
        with building_within(limits, hopeful=False) as left, blaming(problem):
            from searchkit.heuristics.patterns.choose import Patterns  # noqa: PLC0415  (seldom)

            heuristic = Patterns().read(problem, text.partition(":")[2], most=math.inf)
    except KeyboardInterrupt:
        if method.before is None:
            raise
        found = attrs.evolve(method.before, status=Status.INTERRUPTED, limit=None, hint=None)
        return attrs.evolve(method, found=found)
    except BuildStoppedError as stopped:
        if left().time == 0:
            found = stopped_before(problem, method.algorithm, stopped)
            return attrs.evolve(method, limits=left(), found=found)
        warnings.warn(why_not(stopped), SearchkitWarning, stacklevel=4)
        return attrs.evolve(method, limits=left())
    except (UnsuitableError, UsageError) as error:
        warnings.warn(f"{text} is not built: {error}", SearchkitWarning, stacklevel=4)
        return attrs.evolve(method, limits=left())
    algorithm = algorithm_with(problem, method.algorithm, heuristic, is_chosen=is_chosen)
    return attrs.evolve(method, algorithm=algorithm, limits=left())


def algorithm_with(
    problem: Problem[Any, Any], algorithm: Any, tables: Heuristic[Any, Any], *, is_chosen: bool
) -> Any:
    """The algorithm with databases: beside the problem's own estimate unless it recommends them."""
    is_recommended = isinstance(problem, HasBestHeuristics)
    heuristic = tables
    if not is_recommended:
        with blaming(problem):
            own = own_heuristic(problem)
        if isinstance(own, PackedHeuristic) and not isinstance(own, ZeroHeuristic):
            heuristic = maximum(own, tables)
    is_free = is_chosen or not algorithm.uses_heuristic
    if isinstance(algorithm, IDAStar) or (is_recommended and is_free):
        return with_heuristic(heuristic)
    if algorithm.uses_heuristic:
        return attrs.evolve(algorithm, heuristic=heuristic)
    return AStar(heuristic=heuristic, incumbents="beam")
