"""The heuristics of a problem, each checked by `check_heuristic`: shared by several laws."""

from __future__ import annotations

from collections.abc import Callable, Iterator
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
from searchkit.checks.ground import Breach, Ground
from searchkit.checks.heuristic import HeuristicChecker
from searchkit.checks.report import HeuristicReport, number
from searchkit.errors import ProblemError
from searchkit.heuristic import Heuristic
from searchkit.heuristics.names import OWN
from searchkit.problem import Problem
from searchkit.solving.plan import EngineChoice
from searchkit.texts.amounts import plural

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
    return None if _factories(ground) else "no heuristic, neither its own nor registered"


def _factories(ground: Ground) -> list[tuple[str, Callable[[Any], Any]]]:
    """What makes the heuristics, each with its name: first the problem's own, if it has one."""
    problem = ground.problem
    has_method = type(problem).heuristic is not Problem.heuristic
    has_own = has_method or isinstance(problem, HasDefaultHeuristic)
    own = [(OWN, own_heuristic)] if has_own else []
    return own + [(entry.name, entry.factory) for entry in ground.registered.heuristics]


def checked(ground: Ground) -> list[Checked]:
    """All heuristics of the problem, checked on as many states as the laws are tried on."""
    if "heuristics" not in ground.shared:
        engine: EngineChoice = "compiled" if ground.engine == "compiled" else "reference"
        checker = checker_of(ground, STEPS * ground.most, engine)
        ground.shared["heuristics"] = [
            _checked(checker, name, factory, ground.problem) for name, factory in _factories(ground)
        ]
    known: list[Checked] = ground.shared["heuristics"]
    return known


def _checked(checker: HeuristicChecker, name: str, factory: Any, problem: Any) -> Checked:
    place, method = place_of_callable(factory), f"heuristic {name}"
    if name == OWN:
        place, method = place_of(problem, "estimate", "heuristic", "default_heuristic"), "heuristic"
    try:
        heuristic = call(method, factory, problem)
        if not isinstance(heuristic, Heuristic):
            raise AuthorError(method, f"{method} is {short(heuristic)}, which is not a Heuristic")
        where = place_of(heuristic, "estimate", "begin", "__call__") or place
        report = checker.check(heuristic)
        return Checked(name=name, place=where, heuristic=heuristic, report=report)
    except AuthorError as error:
        failure = error
    except ProblemError as error:
        failure = AuthorError(method, f"{method} fails: {error}")
        if error.__cause__ is not None:
            failure = raised(method, error.__cause__)
    return Checked(name=name, place=place, failure=failure)


def checker_of(ground: Ground, samples: int, engine: EngineChoice) -> HeuristicChecker:
    """The checker of heuristics on as many states as the laws are tried on."""
    return HeuristicChecker(
        ground.problem, seed=ground.seed, samples=samples, max_states=ground.most, engine=engine,
        listener=lambda text: ground.watch(),
    )  # fmt: skip


def overestimate(
    ground: Ground, report: HeuristicReport, name: str, place: str | None
) -> Iterator[Breach]:
    """The first overestimate of a report on a heuristic, if there is one."""
    for over in report.overestimates[:1]:
        known = "is" if over.exact else "is at most"
        yield Breach(
            f"{name} gives at most {number(over.distance)}; the distance of {over.state} to a goal "
            f"{known} that",
            f"{number(over.estimate)}; it is too large in {plural(report.overestimated, 'state')}",
            place=place,
            at=ground.find(over.state),
        )


def disagreement(
    ground: Ground, report: HeuristicReport, name: str, place: Callable[[str], str | None]
) -> Iterator[Breach]:
    """The first form that disagrees by a report on a heuristic, if there is one.

    `place` gives the line to blame for a form.
    """
    for wrong in report.disagreements[:1]:
        yield Breach(
            f"{wrong.form} of {name} gives {number(wrong.expected)}, as the estimate from scratch",
            number(wrong.given),
            place=place(wrong.form),
            then=wrong.action or "",
            at=ground.find(wrong.state),
        )
