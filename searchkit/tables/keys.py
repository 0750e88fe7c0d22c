"""Files of states, rising, in about two bytes each: how they are laid out, and how they are asked.

A file is of 64-bit words, little-endian: MAGIC; blocks of coded rows; a word that is 0; an index:
where each block ends, its first row, and its checksum; and a footer: how many rows there are, how
many a block, how many words a row, the checksum of the index, and MAGIC. Checksums are CRC-32, and
let a few blocks be believed that were read without the others. How a block is coded says
`searchkit.compiled.layers.kernels.key_coding`, whose machine code writes and reads whole files;
here, one block is decoded at a time, by numpy.

Checksums find accidents, but who forges a file can make them fit. So rows are looked at whenever
they are decoded, here and there: they rise, come before the next block, and before the `limit`.
"""

from __future__ import annotations

import hashlib
import os
import uuid
import zlib
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import lru_cache
from itertools import chain, pairwise
from pathlib import Path
from typing import Any, BinaryIO, Protocol, Self

import attrs
import numpy as np

from searchkit.bits import WORD_BITS
from searchkit.errors import UsageError
from searchkit.texts.files import open_regular

Words = np.ndarray[Any, np.dtype[np.int64]]
"""Words of 64 bits, as machine code takes them; as keys, they have no sign."""
Check = Callable[[BinaryIO, bytes | None], None]

BLOCK = MOST_BLOCK = 4096
"""How many rows a block has, but the last."""
MAGIC = int.from_bytes(b"SKkeys\x02\n", "little")
FOOTER = 5
WORD_BYTES = 8
CLASSES_A_WORD = 32
"""Every number of a block has a class, of two bits."""
BITS = 255
"""In the place of the first width of a block: it is bits."""
MAPPED_BYTES = 1 << 16
"""Smaller files are read as a whole: a mapped one stays open, and a deep space has many."""
KEPT_BLOCKS = 256
"""How many decoded blocks a process keeps to look states up in: some megabytes."""


class KeyWriter:
    """A file of states as it is written, under a name that no other attempt has.

    One to `keep` has a checksum, and is seen onto the disk.
    """

    def __init__(self, path: Path, words: int, *, keep: bool) -> None:
        self.keep = keep
        self.part = path.with_name(f"{path.name}.{uuid.uuid4().hex}.part")
        self.words = words
        self.count = 0
        self._digest = hashlib.sha256()
        self._ends: list[np.ndarray[Any, Any]] = []
        self._firsts: list[np.ndarray[Any, Any]] = []
        self._checks: list[int] = []
        self._at = 1
        self._is_begun = self._is_complete = False
        self._file = self.part.open("wb")

    def add(self, coded: Words, ends: Words, firsts: Words, count: int) -> None:
        """Add blocks of `count` rows in all: where each ends in `coded`, and its first row."""
        self._put(coded)
        self._ends.append(ends + self._at)
        self._firsts.append(firsts.flatten())
        edges = [0, *ends.tolist()]
        self._checks += [check_of(coded[begin:end]) for begin, end in pairwise(edges)]
        self._at += len(coded)
        self.count += count

    def complete(self) -> str:
        """End the file; its checksum, if it is to keep."""
        none = np.zeros(0, np.int64)
        checks = np.array(self._checks, np.int64)
        index = np.concatenate([none, *self._ends, *self._firsts, checks])
        footer = np.array([self.count, BLOCK, self.words, check_of(index), MAGIC])
        self._put(np.concatenate([np.zeros(1, np.int64), index, footer]))
        self._file.flush()
        if self.keep:
            os.fsync(self._file.fileno())
        self._file.close()
        self._is_complete = True
        return self._digest.hexdigest()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        """Give up a file that is not complete."""
        with suppress(OSError):
            self._file.close()
        if not self._is_complete:
            self.part.unlink(missing_ok=True)

    def _put(self, words: Words) -> None:
        first = b"" if self._is_begun else MAGIC.to_bytes(WORD_BYTES, "little")
        self._is_begun = True
        for data in (first, words.astype("<i8", copy=False).data):
            if self.keep:
                self._digest.update(data)
            self._file.write(data)


