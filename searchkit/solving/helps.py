"""What may help a search that was too much for the memory, or for the time."""

from __future__ import annotations

import math
from typing import Any

from searchkit.algorithms import ALGORITHMS, CompleteBeam, IDAStar
from searchkit.algorithms.values import Deepening
from searchkit.capabilities import own_heuristic
from searchkit.heuristic import ProblemHeuristic
from searchkit.limits import LimitKind
from searchkit.packed import ZeroHeuristic
from searchkit.problem import Problem, is_default
from searchkit.result import SearchResult
from searchkit.running.free_memory import free_memory

LASTING = 4.0
"""After so many seconds of search, databases are spoken of."""
MOST_SHARE = 4
"""What part of the free memory databases may take: one divided by this."""
MOST_BYTES = 256_000_000
"""Larger ones take longer to build than most people wait."""
MEGA = 1_000_000


def help_at_limit(problem: Problem[Any, Any], found: SearchResult[Any, Any]) -> str | None:
    """What may help a search that a limit of memory or time has ended; None if nothing is known."""
    helps = [help_for_memory(problem, found)] if found.limit is LimitKind.MEMORY else []
    if found.statistics.seconds >= LASTING and found.algorithm.optimal:
        helps.append(help_by_tables(problem, found))
    return "; ".join(each for each in helps if each is not None) or None


def help_by_tables(problem: Problem[Any, Any], found: SearchResult[Any, Any]) -> str | None:
    """How large pattern databases could be, and how soon the first are there; None with any."""
    from searchkit.heuristics.names import seconds_to_build, tables_within  # noqa: PLC0415  (seldom)

    if "pdb" in (found.heuristic or ""):
        return None
    tables = tables_within(problem, min(free_memory() // MOST_SHARE, MOST_BYTES))
    if not tables:
        return None
    size = math.ceil(tables[-1][1] / MEGA)
    first, last = (round(seconds_to_build(bytes_)) for _, bytes_ in (tables[0], tables[-1]))
    lasts = f"in about {last} s" if first == last else f"the first in about {first} s"
    return f"pattern databases may help: --table-memory {size}MB builds some, {lasts}"


def help_for_memory(problem: Problem[Any, Any], found: SearchResult[Any, Any]) -> str | None:
    """Which other algorithms of the bundled ones need less memory, in words; None if none do."""
    algorithm = found.algorithm
    is_bundled = ALGORITHMS.get(algorithm.name) is type(algorithm)
    if not is_bundled or isinstance(algorithm, (Deepening, CompleteBeam)):
        return None
    known = getattr(algorithm, "heuristic", None) or own_heuristic(problem)
    rules = known.problem if isinstance(known, ProblemHeuristic) else None
    is_blind = rules is not None and is_default(rules, "heuristic")
    if is_blind or isinstance(known, ZeroHeuristic):
        return "iddfs has only one path in memory, and with a heuristic idastar is faster"
    soon = "" if found.solution is not None else ", and cabs has some solution soon"
    return f"{IDAStar.name} has only one path in memory{soon}"
