"""Tables in a folder that every worker sees: files are mapped where they lie."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import attrs

from searchkit.tables.checked import checksum_of
from searchkit.tables.keys import KeyFile
from searchkit.tables.lock import FolderLock
from searchkit.tables.store import Files, Lock, Rows, Store, Stored
from searchkit.texts.files import open_regular, write_whole


@attrs.frozen
class FolderStore(Store):
    """A folder."""

    folder: Path

    def __str__(self) -> str:
        return str(self.folder)

    def make(self) -> None:
        """Make the folder, unless it is there."""
        self.folder.mkdir(parents=True, exist_ok=True)

    def sizes(self) -> dict[str, int]:
        """The names of what is in the folder, and the bytes of files."""
        return {path.name: path.lstat().st_size for path in self.folder.iterdir()}

    def read(self, name: str, most: int) -> bytes:
        """The first bytes of a regular file."""
        with open_regular(self.folder / name) as file:
            return file.read(most)

    def write(self, name: str, data: bytes) -> None:
        """Write a file whole, or leave what is there."""
        write_whole(self.folder / name, data)

    def delete(self, names: Sequence[str]) -> None:
        """Delete files."""
        for name in names:
            (self.folder / name).unlink(missing_ok=True)

    def adopt(self, name: str, wanted: str) -> str:
        """Rename a file."""
        (self.folder / name).replace(self.folder / wanted)
        return wanted

    def lock(self) -> Lock:
        """Take the lock on the folder."""
        return FolderLock.take(self.folder)

    def at_hand(self) -> Files:
        """The files as they are."""
        return FolderFiles(self.folder.resolve())

    def checksum(self, name: str) -> str:
        """The SHA-256 of a file."""
        with open_regular(self.folder / name) as file:
            return checksum_of(file)


@attrs.define
class FolderFiles(Files):
    """The files in a folder, where they lie."""

    folder: Path

    def open(self, stored: Sequence[Stored], words: int) -> list[KeyFile]:
        """Those files, which are mapped where they are large."""
        return [KeyFile.open(self.folder / each.name, each.count, words) for each in stored]

    def load(self, rows: Sequence[Rows]) -> None:
        """Do nothing: all rows are here."""

    def put(self, paths: Sequence[Path]) -> list[str]:
        """The names of files, which everybody sees."""
        return [path.name for path in paths]

    def close(self) -> None:
        """Do nothing: nothing was fetched."""
