"""The garbage collector looks for circles seldom where many objects are made that are kept.

By default it looks through the youngest objects whenever there are 700 more. States that a search
stores, modules that are imported, and what a compiler thinks of are no circles: to look through
them takes a tenth of the time.
"""

from __future__ import annotations

import gc
import threading
from collections.abc import Iterator
from contextlib import contextmanager

SELDOM = 50_000
"""After so many new objects, beyond those freed, the youngest are looked through."""
_changing = threading.Lock()
_inside = 0
_before = gc.get_threshold()


@contextmanager
def collecting_seldom() -> Iterator[None]:
    """Let the garbage collector look for circles seldom.

    Contexts may be nested, also in several threads: the last that ends sets it back. If it is off,
    or looks more seldom, that stays so.
    """
    global _inside, _before  # noqa: PLW0603
    with _changing:
        _inside += 1
        if _inside == 1:
            _before = gc.get_threshold()
            if 0 < _before[0] < SELDOM:
                gc.set_threshold(SELDOM, *_before[1:])
    try:
        yield
    finally:
        with _changing:
            _inside -= 1
            if _inside == 0:
                gc.set_threshold(*_before)
