"""Tables behind a URL: on an object store, or whatever else fsspec reaches.

Object stores have no rename: a file keeps the name that its attempt gave it, and the manifest,
written last, says which files count.
"""

from __future__ import annotations

import attrs

from searchkit.tables.remote import Remote
from searchkit.tables.remote_files import RemoteFiles
from searchkit.tables.remote_lock import RemoteLock
from searchkit.tables.store import Files, Lock, Store


@attrs.frozen
class RemoteStore(Remote, Store):
    """A place that a URL of fsspec names."""

    def __str__(self) -> str:
        return Remote.__str__(self)

    def adopt(self, name: str, wanted: str) -> str:
        """The name that it has: there is no rename."""
        return name

    def lock(self) -> Lock:
        """Take the lock of the place."""
        return RemoteLock.take(self)

    def at_hand(self) -> Files:
        """The files, for a task, with room for what is fetched."""
        return RemoteFiles(self)
