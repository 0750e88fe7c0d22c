"""Calls of machine code without the look at the types of the arguments, which takes 0.1 ms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast


def direct(function: Any, *arguments: Any) -> Callable[..., Any]:
    """Call a compiled function; what calls its machine code for arguments of just these types.

    Nothing checks the types of the arguments of what is returned.
    """
    function(*arguments)
    if not hasattr(function, "overloads"):
        return cast("Callable[..., Any]", function)  # in plain Python
    made = function.overloads.get(tuple(map(function.typeof_pyval, arguments)))
    entry_point: Callable[..., Any] = function if made is None else made.entry_point
    return entry_point
