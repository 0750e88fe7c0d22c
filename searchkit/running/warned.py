"""Warnings of searchkit: at the line of who called it, or passed on to who tells of them."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from searchkit.authors.blame import is_ours
from searchkit.errors import SearchkitWarning


def warn(text: str) -> None:
    """Warn at the innermost line that is not one of searchkit."""
    level, frame = 1, sys._getframe()
    while frame.f_back is not None and is_ours(frame.f_code.co_filename):
        level, frame = level + 1, frame.f_back
    warnings.warn(text, SearchkitWarning, stacklevel=level)


@contextmanager
def warnings_passed(tell: Callable[[str], None]) -> Iterator[None]:
    """Give the warnings of searchkit to `tell`; others are shown as they would be."""
    with warnings.catch_warnings():
        others = warnings.showwarning

        def show(message: Any, category: type[Warning], *place: Any, **more: Any) -> None:
            if issubclass(category, SearchkitWarning):
                tell(str(message))
            else:
                others(message, category, *place, **more)

        warnings.showwarning = show
        warnings.simplefilter("always", SearchkitWarning)
        yield
