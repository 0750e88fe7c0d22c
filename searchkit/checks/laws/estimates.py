"""An estimate is the same in all its forms.

However it was found: from scratch or carried along a step.
"""

from __future__ import annotations

from functools import partial

from searchkit.authors.user_code import call, place_of
from searchkit.capabilities import HasDefaultHeuristic
from searchkit.checks.estimates import checked, disagreement, has_heuristics
from searchkit.checks.ground import Breach, Ground
from searchkit.checks.law import Findings, Law
from searchkit.checks.report import number
from searchkit.heuristics.names import OWN
from searchkit.problem import Problem

METHODS = {"after", "candidates", "change", "follow", "recall", "estimate"}


def check(ground: Ground) -> Findings:
    """Compare all forms of each heuristic, by `check_heuristic`. O(steps) for each heuristic."""
    compared = []
    for each in checked(ground):
        ground.watch()
        if each.report is None:
            continue  # for which the law of heuristics has the reason
        place = partial(_place, each.heuristic)
        yield from disagreement(ground, each.report, f"heuristic {each.name}", place)
        compared.append(f"{each.name}: {', '.join(each.report.forms) or 'one form only'}")
        if each.name == OWN:
            yield from _own(ground, each.heuristic)
    return "; ".join(compared)


def _place(heuristic: object, form: str) -> str | None:
    return place_of(heuristic, next((name for name in METHODS if name in form), "change"))


def _own(ground: Ground, heuristic: object) -> Findings:
    """The object and the method of a problem that has both."""
    problem = ground.problem
    if not isinstance(problem, HasDefaultHeuristic) or not callable(heuristic):
        return None
    if type(problem).heuristic is Problem.heuristic:
        return None
    for visit in ground.visits():
        method = ground.ask("heuristic", visit.state)
        given = call("default_heuristic", heuristic, visit.state)
        if method != given:
            expected = f"default_heuristic() gives {number(method)}, as heuristic(state) does"
            yield Breach(expected, number(given), "default_heuristic heuristic")
    return None


LAW = Law(__name__, __doc__, check, (has_heuristics,), relies_on=("successors",))
