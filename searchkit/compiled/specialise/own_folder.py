"""A folder of code that is ours alone: what somebody else could have put there is not read.

A process runs whatever a file of machine code says. A checksum within the file does not help
against a file made on purpose. So the folder and each file must belong to the user
that runs the program, and nobody else may be able to write to them, as `ssh` asks of its keys.
Both are looked at when they are open, so that they cannot be exchanged in between.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import attrs

ENVIRONMENT_VARIABLE = "SEARCHKIT_CACHE_DIR"
HAS_OWNERS = hasattr(os, "geteuid") and os.open in os.supports_dir_fd
"""Whether the system tells whose a file is; on Windows the user's folders are closed to others."""
BY_OTHERS = stat.S_IWGRP | stat.S_IWOTH
PART = "searchkit_part_"
"""How the names of files begin that are being written."""
PART_SECONDS = 3600
"""One of this age belongs to a process that was killed; so often are all files looked at."""
SWEPT = "searchkit_swept"
"""The file that tells when they were."""


def cache_directory() -> Path:
    """Where machine code is kept: `SEARCHKIT_CACHE_DIR`, or the user's cache folder."""
    chosen = os.environ.get(ENVIRONMENT_VARIABLE)
    if chosen:
        return Path(chosen)
    import platformdirs  # noqa: PLC0415  (takes a millisecond or two)

    return Path(platformdirs.user_cache_dir("searchkit"))


class NotOursError(Exception):
    """A folder or file that somebody else could have written: one line that says why."""


@attrs.frozen
class OwnFolder:
    """The folder, open."""

    path: Path
    _handle: int | None

    @classmethod
    @contextmanager
    def opened(cls, path: Path, *, make: bool = False) -> Iterator[OwnFolder]:
        """The folder at `path`, which is made for its owner alone if it is to be and is not there.

        `NotOursError` if others may write to it, `OSError` if it cannot be opened.
        """
        if make:
            _make(path)
        if not HAS_OWNERS:
            yield cls(path, None)
            return
        handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            _check(path, os.fstat(handle))
            yield cls(path, handle)
        finally:
            os.close(handle)

    def names(self, prefix: str) -> list[str]:
        """The names of its files that begin with `prefix`, in their order."""
        with os.scandir(self.path if self._handle is None else self._handle) as entries:
            return sorted(entry.name for entry in entries if entry.name.startswith(prefix))

    def remove(self, name: str) -> bool:
        """Delete a file, or the link of that name; whether that was possible."""
        try:
            os.unlink(self._place(name), dir_fd=self._handle)
        except OSError:
            return False
        return True

    def read(self, name: str, *, is_used: bool = True) -> bytes:
        """All of a file; `NotOursError` if somebody else could have written it, or `OSError`.

        It is kept for longer if it `is_used`.
        """
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0)
        try:
            handle = self._open(name, flags)
        except OSError as error:
            if error.errno == errno.ELOOP:
                raise NotOursError(f"{self.path / name} is a link") from error
            raise
        with os.fdopen(handle, "rb") as file:
            found = os.fstat(handle)
            if HAS_OWNERS:
                _check(self.path / name, found)
            if not stat.S_ISREG(found.st_mode):
                raise NotOursError(f"{self.path / name} is not a regular file")
            with suppress(OSError):  # when it was last used
                if is_used:
                    os.utime(self._place(name), dir_fd=self._handle)
            return file.read()

    def write(self, name: str, data: bytes) -> None:
        """Write a file whole, whatever other processes do; `OSError` if that fails."""
        part = f"{PART}{os.urandom(8).hex()}"
        handle = self._open(part, os.O_WRONLY | os.O_CREAT | os.O_EXCL)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            os.replace(
                self._place(part), self._place(name),
                src_dir_fd=self._handle, dst_dir_fd=self._handle,
            )  # fmt: skip
        except BaseException:
            with suppress(OSError):
                os.unlink(self._place(part), dir_fd=self._handle)
            raise

    def sweep(self, prefix: str, seconds: float) -> None:
        """Delete files of that prefix that were not used for so long, and parts left behind.

        It looks at every file there is, and so does nothing if it was done within the hour.
        """
        now = time.time()
        with suppress(OSError):
            last = os.stat(self._place(SWEPT), dir_fd=self._handle, follow_symlinks=False).st_mtime
            if abs(now - last) < PART_SECONDS:
                return
        self.write(SWEPT, b"")
        for name in [*self.names(prefix), *self.names(PART)]:
            age = PART_SECONDS if name.startswith(PART) else seconds
            with suppress(OSError):
                found = os.stat(self._place(name), dir_fd=self._handle, follow_symlinks=False)
                if found.st_mtime < now - age:
                    self.remove(name)

    def _open(self, name: str, flags: int) -> int:
        flags |= getattr(os, "O_BINARY", 0)
        return os.open(self._place(name), flags, 0o600, dir_fd=self._handle)

    def _place(self, name: str) -> str:
        """The file, from the folder's handle if there is one."""
        return str(self.path / name) if self._handle is None else name


def _make(path: Path) -> None:
    """Make the folder and those above it that are missing, whatever the umask is."""
    missing = [each for each in (path, *path.parents) if not each.exists()]
    for each in reversed(missing):
        with suppress(FileExistsError):
            each.mkdir(0o700)


def _check(path: Path, found: os.stat_result) -> None:
    """Raise `NotOursError` unless it is ours, and closed to others."""
    if found.st_uid != os.geteuid():
        raise NotOursError(f"{path} belongs to user {found.st_uid}, not to you ({os.geteuid()})")
    mode = stat.S_IMODE(found.st_mode)
    if mode & BY_OTHERS:
        raise NotOursError(f"others can write to {path} (its mode is {mode:04o})")
