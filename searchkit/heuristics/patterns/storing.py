"""Files of the library as they are written: swept if left behind, and where a disk is full.

A file that is written has a name of its own until it is complete. What a process that was killed
leaves is deleted when another one writes into the same folder, once nobody has written to it for
some time.
"""

from __future__ import annotations

import errno
import os
import shutil
import tempfile
import time
from collections.abc import Collection, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from searchkit.errors import SearchkitError, UsageError

ENVIRONMENT_VARIABLE = "SEARCHKIT_DATA_DIR"
LEFT_SECONDS = 86_400.0
"""What nobody has written to for this long was left behind."""
FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}
MEGA = 1e6


def sweep(folder: Path, used: Collection[str]) -> None:
    """Delete what nobody uses: written by this process, or left behind by others."""
    oldest = time.time() - LEFT_SECONDS
    with suppress(OSError):
        for path in folder.iterdir():
            with suppress(OSError):
                ours = f"-{os.getpid()}-" in path.name
                if path.name not in used and (ours or path.stat().st_mtime < oldest):
                    path.unlink()


@contextmanager
def blaming_disk(folder: Path, what: str, size: int) -> Iterator[None]:
    """Turn errors of the disk into one line: which folder, and how much was to be written."""
    try:
        yield
    except OSError as error:
        start = (
            f"{what} cannot be written to {folder}: {error.strerror or error}; it takes "
            f"{size / MEGA:,.1f} MB; "
        )
        if error.errno in FULL:
            raise SearchkitError(
                f"{start}make room there, or let {ENVIRONMENT_VARIABLE} name another folder"
            ) from error
        raise UsageError(f"{start}{ENVIRONMENT_VARIABLE} may name another folder") from error


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
