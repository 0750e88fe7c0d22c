"""Calls of machine code without the look at the types of the arguments, which takes 0.1 ms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

import numpy as np

_entry_points: dict[Any, Callable[..., Any]] = {}
"""By compiled function and forms of the arguments."""


def direct(function: Any, *arguments: Any) -> Callable[..., Any]:
    """What calls the machine code of a compiled function for arguments of just these types.

    The function may be called once. Nothing checks the types of the arguments of what is returned.
    """
    if not hasattr(function, "overloads"):
        return cast("Callable[..., Any]", function)  # in plain Python
    key = function, _form(arguments)
    if key not in _entry_points:
        function(*arguments)
        made = function.overloads.get(tuple(map(function.typeof_pyval, arguments)))
        if made is None:
            return cast("Callable[..., Any]", function)
        _entry_points[key] = made.entry_point
    return _entry_points[key]


def _form(value: Any) -> Any:
    """What the compiler's type of a value follows from, found faster than that."""
    if isinstance(value, tuple):
        return type(value), *map(_form, value)
    if isinstance(value, np.ndarray):
        return value.dtype, value.ndim, value.flags.num
    return type(value)
