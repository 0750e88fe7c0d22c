"""Pattern databases that a search has built for itself, once it has lasted as long as that takes.

So a search that is over sooner never begins a build, and another takes a small multiple of the
time of whatever would have been best. Larger databases follow where it lasts on.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cache
from typing import Any

import attrs

from searchkit.algorithms import Algorithm, AStar, BIDAStar, Bidirectional, IDAStar
from searchkit.authors.blame import blaming, warn
from searchkit.capabilities import HasBestHeuristics
from searchkit.errors import UnsuitableError, UsageError
from searchkit.heuristic import Heuristic
from searchkit.heuristics.kinds import row_of
from searchkit.heuristics.maximum import maximum
from searchkit.heuristics.names import (
    AUTO,
    SMALL_TABLES,
    Named,
    can_be_followed,
    estimate_beside_tables,
    has_chosen_tables,
    heuristics_within,
    is_ready,
    may_have_tables,
    seconds_to_build,
    tables_of,
    tables_within,
)
from searchkit.limits import EXACTLY, LimitKind, Limits, PausingLimits
from searchkit.problem import Problem
from searchkit.running.making import search_clock
from searchkit.solving.conclusion import joined
from searchkit.solving.default import (
    Look,
    Method,
    default_algorithm,
    default_method,
    suiting,
    with_heuristic,
)

AT_FIRST = 4.0
"""Seconds of search before anything is asked about databases."""
FAR = 2.0
"""A search without a heuristic whose solution costs so many times its bound will not end soon."""
LARGEST = 1 << 62
"""More bytes than any databases have."""


def method_for(
    problem: Problem[Any, Any],
    named: Named,
    algorithm: Algorithm | None,
    limits: Limits,
    look: Look,
    *,
    any_solution: bool = False,
) -> Method:
    """The method by default, or by `algorithm` where `limits.tables` says what is built for it."""
    is_small = algorithm is None and limits.tables is None and may_have_tables(problem)
    if limits.tables or is_small:
        method = with_tables(problem, named, algorithm, limits, look, any_solution=any_solution)
        if limits.tables and algorithm is None and any_solution:
            return with_perimeter(problem, method, limits.tables, look)
        return method
    method = default_method(problem, named, limits, look, any_solution=any_solution)
    if algorithm is None and limits.tables is None and any_solution:
        return _without_heuristic(problem, method, look)
    return method


def with_perimeter(problem: Problem[Any, Any], method: Method, most: int, look: Look) -> Method:
    """Searches; BIDA* with a perimeter of `most` bytes where both ends did not fit into memory.

    Of half of that memory at most.
    """
    if not isinstance(method.algorithm, Bidirectional):
        return method
    method, without = _after(method, look)
    if without is None:
        return method
    most = min(most, (without.limits.memory or most) // 2)
    return attrs.evolve(without, algorithm=BIDAStar(perimeter=most))


def _without_heuristic(problem: Problem[Any, Any], method: Method, look: Look) -> Method:
    """Searches; the method with a database of plain rules if that has no end in sight.

    That is so where it has used up its memory, or has a solution far above its bound.
    """
    if method.found is not None:
        return method
    text, limits = f"pdb:{AUTO}", method.limits

    @cache
    def soonest() -> float:
        """After how many seconds databases could have been built; never where there are none."""
        try:
            if not (can_be_followed(problem) and tables_of(problem, text)):
                return math.inf
        except (UnsuitableError, UsageError):
            return math.inf
        _, size = tables_within(problem, SMALL_TABLES)[-1]
        return AT_FIRST + seconds_to_build(size)

    def is_due(seconds: float, ratio: float | None) -> bool:
        if ratio is None or ratio < FAR or seconds < AT_FIRST or seconds < soonest():
            return False
        return limits.time is None or limits.time > seconds + soonest()

    method, without = _after(
        attrs.evolve(method, limits=PausingLimits.of(limits, is_due=is_due)), look
    )
    if without is None or not can_be_followed(problem):
        return method
    without = _for_less(without)
    made = _built(problem, without, text, is_chosen=True, is_quiet=True)
    if made.algorithm is not method.algorithm:
        return made
    is_short = without.so_far is not None and without.so_far.limit is LimitKind.MEMORY
    return method if is_short else without


def _for_less(method: Method) -> Method:
    """The method, which looks for what costs less than the solution so far.

    Where there is nothing, that is proved optimal; and beams are kept from what is dearer.
    """
    if method.so_far is None or method.so_far.cost is None:
        return method
    costs = [method.so_far.cost - 1, *([] if method.limits.cost is None else [method.limits.cost])]
    return attrs.evolve(method, limits=attrs.evolve(method.limits, cost=min(costs)))


def _after(method: Method, look: Look) -> tuple[Method, Method | None]:
    """The method with its answer; and what goes on from it, if it has used up its memory.

    Or if it was to pause; not where it has used up its time.
    """
    found = method.answer(look)
    method = attrs.evolve(method, found=found)
    left = Limits.of(method.limits).less(found.statistics.seconds, found.statistics.expanded)
    is_pause = isinstance(method.limits, PausingLimits) and found.limit is LimitKind.TIME
    is_time_left = left.time is None or left.time > AT_FIRST  # else that is what has ended it
    if found.limit is not LimitKind.MEMORY and not (is_pause and is_time_left):
        return method, None
    return method, attrs.evolve(method, limits=left, found=None, so_far=found)


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

    They take up to `limits.tables` bytes, a few where none are named. Those that nobody has named,
    neither by bytes nor by patterns, are built only while there is no solution, and where beams
    look for one. `look` searches; the method has the answer, or databases, and what was found
    before they were there.
    """
    is_asked, is_chosen = limits.tables is not None, algorithm is None
    most = SMALL_TABLES if limits.tables is None else limits.tables
    limits = attrs.evolve(limits, tables=None)
    if algorithm is None:
        algorithm = default_algorithm(problem, named, any_solution=any_solution)
    method = Method(algorithm, limits)
    is_unasked = not is_asked and has_chosen_tables(problem)
    if is_unasked and not (any_solution and getattr(algorithm, "incumbents", None) == "beam"):
        return method
    search = _Search(
        problem, most, look, method,
        is_chosen=is_chosen, any_solution=any_solution, is_asked=is_asked, is_unasked=is_unasked,
    )  # fmt: skip
    try:
        while (done := search.next()) is None:
            pass
    except KeyboardInterrupt as stopped:
        return attrs.evolve(search.method, found=search.method.interrupted(stopped))
    return done


