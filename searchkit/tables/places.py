"""Where a table is, as people say it: a folder, or a URL."""

from __future__ import annotations

from pathlib import Path

from searchkit.tables.folder_store import FolderStore
from searchkit.tables.store import IS_URL, Store

Place = Path | str | Store


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
