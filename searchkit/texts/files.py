"""Files that are read and written whole: a regular file or none, the new content or the old."""

from __future__ import annotations

import errno
import os
import stat
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

Bytes = bytes | memoryview
NO_WAITING = getattr(os, "O_NONBLOCK", 0)
"""A pipe that nobody writes to is opened at once, so that it can be refused."""
NO_FILE_BESIDE = {errno.EACCES, errno.EPERM, errno.EROFS}
"""What a folder says in which a file may be changed, but none made."""
NO_EXCHANGE = {*NO_FILE_BESIDE, errno.EBUSY, errno.EXDEV}
"""What is said where a file cannot be exchanged: a container may mount a single file."""
SHOWN = 40
MOST_LINKS = 40


def open_regular(path: Path) -> BinaryIO:
    """Open a regular file to be read; `OSError` for pipes and devices, which might never end."""
    handle = os.open(path, os.O_RDONLY | NO_WAITING | getattr(os, "O_BINARY", 0))
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "it is not a regular file", str(path))
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise


class WholeFile:
    """A file as it is written: it gets its name when it is complete; until then the old one stays.

    It is written beside the place where it is to be, as `part`, with the rights of the file that
    it takes the place of. Of a link the target is exchanged. Devices, pipes and what is open
    already, like `/dev/stdout`, are written to at once, and `part` is None; a file in a folder
    where none can be made is written over in the end.
    """

    def __init__(self, path: Path) -> None:
        """Begin; `OSError` if nothing can be written there."""
        self.path = Path(os.path.realpath(path))
        self.part: Path | None = None
        self._kept: list[Bytes] | None = None
        mode = _mode(path)
        if mode is not None and stat.S_ISDIR(mode):
            raise IsADirectoryError(errno.EISDIR, os.strerror(errno.EISDIR), str(path))
        if mode is not None and (not stat.S_ISREG(mode) or _is_open_file(path)):
            self._handle = os.open(path, os.O_WRONLY | os.O_APPEND)
            return
        name = f"{self.path.name[:SHOWN]}.{os.urandom(4).hex()}.part"
        part = self.path.with_name(name)
        flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0)
        try:
            self._handle = os.open(part, flags, 0o666)
        except OSError as error:
            if mode is None or error.errno not in NO_FILE_BESIDE:
                raise
            os.close(os.open(self.path, os.O_WRONLY))  # which says why it cannot be written
            self._handle, self._kept = -1, []
            return
        self.part = part
        if mode is not None:
            with suppress(OSError):
                part.chmod(stat.S_IMODE(mode))

    def write(self, data: Bytes) -> None:
        """Write what comes next."""
        if self._kept is not None:
            self._kept.append(data)
            return
        view = memoryview(data)
        while view:
            view = view[os.write(self._handle, view) :]

    def complete(self) -> None:
        """Give the file its name."""
        if self._kept is not None:
            _write_over(self.path, b"".join(self._kept))
            return
        if self.part is not None:
            os.fsync(self._handle)
        self._close()  # which may be where a network's disk says that it is full
        if self.part is None:
            return
        try:
            self.part.replace(self.path)
        except OSError as error:
            if error.errno not in NO_EXCHANGE or _mode(self.path) is None:
                raise
            _write_over(self.path, self.part.read_bytes())
            self.part.unlink()

    def drop(self) -> None:
        """Give up: what was there stays."""
        self.close()
        if self.part is not None:
            self.part.unlink(missing_ok=True)

    def close(self) -> None:
        """Write no more, and leave the part where it is."""
        with suppress(OSError):
            self._close()

    def _close(self) -> None:
        handle, self._handle = self._handle, -1
        if handle >= 0:
            os.close(handle)


def write_whole(path: Path, data: Bytes) -> None:
    """Write a file whole, or leave what is there: see `WholeFile`. `OSError` if that fails."""
    file = WholeFile(path)
    try:
        file.write(data)
        file.complete()
    except BaseException:
        with suppress(OSError):
            file.drop()
        raise


def _mode(path: Path) -> int | None:
    """The kind and the rights of the file; None if there is none."""
    try:
        return path.stat().st_mode
    except FileNotFoundError:
        return None


def _is_open_file(path: Path) -> bool:
    """Whether the path names an open file of a process: others write into that one as well."""
    for _ in range(MOST_LINKS):
        if os.path.realpath(path.parent).startswith("/proc/"):
            return True
        if not path.is_symlink():
            return False
        path = path.parent / path.readlink()
    return False


def _write_over(path: Path, data: bytes) -> None:
    """Write into the file that is there; put back what it held if that fails."""
    old = path.read_bytes()
    try:
        path.write_bytes(data)
    except BaseException:
        with suppress(OSError):
            path.write_bytes(old)
        raise
