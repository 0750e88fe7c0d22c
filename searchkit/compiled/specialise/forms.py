"""The forms of arguments: machine code is made for one, and is called with no other.

A compiler's own look at the types of some tables takes 0.1 ms.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

WIDEST = 64
END = "end"
_ARRAYS = {np.ndarray, np.memmap}
"""Classes of arrays that are of one type for machine code: others may mean something else."""
_NUMBERS = {bool: "bool", np.bool_: "bool", float: "float64", type(None): "none"}


def quick_form(values: tuple[Any, ...]) -> tuple[Any, ...]:
    """What the form of a tuple follows from, found in a fifth of a microsecond for each array."""
    found: list[Any] = []
    _describe(values, found.append)
    return tuple(found)


def _describe(values: tuple[Any, ...], add: Callable[[Any], None]) -> None:
    for value in values:
        kind = type(value)
        if kind in _ARRAYS:
            add(value.dtype)
            add(value.ndim)
            add(value.flags.num)
        elif kind is int:
            add(_fits(value))
        else:
            add(kind)
            if isinstance(value, tuple):
                _describe(value, add)
                add(END)


def form_of(value: Any, own_name: str = "") -> str | None:
    """The form of a value as text, the same in all processes; None if machine code takes none such.

    What is made is looked up by it: it tells apart whatever a compiler has different types for.
    `own_name` is what names of classes end with that are of a generated module.
    """
    if isinstance(value, tuple):
        parts = [form_of(each, own_name) for each in value]
        if None in parts:
            return None
        fields = getattr(value, "_fields", None)
        if fields is None:
            return f"({', '.join(map(str, parts))})"
        pairs = (f"{field}={part}" for field, part in zip(fields, parts, strict=True))
        return f"{type(value).__name__.removesuffix(own_name)}({', '.join(pairs)})"
    if isinstance(value, np.ndarray):
        return _form_of_array(value) if type(value) in _ARRAYS else None
    if type(value) is int:
        return {True: "int64", False: "uint64", None: None}[_fits(value)]
    if isinstance(value, np.number) and value.dtype.kind in "iuf":
        return str(value.dtype)
    return _NUMBERS.get(type(value))


def _form_of_array(array: np.ndarray[Any, Any]) -> str | None:
    if array.dtype.kind not in "biuf":
        return None
    flags = array.flags
    order = "C" if flags.c_contiguous else "F" if flags.f_contiguous else "A"
    more = ("" if flags.writeable else " readonly") + ("" if flags.aligned else " unaligned")
    return f"array({array.dtype.str}, {array.ndim}d, {order}{more})"


def _fits(number: int) -> bool | None:
    """Whether an integer fits a signed word; None if no word holds it."""
    if -1 << (WIDEST - 1) <= number < 1 << (WIDEST - 1):
        return True
    return False if 0 < number < 1 << WIDEST else None
