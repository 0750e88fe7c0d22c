"""Whether machine code of a problem's rules was made before, by this process or an earlier one.

Then it is on disk, most likely, and a search need not last long to be worth it.
"""

from __future__ import annotations

import hashlib
import inspect
from pathlib import Path
from typing import Any

from searchkit.compiled.specialise.code_files import NOTES
from searchkit.compiled.specialise.own_folder import NotOursError, OwnFolder, cache_directory


def was_compiled(problem: Any, purpose: str) -> bool:
    """Whether it was `noted` for this class, as its file is now, and purpose. O(file)."""
    name = _name(problem, purpose)
    if name is None:
        return False
    try:
        with OwnFolder.opened(cache_directory()) as folder:
            return folder.read(name) == b""
    except (OSError, NotOursError):
        return False


def note(problem: Any, purpose: str) -> None:
    """Note that machine code was made; where nothing can be written, nothing is noted."""
    name = _name(problem, purpose)
    if name is None:
        return
    try:
        with OwnFolder.opened(cache_directory(), make=True) as folder:
            folder.write(name, b"")
    except (OSError, NotOursError):
        pass


def _name(problem: Any, purpose: str) -> str | None:
    kind = type(problem)
    try:
        file = inspect.getsourcefile(kind)
        text = Path(file or "").read_bytes()
    except (OSError, TypeError):
        return None
    parts = (kind.__qualname__, purpose, hashlib.sha256(text).hexdigest())
    return NOTES + hashlib.sha256("\0".join(parts).encode()).hexdigest()[:32]
