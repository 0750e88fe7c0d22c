"""A heuristic is never more than the cost to a goal."""

from __future__ import annotations

from searchkit.checks.estimates import checked, has_heuristics, overestimate
from searchkit.checks.ground import Breach, Ground
from searchkit.checks.law import Findings, Law, Unchecked
from searchkit.checks.report import HeuristicReport
from searchkit.texts.amounts import plural


def check(ground: Ground) -> Findings:
    """Look for overestimates, by `check_heuristic`. O(steps) for each heuristic."""
    scopes, compared = [], 0
    for each in checked(ground):
        ground.watch()
        if each.failure is not None:
            expected, place = f"estimates of heuristic {each.name}", each.failure.place
            yield Breach(expected, each.failure.found, place=place or each.place)
            continue
        report = each.report
        assert report is not None
        yield from overestimate(ground, report, f"heuristic {each.name}", each.place)
        compared += report.compared
        scopes.append(f"{each.name}: {_scope(report)}")
    scope = "; ".join(scopes)
    if not compared:
        return Unchecked(
            f"no way to a goal is known from any state of {scope}; try more states (--states), a "
            "start near a goal (--start), or goal_states() and undirected = True"
        )
    return scope


def _scope(report: HeuristicReport) -> str:
    consistent = "consistent" if report.consistent is not False else "not consistent, as it may be"
    whole = "all" if report.method == "exhaustive" else "a sample of"
    return f"{whole} {plural(report.states, 'state')}, {consistent}"


LAW = Law(__name__, __doc__, check, (has_heuristics,), relies_on=("successors",))
