"""Whether the rows of a file are what a layer can hold: whoever forges a file can make it fit."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from searchkit.packed import PackedProblem
from searchkit.tables.keys import KeyFile, decoded, forged
from searchkit.tables.numbers import Coding

if TYPE_CHECKING:
    from searchkit.tables.keys import Words

FEW = 1 << 21
"""So many rows are decoded by numpy sooner than machine code is loaded, which takes a tenth of the
time."""
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
