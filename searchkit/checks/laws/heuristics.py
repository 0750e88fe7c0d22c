"""Laws of heuristics: the own one, registered ones, and those of pattern databases."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

import attrs

from searchkit.authors.user_code import (
    AuthorError,
    call,
    items,
    place_of,
    place_of_callable,
    raised,
    short,
)
from searchkit.capabilities import (
    HasBestHeuristics,
    HasDefaultHeuristic,
    HasPatterns,
    own_heuristic,
)
from searchkit.checks.ground import Breach, Ground
from searchkit.checks.heuristic import HeuristicChecker
from searchkit.checks.law import Breaches, Findings, Unchecked, law
from searchkit.checks.report import HeuristicReport, number
from searchkit.engine import EngineChoice
from searchkit.errors import ProblemError, UsageError
from searchkit.heuristic import Heuristic
from searchkit.heuristics.kinds import PATTERNS, row_of
from searchkit.heuristics.names import OWN
from searchkit.heuristics.patterns.choose import space_named
from searchkit.heuristics.patterns.database import PatternDatabase
from searchkit.heuristics.patterns.heuristic import PatternHeuristic
from searchkit.heuristics.patterns.identity import identity_of
from searchkit.heuristics.patterns.laws import PatternError, check_state, check_step, walk_back
from searchkit.heuristics.patterns.solved import plain_build
from searchkit.packed import PackedProblem, packed_steps
from searchkit.pattern_space import PatternSpace
from searchkit.problem import is_default
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
    has_method = not is_default(problem, "heuristic")
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


@law("a heuristic is never more than the cost to a goal", has_heuristics, relies_on=("successors",))
def heuristics(ground: Ground) -> Findings:
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


METHODS = {"after", "candidates", "change", "follow", "recall", "estimate"}


@law("an estimate is the same in all its forms", has_heuristics, relies_on=("successors",))
def estimates(ground: Ground) -> Findings:
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


def _own(ground: Ground, heuristic: object) -> Breaches:
    """The object and the method of a problem that has both."""
    problem = ground.problem
    if not isinstance(problem, HasDefaultHeuristic) or not callable(heuristic):
        return
    if is_default(problem, "heuristic"):
        return
    for visit in ground.visits():
        method = ground.ask("heuristic", visit.state)
        given = call("default_heuristic", heuristic, visit.state)
        if method != given:
            expected = f"default_heuristic() gives {number(method)}, as heuristic(state) does"
            yield Breach(expected, number(given), "default_heuristic heuristic")


TRIED = ("1-1", "2-2", "2", "1", "auto=1kB")
"""Names that many puzzles know; the first two that do are tried, with the recommended ones."""
SPACES = 2
PATTERN_STATES = 200
"""How many states are looked at, from the nearest to a start to the farthest."""
WALKS, WALK = 12, 20
SMALL = 500
"""Databases of no more entries are built, and compared with distances."""


@law(
    "pattern states have entries of their own, and their distances are lower bounds",
    HasPatterns,
    PackedProblem,
    relies_on=("successors", "goals", "controls", "kernels"),
)
def patterns(ground: Ground) -> Findings:
    """Walk back from the goals, look at steps, and build small databases. O(steps * operators)."""
    tried = []
    for name in names_of(ground):
        ground.watch()
        try:
            space = call("pattern_space", space_named, ground.problem, name)
            yield from _space(ground, name, space)
        except AuthorError as error:
            if isinstance(error.__cause__, UsageError):
                continue
            if not isinstance(error.__cause__, ProblemError):
                raise
            found, _, place = str(error.__cause__).partition("; see ")
            expected = f"a pattern space for the patterns {name}"
            yield Breach(expected, found, "pattern_space", place=place or None)
        tried.append(name)
    if not tried:
        return Unchecked(
            f"patterns_named knows no pattern called {', '.join(TRIED[:-1])} or {TRIED[-1]}; "
            "to have others tried, name them in best_heuristics"
        )
    return f"the patterns {', '.join(tried)}"


def names_of(ground: Ground) -> Iterator[str]:
    """The names that the problem recommends, and some that it knows."""
    if isinstance(ground.problem, HasBestHeuristics):
        best = items("best_heuristics", ground.problem.best_heuristics)
        named = [name for row, name in filter(None, map(row_of, best)) if row is PATTERNS]
        yield from named[:SPACES]
    known = 0
    for name in TRIED:
        try:
            ground.ask("patterns_named", name)
        except AuthorError as error:
            if not isinstance(error.__cause__, UsageError):
                raise
            continue
        known += 1
        yield name
        if known == SPACES:
            return


def _space(ground: Ground, name: str, space: PatternSpace) -> Breaches:
    try:
        databases = _databases(ground, space)
    except (AuthorError, PatternError) as error:
        fault = error if isinstance(error, PatternError) else error.__cause__
        if not isinstance(fault, PatternError):
            raise
        yield Breach(
            f"patterns {name}, group {fault.group}: {fault.expected}",
            fault.found,
            place=place_of(space, *fault.blame.split()),
            then=fault.then,
        )
        return
    if len(databases) == len(space.groups):
        yield from _bounds(ground, PatternHeuristic(space, databases, f"{PATTERNS.prefix}:{name}"))


def _databases(ground: Ground, space: PatternSpace) -> list[PatternDatabase]:
    """The databases, as far as they are small; an error if the space breaks a promise."""
    identities = [call("identity", identity_of, space, group) for group in range(len(space.groups))]
    for group, identity in enumerate(identities):
        twin = identities.index(identity)
        if sorted(space.goals(group)) != sorted(space.goals(twin)) or (
            space.entries(group) != space.entries(twin)
        ):
            expected = f"an identity of its own, as goals or entries differ from group {twin}'s"
            raise PatternError(space, group, expected, "the same identity", "identity")
        rng = random.Random(ground.seed)
        call("pattern_space", walk_back, space, group, rng, WALKS, WALK)
    problem = ground.problem
    assert isinstance(problem, PackedProblem)
    for visit in ground.watched(ground.sound(PATTERN_STATES)):
        if ground.certificate(visit.state) is not None:
            continue  # no database is asked about it
        call("pattern_space", check_state, space, visit.state, visit.is_goal)
        for step in packed_steps(problem, visit.state):
            call("pattern_space", check_step, space, step, problem.cost(*step[:3]))
    databases: list[PatternDatabase] = []
    for group in range(len(space.groups)):
        built = call("pattern_space", plain_build, space, group, SMALL)
        if built is None:
            break
        databases.append(built)
    return databases


def _bounds(ground: Ground, heuristic: PatternHeuristic) -> Breaches:
    """Compare the values with distances, and all forms of them with each other."""
    most = ground.most // heuristic.space.images  # each takes about as long as a state
    checker = checker_of(ground, most, "reference")
    report = call("pattern_space", checker.check, heuristic)
    name, space = heuristic.name, heuristic.space
    yield from overestimate(ground, report, name, place_of(space, "previous", "locate"))
    yield from disagreement(ground, report, name, lambda form: place_of(space, "moved", "touched"))