@attrs.define(eq=False, repr=False)
class _Search:
    """A search with larger and larger databases."""

    problem: Problem[Any, Any]
    most: int
    look: Look
    method: Method
    is_chosen: bool = attrs.field(kw_only=True)
    """Whether nobody has named the algorithm."""
    any_solution: bool = attrs.field(kw_only=True)
    is_asked: bool = attrs.field(kw_only=True)
    """Whether somebody has named the bytes."""
    is_unasked: bool = attrs.field(kw_only=True)
    """Whether nobody has named anything: a solution then makes databases needless."""
    began: float = attrs.field(factory=search_clock, init=False)
    until: float = attrs.field(factory=lambda: AT_FIRST, init=False)
    """What is built next is due when the search has lasted so many seconds."""
    tables: list[tuple[str, int]] | None = attrs.field(default=None, init=False)

    @property
    def spent(self) -> float:
        """Seconds since it began."""
        return search_clock() - self.began

    def _is_due(self, seconds: float, ratio: float | None) -> bool:
        """Whether a search that goes on otherwise is to end for databases.

        Where they have names it is known at once what they take: then it need not begin again for
        less.
        """
        if self.spent < self.until or (ratio is not None and self.is_unasked):
            return False
        if isinstance(self.problem, HasBestHeuristics):
            time = self.method.limits.time
            self.until = self._due(None if time is None else time - seconds)
        return self.spent >= self.until

    def _due(self, time: float | None) -> float:
        """When the next databases are due, if so much time is left: never, if there are none."""
        if self.tables is None:
            self._ask()
        if not self.tables:
            return math.inf
        text, takes = self.tables[0][0], seconds_to_build(self.tables[0][1])
        if time is not None and time < takes:
            return math.inf
        return 0.0 if self.spent >= takes or _is_at_hand(self.problem, text) else takes

    def _ask(self) -> None:
        """Find out which databases there can be; say so where there are none."""
        algorithm = self.method.algorithm
        with blaming(self.problem):
            self.tables = _larger(self.problem, self.most, algorithm)
            by_ends = self.is_chosen and isinstance(algorithm, Bidirectional)
            if not self.tables and self.is_asked and not (by_ends and self.any_solution):
                _tell_why_not(self.problem, self.most)

    def next(self) -> Method | None:
        """Search for a while, or build the next databases; the method if nothing more is to do."""
        method, found, limits = self.method, None, self.method.limits
        if (began := self.spent) < self.until:
            time = self.until - began
            is_last = limits.time is not None and limits.time <= time
            if self.is_unasked or isinstance(self.problem, HasBestHeuristics):
                allowed: Limits = PausingLimits.of(limits, is_due=self._is_due)
            else:
                allowed = attrs.evolve(limits, time=time)
            found = self.look(method.algorithm, limits if is_last else allowed)
            is_last |= self.is_unasked and found.solution is not None
            is_last |= limits.time is not None and self.spent - began >= limits.time
            if self.any_solution:
                found = joined(found, method.so_far, limits.within or EXACTLY)
            if is_last or found.limit not in (LimitKind.MEMORY, LimitKind.TIME):
                return attrs.evolve(method, found=found)
            left = limits.less(found.statistics.seconds, found.statistics.expanded)
            kept = found if self.any_solution else None
            method = self.method = attrs.evolve(method, limits=left, so_far=kept)
        due = self._due(method.limits.time)
        is_short = found is not None and found.limit is LimitKind.MEMORY
        if not self.tables:  # it would be as short of memory once more
            return attrs.evolve(method, limits=limits, found=found) if is_short else method
        if due == math.inf:
            return method
        if self.spent < due and not is_short:
            self.until = due
            return None
        text, _ = self.tables.pop(0)
        made = _built(
            self.problem, method, text, is_chosen=self.is_chosen, is_quiet=self.is_unasked
        )
        if made.found is not None or made.algorithm is method.algorithm or not self.tables:
            return made
        self.method = made
        self.until = max(2 * self.spent, seconds_to_build(self.tables[0][1]))
        return None


