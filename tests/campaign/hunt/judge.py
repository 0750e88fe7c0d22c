"""What the result of a search must be like, by the oracle."""

from __future__ import annotations

from fractions import Fraction
from itertools import islice
from math import inf
from typing import Any

from hunt.oracle import Wrong
from hunt.random_graphs import Space
from hunt.searches import DEEPENING, REMEMBERING, Search, is_admissible
from searchkit import LimitKind, SearchResult
from searchkit.verify import verify_certificate

MOST_LISTED = 60
COUNTS = ("expanded", "generated", "reopened", "max_frontier", "stored")


def judge(problem: Any, space: Space, search: Search, result: SearchResult[Any, Any]) -> str:
    """Raise `Wrong` if anything about `result` is not true; else how it ended, in a word."""
    Judge(problem, space, search, result).all()
    return result.status.name.lower()


class Judge:
    """One result and what is true."""

    def __init__(self, problem: Any, space: Space, search: Search, result: Any) -> None:
        self.problem, self.space, self.search, self.result = problem, space, search, result
        self.graph = space.graph
        self.best = space.graph.best
        self.trusted = not search.uses_heuristic or is_admissible(space)

    def demand(self, fact: bool, text: str) -> None:
        if not fact:
            raise Wrong(f"{self.search.algorithm}, {self.result.engine}: {text}")

    def all(self) -> None:
        self.solutions()
        if self.trusted:
            self.bounds()
        getattr(self, self.result.status.name.lower())()

    def solutions(self) -> None:
        """Whatever is called a solution is one."""
        result, search = self.result, self.search
        listed = list(islice(result.solutions or (), MOST_LISTED))
        self.demand((result.solution is None) == (not listed), "a solution without a list")
        for solution in listed:
            cost = self.replayed(solution)
            self.demand(cost == solution.cost == result.cost, f"cost {result.cost}, it is {cost}")
            self.demand(self.best is not None and cost >= self.best, f"{cost} is below the best")
        if result.solution is not None:
            first = listed[0].actions == result.solution.actions
            self.demand(first, "the solution is not the first one listed")
            self.replayed(result.solution)
        if search.depth is not None and listed:
            self.demand(result.cost <= search.depth, f"cost {result.cost} is beyond the limit")

    def replayed(self, solution: Any) -> int:
        place = self.problem.place
        states = [place(state) for state in solution.states]
        try:
            cost, expected = self.graph.replay(states[0], solution.actions)
        except ValueError as error:
            raise Wrong(f"{self.search.algorithm}: it is not a solution: {error}") from error
        self.demand(states == expected, f"the states are {expected}, not {states}")
        return cost

    def bounds(self) -> None:
        """No bound is above the optimal cost; no ratio is too small."""
        result, best = self.result, self.best
        if best is None:
            return
        self.demand(result.lower_bound <= best, f"bound {result.lower_bound}, the best is {best}")
        if result.optimal:
            self.demand(result.cost == best, f"{result.cost} is called optimal, {best} is")
        if result.within is not None:
            self.demand(
                result.cost <= result.within * best, f"{result.cost} within {result.within}"
            )
        costs = [each.cost for each in result.improvements]
        self.demand(costs == sorted(set(costs), reverse=True), f"improvements {costs}")
        for each in result.improvements:
            self.demand(best <= each.cost and each.lower_bound <= best, f"improvement {each}")

    def solved(self) -> None:
        result, search, best = self.result, self.search, self.best
        self.demand(result.solution is not None, "solved without a solution")
        if not self.trusted or best is None:
            return
        if search.is_optimal or search.algorithm == "anytime":
            self.demand(result.cost == best, f"cost {result.cost}, but {best} is optimal")
            self.demand(result.optimal, "it is not called optimal")
            self.demand(result.lower_bound == best, f"its bound is {result.lower_bound}")
        weight = dict(search.options).get("weight")
        if weight is not None:
            most = Fraction(weight) * best
            self.demand(result.cost <= most, f"cost {result.cost} is above {weight} x {best}")
            if best:
                self.demand(result.within <= Fraction(weight), f"within {result.within}")
        if search.want != "one":
            self.listing()

    def listing(self) -> None:
        """All solutions, in their order, and how many there are."""
        result, most = self.result, self.search.most
        number = self.graph.count
        expected = number if most is None else min(number, most)
        self.demand(result.count == expected, f"count {result.count}, there are {expected}")
        complete = most is None or number < most
        self.demand(result.complete == complete, f"complete is {result.complete}")
        if self.search.want == "count":
            return
        taken = MOST_LISTED if most is None else min(MOST_LISTED, most)
        wanted = list(islice(self.graph.solutions(), taken))
        place = self.problem.place
        listed = [
            (place(each.start), each.actions) for each in islice(result.solutions, MOST_LISTED)
        ]
        self.demand(listed == wanted, f"it lists {listed}; there are {wanted}")

    def unsolvable(self) -> None:
        result = self.result
        self.demand(self.best is None or not self.trusted, "it is called unsolvable")
        self.demand(result.lower_bound == inf, f"unsolvable, but its bound {result.lower_bound}")
        self.demand((result.count, result.complete) == (0, True), f"count {result.count}")
        if self.best is None and result.certificate.kind == "closed set":
            verify_certificate(self.problem, result.certificate)

    def limit(self) -> None:
        result, search = self.result, self.search
        expanded = result.statistics.expanded
        self.demand(not result.complete, "a search that was stopped is called complete")
        if result.limit is LimitKind.EXPANSIONS:
            self.demand(expanded == search.nodes, f"{expanded} expanded, limit {search.nodes}")
        elif result.limit is LimitKind.COST:
            self.demand(search.depth is not None, "no cost limit was set")
            exact = search.algorithm not in ("greedy", "beam") and self.trusted
            if exact and search.depth is not None:
                far = self.best is None or self.best > search.depth
                self.demand(far, f"depth {search.depth} is enough: {self.best}")
        elif result.limit is LimitKind.TIME:
            self.demand(search.seconds is not None, "no time limit was set")
        else:
            is_beam = search.algorithm == "beam" and result.limit is LimitKind.WIDTH
            self.demand(is_beam, f"limit {result.limit}")

    def interrupted(self) -> None:
        self.demand(False, "it was interrupted by nobody")


