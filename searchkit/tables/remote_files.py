"""The files of a table behind a URL, as a task has them: fetched to local scratch, block by block.

A file that is opened has its index, and blocks when they are needed, each compared with its
checksum. What a task is going to read is fetched first, many requests at once.
"""

from __future__ import annotations

import re
import shutil
import tempfile
import threading
import uuid
import weakref
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property, partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import attrs
import numpy as np

from searchkit.errors import UsageError
from searchkit.tables import keys
from searchkit.tables.keys import FOOTER, MAPPED_BYTES, WORD_BYTES, KeyFile, check_of
from searchkit.tables.store import Files, Rows, Stored

if TYPE_CHECKING:
    from searchkit.tables.remote import Remote

AHEAD_BYTES = 1 << 20
"""The least that is fetched at once: a request takes as long as some megabytes."""
REQUEST_BYTES = 1 << 22
OF_LAYER = re.compile(r"(layer-\d+-\d+)\.keys\.([0-9a-f]+)\.part")


class RemoteFiles(Files):
    """Files that are fetched, and files that are sent; all of them go when this is closed."""

    def __init__(self, store: Remote) -> None:
        self._store = store
        self._lock = threading.Lock()
        self._close: Callable[[], object] | None = None

    @property
    def folder(self) -> Path:
        """Where they are, from the first of them on: small files are in memory alone."""
        with self._lock:
            return self._folder

    @cached_property
    def _folder(self) -> Path:
        folder = Path(tempfile.mkdtemp(prefix="searchkit-"))
        self._close = weakref.finalize(self, shutil.rmtree, folder, ignore_errors=True)
        return folder

    def open(self, stored: Sequence[Stored], words: int) -> list[KeyFile]:
        """Those files: small ones whole, others with their indexes."""
        return self._store.together(partial(self._open, words=words), stored)

    def load(self, rows: Sequence[Rows]) -> None:
        """Fetch the blocks of those rows."""
        wanted: list[tuple[KeyFile, int, int]] = []
        for each in rows:
            blocks = each.file.blocks
            if isinstance(blocks, RemoteBlocks) and each.begin < each.end:
                first, last = each.begin // each.file.block, -(-each.end // each.file.block)
                wanted += [(each.file, *found) for found in blocks.missing(each.file, first, last)]
        self._store.together(_fetch, wanted)

    def put(self, paths: Sequence[Path]) -> list[str]:
        """Send files, which are not kept here."""

        def put(path: Path) -> str:
            name = OF_LAYER.sub(r"\1.\2.keys", path.name)
            self._store.put(str(path), name)
            path.unlink()
            return name

        return self._store.together(put, paths)

    def close(self) -> None:
        """Remove the scratch."""
        with self._lock:
            if self._close is not None:
                self._close()

    def _open(self, stored: Stored, words: int) -> KeyFile:
        place = Path(f"{self._store}/{stored.name}")
        index = -(-stored.count // keys.BLOCK) * (2 + words)
        least = WORD_BYTES * (2 + FOOTER + index)
        try:
            most = least + WORD_BYTES * words * stored.count
            if most <= MAPPED_BYTES or (size := self._store.size(stored.name)) <= MAPPED_BYTES:
                data = self._store.whole(stored.name)
                if len(data) % WORD_BYTES or len(data) < WORD_BYTES * (2 + FOOTER):
                    raise ValueError(f"it has {len(data)} bytes")
                coded = np.frombuffer(data, "<i8").astype(np.int64, copy=False)
                file = KeyFile.of(place, stored.count, words, coded)
                _check(file, coded, 0, len(file.ends), 0)
                return file
            if size % WORD_BYTES or size < least:
                raise ValueError(f"it has {size} bytes")
            tail = self._store.range(stored.name, size - least + WORD_BYTES, size)
            path = self.folder / uuid.uuid4().hex
            with path.open("wb") as out:
                out.truncate(size)
                out.seek(size - len(tail))
                out.write(tail)
            blocks = RemoteBlocks(self, self._store, stored.name, path)
            coded = np.memmap(path, "<i8", "r")
            return KeyFile.of(place, stored.count, words, coded, blocks)
        except (OSError, ValueError) as error:
            raise unreadable(self._store, stored.name, error) from error


@attrs.define(eq=False)
class RemoteBlocks:
    """Which blocks of a file are here, in a file of the same length with holes."""

    files: RemoteFiles
    """What has the room for them, which is not to go as long as somebody may ask."""
    store: Remote
    name: str
    path: Path
    _there: np.ndarray[Any, Any] | None = None
    _lock: threading.Lock = attrs.field(factory=threading.Lock)

    def need(self, file: KeyFile, first: int, last: int) -> None:
        """Fetch the blocks that are not here, and some behind them."""
        if self.are_here(file, first, last):
            return
        ahead = -(-AHEAD_BYTES * len(file.ends) // (WORD_BYTES * len(file.coded)))
        wanted = min(len(file.ends), max(last, first + ahead))
        for begin, end in self.missing(file, first, wanted):
            self.fetch(file, begin, end)

    def are_here(self, file: KeyFile, first: int, last: int) -> bool:
        """Whether those blocks are."""
        return bool(self._marks(file)[first:last].all())

    def missing(self, file: KeyFile, first: int, last: int) -> Iterator[tuple[int, int]]:
        """Blocks that are not here, as ranges that are worth a request."""
        begin = end = first
        for number in (first + np.flatnonzero(~self._marks(file)[first:last])).tolist():
            words = file.begin(number) - file.begin(begin)
            if begin < end and (number != end or words * WORD_BYTES >= REQUEST_BYTES):
                yield begin, end
                begin = number
            elif begin == end:
                begin = number
            end = number + 1
        if begin < end:
            yield begin, end

    def fetch(self, file: KeyFile, first: int, last: int) -> None:
        """Fetch blocks with one request, and compare them with their checksums."""
        begin, end = file.begin(first), int(file.ends[last - 1])
        data = self.store.range(self.name, WORD_BYTES * begin, WORD_BYTES * end)
        coded = np.frombuffer(data, "<i8").astype(np.int64, copy=False)
        _check(file, coded, first, last, begin)
        with self.path.open("r+b") as out:  # a hole that is mapped and written to ends a process
            out.seek(WORD_BYTES * begin)
            out.write(data)
        with self._lock:
            self._marks(file)[first:last] = True

    def _marks(self, file: KeyFile) -> np.ndarray[Any, Any]:
        if self._there is None:
            self._there = np.zeros(len(file.ends), dtype=bool)
        return self._there


def unreadable(store: Remote, name: str, error: Exception) -> UsageError:
    """The error for a file of which nothing can be made."""
    return UsageError(f"{store}/{name} cannot be read as a layer of a table: {error}")


def _fetch(wanted: tuple[KeyFile, int, int]) -> None:
    file, first, last = wanted
    assert isinstance(file.blocks, RemoteBlocks)
    file.blocks.fetch(file, first, last)


def _check(file: KeyFile, coded: keys.Words, first: int, last: int, begin: int) -> None:
    """Compare blocks with their checksums; `coded` begins at word `begin` of the file."""
    for number in range(first, last):
        found = check_of(coded[file.begin(number) - begin : int(file.ends[number]) - begin])
        if found != int(file.checks[number]):
            raise UsageError(
                f"{file.path} is damaged: block {number} has another checksum; explore again "
                "into an empty folder"
            )