def _larger(problem: Problem[Any, Any], most: int, algorithm: Any) -> list[tuple[str, int]]:
    """The databases of up to `most` bytes, but those no larger than what the algorithm has."""
    name = getattr(getattr(algorithm, "heuristic", None), "name", "")
    known = tables_within(problem, LARGEST) if row_of(name) else []
    for number, (text, _) in enumerate(known, 1):
        if text == name:
            return [each for each in known[number:] if each[1] <= most]
    return tables_within(problem, most)


def _tell_why_not(problem: Problem[Any, Any], most: int) -> None:
    """Warn where no databases of that size can be built at all."""
    try:
        heuristics_within(problem, most)
    except UsageError as error:
        warn(f"nothing is built: {error}")


def _is_at_hand(problem: Problem[Any, Any], text: str) -> bool:
    """Whether databases are built, where it takes no time to know which they are."""
    return isinstance(problem, HasBestHeuristics) and is_ready(problem, text)


def _built(
    problem: Problem[Any, Any], method: Method, text: str, *, is_chosen: bool, is_quiet: bool
) -> Method:
    """The method with the databases of that name; the same algorithm where there are none.

    Unless it `is_quiet`, a warning says why there are none.
    """
    tell: Callable[[str], None] = (lambda why: None) if is_quiet else warn

    def made() -> Any:
        from searchkit.heuristics.patterns.choose import Patterns  # noqa: PLC0415  (seldom)

        try:
            with blaming(problem):
                heuristic = Patterns().read(problem, text.partition(":")[2], most=math.inf)
        except (UnsuitableError, UsageError) as error:
            tell(f"{text} is not built: {error}")
            return method.algorithm
        return algorithm_with(problem, method.algorithm, heuristic, is_chosen=is_chosen)

    return method.with_built(problem, made, tell)


def algorithm_with(
    problem: Problem[Any, Any], algorithm: Any, tables: Heuristic[Any, Any], *, is_chosen: bool
) -> Any:
    """The algorithm with databases: beside the problem's own estimate unless it recommends them."""
    own = estimate_beside_tables(problem)
    heuristic = tables if own is None else maximum(own, tables)
    is_free = is_chosen or not algorithm.uses_heuristic
    is_carried = isinstance(algorithm, IDAStar) and suiting(heuristic) is IDAStar
    if is_carried or (isinstance(problem, HasBestHeuristics) and is_free):
        return with_heuristic(heuristic)
    if algorithm.uses_heuristic:
        return attrs.evolve(algorithm, heuristic=heuristic)
    return AStar(heuristic=heuristic, incumbents="beam")
