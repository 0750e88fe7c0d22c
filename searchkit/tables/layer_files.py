"""A layer as a file: its states as unsigned 64-bit words, rising (`numpy.load` reads it)."""

from __future__ import annotations

import hashlib
import os
import re
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from searchkit.errors import UsageError

if TYPE_CHECKING:
    import numpy as np

PIECE_BYTES = 1 << 20
MAPPED_BYTES = 1 << 16
"""Smaller files are read as a whole: a mapped one stays open, and a deep space has many."""
HEADER_BYTES = 128
WORD_BYTES = 8
MAGIC = b"\x93NUMPY\x01\x00"
LAYER_NAME = re.compile(r"layer-\d{4,}\.npy")
PART_NAME = re.compile(r"(layer-\d{4,}\.npy|run-\d+|manifest\.json)(\.\d+\.part)+")


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
        self._file.write(_header(self.count))
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


def _header(count: int) -> bytes:
    """The header of a file of so many words (numpy's format 1.0), of a length of its own."""
    words = f"{{'descr': '<u8', 'fortran_order': False, 'shape': ({count},), }}"
    length = HEADER_BYTES - len(MAGIC) - 2
    return MAGIC + length.to_bytes(2, "little") + words.ljust(length - 1).encode() + b"\n"


def read_layer(path: Path, count: int | None = None) -> np.ndarray[Any, Any]:
    """The states in the file, read-only; a large one is mapped into memory as it is used."""
    import numpy as np  # noqa: PLC0415

    try:
        size = path.stat().st_size
        if count is not None and size != HEADER_BYTES + WORD_BYTES * count:
            raise ValueError(
                f"it has {size} bytes and {HEADER_BYTES + WORD_BYTES * count} by its manifest"
            )
        mode: Any = "r" if size > MAPPED_BYTES else None
        states: np.ndarray[Any, Any] = np.load(path, mmap_mode=mode)
    except (OSError, ValueError, EOFError) as error:
        raise UsageError(f"{path} cannot be read as a layer of a table: {error}") from error
    count = len(states) if count is None else count
    if states.dtype != np.dtype("<u8") or states.shape != (count,):
        raise UsageError(
            f"{path} holds {states.shape} items of {states.dtype}; its manifest says "
            f"{count} unsigned 64-bit words"
        )
    states.flags.writeable = False
    return states


def checksum(path: Path) -> str:
    """The SHA-256 of the file."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(PIECE_BYTES):
            digest.update(piece)
    return digest.hexdigest()
