"""Heuristics `cosets:N`: from their name on. A table is loaded, or built when it is small."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Any

from searchkit.errors import UnsuitableError, UsageError
from searchkit.heuristics.kinds import Kind, TableToBuild
from searchkit.heuristics.patterns.database import PatternDatabase
from searchkit.heuristics.patterns.library import Library
from searchkit.heuristics.patterns.unfinished import finished
from searchkit.pieces.cosets.build import CosetBuild, check_room
from searchkit.pieces.cosets.coordinates import Cosets, cosets_of
from searchkit.pieces.cosets.heuristic import (
    SPREAD,
    CosetHeuristic,
    CosetTable,
    bytes_of,
    check_table,
    checked,
    identity_of,
    load,
)
from searchkit.pieces.puzzle import Pieces
from searchkit.running.building import building
from searchkit.running.free_memory import default_memory
from searchkit.running.processors import processors

BUILT_AT_ONCE = 300_000_000
"""A table of no more bytes than this is built when it is first asked for."""
MEGA = 1e6


def cosets_for(problem: Any) -> Cosets:
    """The cosets of a problem; `UnsuitableError` if it has none."""
    if not isinstance(problem, Pieces):
        raise UnsuitableError(
            f"{type(problem).__name__} has no tables of cosets: they are for puzzles of pieces "
            "(searchkit.pieces); use another heuristic"
        )
    if problem.definition.is_bandaged:
        raise UnsuitableError(
            f"{problem.definition.name} has no tables of cosets: some of its states are illegal; "
            "use pattern databases (pdb:auto)"
        )
    return cosets_of(problem.layout)


def flips_named(cosets: Cosets, name: str, most: int = BUILT_AT_ONCE) -> int:
    """How many flips a table called `name` looks at; if it has no name, as many as fit in `most`.

    `UsageError` if there is no such table, or none fits.
    """
    if not name:
        fitting = [n for n in range(cosets.flips + 1) if sum(bytes_of(cosets, n)) <= most]
        if not fitting:
            raise UsageError(
                f"the smallest table of cosets takes {sum(bytes_of(cosets, 0)) / MEGA:,.1f} MB, "
                f"and {most / MEGA:,.1f} MB are allowed"
            )
        return fitting[-1]
    if not re.fullmatch("[0-9]{1,2}", name) or int(name) > cosets.flips:
        raise UsageError(
            f"there is no table cosets:{name:.20}; write cosets:N for one that looks at N flipped "
            f"pieces, from 0 to {cosets.flips}: each takes twice the memory of the one before"
        )
    return int(name)


def coset_heuristic(problem: Any, name: str, *, library: Library | None = None) -> CosetHeuristic:
    """The heuristic `cosets:NAME`; without a name, by the largest table that was built.

    A table that is not in the library is built and kept there if it is small; else that is a
    `UsageError` that says how to build it. See `searchkit.running.building` for who hears of it.
    """
    library, cosets = library or Library(), cosets_for(problem)
    flips = flips_named(cosets, name)
    found = load(cosets, flips, library) if name else best_built(problem, library)
    if found is None:
        table = CosetTableToBuild(cosets, flips)
        what, how = f"the table {table.name}", f"searchkit pdb build PUZZLE {table.name}"
        if table.memory > BUILT_AT_ONCE:
            raise UsageError(
                f"{what} has not been built, and takes {table.memory / MEGA:,.0f} MB; "
                f"build it with `{how}`"
            )
        with building(what, how) as tell:

            def watch(build: CosetBuild) -> None:
                tell(build.about(), size=table.memory, kept=build.kept_bytes, left=build.left())

            tell("", size=table.memory)
            check_room(cosets, flips, library)
            library.save(finished(table.build(processors()), table.identity, library, watch))
        found = load(cosets, flips, library)
        assert found is not None
    heuristic = CosetHeuristic(problem, cosets, found, f"cosets:{found.flips}")
    check_table(heuristic)
    return heuristic


def best_built(problem: Any, library: Library | None = None) -> CosetTable | None:
    """The largest table for a puzzle that was built and can be held; None if there is none.

    `UsageError` if it cannot be used, `UnsuitableError` if the puzzle has no such tables.
    """
    library = library or Library()
    if not any("-cosets-" in name for name in library.names()):  # saves a second
        return None
    cosets, most = cosets_for(problem), default_memory()
    for flips in range(cosets.flips, -1, -1):
        found = load(cosets, flips, library) if sum(bytes_of(cosets, flips)) <= most else None
        if found is not None:
            return found
    return None


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
