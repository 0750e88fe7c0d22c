"""Pattern states have entries of their own, and their distances are lower bounds."""

from __future__ import annotations

import random
from collections.abc import Iterator

from searchkit.authors.user_code import AuthorError, call, items, place_of
from searchkit.capabilities import HasBestHeuristics, HasPatterns
from searchkit.checks.estimates import checker_of, disagreement, overestimate
from searchkit.checks.ground import Breach, Ground
from searchkit.checks.law import Findings, Law, Unchecked
from searchkit.errors import ProblemError, UsageError
from searchkit.heuristics.kinds import PATTERNS, row_of
from searchkit.heuristics.patterns.choose import space_named
from searchkit.heuristics.patterns.database import PatternDatabase
from searchkit.heuristics.patterns.heuristic import PatternHeuristic
from searchkit.heuristics.patterns.identity import identity_of
from searchkit.heuristics.patterns.laws import PatternError, check_state, check_step, walk_back
from searchkit.heuristics.patterns.plain_build import plain_build
from searchkit.packed import PackedProblem, packed_steps
from searchkit.pattern_space import PatternSpace

TRIED = ("1-1", "2-2", "2", "1", "auto=1kB")
"""Names that many puzzles know; the first two that do are tried, with the recommended ones."""
SPACES = 2
STATES = 200
"""How many states are looked at, from the nearest to a start to the farthest."""
WALKS, WALK = 12, 20
SMALL = 500
"""Databases of no more entries are built, and compared with distances."""


def check(ground: Ground) -> Findings:
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
            f"patterns_named knows none of {', '.join(TRIED)}; let best_heuristics name some"
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


def _space(ground: Ground, name: str, space: PatternSpace) -> Findings:
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
        return None
    if len(databases) == len(space.groups):
        yield from _bounds(ground, PatternHeuristic(space, databases, f"{PATTERNS.prefix}:{name}"))
    return None


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
    for visit in ground.watched(ground.sound(STATES)):
        if ground.is_certified(visit.state):
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


def _bounds(ground: Ground, heuristic: PatternHeuristic) -> Findings:
    """Compare the values with distances, and all forms of them with each other."""
    most = ground.most // heuristic.space.images  # each takes about as long as a state
    checker = checker_of(ground, most, "reference")
    report = call("pattern_space", checker.check, heuristic)
    name, space = heuristic.name, heuristic.space
    yield from overestimate(ground, report, name, place_of(space, "previous", "locate"))
    yield from disagreement(ground, report, name, lambda form: place_of(space, "moved", "touched"))
    return None


LAW = Law(
    __name__,
    __doc__,
    check,
    (HasPatterns, PackedProblem),
    relies_on=("successors", "goals", "controls", "kernels"),
)
