"""A layer as a file: its states as unsigned 64-bit words, rising (`numpy.load` reads it)."""

from __future__ import annotations

import hashlib
import os
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from searchkit.errors import UsageError

if TYPE_CHECKING:
    import numpy as np

PIECE_BYTES = 1 << 24
HEADER_BYTES = 128
MAGIC = b"\x93NUMPY\x01\x00"


class LayerFile:
    """A layer file as it is written, piece by piece: `NAME.part` until it is complete."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.count = 0
        self._part = path.with_name(f"{path.name}.part")
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
    """The states in the file, mapped into memory as they are used."""
    import numpy as np  # noqa: PLC0415

    try:
        states: np.ndarray[Any, Any] = np.load(path, mmap_mode="r" if count != 0 else None)
    except (OSError, ValueError, EOFError) as error:
        raise UsageError(f"{path} cannot be read as a layer of a table: {error}") from error
    count = len(states) if count is None else count
    if states.dtype != np.dtype("<u8") or states.shape != (count,):
        raise UsageError(
            f"{path} holds {states.shape} items of {states.dtype}; its manifest says "
            f"{count} unsigned 64-bit words"
        )
    return states


def checksum(path: Path) -> str:
    """The SHA-256 of the file."""
    digest = hashlib.sha256()
    with path.open("rb") as file:
        while piece := file.read(PIECE_BYTES):
            digest.update(piece)
    return digest.hexdigest()
