"""Heuristics `pdb:PATTERNS`, as a kind."""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import Any

from searchkit.errors import SearchkitWarning, UsageError
from searchkit.heuristic import Heuristic
from searchkit.heuristics.kinds import Kind, TableToBuild
from searchkit.heuristics.patterns.choose import is_built, load, pattern_heuristic, space_named
from searchkit.heuristics.patterns.database import PatternDatabase
from searchkit.heuristics.patterns.identity import identity_of
from searchkit.heuristics.patterns.laws import try_on_problem
from searchkit.heuristics.patterns.library import Library
from searchkit.heuristics.patterns.unfinished import Build
from searchkit.packed import ZeroHeuristic
from searchkit.pattern_space import NoGoalError, PatternSpace

MEGA = 1e6


class Patterns(Kind):
    """Pattern databases; `name` is that of the patterns."""

    def read(self, problem: Any, name: str) -> Heuristic[Any, Any]:
        """Makes the heuristic; one that is always 0 where there is no goal."""
        if not name:
            raise UsageError("heuristic 'pdb' lacks its patterns; write one like pdb:6-6-3")
        try:
            return pattern_heuristic(problem, name)
        except NoGoalError as error:  # which a search is to prove
            warnings.warn(f"pdb:{name} is not used: {error}", SearchkitWarning, stacklevel=3)
            return ZeroHeuristic()

    def is_ready(self, problem: Any, name: str) -> bool:
        """Returns whether all databases are built."""
        return is_built(problem, name)

    def to_build(self, problem: Any, name: str, most: int | None) -> str | None:
        """Names the patterns as they are, which the problem has chosen."""
        return f"pdb:{name}"

    def tables(
        self, problem: Any, name: str, *, compressed: bool, most: int | None
    ) -> Sequence[TableToBuild]:
        """Lists a database for each group of the patterns."""
        space = space_named(problem, name)
        try_on_problem(space, problem)
        return [DatabaseToBuild(space, group, compressed) for group in range(len(space.groups))]


class DatabaseToBuild(TableToBuild):
    """The database of one group of a space."""

    def __init__(self, space: PatternSpace, group: int, compressed: bool) -> None:
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