def check_of(words: Words) -> int:
    """The CRC-32 of words, as they are in a file."""
    return zlib.crc32(words.astype("<i8", copy=False).data)


class Blocks(Protocol):
    """What fetches blocks of a file from elsewhere."""

    def need(self, file: KeyFile, first: int, last: int) -> None:
        """See that the blocks from `first` to before `last` are in `file.coded`."""


@attrs.frozen(eq=False)
class KeyFile:
    """A file of states that is open: `coded` are all its words, mapped where they are many."""

    path: Path
    count: int
    block: int
    words: int
    coded: Words
    ends: Words
    firsts: Words
    """Rows: of one dimension for one word, else of two."""
    checks: Words
    blocks: Blocks | None = None
    """What has to be asked before blocks are read; None where all are there."""
    start: int = 1
    """Where the first block begins in `coded`."""
    limit: Words | None = None
    """All rows come before this one, an array of one row; None if nothing is known of them."""

    @classmethod
    def open(cls, path: Path, count: int, words: int, check: Check | None = None) -> KeyFile:
        """The file of `count` states of that many words.

        `check` is given the open file before it is believed, and the bytes of a small one. Raises
        `UsageError` for any other file.
        """
        try:
            with open_regular(path) as file:
                size = os.fstat(file.fileno()).st_size
                if size % WORD_BYTES or size < WORD_BYTES * (2 + FOOTER):
                    raise ValueError(f"it has {size} bytes")
                is_small = size <= MAPPED_BYTES
                data = file.read() if is_small else None
                if check is not None:
                    check(file, data)
                coded: Words = (
                    np.memmap(file, "<i8", "r")
                    if data is None
                    else np.frombuffer(data, "<i8").astype(np.int64, copy=False)
                )
            return cls.of(path, count, words, coded)
        except (OSError, ValueError) as error:
            raise UsageError(f"{path} cannot be read as a layer of a table: {error}") from error

    @classmethod
    def of(
        cls, path: Path, count: int, words: int, coded: Words, blocks: Blocks | None = None
    ) -> KeyFile:
        """Those words, with their index; `ValueError` where it cannot be that of such a file."""
        there, block, wide, check, magic = map(int, coded[-FOOTER:])
        if magic != MAGIC or (blocks is None and int(coded[0]) != MAGIC):
            raise ValueError("it is not a file of states")
        if (there, wide) != (count, words):
            raise ValueError(
                f"it holds {there:,} states of {wide:,} words, and {count:,} of {words:,} by its "
                "manifest"
            )
        if not 1 <= block <= MOST_BLOCK or count > WORD_BITS * len(coded):
            raise ValueError(f"it is too short for {count:,} states")
        many = -(-count // block)
        begin = len(coded) - FOOTER - many * (2 + words)
        if begin < 2:
            raise ValueError(f"it is too short for {count:,} states")
        index = np.array(coded[begin:-FOOTER])
        behind = many * (1 + words)
        ends, firsts, checks = index[:many], index[many:behind], index[behind:]
        edges = np.concatenate([np.ones(1, np.int64), ends])
        if check_of(index) != check or (np.diff(edges) <= 0).any() or edges[-1] != begin - 1:
            raise ValueError("its index is wrong")
        if words > 1:
            firsts = firsts.reshape(-1, words)
        if not are_rising(firsts):
            raise ValueError("its states do not rise")
        return cls(path, count, block, words, coded, ends, firsts, checks, blocks)

    def __len__(self) -> int:
        return self.count

    def begin(self, number: int) -> int:
        """Where block `number` begins in `coded`."""
        return int(self.ends[number - 1]) if number else self.start

    def rows(self, number: int) -> int:
        """How many rows block `number` has."""
        return min(self.block, self.count - number * self.block)

    def need(self, first: int, last: int) -> None:
        """See that blocks are at hand, from `first` to before `last`."""
        if self.blocks is not None:
            self.blocks.need(self, first, last)

    def behind(self, number: int) -> Words | None:
        """A row that all rows up to those of block `number` come before; None if there is none."""
        return self.firsts[number + 1 : number + 2] if number + 1 < len(self.ends) else self.limit

    def below(self, limit: tuple[int, ...] | None) -> KeyFile:
        """The same file, whose rows all come before the words of `limit`, if it has some."""
        return self if limit is None else attrs.evolve(self, limit=row_of(limit))

    def wrong(self, number: int) -> UsageError:
        """The error for rows up to block `number` that do not rise, or that reach `behind`."""
        what = "its states do not rise"
        if self.limit is not None and number + 1 == len(self.ends):
            what += f", or are not below {', '.join(map(str, words_of(self.limit[0])))}"
        return forged(self, what)

    def some(self, first: int, last: int) -> KeyFile:
        """The blocks from `first` to before `last` as if there were no others.

        So the index of a large file need not be kept. Not of a file that is fetched.
        """
        end = min(self.count, last * self.block)
        return attrs.evolve(
            self,
            count=max(0, end - first * self.block),
            ends=self.ends[first:last].copy(),
            firsts=self.firsts[first:last].copy(),
            checks=self.checks[first:last].copy(),
            start=self.begin(first),
            limit=self.behind(last - 1),
        )

    def states(self, number: int) -> list[Any]:
        """The states of block `number`, as Python's numbers. O(block) numpy operations."""
        return _states(self, number)

    def __iter__(self) -> Iterator[Any]:
        return chain.from_iterable(map(self.states, range(len(self.ends))))

    def state(self, place: int) -> Any:
        """The state at a place."""
        return self.states(place // self.block)[place % self.block]

    def holds(self, state: Any) -> bool:
        """Whether the state is one of these. O(log states), and one block."""
        from bisect import bisect_left, bisect_right  # noqa: PLC0415

        def first(block: int) -> Any:
            return python_states(self.firsts[block : block + 1])[0]

        number = bisect_right(range(len(self.ends)), state, key=first) - 1
        if number < 0:
            return False
        states = self.states(number)
        place = bisect_left(states, state)
        return place < len(states) and bool(states[place] == state)


def forged(file: KeyFile, what: str) -> UsageError:
    """The error for a file that holds what no exploration writes, whatever its checksum."""
    return UsageError(f"{file.path}: {what}; explore again into an empty place")


def python_states(rows: np.ndarray[Any, Any]) -> list[Any]:
    """Rows of signed words as states: numbers, or tuples of them."""
    found: list[Any] = rows.view(np.uint64).tolist()
    return found if rows.ndim == 1 else list(map(tuple, found))


def words_of(row: np.ndarray[Any, Any]) -> tuple[int, ...]:
    """The words of a row of signed words."""
    return tuple(np.atleast_1d(row).view(np.uint64).tolist())


def row_of(state: tuple[int, ...]) -> Words:
    """A state as an array of one row."""
    row = np.array(state, np.uint64).view(np.int64)
    return row if len(state) == 1 else row.reshape(1, -1)


def are_rising(rows: Words) -> bool:
    """Whether each row, as words without a sign, comes before the next one."""
    if rows.ndim == 1:
        words = rows.view(np.uint64)
        return bool((words[1:] > words[:-1]).all())
    above, below = rows[:-1].view(np.uint64), rows[1:].view(np.uint64)
    is_same, is_less = np.ones(len(below), dtype=bool), np.zeros(len(below), dtype=bool)
    for w in range(rows.shape[1]):
        is_less |= is_same & (above[:, w] < below[:, w])
        is_same &= above[:, w] == below[:, w]
    return bool(is_less.all())


@lru_cache(KEPT_BLOCKS)
def _states(file: KeyFile, number: int) -> list[Any]:
    return python_states(decoded(file, number))


def decoded(file: KeyFile, number: int) -> Words:
    """The rows of block `number`; `UsageError` where it is damaged or forged."""
    file.need(number, number + 1)
    try:
        rows = _decoded(file, number)
    except ValueError as error:
        raise UsageError(f"{file.path}: block {number} is damaged: {error}") from error
    limit = file.behind(number)
    if not are_rising(rows) or not (limit is None or words_of(rows[-1]) < words_of(limit[0])):
        raise file.wrong(number)
    return rows


def _decoded(file: KeyFile, number: int) -> Words:
    at, end, count = file.begin(number), int(file.ends[number]), file.rows(number)
    rows = np.zeros((count, file.words), np.uint64)
    rows[0] = np.asarray(file.firsts[number]).view(np.uint64)
    is_same = np.ones(count, dtype=bool)
    """Of each row but the first: whether the words so far are those of the row above."""
    is_same[0] = False
    for w in range(file.words):
        payload = at + 1 + (count + 30) // 32
        head = int(file.coded[at]) & (1 << WORD_BITS) - 1
        after = payload + (head >> 32)
        if head & 255 == BITS and file.words == 1:
            if head >> 32 != end - at - 1:
                raise ValueError("its bits are too few or too many")
            rows[1:, 0] = rows[0, 0] + _places(file.coded[at + 1 : end], count - 1)
            at = end
            break
        widths = np.array([head >> 8 * kind & 255 for kind in range(4)])
        if after > end or widths.max() > WORD_BITS:
            raise ValueError("a stream is too long")
        rows[1:, w] = _numbers(file.coded[at + 1 : after + 1], payload - at - 1, widths, count - 1)
        rows[:, w] += is_same & (w == file.words - 1)
        rows[:, w] = _sums(rows[:, w], is_same)
        is_same[1:] &= rows[1:, w] == rows[:-1, w]
        at = after
    if at != end:
        raise ValueError("a stream is too short")
    found = rows.view(np.int64)
    return found[:, 0].copy() if file.words == 1 else found


def _places(bits: Words, count: int) -> np.ndarray[Any, Any]:
    """How far behind the row above them all the bits are, of which `count` are set."""
    each = np.unpackbits(bits.astype("<i8").view(np.uint8), bitorder="little")
    places = np.flatnonzero(each).astype(np.uint64)
    if len(places) != count:
        raise ValueError("it has another number of bits")
    return places + np.uint64(1)


def _numbers(stream: Words, classes: int, widths: Words, count: int) -> np.ndarray[Any, Any]:
    """The `count` numbers of a stream, whose first words hold their classes."""
    bits = stream.astype(np.uint64)
    shifts = np.arange(0, WORD_BITS, 2, dtype=np.uint64)
    kinds = (bits[:classes, None] >> shifts & np.uint64(3)).reshape(-1)[:count].astype(np.int64)
    taken = widths[kinds]
    if -(-int(taken.sum()) // WORD_BITS) != len(stream) - 1 - classes:
        raise ValueError("classes and numbers do not fit")
    places = np.cumsum(taken) - taken
    at, shift = classes + (places >> 6), (places & 63).astype(np.uint64)
    at = np.minimum(at, len(bits) - 2)
    high = bits[at + 1] << np.uint64(1) << np.uint64(63) - shift
    found = bits[at] >> shift | high
    masks = np.array([(1 << int(width)) - 1 for width in widths], np.uint64)
    return found & masks[kinds]  # type: ignore[no-any-return]


def _sums(steps: np.ndarray[Any, Any], goes_on: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """Running sums of words, each begun again where it does not go on."""
    sums = np.cumsum(steps, dtype=np.uint64)
    begins = np.maximum.accumulate(np.where(goes_on, 0, np.arange(len(steps))))
    return sums - sums[begins] + steps[begins]  # type: ignore[no-any-return]
