"""Files of states written by machine code, in order, a few at a time."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from searchkit.compiled.layers.kernels.key_coding import LENGTHS
from searchkit.compiled.layers.kernels.rows import DIGITS
from searchkit.compiled.layers.row_reader import key_module
from searchkit.compiled.specialise.module import empty_rows
from searchkit.tables import keys
from searchkit.tables.keys import KeyWriter, words_of
from searchkit.tables.manifest import PartEntry, part_name
from searchkit.tables.store import Files

if TYPE_CHECKING:
    from searchkit.tables.keys import Words

AT_ONCE = 16
"""How many blocks are coded together."""
PART_ROWS = 1 << 31
"""About the most states of a part: its file has some gigabytes, and is made in a minute or two."""


def sorted_rows(module: Any, found: Words) -> Words:
    """Rows rising, each once; changes `found`."""
    if found.ndim == 1:
        found.view(np.uint64).sort()
    elif len(found) > 1:
        other, counts = np.empty_like(found), np.zeros((8 * found.shape[1], DIGITS), np.int64)
        if module.sort_by_digits(found, other, counts):
            found = other
    return found[: module.drop_duplicates(found)]


class RowWriter(KeyWriter):
    """Writes rising rows into a file. What it writes depends on the rows alone."""

    def __init__(self, path: Path, words: int, *, keep: bool) -> None:
        """Write a file that is to be at `path` once it is complete, or is named after it."""
        super().__init__(path, words, keep=keep)
        self.module = key_module(words)
        self._held = empty_rows(0, words)
        """Rows that wait for a block to be full."""
        self._numbers = np.zeros(keys.BLOCK, np.int64)
        self._room = np.zeros((4, LENGTHS), np.int64)

    def write(self, found: Words) -> None:
        """Add rows, which are larger than those before."""
        at = 0
        if len(self._held):
            at = min(len(found), keys.BLOCK - len(self._held))
            self._held = np.concatenate([self._held, found[:at]])
            if len(self._held) < keys.BLOCK:
                return
            self._code(self._held)
        whole = at + (len(found) - at) // keys.BLOCK * keys.BLOCK
        for begin in range(at, whole, AT_ONCE * keys.BLOCK):
            self._code(found[begin : min(whole, begin + AT_ONCE * keys.BLOCK)])
        self._held = found[whole:].copy()

    def complete(self) -> str:
        """End the file; its checksum, if it is to keep."""
        if len(self._held):
            self._code(self._held)
        return super().complete()

    def _code(self, found: Words) -> None:
        """Code blocks, and add them."""
        words, block = self.words, keys.BLOCK
        blocks = -(-len(found) // block)
        # A stream takes a word at its head, two bits for each class, and one word behind.
        coded = np.empty(words * (len(found) * 33 // 32 + 4 * blocks) + 2, np.int64)
        ends, at = np.zeros(blocks, np.int64), 0
        for number in range(blocks):
            begin = number * block
            at = self.module.encode(
                found, begin, min(block, len(found) - begin), coded, at, self._numbers, self._room
            )
            ends[number] = at
        self.add(coded[:at], ends, found[::block], len(found))


def written_parts(files: Files, depth: int, found: Words) -> list[PartEntry]:
    """All parts of the layer at that depth, from its states in any order."""
    words = 1 if found.ndim == 1 else found.shape[1]
    found = sorted_rows(key_module(words), found)
    written = []
    for part, begin in enumerate(range(0, len(found), PART_ROWS)):
        with PartWriter(files, part_name(depth, part), words) as writer:
            writer.write(found[begin : begin + PART_ROWS])
            written.append(writer.finish())
    return written


class PartWriter(RowWriter):
    """Writes a part of a layer."""

    def __init__(self, files: Files, name: str, words: int) -> None:
        """Write a part that is to have that name."""
        super().__init__(files.folder / name, words, keep=True)
        self.files = files
        self._first: Words | None = None

    def write(self, found: Words) -> None:
        """Add rows, which are larger than those before."""
        if self._first is None and len(found):
            self._first = found[:1].copy()
        super().write(found)

    def finish(self) -> PartEntry:
        """End the file, which has a row at least, and let all workers see it."""
        assert self._first is not None
        sha256 = self.complete()
        (name,) = self.files.put([self.part])
        return PartEntry(
            file=name, canonical=self.count, first=words_of(self._first[0]), sha256=sha256
        )
