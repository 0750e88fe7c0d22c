"""Files of states read by machine code, in order, a few at a time."""

from __future__ import annotations

from types import ModuleType
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np

from searchkit.compiled.layers.kernels import key_coding, rows
from searchkit.compiled.layers.kernels.key_coding import LENGTHS
from searchkit.compiled.specialise.module import empty_rows, module_of
from searchkit.compiled.specialise.processor import lanes
from searchkit.errors import UsageError
from searchkit.tables.keys import KeyFile

if TYPE_CHECKING:
    from searchkit.tables.keys import Words


def key_module(words: int) -> ModuleType:
    """The machine code for rows of that many words, which knows no problem."""
    return module_of({}, (rows, key_coding), WORDS=words, LANES=lanes())


@attrs.define(eq=False, repr=False)
class RowReader:
    """Reads rising rows of a file, from one place to before another."""

    file: KeyFile
    module: Any
    at: int = 0
    end: int = -1
    _held: Words = attrs.field(init=False)
    """Rows that are decoded, and not taken yet; `at` is the first of them."""
    _room: Words = attrs.field(factory=lambda: np.zeros((2, LENGTHS), np.int64))

    def __attrs_post_init__(self) -> None:
        self._held = empty_rows(0, self.file.words)
        if self.end < 0:
            self.end = self.file.count

    @classmethod
    def of(cls, file: KeyFile, begin: int = 0, end: int = -1) -> RowReader:
        """What reads an open file."""
        return cls(file, key_module(file.words), begin, end)

    @classmethod
    def between(cls, file: KeyFile, begin: Words | None, end: Words | None) -> RowReader:
        """What reads the blocks that have rows from `begin` on to before `end`, each an array."""
        module = key_module(file.words)
        first, last = 0, len(file.ends)
        if begin is not None:
            first = max(0, int(module.count_before(file.firsts, begin)) - 1)
        if end is not None:
            last = max(first, int(module.count_before(file.firsts, end)))
        if file.blocks is None:
            file = file if last - first == len(file.ends) else file.some(first, last)
            return cls(file, module)
        return cls(file, module, first * file.block, min(file.count, last * file.block))

    def firsts_left(self) -> Words:
        """The first rows of the blocks that are not read yet, but for the next one."""
        block = self.file.block
        return self.file.firsts[self.at // block + 1 : -(-self.end // block)]

    def take(self, most: int) -> Words:
        """The next rows, `most` if there are that many."""
        return self._taken(min(most, self.end - self.at))

    def before(self, row: Words | None, most: int | None = None) -> Words:
        """The next rows, up to the first that is not before that of the array `row`, or `most`."""
        left = self.end - self.at
        most = left if most is None else min(most, left)
        if row is None:
            return self._taken(most)
        count = int(self.module.count_before(self._held, row))
        if count < len(self._held) or count >= most:
            return self._taken(min(count, most))
        first = (self.at + count) // self.file.block
        blocks = int(self.module.count_before(self.file.firsts[first:], row))
        count = min(self.end, (first + blocks) * self.file.block) - self.at
        found = self._held = self._decoded(min(count, most))
        return self._taken(min(most, int(self.module.count_before(found, row))))

    def skip(self, row: Words) -> None:
        """Pass over rows that are before that of the array `row`, as far as the index tells."""
        blocks = int(self.module.count_before(self.file.firsts, row))
        at = min(self.end, (blocks - 1) * self.file.block)
        if at > self.at + len(self._held):
            self.at, self._held = at, self._held[:0]

    def _taken(self, count: int) -> Words:
        """The next `count` rows."""
        found = self._held if len(self._held) >= count else self._decoded(count)
        self._held = found[count:]
        self.at += count
        return found[:count]

    def _decoded(self, count: int) -> Words:
        """At least the next `count` rows: those that are held, and whole blocks behind them."""
        file, held = self.file, len(self._held)
        first = (self.at + held) // file.block
        skipped = self.at + held - first * file.block
        last = -(-(self.at + count) // file.block)
        decoded = min(file.count, last * file.block) - first * file.block
        found = empty_rows(held + decoded, file.words)
        place = held
        file.need(first, last)
        for number in range(first, last):
            begin, many = file.begin(number), file.rows(number)
            row = file.firsts[number : number + 1]
            end = int(file.ends[number])
            if not self.module.decode(file.coded, begin, end, row, found, place, many, self._room):
                raise UsageError(f"{file.path} is damaged: block {number} cannot be read")
            place += many
        limit = file.behind(last - 1) if decoded else None
        if not self.module.are_rising(found, held, place) or not (
            limit is None or self.module.count_before(found[place - 1 : place], limit)
        ):
            raise file.wrong(last - 1)
        found = found[skipped:]
        found[:held] = self._held
        return found[: self.end - self.at]
