"""From the name of patterns to a heuristic: databases are loaded, and small ones built."""

from __future__ import annotations

from typing import Any

from searchkit.algorithms.validators import expect
from searchkit.capabilities import HasPatterns
from searchkit.errors import ProblemError, UnsuitableError, UsageError
from searchkit.heuristics.patterns.database import PatternDatabase
from searchkit.heuristics.patterns.heuristic import PatternHeuristic
from searchkit.heuristics.patterns.identity import identity_of
from searchkit.heuristics.patterns.laws import check_shape, try_on_problem
from searchkit.heuristics.patterns.library import Library, broken
from searchkit.heuristics.patterns.rules import other_rules, rules_of
from searchkit.heuristics.patterns.unfinished import finished
from searchkit.pattern_space import PatternSpace
from searchkit.running.building import Tell, building

BUILT_AT_ONCE = 20_000_000
"""Databases with no more entries than this in all are built when they are first asked for.

So are those that a puzzle has chosen by memory: `auto`, `auto=1GB`.
"""
CHOSEN = "auto"


def space_named(problem: Any, name: str) -> PatternSpace:
    """The pattern space of `problem` for the patterns called `name`."""
    if not isinstance(problem, HasPatterns):
        raise UnsuitableError(
            f"{type(problem).__name__} says nothing of patterns (pattern_space), so that there are "
            "no pattern databases for it; use another heuristic"
        )
    space = problem.pattern_space(problem.patterns_named(name))
    if not isinstance(space, PatternSpace) or not space.groups:
        raise ProblemError(
            f"{type(problem).__name__}: pattern_space returned {space!r:.80}; it must be a "
            "PatternSpace with one group or more"
        )
    for group in range(len(space.groups)):
        check_shape(space, group)
    return space


def find(space: PatternSpace, group: int, library: Library) -> PatternDatabase | None:
    """The database of a group, if it was built: one byte per entry if there is one.

    `UsageError` if it is not what was written, or was made by other rules.
    """
    identity = identity_of(space, group)
    for halved in (False, True):
        if library.has(identity, halved=halved):
            return load(space, group, library, halved=halved)
    return None


def load(space: PatternSpace, group: int, library: Library, *, halved: bool) -> PatternDatabase:
    """The database of a group, which is there; `UsageError` if it cannot be used."""
    database = library.load(identity_of(space, group), halved=halved)
    if database.rules != rules_of(space, group):
        folder = library.path_of(database.identity, halved=halved)
        raise other_rules(folder, space, group)
    if database.entries != space.entries(group):
        folder = library.path_of(database.identity, halved=halved)
        raise broken(
            folder, f"{database.entries} entries, and the group has {space.entries(group)}"
        )
    return database


def is_built(problem: Any, name: str, library: Library | None = None) -> bool:
    """Whether all databases of these patterns are there.

    `UsageError` if one of them is, but cannot be used: it is broken, or made by other rules.
    """
    library = library or Library()
    space = space_named(problem, name)
    return all(find(space, group, library) is not None for group in range(len(space.groups)))


def pattern_heuristic(
    problem: Any, name: str, *, library: Library | None = None
) -> PatternHeuristic:
    """Makes the heuristic `pdb:NAME`.

    Databases that are not in the library are built and kept there, if they are small. See
    `searchkit.running.building` for who hears of it.

    Args:
        problem: Whose states are estimated; it must have pattern spaces.
        name: The patterns, like `5-5-5`.
        library: The folder of databases; by default the user's.

    Raises:
        UsageError: They are too large to be built on the way; it says how to build them.
    """
    expect(name, str, "name", "a text like '6-6-3'")
    with building(f"pdb:{name}", f"searchkit pdb build PUZZLE {name}") as tell:
        return _pattern_heuristic(problem, name, library or Library(), tell)


def _pattern_heuristic(problem: Any, name: str, library: Library, tell: Tell) -> PatternHeuristic:
    space = space_named(problem, name)
    groups = range(len(space.groups))
    found = {group: find(space, group, library) for group in groups}
    missing = [group for group in groups if found[group] is None]
    entries = sum(space.entries(group) for group in missing)
    if entries > BUILT_AT_ONCE and name.partition("=")[0] != CHOSEN:
        raise UsageError(
            f"pattern databases {name} have not been built, and have {entries:,} entries; build "
            f"them with `searchkit pdb build PUZZLE {name}`; with --compressed they take half the "
            "room on disk and when used, not when built"
        )
    try_on_problem(space, problem)  # also where all are there: the problem may have changed
    for group in missing:
        known = find(space, group, library)  # two groups may have the same one
        if known is None:
            library.save(_built(space, group, library, tell))
            known = find(space, group, library)
        found[group] = known
    databases = [database for database in found.values() if database is not None]
    return PatternHeuristic(space, databases, f"pdb:{name}")


def _built(space: PatternSpace, group: int, library: Library, tell: Tell) -> PatternDatabase:
    """The database of a group, which is built."""
    from searchkit.heuristics.patterns.compiled_build import (  # noqa: PLC0415  (loads numba)
        Building,
        building_of,
        bytes_for,
    )

    size, name = bytes_for(space, group), space.name_of(group)

    def watch(build: Building) -> None:
        tell(f"pattern {name}: {build.about()}", size=size, kept=build.kept_bytes)

    tell(f"pattern {name}", size=size)
    return finished(building_of(space, group), identity_of(space, group), library, watch)
