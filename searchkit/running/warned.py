"""Warnings of searchkit, passed on to who tells of them in a way of its own."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

from searchkit.errors import SearchkitWarning


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
