"""A layer as a file: its states as unsigned 64-bit words, rising (`numpy.load` reads it)."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO

from searchkit.errors import UsageError
from searchkit.texts.files import open_regular

if TYPE_CHECKING:
    import numpy as np

    Words = np.ndarray[Any, np.dtype[np.uint64]]
    Check = Callable[[BinaryIO, bytes | None], None]

PIECE_BYTES = 1 << 20
MAPPED_BYTES = 1 << 16
"""Smaller files are read as a whole: a mapped one stays open, and a deep space has many."""
HEADER_BYTES = 128
WORD_BYTES = 8
MAGIC = b"\x93NUMPY\x01\x00"
PART_NAME = re.compile(r"(layer-\d{4,}\.npy|run-\d+|(manifest|checked)\.json)(\.[0-9a-f]+\.part)+")


def part_of(path: Path) -> Path:
    """What the file at `path` is called by this process until it is complete."""
    return path.with_name(f"{path.name}.{os.getpid()}.part")


class LayerFile:
    """A layer file as it is written, piece by piece: `part_of` it until it is complete."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.count = 0
        self._part = part_of(path)
        self._file = self._part.open("wb")
        self._file.write(b" " * HEADER_BYTES)

    def write(self, states: np.ndarray[Any, Any]) -> None:
        """Add states, which are larger than those before."""
        self._file.write(states.astype("<u8", copy=False).data)
        self.count += len(states)

    def complete(self) -> str:
        """Give the file its name; its checksum."""
        self._file.seek(0)
        self._file.write(header(self.count))
        self._file.flush()
        os.fsync(self._file.fileno())
        self._file.close()
        digest = checksum(self._part)
        self._part.replace(self.path)
        return digest

    def drop(self) -> None:
        """Give up a file that is not complete."""
        with suppress(OSError):
            self._file.close()
        self._part.unlink(missing_ok=True)


def header(count: int) -> bytes:
    """The header of a file of `words` words (numpy's format 1.0), of a length of its own."""
    words = f"{{'descr': '<u8', 'fortran_order': False, 'shape': ({count},), }}"
    length = HEADER_BYTES - len(MAGIC) - 2
    return MAGIC + length.to_bytes(2, "little") + words.ljust(length - 1).encode() + b"\n"


def read_words(path: Path, count: int | None = None, check: Check | None = None) -> Words:
    """The words in a layer file, read-only; those of a large one are mapped into memory.

    The file must have the length and the header of one of `count` words; `check` is given the
    open file before it is believed, and the bytes of a small one. Raises `UsageError`.
    """
    import numpy as np  # noqa: PLC0415

    try:
        with open_regular(path) as file:
            size = os.fstat(file.fileno()).st_size
            if count is None:
                count = max(0, size - HEADER_BYTES) // WORD_BYTES
            if size != HEADER_BYTES + WORD_BYTES * count:
                raise ValueError(
                    f"it has {size} bytes and {HEADER_BYTES + WORD_BYTES * count} by its manifest"
                )
            is_small = size <= MAPPED_BYTES
            data = file.read(size if is_small else HEADER_BYTES)
            if data[:HEADER_BYTES] != header(count):
                raise ValueError(f"its header is not that of {count} unsigned 64-bit words")
            if check is not None:
                check(file, data if is_small else None)
            states: Words = (
                np.frombuffer(data, "<u8", count, HEADER_BYTES)
                if is_small
                else np.memmap(file, "<u8", "r", HEADER_BYTES, (count,))
            )
    except (OSError, ValueError) as error:
        raise UsageError(f"{path} cannot be read as a layer of a table: {error}") from error
    states.flags.writeable = False
    return states


def checksum(path: Path) -> str:
    """The SHA-256 of the file."""
    with path.open("rb") as file:
        return checksum_of(file)


def checksum_of(file: BinaryIO) -> str:
    """The SHA-256 of all bytes of an open file."""
    digest = hashlib.sha256()
    file.seek(0)
    while piece := file.read(PIECE_BYTES):
        digest.update(piece)
    return digest.hexdigest()
