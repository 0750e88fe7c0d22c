"""The heuristics of a problem, each checked by `check_heuristic`: shared by several laws."""

from __future__ import annotations

from typing import Any

import attrs

from searchkit.authors.user_code import (
    AuthorError,
    call,
    place_of,
    place_of_callable,
    raised,
    short,
)
from searchkit.capabilities import HasDefaultHeuristic, own_heuristic
from searchkit.checks.ground import Ground
from searchkit.checks.heuristic import HeuristicChecker
from searchkit.checks.report import HeuristicReport
from searchkit.errors import ProblemError
from searchkit.heuristic import Heuristic
from searchkit.problem import Problem

OWN = "problem"
STEPS = 5
"""How many steps a sample has for each state that laws are tried on."""


@attrs.frozen(kw_only=True)
class Checked:
    """A heuristic by the name it is registered by, its report, and where it is written.

    If there is no report, `failure` tells what the author's code did.
    """

    name: str
    place: str | None
    heuristic: Heuristic[Any, Any] | None = None
    report: HeuristicReport | None = None
    failure: AuthorError | None = None


def has_heuristics(ground: Ground) -> str | None:
    """Why there is nothing to check; None if there is."""
    own = has_own(ground)
    return None if own or ground.heuristics else "no heuristic, neither its own nor registered"


def has_own(ground: Ground) -> bool:
    """Whether the problem has a heuristic of its own."""
    problem = ground.problem
    has_method = type(problem).heuristic is not Problem.heuristic
    return has_method or isinstance(problem, HasDefaultHeuristic)


def checked(ground: Ground) -> list[Checked]:
    """All heuristics of the problem, checked on as many states as the laws are tried on."""
    if "heuristics" not in ground.shared:
        checker = HeuristicChecker(
            ground.problem,
            seed=ground.seed,
            samples=STEPS * ground.most,
            max_states=ground.most,
            engine="compiled" if ground.engine == "compiled" else "reference",
            listener=lambda text: ground.watch(),
        )
        found = []
        if has_own(ground):
            found.append(_checked(checker, OWN, own_heuristic, ground.problem))
        found += [
            _checked(checker, entry.name, entry.factory, ground.problem)
            for entry in ground.heuristics
        ]
        ground.shared["heuristics"] = found
    known: list[Checked] = ground.shared["heuristics"]
    return known


def _checked(checker: HeuristicChecker, name: str, factory: Any, problem: Any) -> Checked:
    is_own = name == OWN
    place = (
        place_of(problem, "heuristic", "default_heuristic")
        if is_own
        else place_of_callable(factory)
    )
    method = "heuristic" if is_own else f"heuristic {name}"
    try:
        heuristic = call(method, factory, problem)
        if not isinstance(heuristic, Heuristic):
            raise AuthorError(method, f"{method} is {short(heuristic)}, which is not a Heuristic")
        kind = type(heuristic)
        where = next(
            (
                place_of(heuristic, each)
                for each in ("estimate", "begin", "__call__")
                if each in kind.__dict__ and place_of(heuristic, each)
            ),
            place,
        )
        report = checker.check(heuristic)
    except AuthorError as error:
        return Checked(name=name, place=place, failure=error)
    except ProblemError as error:
        failure = AuthorError(method, f"{method} fails: {error}")
        if error.__cause__ is not None:
            failure = raised(method, error.__cause__)
        return Checked(name=name, place=place, failure=failure)
    return Checked(name=name, place=where, heuristic=heuristic, report=report)
