"""`search_again`: is there really nothing cheaper? Asked of another kind of engine.

What was found by one engine, with its heuristic, its machine code and the promises of the puzzle,
is searched for below its claimed cost by a reference engine that works in another way, and is told
of the rules nothing but the starts, the steps and the goals. Nothing is written down for it, and it
costs what checking a list of all those states would cost.
"""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any

import attrs

from searchkit.algorithms import IDDFS, Algorithm, Bidirectional, BreadthFirst, UniformCost
from searchkit.documents.check import Claim, Verified, moves_shown
from searchkit.documents.document import Document
from searchkit.errors import VerificationError
from searchkit.limits import LimitKind, Limits, ProgressListener
from searchkit.problem import Costs, Problem, Step, name_of
from searchkit.result import SearchResult, Status
from searchkit.solving.series import Series
from searchkit.texts.amounts import plural
from searchkit.transforms import Wrapper
from searchkit.verify import rules_of, verify_solution

BY_DISTANCE = (BreadthFirst.name, Bidirectional.name, UniformCost.name)
"""The algorithms that expand states in the order of their distance, as uniform-cost search does."""

TABLE = 1 << 29
"""The most bytes of a transposition table, where more memory is allowed."""


@attrs.frozen
class SearchedAgain:
    """What a second search has shown of a claim, where it did not refute it.

    `claimed` is the cost below which there should be no solution, infinite where there should be
    none at all. `proved` is the cost below which the second search has shown that there is none.
    """

    claimed: float
    proved: float
    expanded: int
    algorithm: str
    rules: str
    """Whose rules were searched, in words."""
    limit: LimitKind | None = None
    """What ended the search before all was proved; None as well where Ctrl-C did."""

    @property
    def holds(self) -> bool:
        """Whether all that was claimed is proved again."""
        return self.proved >= self.claimed

    @property
    def text(self) -> str:
        """In one line, what is proved, and how."""
        if not self.claimed:
            return "it says of no cost that no solution is below it; nothing was searched"
        how = f"{plural(self.expanded, 'state')} by {self.algorithm} in {self.rules}"
        if not self.holds:
            ended = "interrupted" if self.limit is None else f"the {self.limit.label} limit"
            below = f"nothing below {self.proved}" if self.proved else "nothing is known"
            return f"{below}; the rest was not searched: {ended}, after {how}"
        if math.isinf(self.claimed):
            return f"there is no solution: {how}"
        return f"no solution costs less than {self.claimed}: {how}"


def search_again(
    problem: Problem[Any, Any],
    claimed: SearchResult[Any, Any] | Document,
    *,
    limits: Limits = Limits(),  # noqa: B008  (frozen)
    progress: ProgressListener | None = None,
) -> SearchedAgain:
    """Look for a solution below the lower bound that is claimed, or for any where there is none.

    The rules are the slow ones of `problem`, which has the start and the goal of what is claimed,
    or its own if it has none, with no promise believed but that equal keys are equal states. What
    was found by the order of distances is searched depth first, with a table; all else by
    uniform-cost search. Of `limits`, that of the cost is not looked at.

    Raises `VerificationError` that shows the cheaper solution, if there is one.

    >>> from searchkit import BreadthFirst, Problem, Step, solve
    >>> from searchkit.documents.searching_again import search_again
    >>> class Count(Problem[int, str]):
    ...     def initial_states(self):
    ...         return [1]
    ...     def successors(self, state):
    ...         return [Step("double", 2 * state), Step("increment", state + 1)]
    ...     def is_goal(self, state):
    ...         return state == 10
    >>> again = search_again(Count(), solve(Count(), BreadthFirst()))
    >>> again.claimed, again.holds, again.algorithm
    (4, True, 'depth-first search with a growing bound')
    """
    name, bound = claimed.algorithm, claimed.lower_bound
    if isinstance(name, Algorithm):
        name = type(name).name
    how: Algorithm = UniformCost()
    words = "uniform-cost search"
    if name in BY_DISTANCE:
        how = IDDFS(table=min(TABLE, TABLE if limits.memory is None else limits.memory // 2))
        words = "depth-first search with a growing bound"
    slow = rules_of(problem)
    rules = "the rules as written" if slow is problem else "the slow rules"
    if bound <= 0:
        return SearchedAgain(bound, 0, 0, words, rules)
    plain = _AsWritten(slow)
    most = None if math.isinf(bound) else math.ceil(bound) - 1
    series = Series(algorithm=how, limits=attrs.evolve(limits, cost=most), engine="reference")
    found = series.solve(plain, progress)
    if found.solution is not None:
        verify_solution(plain, found.solution)
        moves = [slow.format_action(action) for action in found.solution.actions]
        said = "there is no solution" if most is None else f"no solution costs less than {bound}"
        raise VerificationError(
            f"it says that {said}, but one costs {found.solution.cost}: {moves_shown(moves)}"
        )
    proved = bound if found.status is Status.UNSOLVABLE else min(bound, found.lower_bound)
    return SearchedAgain(bound, proved, found.statistics.expanded, words, rules, found.limit)


def with_claims(verified: Verified, again: SearchedAgain) -> Verified:
    """What is known of a document once the second search has ended, too."""
    if not again.holds or not again.claimed:
        return verified
    what = "no goal can be reached" if math.isinf(again.claimed) else "no solution costs less"
    claim = Claim("optimal lower_bound within", f"that {what}, by {again.algorithm}")
    return verified.with_claims(claim)


class _AsWritten(Wrapper[Any, Any]):
    """Starts, steps and goals of rules, without anything by which a search could be shortened."""

    costs = Costs.INTEGER

    def __init__(self, base: Problem[Any, Any]) -> None:
        super().__init__(base)
        self.author_name = name_of(base)

    def successors(self, state: Any) -> Iterable[Step[Any, Any]]:
        """Those of the rules."""
        return self.base.successors(state)

    def heuristic(self, state: Any) -> float:
        """Nothing is known."""
        return 0