def compare(search: Search, ours: Any, theirs: Any, *, counts: bool = True) -> None:
    """Raise `Wrong` unless the compiled engine did what the reference engine did."""
    names = ["status", "limit", "lower_bound", "count", "complete"]
    statistics = ["expanded", "generated", "reopened"]
    # Batches hold other states in memory than one path.
    one_path = search.algorithm not in DEEPENING or dict(search.options).get("cycles") == "path"
    if not one_path and theirs.limit is LimitKind.EXPANSIONS:
        statistics = ["expanded"]  # they were stopped at other states
    if one_path:
        statistics += ["max_frontier", "stored"]
    if search.algorithm != "greedy":
        names += ["cost", "optimal"]
    if not counts:
        statistics = ["expanded", "generated"]
    if search.seconds is not None:
        return
    remembers = not REMEMBERING.isdisjoint(dict(search.options))
    if remembers:  # each is judged by itself
        if "perimeter" in dict(search.options):
            return  # one may be whole, and the other has no room
        if ours.limit is LimitKind.EXPANSIONS or theirs.limit is LimitKind.EXPANSIONS:
            return
        statistics = []
    if (ours.overestimate is None) != (theirs.overestimate is None):
        # It is found among states that are drawn, here by one of them, which then proves nothing.
        names = [name for name in names if name not in ("lower_bound", "complete", "optimal")]
    for name in names:
        a, b = getattr(ours, name), getattr(theirs, name)
        if a != b:
            raise Wrong(f"{search.algorithm}: {name} is {a} compiled, {b} in the reference engine")
    for name in statistics:
        a, b = getattr(ours.statistics, name), getattr(theirs.statistics, name)
        if a != b:
            raise Wrong(f"{search.algorithm}: {name} is {a} compiled, {b} in the reference engine")
    rows = [
        [(row.bound, row.expanded, row.generated) for row in each.statistics.iterations]
        for each in (ours, theirs)
    ]
    if not one_path and theirs.limit is LimitKind.EXPANSIONS:
        rows = [each[:-1] for each in rows]
    if not remembers and rows[0] != rows[1]:
        raise Wrong(f"{search.algorithm}: the iterations differ: {rows[0]} and {rows[1]}")
