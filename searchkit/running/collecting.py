"""The garbage collector looks for circles seldom where many objects are made that are kept.

By default it looks through the youngest objects whenever there are 700 more. States that a search
stores, modules that are imported, and what a compiler thinks of are no circles: to look through
them takes a tenth of the time.
"""

from __future__ import annotations

import gc
import sys
import threading
from contextlib import ContextDecorator

SELDOM = 50_000
"""After this many new objects, beyond those freed, the youngest are looked through."""
_changing = threading.Lock()
IMPORTED = 20
"""With this many modules more, what is young is mostly theirs, and is kept."""
_inside = 0
_before = gc.get_threshold()
_modules = 0


class collecting_seldom(ContextDecorator):  # noqa: N801  (a function to its callers)
    """Lets the garbage collector look for circles seldom.

    Contexts may be nested, also in several threads: the last that ends sets it back. If it is off,
    or looks more seldom, that stays so. Where modules were imported meanwhile, what is there by
    then is taken for old, and not looked through at once.
    """

    def __enter__(self) -> None:
        global _inside, _before, _modules  # noqa: PLW0603
        with _changing:
            _inside += 1
            if _inside == 1:
                _before, _modules = gc.get_threshold(), len(sys.modules)
                if 0 < _before[0] < SELDOM:
                    gc.set_threshold(SELDOM, *_before[1:])

    def __exit__(self, *ended: object) -> None:
        global _inside  # noqa: PLW0603
        with _changing:
            _inside -= 1
            if _inside == 0:
                gc.set_threshold(*_before)
                if len(sys.modules) >= _modules + IMPORTED:
                    _age()


def _age() -> None:
    """Take all objects for old ones, unless somebody has frozen some: those would thaw. O(1).

    Not where a call has imported little: what it leaves in circles is found while it is young.
    """
    if not gc.get_freeze_count():
        gc.freeze()
        gc.unfreeze()
