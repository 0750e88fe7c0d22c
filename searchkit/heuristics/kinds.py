"""The kinds of heuristics that look up tables, which are built once and kept: a row for each."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

import attrs

from searchkit.capabilities import HasBestHeuristics, HasPatterns
from searchkit.heuristic import Heuristic
from searchkit.later import Later

if TYPE_CHECKING:
    from searchkit.heuristics.patterns.database import PatternDatabase
    from searchkit.heuristics.patterns.library import Library
    from searchkit.heuristics.patterns.unfinished import Build


MOST_LOOKED_UP = 1 << 20
"""Databases of more entries in all are not made constants of machine code for plain rules."""


class TableToBuild(ABC):
    """A table that `searchkit pdb build` builds."""

    name: str
    """How messages call it."""
    identity: Mapping[str, Any]
    """What it is kept under in the library."""
    memory: int
    """The bytes of memory that building it takes."""
    kept_bytes: int
    """The bytes that it takes on disk."""
    compressed: bool = False

    @abstractmethod
    def load(self, library: Library, *, halved: bool) -> PatternDatabase:
        """Loads the table, which is there; `UsageError` if it cannot be used."""

    @abstractmethod
    def build(self, threads: int) -> Build:
        """Begins to build it."""

    @abstractmethod
    def about(self, table: PatternDatabase) -> str:
        """Describes the table once it is built."""

    def as_kept(self, table: PatternDatabase) -> PatternDatabase:
        """Gives what is kept of a table that was built."""
        return table


class Kind(ABC):
    """A kind of heuristics; `name` is what follows its prefix and a colon, or empty."""

    @abstractmethod
    def read(self, problem: Any, name: str) -> Heuristic[Any, Any]:
        """Makes the heuristic; builds its tables where they are small.

        `UsageError` if there is none of that name, or its tables have to be built beforehand.
        """

    @abstractmethod
    def is_ready(self, problem: Any, name: str) -> bool:
        """Returns whether its tables are built; `UsageError` if they cannot be used."""

    @abstractmethod
    def to_build(self, problem: Any, name: str, most: int | None) -> str | None:
        """Names what is built unasked, within `most` bytes; None where nothing is."""

    @abstractmethod
    def tables(
        self, problem: Any, name: str, *, compressed: bool, most: int | None
    ) -> Sequence[TableToBuild]:
        """Lists the tables of `name`; those that the kind chooses take `most` bytes at most."""


@attrs.frozen
class KindRow:
    """A kind by what its texts begin with; the module is imported when it is needed."""

    prefix: str
    form: str
    """What help calls its texts."""
    summary: str
    home: str
    """The module and the class, which is a `Kind`."""
    suits: Callable[[Any], bool]
    """Whether a problem may have such tables, at a glance."""
    for_long: bool = False
    """Whether only a search that lasts is worth its tables."""

    @property
    def kind(self) -> Kind:
        """The kind itself."""
        made: Kind = Later(self.home)()
        return made


def _best(problem: Any) -> Sequence[str]:
    return problem.best_heuristics() if isinstance(problem, HasBestHeuristics) else ()


def described(problem: Any) -> HasPatterns | None:
    """What has the patterns of a problem: the problem itself, or what follows its plain rules."""
    if isinstance(problem, HasPatterns):
        return problem
    found: HasPatterns | None = Later("searchkit.fields.followed:followed")(problem)
    return found


PATTERNS = KindRow(
    "pdb", "pdb:PATTERNS", "pattern databases (see `searchkit pdb`), as pdb:6-6-3",
    "searchkit.heuristics.patterns.choose:Patterns",
    lambda problem: described(problem) is not None,
)  # fmt: skip
COSETS = KindRow(
    "cosets", "cosets:N", "a table of cosets, of N flips; without a number, the largest built",
    "searchkit.pieces.cosets.choose:CosetTables",
    lambda problem: "cosets" in _best(problem),
    for_long=True,
)  # fmt: skip
KINDS = {row.prefix: row for row in (PATTERNS, COSETS)}


def row_of(text: str) -> tuple[KindRow, str] | None:
    """Splits `pdb:6-6-3` into its kind and the name; None where it is of no kind."""
    prefix, _, name = text.partition(":")
    return (KINDS[prefix], name) if prefix in KINDS else None


def named_again(heuristic: Heuristic[Any, Any], problem: Any) -> Heuristic[Any, Any] | None:
    """Makes what the name of a heuristic stands for, for another problem; None if it is of no kind.

    `UsageError` as `Kind.read` raises it.
    """
    row, name = row_of(heuristic.name) or (None, "")
    return row.kind.read(problem, name) if row is not None and name else None
