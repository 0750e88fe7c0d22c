"""The method that is taken where nobody names one: an algorithm, and what is built for it."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import attrs

from searchkit.algorithms import (
    Algorithm,
    AStar,
    Bidirectional,
    BreadthFirst,
    IDAStar,
    UniformCost,
)
from searchkit.authors.blame import blaming, warn
from searchkit.capabilities import HasChains, own_heuristic
from searchkit.compiled.plan import plan_search
from searchkit.errors import UnsuitableError
from searchkit.heuristic import Heuristic
from searchkit.heuristics.names import (
    OWN,
    Named,
    best_heuristic,
    heuristic_for_long,
    read_heuristic,
)
from searchkit.limits import EXACTLY, LimitKind, Limits
from searchkit.packed import CarriedHeuristic
from searchkit.premises.asking import estimate_of, starts_of
from searchkit.premises.kinds import check_kinds
from searchkit.problem import Costs, Problem
from searchkit.result import SearchResult, Status
from searchkit.running.building import BuildStoppedError, building_within
from searchkit.running.overdue import NoAnswerError
from searchkit.solving.conclusion import joined, stopped_before
from searchkit.solving.series import Series, is_of_pieces
from searchkit.texts.amounts import seconds as shown_seconds

WITHOUT_TABLE = 5
"""IDA* searches a start within this many moves without a table."""
TRIED_AT_BOTH_ENDS = 500_000
"""A table is built where bidirectional search has no answer after this many expansions."""


Look = Callable[[Algorithm, Limits], SearchResult[Any, Any]]
"""Searches with an algorithm, within limits."""


@attrs.frozen
class Method:
    """The algorithm, and what choosing it has left of the limits."""

    algorithm: Algorithm
    limits: Limits
    found: SearchResult[Any, Any] | None = None
    """The answer, where it was found, or where the limits were used up, on the way."""
    so_far: SearchResult[Any, Any] | None = None
    """What was found on the way, where one solution is wanted."""

    def answer(self, look: Look) -> SearchResult[Any, Any]:
        """The answer, for which `look` searches unless it is known."""
        if self.found is not None:
            return self.found
        try:
            within = self.limits.within or EXACTLY
            return joined(look(self.algorithm, self.limits), self.so_far, within)
        except KeyboardInterrupt as stopped:
            return self.interrupted(stopped)

    def with_built(
        self,
        problem: Problem[Any, Any],
        make: Callable[[], Algorithm],
        tell: Callable[[str], None] = warn,
    ) -> Method:
        """The method with the algorithm that `make` builds a table for, within the limits.

        Without one where the table would take too long: then `tell` is told why.
        """
        algorithm = self.algorithm
        try:
            with building_within(self.limits, hopeful=False) as left, blaming(problem):
                algorithm = make()
        except BuildStoppedError as stopped:
            if left().time == 0 or stopped.limit is None:
                found = joined(stopped_before(problem, algorithm, stopped), self.so_far)
                return attrs.evolve(self, limits=left(), found=found)
            tell(_why_not(stopped))
        return attrs.evolve(self, algorithm=algorithm, limits=left())

    def interrupted(self, stopped: KeyboardInterrupt) -> SearchResult[Any, Any]:
        """What is known after Ctrl-C, which is raised again where nothing is."""
        if self.so_far is None or isinstance(stopped, NoAnswerError):
            raise stopped
        return attrs.evolve(self.so_far, status=Status.INTERRUPTED, limit=None, hint=None)


def default_method(
    problem: Problem[Any, Any],
    named: Named,
    limits: Limits,
    look: Look,
    *,
    any_solution: bool = False,
) -> Method:
    """Chooses as `default_algorithm` does; builds a table for a search that lasts.

    Where bidirectional search, which `look` does, has no answer soon, the table that the problem
    recommends is built, if there is time. All that counts against the limits.
    """
    try:
        with building_within(limits) as left:
            algorithm = default_algorithm(problem, named, any_solution=any_solution)
    except BuildStoppedError as stopped:
        with blaming(problem):
            algorithm = default_class(problem)()
        return Method(algorithm, left(), stopped_before(problem, algorithm, stopped))
    method = Method(algorithm, left())
    if not isinstance(algorithm, Bidirectional):
        return method
    with blaming(problem):
        text = heuristic_for_long(problem, limits.memory)
    if text is None:
        return method
    return _with_table(problem, named, method, look, text, any_solution=any_solution)


def _with_table(
    problem: Problem[Any, Any],
    named: Named,
    method: Method,
    look: Look,
    text: str,
    *,
    any_solution: bool,
) -> Method:
    """The method with a table if there is no answer soon, and time to build it."""
    limits, few = method.limits, TRIED_AT_BOTH_ENDS
    if limits.expansions is not None:
        few = min(few, limits.expansions)
    found = look(method.algorithm, attrs.evolve(limits, expansions=few))
    if found.limit is not LimitKind.EXPANSIONS or few == limits.expansions:
        return attrs.evolve(method, found=found)
    left = limits.less(found.statistics.seconds, found.statistics.expanded)
    method = attrs.evolve(method, limits=left, so_far=found if any_solution else None)
    return method.with_built(problem, lambda: with_heuristic(read_heuristic(problem, text, named)))


def _why_not(stopped: BuildStoppedError) -> str:
    """Why a table is not built, and how it is."""
    building = stopped.building
    more = "" if building.left is None else f" some {shown_seconds(building.left)} more"
    return f"{building.what} is not built: it takes{more}; `{building.how}` builds it beforehand"


def heuristic_for_deepening(
    problem: Problem[Any, Any], limits: Limits
) -> tuple[str | None, Limits]:
    """What is built for IDA* where no heuristic is named, and what is left of the limits.

    A start that is near is searched with the problem's own, without a table.
    """
    text = heuristic_for_long(problem, limits.memory)
    if text is None:
        return None, limits
    cost = WITHOUT_TABLE if limits.cost is None else min(limits.cost, WITHOUT_TABLE)
    series = Series(
        algorithm=Bidirectional(), limits=attrs.evolve(limits, cost=cost), engine="reference"
    )
    found = series.solve(problem)
    if found.status is Status.INTERRUPTED:
        raise KeyboardInterrupt
    is_far = found.limit is LimitKind.COST and cost == WITHOUT_TABLE
    return text if is_far else OWN, limits.less(found.statistics.seconds)


def default_algorithm(
    problem: Problem[Any, Any], named: Named, *, any_solution: bool = False
) -> Algorithm:
    """The algorithm that suits `problem`, with the best heuristic that is ready.

    `named` gives the heuristics that have a name of their own. With `any_solution`, chains of moves
    are searched by bitmaps, up to symmetry, where they can be. See `default_class`.
    """
    check_kinds(problem)
    symmetric = Bidirectional(symmetry="auto")
    with blaming(problem):
        if any_solution and _is_by_bitmaps(problem, symmetric):
            return symmetric
        text = best_heuristic(problem)
        if text is not None:
            return with_heuristic(read_heuristic(problem, text, named))
        made: Any = default_class(problem)
        if made is Bidirectional and is_of_pieces(problem):
            return Bidirectional(incumbents="words")
        beside = "beam" if issubclass(made, (AStar, IDAStar)) else "novelty"
        return cast("Algorithm", made(incumbents=beside))


def with_heuristic(heuristic: Heuristic[Any, Any]) -> Algorithm:
    """The algorithm that suits a heuristic, with a beam beside it."""
    if suiting(heuristic) is AStar:
        return AStar(heuristic=heuristic, incumbents="beam")
    pruning = heuristic.operator_pruning
    return IDAStar(heuristic=heuristic, operator_pruning=pruning, incumbents="beam")


def default_class(problem: Problem[Any, Any]) -> type[Algorithm]:
    """A* where the problem's own heuristic knows something about a start.

    That is its `default_heuristic`, or else its method `heuristic`. IDA* with a heuristic that is
    carried along the path. Without one, bidirectional search where it is possible, breadth-first
    search for unit costs, uniform-cost search for others.
    """
    heuristic = own_heuristic(problem)
    if any(estimate_of(problem, heuristic, start) > 0 for start in starts_of(problem)):
        return suiting(heuristic)
    if problem.costs is not Costs.UNIT:
        return UniformCost
    return Bidirectional if _suits(problem, Bidirectional()) else BreadthFirst


def suiting(heuristic: Heuristic[Any, Any] | None) -> type[AStar] | type[IDAStar]:
    """A*, or IDA* for a heuristic that is carried along the path, which is fast."""
    return IDAStar if isinstance(heuristic, CarriedHeuristic) else AStar


def _is_by_bitmaps(problem: Problem[Any, Any], algorithm: Algorithm) -> bool:
    """Whether chains of moves can be searched so: other searches meet far more of their states."""
    if not isinstance(problem, HasChains) or not _suits(problem, algorithm):
        return False
    found = plan_search(problem, algorithm)
    return found.reason is None and found.space is not None


def _suits(problem: Problem[Any, Any], algorithm: Algorithm) -> bool:
    try:
        algorithm.check(problem)
    except UnsuitableError:
        return False
    return True
