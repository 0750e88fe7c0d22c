"""Tables in a folder that every worker sees, where files are mapped; or wherever people say."""

from __future__ import annotations

import hashlib
import os
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path
from typing import BinaryIO

import attrs

from searchkit.errors import VerificationError
from searchkit.tables.checked import Checked, checksum_of
from searchkit.tables.keys import KeyFile
from searchkit.tables.lock import FolderLock
from searchkit.tables.numbers import check_rows
from searchkit.tables.store import IS_URL, Files, Kept, Lock, Opener, Store, Stored
from searchkit.texts.files import open_regular, write_whole

SMALL_BYTES = 1 << 13
KEPT_FILES = 4096
"""The most small files that a process keeps in memory: they take up to 32 MB."""


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
        """Write a file whole, or leave what is there; a link is exchanged, and not its target."""
        path = self.folder / name
        if path.is_symlink():
            path.unlink()
        write_whole(path, data)

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

    def absolute(self) -> FolderStore:
        """The folder by its whole path."""
        return FolderStore(self.folder.resolve())

    def opener(self, *, is_new: bool = False) -> Opener:
        """What opens layers, and knows which were compared before."""
        return FolderOpener(Checked(self.folder) if is_new else Checked.read(self.folder))


@attrs.define
class FolderFiles(Files):
    """The files in a folder, where they lie."""

    folder: Path

    def open(self, stored: Sequence[Stored], words: int) -> list[KeyFile]:
        """Those files, which are mapped where they are large."""
        return [_opened(self.folder / each.name, each.count, words) for each in stored]

    def put(self, paths: Sequence[Path]) -> list[str]:
        """The names of files, which everybody sees."""
        return [path.name for path in paths]


def _opened(path: Path, count: int, words: int) -> KeyFile:
    """An open file; very small ones stay in memory, for a deep space asks for all its layers."""
    try:
        found = os.lstat(path)
    except OSError:
        return KeyFile.open(path, count, words)  # which says what is wrong
    if found.st_size > SMALL_BYTES:
        return KeyFile.open(path, count, words)
    return _kept(path, count, words, (found.st_ino, found.st_mtime_ns, found.st_size))


@lru_cache(KEPT_FILES)
def _kept(path: Path, count: int, words: int, _mark: tuple[int, ...]) -> KeyFile:
    return KeyFile.open(path, count, words)


@attrs.define
class FolderOpener(Opener):
    """Maps files, which are compared when they are opened, unless it is known what they are."""

    checked: Checked
    is_late: bool = False

    def open(self, parts: Sequence[Kept], words: int, *, again: bool = False) -> list[KeyFile]:
        """Those files."""
        return [self._open(each, words, again=again) for each in parts]

    def _open(self, part: Kept, words: int, *, again: bool) -> KeyFile:
        path = self.checked.folder / part.name
        found: list[os.stat_result] = []

        def check(file: BinaryIO, content: bytes | None) -> None:
            before = os.fstat(file.fileno())
            is_known = self.checked.has(part.name, part.sha256, before) and not again
            if not is_known:
                found.append(before)
            if content is not None:
                own = hashlib.sha256(content).hexdigest()
            elif is_known:
                return
            else:
                own = checksum_of(file)
            if own != part.sha256:
                raise VerificationError(
                    f"{path} has changed since it was written: its checksum is another than in the "
                    "manifest; explore again into an empty folder"
                )

        opened = KeyFile.open(path, part.count, words, check).below(part.limit)
        if found:
            check_rows(opened)
            self.checked.note(part.name, part.sha256, found[0])
        return opened

    def note(self, name: str, sha256: str) -> None:
        """The file has that checksum while its length and times are as they are."""
        self.checked.note(name, sha256, (self.checked.folder / name).stat())

    def save(self) -> None:
        """Write it into the folder."""
        self.checked.save()


Place = Path | str | Store
"""Where a table is, as people say it: a folder, or a URL."""


def store_at(place: Place) -> Store:
    """The store at a path, or at a URL like `s3://bucket/table`, which fsspec reaches.

    Raises `UnsuitableError` where fsspec, or the package that it needs for the URL, is missing.
    """
    if isinstance(place, Store):
        return place
    if isinstance(place, str) and IS_URL.match(place):
        from searchkit.tables.remote_store import RemoteStore  # noqa: PLC0415  (seldom needed)

        return RemoteStore(place)
    return FolderStore(Path(place))
