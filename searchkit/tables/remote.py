"""A place behind a URL, by whatever file system fsspec has for it: its files, whole or in ranges.

Credentials are not sent to workers: each finds its own, where the packages of fsspec look for them.
"""

from __future__ import annotations

import errno
import hashlib
import re
import uuid
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, suppress
from functools import lru_cache
from importlib import import_module
from typing import Any, TypeVar

import attrs

from searchkit.errors import UnsuitableError, UsageError
from searchkit.tables.store import StoreError
from searchkit.texts.amounts import cut, one_line

T = TypeVar("T")
S = TypeVar("S")
PIECE_BYTES = 1 << 24
AT_ONCE = 16
"""How many requests are under way together: each takes some hundredths of a second to begin."""
WITHOUT_HALVES = {
    "abfs", "abfss", "az", "gcs", "gs", "memory", "oss", "s3", "s3a",
}  # fmt: skip
"""Protocols by which a file is there when it is whole, and the old one until then."""
WITH_BUCKETS = WITHOUT_HALVES - {"memory"}
"""Protocols whose URLs begin with a bucket, which somebody pays for, and not with a folder."""
FOR_SEVERAL = {"file", "local", "memory"}
"""Protocols, besides those that are asynchronous, that several threads may use together."""
MOST_SHOWN = 200
SECRETS = re.compile(r"(?<=://)[^/@]*(?=@)")


@attrs.frozen
class Remote:
    """A place that a URL of fsspec names; its text is the URL without what is secret.

    Raises `UnsuitableError` where packages are missing that reach it. All methods raise
    `StoreError`, which is an `OSError`.
    """

    url: str

    def __attrs_post_init__(self) -> None:
        _reached(self.url)

    def __str__(self) -> str:
        return SECRETS.sub("...", self.url)

    @property
    def _system(self) -> Any:
        return _reached(self.url)[0]

    def path(self, name: str) -> str:
        """What the file system calls a file."""
        return f"{_reached(self.url)[1].rstrip('/')}/{name}"

    def make(self) -> None:
        """Make the place, where there are folders; a bucket with a wrong name is not to be made."""
        protocols = self._system.protocol
        if WITH_BUCKETS & {*([protocols] if isinstance(protocols, str) else protocols)}:
            return
        with self.asking():
            self._system.makedirs(_reached(self.url)[1], exist_ok=True)

    def sizes(self) -> dict[str, int]:
        """The names and bytes of all files there."""
        with self.asking():
            self._system.invalidate_cache()
            try:
                found = self._system.ls(_reached(self.url)[1], detail=True)
            except FileNotFoundError:
                return {}
            return {
                name: int(each.get("size") or 0)
                for each in found
                if (name := each["name"].rstrip("/").rpartition("/")[2])
            }

    def read(self, name: str, most: int) -> bytes:
        """The first bytes of a file."""
        with self.asking():
            return bytes(self._system.cat_file(self.path(name)))[:most]

    def write(self, name: str, data: bytes) -> None:
        """Write a file whole."""
        with self.asking():
            if self._protocol in WITHOUT_HALVES:
                self._system.pipe_file(self.path(name), data)
                return
            part = self.path(f"{name}.{uuid.uuid4().hex}.part")
            self._system.pipe_file(part, data)
            self._system.mv(part, self.path(name))

    def create(self, name: str, data: bytes) -> bool:
        """Write a file unless there is one; whether that was so."""
        with self.asking():
            try:
                self._system.pipe_file(self.path(name), data, mode="create")
            except FileExistsError:
                return False
            return True

    def put(self, local: str, name: str) -> None:
        """Send a file."""
        with self.asking():
            self._system.put_file(local, self.path(name))

    def size(self, name: str) -> int:
        """The bytes of a file."""
        with self.asking():
            self._system.invalidate_cache(self.path(name))
            return int(self._system.info(self.path(name))["size"])

    def range(self, name: str, begin: int, end: int) -> bytes:
        """Bytes of a file, from one to before another; `OSError` where it is shorter."""
        with self.asking():
            found = bytes(self._system.cat_file(self.path(name), start=begin, end=end))
        if len(found) != end - begin:
            raise StoreError(
                errno.EIO, f"{name} is too short: {len(found)} bytes came, not {end - begin}"
            )
        return found

    def whole(self, name: str) -> bytes:
        """All bytes of a file."""
        with self.asking():
            return bytes(self._system.cat_file(self.path(name)))

    def delete(self, names: Sequence[str]) -> None:
        """Delete files."""

        def delete(name: str) -> None:
            with self.asking(), suppress(FileNotFoundError):
                self._system.rm_file(self.path(name))

        self.together(delete, names)

    def checksum(self, name: str) -> str:
        """The SHA-256 of a file, piece by piece."""
        digest, size = hashlib.sha256(), self.size(name)
        for begin in range(0, size, PIECE_BYTES):
            digest.update(self.range(name, begin, min(size, begin + PIECE_BYTES)))
        return digest.hexdigest()

    def together(self, function: Callable[[S], T], given: Iterable[S]) -> list[T]:
        """What the function gives for each, several at once where the file system allows it."""
        listed = list(given)
        several = self._protocol in FOR_SEVERAL or getattr(self._system, "async_impl", False)
        if len(listed) < 2 or not several:
            return list(map(function, listed))
        with ThreadPoolExecutor(min(AT_ONCE, len(listed))) as pool:
            return list(pool.map(function, listed))

    @property
    def _protocol(self) -> str:
        found = self._system.protocol
        return str(found if isinstance(found, str) else found[0])

    @contextmanager
    def asking(self) -> Iterator[None]:
        """Turn whatever the file system raises into a `StoreError`."""
        try:
            yield
        except FileNotFoundError as error:
            raise StoreNotFoundError(errno.ENOENT, "a file is not there") from error
        except Exception as error:
            number = error.errno if isinstance(error, OSError) and error.errno else errno.EIO
            text = getattr(error, "strerror", None) or f"{type(error).__name__}: {error}"
            raise StoreError(number, cut(one_line(str(text)), MOST_SHOWN)) from error


class StoreNotFoundError(StoreError, FileNotFoundError):
    """A file that is asked for is not there."""


@lru_cache(64)
def _reached(url: str) -> tuple[Any, str]:
    """The file system of a URL, and what that calls the place."""
    shown = SECRETS.sub("...", url)
    try:
        fsspec: Any = import_module("fsspec")
    except ImportError as error:
        raise UnsuitableError(
            f"{shown} needs fsspec; pip install 'searchkit-statespace[cluster]'"
        ) from error
    try:
        system, path = fsspec.core.url_to_fs(url)
    except ImportError as error:
        protocol = url.partition("://")[0]
        raise UnsuitableError(
            f"{shown} needs the package of fsspec for {protocol!r}: {one_line(str(error))}"
        ) from error
    except Exception as error:
        raise UsageError(
            f"{shown} names no place: {cut(one_line(str(error)), MOST_SHOWN)}; give a folder, or "
            "a URL like s3://bucket/table"
        ) from error
    return system, str(path)
