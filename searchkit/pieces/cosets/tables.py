"""A table of cosets: its values, and how it is kept as a pattern database is."""

from __future__ import annotations

import hashlib
import random
from collections.abc import Iterator
from typing import Any

import attrs
import numpy as np

from searchkit.errors import UsageError
from searchkit.heuristics.patterns.database import PatternDatabase
from searchkit.heuristics.patterns.library import Library
from searchkit.pieces.cosets.coordinates import ALL_FLIPS, Cosets

IN_BYTE = 4
"""Entries of two bits."""
SPREAD = 2
"""Values up to `deepest - SPREAD` are one, and those above `deepest`."""
WALKS, WALK = 64, 30
DIGITS = 32


@attrs.frozen(eq=False)
class CosetTable:
    """How many steps lead from the solved puzzle to each coset, in two bits, and again coarsely.

    An entry of `fine` that is 0 says more than `deepest`; 1, 2 and 3 say `deepest`, one less, and
    two less or fewer, of which `coarse`, without flips, says more: from three steps less on.
    """

    flips: int
    deepest: int
    values: np.ndarray[Any, Any] = attrs.field(repr=False)
    cut: int
    """How many bytes of `values` are fine."""

    @property
    def fine(self) -> np.ndarray[Any, Any]:
        """The entries with flips."""
        return self.values[: self.cut]

    @property
    def coarse(self) -> np.ndarray[Any, Any]:
        """The entries without flips."""
        return self.values[self.cut :]


def bytes_of(cosets: Cosets, flips: int) -> tuple[int, int]:
    """The bytes of the fine and the coarse entries."""
    fine, coarse = (-(-cosets.entries(count) // IN_BYTE) for count in (flips, 0))
    return fine, coarse


def identity_of(cosets: Cosets, flips: int) -> dict[str, Any]:
    """What the table depends on; `in_byte` is how many of its entries are in a byte."""
    return {
        "puzzle": cosets.layout.definition.name,
        "pattern": f"cosets-{flips}",
        "numbering": cosets.fingerprint,
        "in_byte": IN_BYTE,
    }


def rules_of(cosets: Cosets, flips: int) -> str:
    """A hash of what the kernels make of random walks: equal where entries are numbered equally."""
    digest = hashlib.sha256()
    for coset in walks(cosets, random.Random(flips), WALKS):
        numbers = (coset, cosets.entry(coset, flips), cosets.least(coset), ALL_FLIPS)
        digest.update(repr(numbers).encode())
    return digest.hexdigest()[:DIGITS]


def walks(cosets: Cosets, rng: random.Random, count: int) -> Iterator[int]:
    """Cosets at the ends of random walks from the solved puzzle."""
    for _ in range(count):
        coset = cosets.solved
        for _ in range(rng.randrange(WALK)):
            coset = cosets.after(coset, rng.randrange(len(cosets.layout.steps)))
        yield coset


def load(cosets: Cosets, flips: int, library: Library) -> CosetTable | None:
    """The table, if it was built; `UsageError` if it is not what was written, or of other rules."""
    if not library.has(identity_of(cosets, flips), halved=False):
        return None
    database = checked(cosets, flips, library)
    deepest = len(database.counts) - SPREAD
    return CosetTable(flips, deepest, database.values, bytes_of(cosets, flips)[0])


def checked(cosets: Cosets, flips: int, library: Library) -> PatternDatabase:
    """Reads the table, which is there, from the library; `UsageError` if it cannot be used."""
    identity = identity_of(cosets, flips)
    database = library.load(identity, halved=False)
    folder = library.path_of(identity, halved=False)
    if database.rules != rules_of(cosets, flips):
        raise UsageError(
            f"table {folder} was made by another version; delete the folder and build it again: "
            f"searchkit pdb build PUZZLE cosets:{flips}"
        )
    if database.entries != sum(bytes_of(cosets, flips)) or len(database.counts) < SPREAD + 2:
        raise UsageError(f"table {folder} has another size; delete the folder and build it again")
    return database
