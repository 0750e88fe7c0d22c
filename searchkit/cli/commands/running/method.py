"""How `searchkit run` searches: what it may build, or try, before the search, within its limits."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from searchkit.algorithms import Bidirectional, IDAStar
from searchkit.cli.support.choice import Chosen, find
from searchkit.cli.support.errors import say
from searchkit.cli.support.method import choose_algorithm, choose_heuristic, make_algorithm
from searchkit.heuristics.names import COSETS, OWN, heuristic_to_build
from searchkit.limits import LimitKind, Limits
from searchkit.result import SearchResult, Status
from searchkit.running.building import BuildStoppedError, building_within
from searchkit.solve import solve
from searchkit.solving.conclusion import stopped_before
from searchkit.solving.default import default_class
from searchkit.texts.amounts import seconds as shown_seconds

WITHOUT_TABLE = 5
"""IDA* searches a start within this many moves without a table."""
TRIED_AT_BOTH_ENDS = 500_000
"""A table is built where bidirectional search has no answer after this many expansions."""


@attrs.frozen
class Method:
    """The algorithm, and what choosing it has left of the limits."""

    algorithm: Any
    limits: Limits
    found: SearchResult[Any, Any] | None = None
    """The answer, where it was found, or where the limits were used up, on the way."""


Look = Callable[[Any, Limits], SearchResult[Any, Any]]
"""Searches with an algorithm, within limits."""


def choose_method(
    chosen: Chosen, options: Mapping[str, Any], limits: Limits, look: Look, *, any_solution: bool
) -> Method:
    """What the options ask for; if they say little, a table of cosets is built for what lasts.

    What is built, and tried, on the way counts against the limits. `look` does the search proper,
    whose answer is taken if it comes soon. See `choose_algorithm`.
    """
    name, heuristic, settings = (options[each] for each in ("algo", "heuristic", "settings"))
    cls = None if name is None else find(chosen.registry, "algorithms", name).algorithm
    if cls is IDAStar and heuristic is None:
        heuristic, limits = _heuristic_for_ida(chosen, limits)
    try:
        with building_within(limits) as left:
            algorithm = choose_algorithm(
                chosen, name, heuristic, settings, any_solution=any_solution
            )
    except BuildStoppedError as stopped:
        if cls is None:
            with chosen.guard():
                cls = IDAStar if heuristic is not None else default_class(chosen.problem)
        algorithm = make_algorithm(cls, settings)
        return Method(algorithm, left(), stopped_before(chosen.problem, algorithm, stopped))
    method = Method(algorithm, left())
    if name is None and heuristic is None and not settings and isinstance(algorithm, Bidirectional):
        return _with_table(chosen, method, look, any_solution=any_solution)
    return method


def _heuristic_for_ida(chosen: Chosen, limits: Limits) -> tuple[str | None, Limits]:
    """What is built for IDA* where no heuristic is named, and what is left of the limits."""
    with chosen.guard():
        text = heuristic_to_build(chosen.problem, carried=True, most=limits.memory)
        if text is None or not text.startswith(f"{COSETS}:"):
            return None, limits
        cost = WITHOUT_TABLE if limits.cost is None else min(limits.cost, WITHOUT_TABLE)
        near = attrs.evolve(limits, cost=cost)
        found = solve(chosen.problem, Bidirectional(), limits=near, engine="reference")
    if found.status is Status.INTERRUPTED:
        raise KeyboardInterrupt
    is_far = found.limit is LimitKind.COST and cost == WITHOUT_TABLE
    return text if is_far else OWN, _less(limits, found)


def _with_table(chosen: Chosen, method: Method, look: Look, *, any_solution: bool) -> Method:
    """The same, or with a table of cosets if there is no answer soon, and time to build it."""
    limits = method.limits
    with chosen.guard():
        text = heuristic_to_build(chosen.problem, carried=True, most=limits.memory)
    if text is None or not text.startswith(f"{COSETS}:"):
        return method
    few = TRIED_AT_BOTH_ENDS
    if limits.expansions is not None:
        few = min(few, limits.expansions)
    found = look(method.algorithm, attrs.evolve(limits, expansions=few))
    if found.limit is not LimitKind.EXPANSIONS or few == limits.expansions:
        return attrs.evolve(method, found=found)
    limits = _less(limits, found, expansions=True)
    try:
        with building_within(limits, hopeful=False) as left:
            choose_heuristic(chosen, text)  # it is built, and then taken
    except BuildStoppedError as stopped:
        if left().time == 0:
            found = stopped_before(chosen.problem, method.algorithm, stopped)
            return Method(method.algorithm, left(), found)
        say("note", _why_not(stopped))
        return Method(method.algorithm, left())
    algorithm = choose_algorithm(chosen, None, None, any_solution=any_solution)
    return Method(algorithm, left())


def _why_not(stopped: BuildStoppedError) -> str:
    building = stopped.building
    more = "" if building.left is None else f" some {shown_seconds(building.left)} more"
    return f"{building.what} is not built: it takes{more}; `{building.how}` builds it beforehand"


def _less(limits: Limits, found: SearchResult[Any, Any], *, expansions: bool = False) -> Limits:
    """What a search has left of the limits."""
    if limits.time is not None:
        limits = attrs.evolve(limits, time=max(0.0, limits.time - found.statistics.seconds))
    if expansions and limits.expansions is not None:
        left = max(0, limits.expansions - found.statistics.expanded)
        limits = attrs.evolve(limits, expansions=left)
    return limits
