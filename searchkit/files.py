"""Files that are read and written whole: a regular file or none, the new content or the old."""

from __future__ import annotations

import errno
import os
import stat
from pathlib import Path
from typing import BinaryIO

NO_WAITING = getattr(os, "O_NONBLOCK", 0)
"""A pipe that nobody writes to is opened at once, so that it can be refused."""


def open_regular(path: Path) -> BinaryIO:
    """Open a regular file to be read; `OSError` for pipes and devices, which might never end."""
    handle = os.open(path, os.O_RDONLY | NO_WAITING | getattr(os, "O_BINARY", 0))
    try:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(errno.EINVAL, "it is no regular file", str(path))
        return os.fdopen(handle, "rb")
    except BaseException:
        os.close(handle)
        raise
