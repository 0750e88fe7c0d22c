"""Which files of a table have been compared with their checksums, so that it is done once.

So it is with their rows, which are looked at then, too.

A file counts as compared while its length and its times are what they were then. A change
within the same tick of the clock leaves the times as they are. So times are believed only if
they lay well before the note that holds them was written: by the clock of the same disk.
"""

from __future__ import annotations

import hashlib
import json
import os
from contextlib import suppress
from pathlib import Path
from typing import Any, BinaryIO

import attrs

from searchkit.texts.files import open_regular, write_whole

NAME = "checked.json"
LEAST_BYTES = 1 << 24
"""The files of a smaller table are compared each time: that takes no longer than to note it."""
SETTLED = 2_000_000_000
"""In nanoseconds. The times of files have steps of two seconds on some file systems (FAT)."""
PIECE_BYTES = 1 << 20
MOST_BYTES = 1 << 26
"""A longer note was not written by us."""


def mark_of(sha256: str, found: os.stat_result) -> dict[str, Any]:
    """What a file was like when its bytes had a checksum."""
    times = {"modified": found.st_mtime_ns, "changed": found.st_ctime_ns}
    return {"sha256": sha256, "size": found.st_size, **times}


@attrs.define(eq=False)
class Checked:
    """The marks of the files in a folder."""

    folder: Path
    _marks: dict[str, dict[str, Any]] = attrs.field(factory=dict)
    _is_new: bool = False

    @classmethod
    def read(cls, folder: Path) -> Checked:
        """The marks that were noted in `folder`; none if the note cannot be used."""
        marks = {}
        with suppress(OSError, ValueError, TypeError, AttributeError, LookupError, RecursionError):
            with open_regular(folder / NAME) as file:
                noted = os.fstat(file.fileno()).st_mtime_ns
                content = json.loads(file.read(MOST_BYTES))
            marks = {
                name: mark
                for name, mark in content.items()
                if max(mark["modified"], mark["changed"]) + SETTLED < noted and mark["size"] >= 0
            }
        return cls(folder, marks)

    def has(self, name: str, sha256: str, found: os.stat_result) -> bool:
        """Whether the file, as it is `found`, is known to have that checksum."""
        return self._marks.get(name) == mark_of(sha256, found)

    def note(self, name: str, sha256: str, found: os.stat_result) -> None:
        """The file, as it was `found`, has that checksum."""
        self._marks[name] = mark_of(sha256, found)
        self._is_new = True

    def save(self) -> None:
        """Write the note, if it is worth it; a folder that cannot be written has none."""
        if not self._is_new or sum(mark["size"] for mark in self._marks.values()) < LEAST_BYTES:
            return
        if (self.folder / NAME).is_symlink():  # whose target is not ours, whoever made the folder
            return
        with suppress(OSError):
            write_whole(self.folder / NAME, f"{json.dumps(self._marks, indent=1)}\n".encode())
        self._is_new = False


def checksum_of(file: BinaryIO) -> str:
    """The SHA-256 of all bytes of an open file."""
    digest = hashlib.sha256()
    file.seek(0)
    while piece := file.read(PIECE_BYTES):
        digest.update(piece)
    return digest.hexdigest()
