"""What values hold: whether it is the same as before, to the types within them."""

from __future__ import annotations

import marshal
from collections.abc import Collection, Sequence
from contextlib import suppress
from enum import EnumType
from functools import cached_property, lru_cache
from operator import is_
from types import (
    BuiltinFunctionType,
    CodeType,
    FunctionType,
    GetSetDescriptorType,
    MappingProxyType,
    MemberDescriptorType,
    MethodWrapperType,
    ModuleType,
    WrapperDescriptorType,
)
from typing import Any, NamedTuple

import attrs

from searchkit.authors.reach import HOLDING, PLAIN, slots_known

MOST_ITEMS = 2000
"""What holds more than this is too large to be compared each time, ..."""
MOST_FLAT = 20_000
"""... and so are numbers and texts in a row that are as many."""
MOST_BYTES = 1 << 24
"""So are arrays of more bytes."""

_FIXED = PLAIN | {
    complex, range, type(...), type(NotImplemented), property, classmethod, staticmethod,
    cached_property, MemberDescriptorType, GetSetDescriptorType, WrapperDescriptorType, CodeType,
    ModuleType, type(lru_cache(abs)), attrs.Attribute, attrs.Factory,
    type(NamedTuple("Pair", [("first", int)]).first),  # type: ignore[attr-defined]
}  # fmt: skip
"""What cannot change by itself, but for what is looked at besides."""
_OF_MEMBERS = {"_name_", "_value_", "_sort_order_", "__objclass__"}
"""What members of an enumeration have from it."""
_WHOLE = PLAIN - {float}
"""Of these, equal ones of one class are the same."""


class TooLargeError(Exception):
    """There is too much to compare."""


def are_same(now: Sequence[Any], before: Sequence[Any]) -> bool:
    """Whether things that cannot change are the same, one by one."""
    return _are_these(now, before) or (len(now) == len(before) and all(map(_is_same, now, before)))


def _is_same(now: Any, before: Any) -> bool:
    """Whether a value is equal to another, and what they hold is of the same types."""
    if now is before:
        return True
    if now.__class__ is not before.__class__:
        return False
    if isinstance(now, tuple):  # of what is made anew for each search, most parts are the very same
        return are_same(now, before)
    if now != before:
        return False
    with suppress(ValueError):  # not of plain things; sets may have another order
        if marshal.dumps(now, 2) == marshal.dumps(before, 2):
            return True
    return bool(_with_types(now) == _with_types(before))


def _with_types(value: Any) -> Any:
    """What is equal for equal values of the same types, within them too: 1 is not True, nor 1.0."""
    kind = value.__class__
    if isinstance(value, tuple):
        kinds = tuple(map(type, value))
        return kind, kinds, value if _WHOLE.issuperset(kinds) else tuple(map(_with_types, value))
    if isinstance(value, frozenset):
        return kind, frozenset(map(_with_types, value))
    if isinstance(value, (float, complex)):
        return kind, repr(value)
    if _is_frozen(kind):
        return kind, tuple((name, _with_types(each)) for name, each in _members_of(value).items())
    return kind, value


class Shot:
    """What some values hold that can change, and all that these hold: the very same things."""

    def __init__(self, values: Sequence[Any]) -> None:
        self._roots = values
        self._rows: list[tuple[Any, Any, tuple[Any, ...]]] | None = []
        """What may change, its class, and what it held; None where that is not known."""
        todo, seen = list(values), set[int]()
        for value in todo:  # grows as it goes, and so holds all whose numbers are in `seen`
            if is_fixed(value) or id(value) in seen:
                continue
            seen.add(id(value))
            kind = value.__class__
            if kind not in HOLDING and (
                slots_known(kind) or isinstance(value, HOLDING) or not hasattr(value, "__dict__")
            ):
                self._rows = None
                return
            held = tuple(_items_of(value, kind))
            self._rows.append((value, kind, held))
            todo += held

    def is_as_it_was(self, values: Sequence[Any]) -> bool:
        """Whether the values are these, and nothing has changed; False if that is not known."""
        if self._rows is None or not _are_these(values, self._roots):
            return False
        return all(
            value.__class__ is kind and _are_these(tuple(_items_of(value, kind)), held)
            for value, kind, held in self._rows
        )


def _items_of(value: Any, kind: type) -> Collection[Any]:
    """What a container holds, or an object with attributes."""
    if kind not in HOLDING:
        value, kind = value.__dict__, dict
    return (*value, *value.values()) if kind in (dict, MappingProxyType) else value


def _are_these(now: Sequence[Any], before: Sequence[Any]) -> bool:
    return len(now) == len(before) and all(map(is_, now, before))


