"""The temporary files of a worker: in a folder of its own, which goes with it, however it ends.

A worker that ends, or its parent, removes the folder. Where both are killed, a worker that begins
later on the same machine does, as nobody holds its lock any more.
"""

from __future__ import annotations

import os
import re
import shutil
import tempfile
import time
from contextlib import suppress
from pathlib import Path

NAME = re.compile(r"searchkit-[0-9a-f]{32}-\d+")
OLD_SECONDS = 60.0
"""A folder that is younger may not have its lock yet."""


def scratch_of(folder: str, process: int) -> Path:
    """Where a worker has its temporary files, beside the folder of what is shared."""
    return Path(f"{folder}-{process}")


def use_scratch(folder: str) -> None:
    """Let the temporary files of this process be in a folder of its own; sweep those of others."""
    scratch = scratch_of(folder, os.getpid())
    with suppress(OSError):  # a disk may be full, which tasks are to tell
        scratch.mkdir(mode=0o700)
        _lock(scratch)
        sweep(scratch.parent)
        tempfile.tempdir = str(scratch)


def leave_scratch(folder: Path) -> None:
    """Remove this worker's files, and what is shared if it was the last one on this machine."""
    shutil.rmtree(scratch_of(str(folder), os.getpid()), ignore_errors=True)
    if not any(folder.parent.glob(f"{folder.name}-*")):
        shutil.rmtree(folder, ignore_errors=True)


def sweep(place: Path) -> None:
    """Remove the scratch of workers that are gone; the system has taken their locks away."""
    for path in place.glob("searchkit-*-*"):
        with suppress(OSError):
            if NAME.fullmatch(path.name) and time.time() - path.stat().st_mtime > OLD_SECONDS:
                handle = _lock(path)
                if handle is not None:
                    shutil.rmtree(path, ignore_errors=True)
                    os.close(handle)


def _lock(path: Path) -> int | None:
    """Take the lock on a folder, until this process ends; None if another one has it."""
    try:
        import fcntl  # noqa: PLC0415  (not on Windows)
    except ImportError:
        return None
    handle = os.open(path, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(handle)
        return None
    return handle
