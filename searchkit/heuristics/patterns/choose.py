"""Heuristics `pdb:PATTERNS`: from their name on. Databases are loaded, and small ones built."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from searchkit.algorithms.validators import expect
from searchkit.errors import ProblemError, SearchkitWarning, UnsuitableError, UsageError
from searchkit.heuristic import Heuristic
from searchkit.heuristics.kinds import Kind, TableToBuild, described
from searchkit.heuristics.maximum import maximum
from searchkit.heuristics.patterns.database import PatternDatabase
from searchkit.heuristics.patterns.far import FarPatternHeuristic, is_far
from searchkit.heuristics.patterns.heuristic import PatternHeuristic
from searchkit.heuristics.patterns.identity import identity_of
from searchkit.heuristics.patterns.laws import check_shape, try_on_problem
from searchkit.heuristics.patterns.library import Library, broken
from searchkit.heuristics.patterns.rules import other_rules, rules_of
from searchkit.heuristics.patterns.unfinished import Build, finished
from searchkit.packed import ZeroHeuristic
from searchkit.pattern_space import NoGoalError, PatternSpace
from searchkit.running.building import Tell, building

BUILT_AT_ONCE = 20_000_000
"""Databases with no more entries than this in all are built when they are first asked for.

So are those that a puzzle has chosen by memory: `auto`, `auto=1GB`.
"""
CHOSEN = "auto"
LARGEST = "^"
"""Stands between patterns of which the larger estimate counts."""
MEGA = 1e6


def space_named(problem: Any, name: str) -> PatternSpace:
    """The pattern space of `problem` for the patterns called `name`."""
    patterned = described(problem)
    if patterned is None:
        raise UnsuitableError(
            f"{type(problem).__name__} has no patterns (pattern_space), so that there are "
            "no pattern databases for it; use another heuristic"
        )
    space = patterned.pattern_space(patterned.patterns_named(name))
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


def is_built(problem: Any, name: str) -> bool:
    """Whether all databases of these patterns are there.

    `UsageError` if one of them is, but cannot be used: it is broken, or made by other rules.
    """
    library, space = Library(), space_named(problem, name)
    return all(find(space, group, library) is not None for group in range(len(space.groups)))


def pattern_heuristic(
    problem: Any, name: str, *, library: Library | None = None, most: float = BUILT_AT_ONCE
) -> PatternHeuristic:
    """Makes the heuristic `pdb:NAME`.

    Databases that are not in the library are built and kept there, if they are small. See
    `searchkit.running.building` for who hears of it.

    Args:
        problem: Whose states are estimated; it must have pattern spaces.
        name: The patterns, like `5-5-5`.
        library: The folder of databases; by default the user's.
        most: How many entries may be built on the way.

    Raises:
        UsageError: They are too large to be built on the way; it says how to build them.
    """
    expect(name, str, "name", "a text like '6-6-3'")
    library = library or Library()
    with building(f"pdb:{name}", f"searchkit pdb build PUZZLE {name}") as tell:
        space = space_named(problem, name)
        groups = range(len(space.groups))
        found = {group: find(space, group, library) for group in groups}
        missing = [group for group in groups if found[group] is None]
        entries = sum(space.entries(group) for group in missing)
        if entries > most and name.partition("=")[0] != CHOSEN:
            raise UsageError(
                f"pattern databases {name} have not been built, and have {entries:,} entries; "
                f"build them with `searchkit pdb build PUZZLE {name}`; with --compressed they take "
                "half the room on disk and when used, not when built"
            )
        try_on_problem(space, problem)  # also where all are there: the problem may have changed
        for group in missing:
            if find(space, group, library) is None:  # two groups may have the same one
                library.save(_built(space, group, library, tell))
            found[group] = find(space, group, library)
        databases = [database for database in found.values() if database is not None]
        kind = FarPatternHeuristic if is_far(space, databases) else PatternHeuristic
        return kind(space, databases, f"pdb:{name}")


def _built(space: PatternSpace, group: int, library: Library, tell: Tell) -> PatternDatabase:
    table = DatabaseToBuild(space, group)

    def watch(build: Build) -> None:
        tell(f"{table.name}: {build.about()}", size=table.memory, kept=build.kept_bytes)

    tell(table.name, size=table.memory)
    return finished(table.build(threads=1), table.identity, library, watch)


class Patterns(Kind):
    """Pattern databases; `name` is that of the patterns, or `A^B`, the larger of both."""

    def read(self, problem: Any, name: str, most: float = BUILT_AT_ONCE) -> Heuristic[Any, Any]:
        """Makes the heuristic; one that is always 0 where there is no goal."""
        parts = name.split(LARGEST)
        if len(parts) > 1:
            largest = maximum(*(self.read(problem, part, most) for part in parts))
            largest.name = f"pdb:{name}"
            return largest
        if not name:
            raise UsageError("heuristic 'pdb' lacks its patterns; write one like pdb:6-6-3")
        try:
            return pattern_heuristic(problem, name, most=most)
        except NoGoalError as error:  # which a search is to prove
            warnings.warn(f"pdb:{name} is not used: {error}", SearchkitWarning, stacklevel=3)
            return ZeroHeuristic()

    def is_ready(self, problem: Any, name: str) -> bool:
        """Returns whether all databases are built."""
        return all(is_built(problem, part) for part in name.split(LARGEST))

    def to_build(self, problem: Any, name: str, most: int | None) -> str | None:
        """Names the patterns as they are, which the problem has chosen."""
        return f"pdb:{name}"

    def tables(
        self, problem: Any, name: str, *, compressed: bool, most: int | None
    ) -> Sequence[TableToBuild]:
        """Lists a database for each group of the patterns."""
        found = []
        for part in name.split(LARGEST):
            space = space_named(problem, part)
            try_on_problem(space, problem)
            groups = range(len(space.groups))
            found += [DatabaseToBuild(space, group, compressed) for group in groups]
        return found


class DatabaseToBuild(TableToBuild):
    """The database of one group of a space."""

    def __init__(self, space: PatternSpace, group: int, compressed: bool = False) -> None:
        from searchkit.heuristics.patterns.compiled_build import bytes_for  # noqa: PLC0415  (numba)

        self.space, self.group, self.compressed = space, group, compressed
        self.name = f"pattern {space.name_of(group)}"
        self.identity = identity_of(space, group)
        self.memory, entries = bytes_for(space, group), space.entries(group)
        self.kept_bytes = (entries + 1) // 2 if compressed else entries

    def load(self, library: Library, *, halved: bool) -> PatternDatabase:
        """Loads the database."""
        return load(self.space, self.group, library, halved=halved)

    def build(self, threads: int) -> Build:
        """Begins to build it."""
        from searchkit.heuristics.patterns.compiled_build import (  # noqa: PLC0415  (loads numba)
            building_of,
        )

        return building_of(self.space, self.group, threads)

    def about(self, table: PatternDatabase) -> str:
        """Gives its size, and how far its values are from 0."""
        return (
            f"{table.entries:,} entries, {table.bytes / MEGA:,.1f} MB, mean {table.mean:.2f}, "
            f"most {len(table.counts) - 1}, {table.seconds:.1f} s"
        )

    def as_kept(self, table: PatternDatabase) -> PatternDatabase:
        """Gives the database with four bits per entry, where that is asked for."""
        from searchkit.heuristics.patterns.compiled_build import halve  # noqa: PLC0415  (numba)

        return halve(self.space, self.group, table) if self.compressed else table
