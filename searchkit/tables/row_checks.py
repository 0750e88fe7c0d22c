"""Whether the rows of a file are what a layer can hold: whoever forges a file can make it fit."""

from __future__ import annotations

from searchkit.tables.keys import KeyFile, decoded, forged
from searchkit.tables.numbers import Coding

FEW = 1 << 21
"""So many rows are decoded by numpy sooner than machine code is loaded, which takes a tenth of the
time."""
AT_ONCE = 1 << 18


def check_rows(file: KeyFile) -> None:
    """Raise `UsageError` unless all rows rise, and come before the limit. O(rows)."""
    if file.count <= FEW:
        for number in range(len(file.ends)):
            decoded(file, number)
        return
    from searchkit.compiled.layers.row_reader import RowReader  # noqa: PLC0415  (loads much)

    reader = RowReader.of(file)
    while len(reader.take(AT_ONCE)):
        pass


def check_keys(file: KeyFile, coding: Coding | None) -> None:
    """Raise `UsageError` unless all rows are what states are coded as, if they are. O(rows)."""
    if coding is None:
        return
    for number in range(len(file.ends)):
        if not coding.are_keys(decoded(file, number)):
            raise forged(file, f"block {number} holds what is not a state of the problem")
