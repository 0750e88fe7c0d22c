"""A lock on a folder: one process at a time writes into it, and others learn who does.

The system takes the lock away when its process ends, however it ends, so that what a killed
process leaves behind stops nobody.
"""

from __future__ import annotations

import errno
import json
import os
import socket
import sys
from contextlib import suppress
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import attrs

from searchkit.errors import UsageError
from searchkit.tables.store import Lock

NAME = "searchkit.lock"
MOST_BYTES = 4096
ATTEMPTS = 100
OUTSIDE = 1 << 30
"""The byte that is locked on Windows: none that holds text, for others are to read that."""
WITHOUT_LOCKS = {errno.ENOLCK, errno.ENOSYS, errno.ENOTSUP, errno.EOPNOTSUPP, errno.EINVAL}
"""What a file system says that has no locks."""


@attrs.define(eq=False)
class FolderLock(Lock):
    """A lock that is held."""

    path: Path
    _handle: int

    @classmethod
    def take(cls, folder: Path) -> FolderLock:
        """Take the lock on `folder`; `UsageError`, which says who has it, if somebody does.

        Where the file system has no locks, what the file says decides: a process that runs on
        this machine has the lock. `OSError` if the file cannot be made.
        """
        path = folder / NAME
        flags = os.O_RDWR | os.O_CREAT | getattr(os, "O_NOFOLLOW", 0)
        for _ in range(ATTEMPTS):
            handle = os.open(path, flags, 0o666)
            try:
                owner = _owner(handle)
                is_ours = _locked(handle)
                if is_ours is None:
                    is_ours = not _runs_here(owner)
                if not is_ours:
                    raise UsageError(
                        f"{folder} is being explored into by {who(owner)}; wait until it has "
                        "ended, or give another folder"
                    )
                if _is_same(handle, path):  # not if its owner has just deleted it
                    _sign(handle)
                    lock, handle = cls(path, handle), -1
                    return lock
            finally:
                if handle >= 0:
                    os.close(handle)
        raise OSError(errno.EBUSY, "is made and deleted by others all the time", str(path))

    def release(self) -> None:
        """Give the lock back, and delete its file."""
        if sys.platform != "win32":  # which deletes no open files
            with suppress(OSError):
                self.path.unlink()
        os.close(self._handle)
        if sys.platform == "win32":
            with suppress(OSError):
                self.path.unlink()


def _locked(handle: int) -> bool | None:
    """Whether the open file is now locked by us; None where there are no locks."""
    try:
        if sys.platform == "win32":
            import msvcrt  # noqa: PLC0415

            os.lseek(handle, OUTSIDE, os.SEEK_SET)
            msvcrt.locking(handle, msvcrt.LK_NBLCK, 1)
        else:
            import fcntl  # noqa: PLC0415

            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        return None if error.errno in WITHOUT_LOCKS else False
    return True


def _is_same(handle: int, path: Path) -> bool:
    """Whether the open file is the one at `path`."""
    try:
        return os.path.samestat(os.fstat(handle), path.lstat())
    except FileNotFoundError:
        return False


def _sign(handle: int) -> None:
    """Write down who has the lock."""
    with suppress(OSError):  # on a full disk the lock is held all the same
        os.ftruncate(handle, 0)
        os.lseek(handle, 0, os.SEEK_SET)
        os.write(handle, signature(this_process()))


def _owner(handle: int) -> dict[str, Any]:
    """What was written down; nothing if it cannot be read."""
    try:
        os.lseek(handle, 0, os.SEEK_SET)
        return owner_in(os.read(handle, MOST_BYTES))
    except OSError:
        return {}


def this_process() -> dict[str, Any]:
    """Who has a lock that this process takes."""
    since = datetime.now(UTC).strftime("%Y-%m-%d %H:%M:%S UTC")
    return {"pid": os.getpid(), "host": socket.gethostname(), "since": since}


def signature(owner: dict[str, Any]) -> bytes:
    """What the file of a lock says."""
    return json.dumps(owner).encode() + b"\n"


def owner_in(data: bytes) -> dict[str, Any]:
    """The owner by what the file of a lock says; nothing where that cannot be understood."""
    try:
        found = json.loads(data)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def who(owner: dict[str, Any]) -> str:
    """The owner of a lock, for messages."""
    if not owner:
        return "another process"
    pid, host, since = (f"{owner.get(name)!s:.60}" for name in ("pid", "host", "since"))
    return f"process {pid} on {host}, since {since}"


def _runs_here(owner: dict[str, Any]) -> bool:
    """Whether the owner is another process of this machine that has not ended."""
    pid = owner.get("pid")
    if owner.get("host") != socket.gethostname() or type(pid) is not int or pid == os.getpid():
        return False
    if sys.platform == "win32":
        return False
    try:
        os.kill(pid, 0)
    except PermissionError:
        return True
    except (OSError, OverflowError):
        return False
    return pid > 0
