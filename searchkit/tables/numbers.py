"""What files of a table hold: the words of states, or their numbers, and whether rows are such.

Numbers are those of `rank` and `unrank` of a packed problem. Who forges a file can make its
checksums fit, so that all rows are looked at.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any, Protocol

import attrs

from searchkit.bits import WORD_BITS
from searchkit.packed import PackedProblem, has_expand
from searchkit.tables.keys import KeyFile, Words, decoded, forged

LEAST_SHARE, MOST_SHARE = 1 << 25, 1 << 30
"""How many bytes each worker takes to make files, at least and at most."""
BITS = 8


class Coding(Protocol):
    """What files hold of states: a key for each."""

    def key_of(self, state: Any) -> Any:
        """What files would hold of a canonical state; None if they cannot."""

    def state_of(self, key: Any) -> Any:
        """The state of which files hold that."""

    def are_keys(self, rows: Words) -> bool:
        """Whether files can hold those rows, as far as that can be told of many at once."""


@attrs.frozen(eq=False)
class Numbers:
    """The numbers of the states of a problem, from 0 to before `ranks`."""

    problem: Any
    ranks: int

    def key_of(self, state: Any) -> int | None:
        """The number of a state; None for what is not a state with a number."""
        words = state if isinstance(state, tuple) else (state,)
        if len(words) != self.problem.words or any(not 0 <= w < 1 << WORD_BITS for w in words):
            return None
        number = int(self.problem.rank(state))
        is_one = 0 <= number < self.ranks and self.problem.unrank(number) == state
        return number if is_one else None

    def state_of(self, number: int) -> Any:
        """The state with a number."""
        return self.problem.unrank(number)

    def are_keys(self, rows: Words) -> bool:
        """Whether they are numbers: what is rising is as large as the last."""
        return not len(rows) or 0 <= int(rows[0]) <= int(rows[-1]) < self.ranks


def numbered(problem: Any, roots: Iterable[Any]) -> int:
    """How many numbers a problem has for its states, these among them; 0 if it has none.

    Nor are numbers gone by where `expand` lists the steps.
    """
    ranks = getattr(problem, "ranks", 0)
    if not (isinstance(problem, PackedProblem) and ranks > 0) or has_expand(problem):
        return 0
    found = ((problem.rank(root), root) for root in roots)
    is_whole = all(0 <= rank < ranks and problem.unrank(rank) == root for rank, root in found)
    return ranks if is_whole else 0


def most_ranks(memory: float | None, workers: int) -> float:
    """The most numbers that a new table holds in place of states, in that much memory.

    A bit for each takes half of what a worker has at most.
    """
    share = MOST_SHARE if memory is None else max(memory / workers, LEAST_SHARE)
    return BITS * min(share, MOST_SHARE) / 2


FEW = 1 << 21
"""Up to this many rows, numpy is done before machine code is loaded, which decodes them in a tenth
of the time."""
AT_ONCE = 1 << 14
"""Rows that are looked at together: with more, numpy leaves the cache, and takes far longer."""


def check_rows(file: KeyFile) -> None:
    """Raise `UsageError` unless all rows rise, and come before the limit. O(rows)."""
    for _ in _pieces(file):
        pass


def check_keys(file: KeyFile, coding: Coding | None, problem: Any) -> None:
    """Raise `UsageError` unless all rows are what states are coded as. O(rows).

    Where files hold the words of a packed problem, it is asked by `are_states`.
    """
    while coding is None and not isinstance(problem, PackedProblem) and hasattr(problem, "base"):
        problem = problem.base  # whose states those of chains and the like are
    if coding is None and not isinstance(problem, PackedProblem):
        return
    are_keys = problem.are_states if coding is None else coding.are_keys
    at = 0
    for rows in _pieces(file):
        if not are_keys(rows):
            raise forged(file, f"block {at // file.block} holds what is not a state of the problem")
        at += len(rows)


def _pieces(file: KeyFile) -> Iterator[Words]:
    """All rows, checked as they are decoded, some blocks at a time."""
    if file.count <= FEW:
        yield from (decoded(file, number) for number in range(len(file.ends)))
        return
    from searchkit.compiled.layers.row_reader import RowReader  # noqa: PLC0415  (loads much)

    reader = RowReader.of(file)
    while len(rows := reader.take(AT_ONCE)):
        yield rows
