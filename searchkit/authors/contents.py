"""What values hold: whether it is the same as before, to the types within them."""

from __future__ import annotations

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
    if isinstance(now, tuple):  # each search makes a new one, mostly of the same objects
        return are_same(now, before)
    if now != before:
        return False
    if isinstance(now, (float, complex)):  # 0.0 is equal to -0.0
        return repr(now) == repr(before)
    if isinstance(now, frozenset):
        return _hold_the_same(now, before)
    if _is_frozen(now.__class__):
        one, other = _members_of(now), _members_of(before)
        return [*one] == [*other] and are_same([*one.values()], [*other.values()])
    return True


def _hold_the_same(now: frozenset[Any], before: frozenset[Any]) -> bool:
    """Whether equal sets hold things of the same types: 1 is equal to True, and to 1.0."""
    kinds = set(map(type, now))
    if len(kinds) == 1 and kinds <= _WHOLE and kinds == set(map(type, before)):
        return True
    known = {each: each for each in before}
    return all(_is_same(each, known[each]) for each in now)


class Snapshot:
    """What a value held that can change, and all that this held, down to what cannot.

    `room` is for how many things there is room, and `way` the objects that hold the value. O(things
    held); raises `TooLargeError`.
    """

    def __init__(self, value: Any, room: list[int], way: tuple[Any, ...] = ()) -> None:
        self._value, self._kind, self._items = value, value.__class__, _items_of(value)
        self._is_alone = not _is_by_content(value)
        """Whether no other object is the same, whatever it holds."""
        self._inner: list[tuple[int, Any]] = []
        """By their places, those of what can change; of what holds the value, its place there."""
        if _are_fixed(self._items):
            return
        room[0] -= len(self._items)
        if room[0] < 0:
            raise TooLargeError
        way = *way, value
        for place, each in enumerate(self._items):
            if not is_fixed(each):
                above = (number for number, one in enumerate(way) if one is each)
                found = next(above, None)
                self._inner.append((place, Snapshot(each, room, way) if found is None else found))

    def is_of(self, value: Any, way: tuple[Any, ...] = ()) -> bool:
        """Whether a value that `way` holds is as this one was, down to the types within it."""
        if value.__class__ is not self._kind or (self._is_alone and value is not self._value):
            return False
        items = _items_of(value)
        if not _are_these(items, self._items) and not self._are_same(items):
            return False
        way = *way, value
        for place, inner in self._inner:
            each = items[place]
            if not (way[inner] is each if inner.__class__ is int else inner.is_of(each, way)):
                return False
        return True

    def _are_same(self, items: tuple[Any, ...]) -> bool:
        """Whether what is held and cannot change is the same."""
        if self._kind in (set, frozenset):  # in whatever order
            return not self._inner and _is_same(frozenset(items), frozenset(self._items))
        changing = {place for place, _ in self._inner}
        return len(items) == len(self._items) and all(
            place in changing or _is_same(*pair)
            for place, pair in enumerate(zip(items, self._items, strict=True))
        )


def _items_of(value: Any) -> tuple[Any, ...]:
    """What a container holds, and what an object has by names; of arrays, what tells their content.

    What is held by sets has an order of its own where it can change.
    """
    kind = value.__class__
    base = kind if kind in HOLDING else next((e for e in HOLDING if isinstance(value, e)), None)
    if base is not None and len(value) > MOST_FLAT:
        raise TooLargeError
    if kind is list or kind is tuple:  # as most are
        return tuple(value)
    held: tuple[Any, ...] = ()
    if base in (dict, MappingProxyType):
        held = (*value, *value.values())
    elif base in (set, frozenset) and not _are_fixed(value):
        held = tuple(sorted(value, key=id))
    elif base is not None:
        held = tuple(value)
    if kind in HOLDING:
        return held
    if hasattr(value, "tobytes") and value.nbytes < MOST_BYTES:
        from hashlib import sha256  # noqa: PLC0415  (few problems have arrays)

        form = getattr(value, "shape", None), str(getattr(value, "dtype", ""))
        return *form, sha256(value.tobytes()).digest()
    if kind is bytearray and len(value) < MOST_FLAT:
        return (bytes(value),)
    has_more = hasattr(value, "__dict__") or slots_known(kind) or hasattr(value, "__self__")
    if base is None and not has_more:
        raise TooLargeError
    members = _members_of(value)
    return *held, tuple(members), *members.values()


def _is_by_content(value: Any) -> bool:
    """Whether objects that hold the same are the same: containers, arrays, and as authors say."""
    kind: Any = value.__class__
    is_row = isinstance(value, (*HOLDING, bytearray)) or hasattr(value, "tobytes")
    return is_row or isinstance(kind.__hash__, FunctionType)


def _are_these(now: Sequence[Any], before: Sequence[Any]) -> bool:
    return len(now) == len(before) and all(map(is_, now, before))


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
    if isinstance(kind, EnumType):  # its members may have attributes, which can be set again
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
