"""Heuristics `cosets:N`, as a kind."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from searchkit.errors import UnsuitableError, UsageError
from searchkit.heuristics.kinds import Kind, TableToBuild
from searchkit.heuristics.patterns.database import PatternDatabase
from searchkit.heuristics.patterns.library import Library
from searchkit.pieces.cosets.build import CosetBuild, check_room
from searchkit.pieces.cosets.choose import (
    BUILT_AT_ONCE,
    best_built,
    coset_heuristic,
    cosets_for,
    flips_named,
)
from searchkit.pieces.cosets.coordinates import Cosets
from searchkit.pieces.cosets.heuristic import CosetHeuristic
from searchkit.pieces.cosets.tables import SPREAD, bytes_of, checked, identity_of, load

MEGA = 1e6


class CosetTables(Kind):
    """Tables of cosets; `name` is how many flips one looks at, as many as fit where it is empty."""

    def read(self, problem: Any, name: str) -> CosetHeuristic:
        """Makes the heuristic."""
        return coset_heuristic(problem, name)

    def is_ready(self, problem: Any, name: str) -> bool:
        """Returns whether the table, or any, is built."""
        try:
            if not name:
                return best_built(problem) is not None
            cosets = cosets_for(problem)
            return load(cosets, flips_named(cosets, name), Library()) is not None
        except UnsuitableError:
            return False

    def to_build(self, problem: Any, name: str, most: int | None) -> str | None:
        """Names the table that would be built if it were asked for; None if none can be."""
        try:
            cosets = cosets_for(problem)
            within = BUILT_AT_ONCE if most is None else min(most, BUILT_AT_ONCE)
            flips = flips_named(cosets, name, within)
            check_room(cosets, flips, Library())
        except UsageError:
            return None
        return f"cosets:{flips}"

    def tables(
        self, problem: Any, name: str, *, compressed: bool, most: int | None
    ) -> Sequence[TableToBuild]:
        """Lists the one table."""
        if compressed:
            raise UsageError("tables of cosets have two bits for each entry; drop --compressed")
        cosets = cosets_for(problem)
        flips = flips_named(cosets, name, BUILT_AT_ONCE if most is None else most)
        return [CosetTableToBuild(cosets, flips)]


class CosetTableToBuild(TableToBuild):
    """The table of some flips."""

    def __init__(self, cosets: Cosets, flips: int) -> None:
        self.cosets, self.flips = cosets, flips
        self.name, self.identity = f"cosets:{flips}", identity_of(cosets, flips)
        self.memory = self.kept_bytes = sum(bytes_of(cosets, flips))

    def load(self, library: Library, *, halved: bool) -> PatternDatabase:
        """Loads the table."""
        return checked(self.cosets, self.flips, library)

    def build(self, threads: int) -> CosetBuild:
        """Begins to build it."""
        return CosetBuild(self.cosets, self.flips, threads)

    def about(self, table: PatternDatabase) -> str:
        """Gives its size, and which distances it knows exactly."""
        deepest = len(table.counts) - SPREAD
        return (
            f"{self.cosets.entries(self.flips):,} entries, {self.kept_bytes / MEGA:,.1f} MB, "
            f"exact from {deepest - 1} to {deepest}"
        )
