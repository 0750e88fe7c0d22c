"""Folders and files of the library while they are written: safe on disk, and swept if left behind.

A folder that is written has a name of its own that ends with `.part`, and its writer holds a lock
in it. Those of processes that were killed are deleted when another one is written: if nobody holds
the lock, and nothing was written there for some time, as locks do not reach across all networks.
"""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

from searchkit.errors import SearchkitError, UsageError

try:
    import fcntl
except ImportError:  # Windows: age alone tells
    fcntl = None  # type: ignore[assignment]

ENVIRONMENT_VARIABLE = "SEARCHKIT_DATA_DIR"
PART = ".part"
"""How the names of folders end that are being written."""
LOCK = "lock"
LEFT_SECONDS = 600.0
"""What nobody has written to for so long, and nobody has locked, was left behind."""
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
MEGA = 1e6


@contextmanager
def part_of(folder: Path) -> Iterator[Path]:
    """A new folder beside `folder`, to be renamed; deleted at the end if it still is there."""
    part = folder.with_name(f"{folder.name}.{os.getpid()}.{threading.get_ident()}{PART}")
    sweep(folder.parent)
    shutil.rmtree(part, ignore_errors=True)
    part.mkdir(parents=True)
    try:
        with (part / LOCK).open("wb") as lock:
            if fcntl is not None:
                with suppress(OSError):  # a file system without locks
                    fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
            yield part
    finally:
        shutil.rmtree(part, ignore_errors=True)


def sweep(folder: Path) -> None:
    """Delete the parts in `folder` that were left behind by processes that are gone."""
    with suppress(OSError):
        for part in folder.iterdir():
            if part.name.endswith(PART) and part.is_dir() and _is_left(part):
                shutil.rmtree(part, ignore_errors=True)


def _is_left(part: Path) -> bool:
    try:
        newest = max(path.stat().st_mtime for path in (part, *part.iterdir()))
        if time.time() - newest < LEFT_SECONDS:
            return False
        if fcntl is None or not (part / LOCK).exists():
            return True
        with (part / LOCK).open("rb") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:  # somebody holds it, or has just renamed or deleted the folder
        return False
    return True


def write_safely(path: Path, content: Any) -> None:
    """Write a file so that it is on the disk when this returns."""
    with path.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Have the names in a folder written to the disk, where the system can do that."""
    with suppress(OSError):
        handle = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)


@contextmanager
def blaming_disk(folder: Path, what: str, size: int) -> Iterator[None]:
    """Turn errors of the disk into one line: which folder, and how much was to be written."""
    try:
        yield
    except OSError as error:
        told = (
            f"{what} cannot be written to {folder}: {error.strerror or error}; it takes "
            f"{size / MEGA:,.1f} MB; "
        )
        if error.errno in FULL:
            raise SearchkitError(
                f"{told}make room there, or let {ENVIRONMENT_VARIABLE} name another folder"
            ) from error
        raise UsageError(f"{told}{ENVIRONMENT_VARIABLE} may name another folder") from error


def check_room(folder: Path, size: int) -> None:
    """Raise `UsageError` unless `size` bytes may be written to `folder`, and fit there."""
    with blaming_disk(folder, "pattern databases", size):
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=folder):
            pass
        free = shutil.disk_usage(folder).free
    if free < size:
        raise UsageError(
            f"{folder} has {free / MEGA:,.1f} MB of room, and the pattern databases take "
            f"{size / MEGA:,.1f} MB; make room there, or let {ENVIRONMENT_VARIABLE} name another "
            "folder"
        )
