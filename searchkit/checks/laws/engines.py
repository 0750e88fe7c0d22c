"""The law of all algorithms and engines."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import nullcontext
from typing import Any

from searchkit.algorithms import ALGORITHMS, Algorithm, AStar
from searchkit.authors.user_code import AuthorError, call, raised
from searchkit.capabilities import HasStart, own_heuristic
from searchkit.checks.ground import Breach, Ground
from searchkit.checks.law import Findings, Unchecked, law, objection
from searchkit.compiled.plan import plan_search
from searchkit.compiled.specialise.plain import plainly
from searchkit.errors import NoRoomError, ProblemError, UnsuitableError
from searchkit.limits import Limits
from searchkit.packed import ZeroHeuristic
from searchkit.result import SearchResult, Status
from searchkit.running.making import search_clock
from searchkit.solve import solve
from searchkit.texts.amounts import plural
from searchkit.verify import verify_solution

OPTIMAL = tuple(each for each in ALGORITHMS.values() if each.optimal and each.finds_all)
FAMILIES = {
    each.engines["compiled"].partition(":")[0]: each
    for each in sorted(OPTIMAL, key=lambda each: each.uses_heuristic)
    if "compiled" in each.engines and not each.uses_goal_states
}
"""One algorithm of each compiled engine, each of which takes seconds to compile."""
LIMITS = Limits(time=0.5, expansions=5_000)
COMPILED_LIMITS = Limits(time=0.5, expansions=500_000)
TRANSLATED = "translated"
"""Kernels made of an ordinary problem's rules, run in Python: compiling them takes seconds."""
MOST_SECONDS = 5.0
"""After so long no search is begun any more."""
RELIES_ON = (
    "mutation", "successors", "keys", "costs", "goals", "goal-states", "predecessors", "undirected",
    "machine-code",
)  # fmt: skip


@law("all algorithms find solutions of the same cost", relies_on=RELIES_ON)
def engines(ground: Ground) -> Findings:
    """Solve a few starts by all algorithms that suit. At most a second for each."""
    costs: dict[str, int] = {}
    runs = 0
    began = search_clock()
    for name, problem, known in _problems(ground):
        least = known
        for kind, engine in _engines(ground, problem):
            ground.watch()
            if engine != "compiled" and search_clock() - began > MOST_SECONDS:
                continue
            try:
                result = _solved(problem, kind, engine)
            except AuthorError as error:
                yield ground.breach(error, f"{kind.name} solves the start {name}")
                continue
            if result is None:
                continue
            runs += 1
            cost = result.cost if result.status is Status.SOLVED else None
            if least is ...:
                least = cost
            costs[kind.name] = costs.get(kind.name, 0) + 1
            run = f"{kind.name} ({engine} engine)"
            if cost != least:
                found = f"{_cost(cost)}; if all other laws hold, please report this"
                blame = f"{_blamed(kind)} successors apply"
                yield Breach(f"{run} solves the start {name} {_cost(least)}", found, blame)
            elif result.solution is not None:
                wrong = call("successors", objection, verify_solution, problem, result.solution)
                if wrong is not None:
                    expected = f"the solution of {run} of the start {name} replays"
                    yield Breach(expected, wrong, "successors key apply")
    if not runs:
        return Unchecked("no start was solved, or proved unsolvable, within the limits")
    return f"{plural(runs, 'solved problem')} by {', '.join(costs)}"


def _blamed(kind: type[Algorithm]) -> str:
    back = "predecessors goal_states undirected" if kind.uses_goal_states else ""
    return f"{back} heuristic default_heuristic" if kind.uses_heuristic else back


def _cost(cost: Any) -> str:
    return "finds no solution" if cost is None else f"at cost {cost}"


def _problems(ground: Ground) -> Iterator[tuple[str, Any, Any]]:
    """Problems with texts of their starts, and the cost of a solution, `...` if not known."""
    solved = ground.distances
    starts = [visit for visit in ground.visited if visit.parent is None and visit.origin == "start"]
    costs = [solved[visit] for visit in starts if visit in solved]
    whole: Any = (min(costs) if costs else None) if ground.is_whole else ...
    text = ", ".join(ground.text(visit.state) for visit in starts[:3])
    yield text, ground.problem, whole
    if isinstance(ground.problem, HasStart):
        others = sorted((visit for visit in solved if solved[visit]), key=solved.__getitem__)
        for visit in [others[len(others) // 3], others[len(others) * 2 // 3]] if others else ():
            problem = ground.ask("with_start", visit.state)
            yield ground.text(visit.state), problem, solved[visit] if ground.is_whole else ...


def _engines(ground: Ground, problem: Any) -> Iterator[tuple[type[Algorithm], Any]]:
    for kind in OPTIMAL:
        yield kind, "reference"
    if ground.engine != "reference":
        for kind in FAMILIES.values():
            heuristic = own_heuristic(problem) if kind.uses_heuristic else ZeroHeuristic()
            found = plan_search(problem, kind(), heuristic)
            if found.reason is not None:
                continue
            if not found.translates or ground.engine == "compiled":
                yield kind, "compiled"
            elif kind is AStar:  # which asks all that can be translated
                yield kind, TRANSLATED


def _solved(problem: Any, kind: type[Algorithm], engine: Any) -> SearchResult[Any, Any] | None:
    """The result of a search; None if it does not suit, or takes too long."""
    limits = COMPILED_LIMITS if engine == "compiled" else LIMITS
    plain = plainly() if engine == TRANSLATED else nullcontext()
    engine = "compiled" if engine == TRANSLATED else engine
    try:
        with plain:
            result = solve(problem, kind(), limits=limits, engine=engine)
    except (UnsuitableError, NoRoomError):
        return None
    except ProblemError as error:
        cause = error.__cause__
        if cause is None:
            raise AuthorError("the problem", f"the problem cannot be solved: {error}") from error
        raise raised("the problem", cause) from error
    if result.status is Status.INTERRUPTED:  # the search has heard Ctrl-C, which is meant for all
        raise KeyboardInterrupt
    return result if result.status in (Status.SOLVED, Status.UNSOLVABLE) else None
