"""Tables behind a URL: on an object store, or whatever else fsspec reaches.

Object stores have no rename: a file keeps the name that its attempt gave it, and the manifest,
written last, says which files count.
"""

from __future__ import annotations

import re
import tempfile
from collections.abc import Sequence

import attrs

from searchkit.errors import VerificationError
from searchkit.tables.keys import KeyFile
from searchkit.tables.numbers import check_rows
from searchkit.tables.remote import Remote
from searchkit.tables.remote_files import RemoteFiles, unreadable
from searchkit.tables.remote_lock import RemoteLock
from searchkit.tables.store import LEFT_OVER, Files, Kept, Lock, Opener, Store, StoreError

UNNAMED = re.compile(rf"{LEFT_OVER.pattern}|layer-\d{{4,}}-\d{{3,}}\.[0-9a-f]{{32}}\.keys")


@attrs.frozen
class RemoteStore(Remote, Store):
    """A place that a URL of fsspec names."""

    left_over = UNNAMED

    def __str__(self) -> str:
        return Remote.__str__(self)

    def place_of(self, error: OSError) -> str:
        """The place, or the folder on this machine that files are fetched into."""
        return str(self) if isinstance(error, StoreError) else tempfile.gettempdir()

    def opener(self, *, is_new: bool = False) -> Opener:
        """What opens layers, and fetches what is asked for."""
        return RemoteOpener(self, RemoteFiles(self))

    def adopt(self, name: str, wanted: str) -> str:
        """The name that it has: there is no rename."""
        return name

    def lock(self) -> Lock:
        """Take the lock of the place."""
        return RemoteLock.take(self)

    def at_hand(self) -> Files:
        """The files, for a task, with room for what is fetched."""
        return RemoteFiles(self)


@attrs.define
class RemoteOpener(Opener):
    """Fetches the blocks that are asked for, each of which is compared with its checksum."""

    store: RemoteStore
    files: RemoteFiles
    is_late: bool = True

    def open(self, parts: Sequence[Kept], words: int, *, again: bool = False) -> list[KeyFile]:
        """Those files."""
        if again:
            self.store.together(self._compare, parts)
        found = self.files.open(parts, words)
        opened = [file.below(part.limit) for file, part in zip(found, parts, strict=True)]
        if again:
            for file in opened:
                check_rows(file)
        return opened

    def _compare(self, part: Kept) -> None:
        try:
            found = self.store.checksum(part.name)
        except OSError as error:
            raise unreadable(self.store, part.name, error) from error
        if found != part.sha256:
            raise VerificationError(
                f"{self.store}/{part.name} has changed since it was written: its checksum is "
                "another than in the manifest; explore again into an empty place"
            )