class _Fixed:
    """A value that cannot change, among tokens."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Fixed) and _is_same(self.value, other.value)

    __hash__ = None  # type: ignore[assignment]


def _are_fixed(values: Collection[Any]) -> bool:
    while kinds := set(map(type, values)) - _FIXED:
        if not all(map(_is_row, kinds)):
            return all(map(is_fixed, values))
        values = [each for row in values if isinstance(row, tuple) for each in row]
    return True


@lru_cache(maxsize=1 << 10)
def _is_row(kind: Any) -> bool:
    """Whether objects of a class hold nothing but what they hold as tuples."""
    return issubclass(kind, tuple) and kind.__dictoffset__ == 0


def is_fixed(value: Any) -> bool:
    """Whether a value holds the same for ever, but for what is looked at besides."""
    kind: Any = type(value)
    if kind in _FIXED or isinstance(value, type):
        return True
    if isinstance(value, (tuple, frozenset)):
        return _are_fixed(value) and not getattr(value, "__dict__", None)
    if kind is FunctionType:
        return not vars(value)
    if kind in (BuiltinFunctionType, MethodWrapperType) or _is_frozen(kind):
        return _are_fixed(_members_of(value).values())
    if isinstance(kind, EnumType):  # what authors give its members can be given anew
        return vars(value).keys() <= _OF_MEMBERS and _are_fixed(vars(value).values())
    has_more = hasattr(value, "__dict__") or slots_known(kind) or hasattr(value, "__len__")
    if has_more or hasattr(value, "tobytes"):
        return False
    try:
        hash(value)
    except (TypeError, ValueError):
        return False
    return True


@lru_cache(maxsize=1 << 10)
def _is_frozen(kind: Any) -> bool:
    """Whether objects of a class keep the attributes that they were made with."""
    declared = getattr(kind, "__dataclass_params__", None)
    is_frozen = declared is not None and declared.frozen
    return is_frozen or getattr(kind.__setattr__, "__module__", None) == "attr._make"


def _members_of(value: Any) -> dict[str, Any]:
    """What a value holds by names."""
    if isinstance(value, FunctionType):
        return vars(value)
    if isinstance(value, (BuiltinFunctionType, MethodWrapperType)):
        return {"__self__": value.__self__}
    kind: Any = type(value)
    found = dict(getattr(value, "__dict__", {}))
    for name in slots_known(kind):
        with suppress(AttributeError):  # it is empty; its class may fill it when it is asked for
            found[name] = object.__getattribute__(value, name)
    return found


def token(value: Any, room: list[int], way: tuple[int, ...] = ()) -> Any:
    """What tells whether a value has the same content.

    `way` are the numbers of the objects that hold it.
    """
    room[0] -= 1
    if room[0] < 0:
        raise TooLargeError
    if is_fixed(value):
        return _Fixed(value)
    kind = value.__class__
    if id(value) in way:
        return kind, way.index(id(value))
    way = *way, id(value)
    base = next((each for each in HOLDING if isinstance(value, each)), None)
    if base is not None and len(value) > MOST_FLAT:
        raise TooLargeError
    inner: Any = None
    if base in (dict, MappingProxyType):
        inner = (
            _token_of_row(tuple(value), room, way),
            _token_of_row(tuple(value.values()), room, way),
        )
    elif base in (set, frozenset):
        if _are_fixed(value):
            inner = _Fixed(frozenset(value))
        else:
            inner = {id(each): token(each, room, way) for each in value}
    elif base is not None:
        inner = _token_of_row(tuple(value), room, way)
    if kind in HOLDING and inner is not None:
        return kind, inner
    if hasattr(value, "tobytes") and value.nbytes < MOST_BYTES:
        from hashlib import sha256  # noqa: PLC0415  (few problems have arrays)

        form = getattr(value, "shape", None), str(getattr(value, "dtype", ""))
        return kind, form, sha256(value.tobytes()).digest()
    if kind is bytearray and len(value) < MOST_FLAT:
        return kind, bytes(value)
    has_more = hasattr(value, "__dict__") or slots_known(kind) or hasattr(value, "__self__")
    if inner is None and not has_more:
        raise TooLargeError
    is_by_content = base is not None or isinstance(kind.__hash__, FunctionType)
    members = _members_of(value)
    names, held = tuple(members), _token_of_row(tuple(members.values()), room, way)
    return None if is_by_content else id(value), kind, inner, names, held


def _token_of_row(values: tuple[Any, ...], room: list[int], way: tuple[int, ...]) -> Any:
    if _are_fixed(values):
        return _Fixed(values)
    if len(values) > room[0]:
        raise TooLargeError
    return [token(each, room, way) for each in values]
