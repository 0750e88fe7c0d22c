"""What an author's code can read, followed from object to object."""

from __future__ import annotations

import os
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from contextlib import suppress
from functools import lru_cache, partial, partialmethod
from types import (
    CellType,
    CodeType,
    FunctionType,
    MappingProxyType,
    MethodType,
    ModuleType,
    SimpleNamespace,
)
from typing import Any, NamedTuple

from searchkit.authors.blame import is_ours, is_ours_class
from searchkit.authors.user_code import slots_of

PLAIN = frozenset({int, bool, str, float, bytes, type(None)})
"""Values that hold nothing."""
INSTALLED = "-packages" + os.sep
_LIBRARIES = (os.path.dirname(os.__file__) + os.sep, "<frozen", "<attrs")  # noqa: PTH120


CLASS = "__class__"
"""The name of the class of an object among what is read from it."""
HOLDING = (dict, MappingProxyType, list, deque, tuple, set, frozenset)
"""Classes of what holds other values."""
_BUILT_IN = frozenset({*HOLDING, bytearray})
_NOBODYS = frozenset({"builtins", "typing", "abc", "searchkit"})
"""Packages of classes below those of authors."""


class Place(NamedTuple):
    """Where a value is read."""

    owner: Any
    """An object, a class, a cell of a closure, or a dict of globals; None for what is held by the
    value of another place."""
    name: str
    value: Any


def reached(
    roots: Iterable[Place],
    packages: frozenset[str],
    most: int | None = None,
    *,
    by_classes: bool = True,
) -> Iterator[Place]:
    """Gives places, and those that can be read from what is there, breadth first.

    Followed are what containers hold, if that is not more than `most`; attributes of objects and
    classes of the author, and from objects to their classes if `by_classes`; and of functions of
    the author what they name, have from around them, and for defaults. Of modules of the author,
    what has the name of anything that functions read: `package.module.name`. O(places).
    """
    todo, seen = list(roots), set[int]()
    spaces: list[dict[str, Any]] = []
    read: dict[str, None] = {}
    for place in todo:  # grows as it goes, and so holds all whose numbers are in `seen`
        yield place
        value = place.value
        if value.__class__ in PLAIN or id(value) in seen:
            continue
        seen.add(id(value))
        inner = _within(place, packages, most)
        todo += inner if by_classes else [each for each in inner if each.name != CLASS]
        if isinstance(value, ModuleType) and is_own_file(vars(value).get("__file__")):
            spaces.append(vars(value))
            todo += _named_in(spaces[-1], read)
        elif isinstance(value, FunctionType) and is_of_author(value, packages):
            new = [name for name in names_in(value.__code__) if name not in read]
            read.update(dict.fromkeys(new))
            todo += [each for space in spaces for each in _named_in(space, new)]


def _named_in(space: dict[str, Any], names: Iterable[str]) -> list[Place]:
    """The globals of a module that have some names."""
    return [Place(space, name, space[name]) for name in names if name in space]


def _within(place: Place, packages: frozenset[str], most: int | None) -> Iterable[Place]:
    """What can be read from the value of a place."""
    name, value = place.name, place.value
    kind = value.__class__
    if kind in _BUILT_IN:
        return _held_in(place, packages, most)
    if isinstance(value, type):
        if not is_of_author(value, packages):
            return ()
        above = (type(value), *value.__bases__)
        return *(Place(None, name, each) for each in above), *places_in(value)
    function = function_in(value)
    if function is None:
        return _held_in(place, packages, most)
    if value is not function:
        parts = [Place(None, name, each) for each in parts_of(value)]
        return *parts, *_held_in(place, packages, most)
    return _read_by(function) if is_of_author(function, packages) else ()


def _held_in(place: Place, packages: frozenset[str], most: int | None) -> Iterable[Place]:
    """The items of a container; the attributes of an author's object, and its class."""
    value, kind = place.value, type(place.value)
    found = list[Place]()
    if isinstance(value, HOLDING):
        if most is not None and len(value) > most:
            return ()
        items: Iterable[Any] = value
        if isinstance(value, (dict, MappingProxyType)):
            items = [*value.values(), *filter(callable, value)]
        found += [Place(None, place.name, each) for each in items if each.__class__ not in PLAIN]
    if kind is SimpleNamespace:
        return places_in(value)
    if kind in _BUILT_IN or isinstance(value, ModuleType) or not is_authors(kind, packages):  # type: ignore[arg-type]
        return found
    return *found, Place(None, CLASS, kind), *places_in(value)


def parts_of(value: Any) -> tuple[Any, ...]:
    """What a method, a property or a partial function calls, and with what."""
    owner = value.__self__ if isinstance(value, MethodType) else None
    is_partial = isinstance(value, (partial, partialmethod))
    given = (*value.args, *value.keywords.values()) if is_partial else ()
    return function_in(value), owner, *given


def held_by(value: Any, packages: frozenset[str]) -> list[Any]:
    """What a value holds that may be a function, or hold one: of an author's object, its class."""
    if isinstance(value, type):
        return []
    return [place.value for place in _held_in(Place(None, "", value), packages, None)]


def places_in(owner: Any) -> Iterator[Place]:
    """The attributes of an object, or of a class."""
    for name, value in getattr(owner, "__dict__", {}).items():
        yield Place(owner, name, value)
    if not isinstance(owner, type):
        for name in slots_known(type(owner)):  # type: ignore[arg-type]
            with suppress(AttributeError):  # empty: its class may fill it when it is asked for
                yield Place(owner, name, object.__getattribute__(owner, name))


@lru_cache(maxsize=1 << 10)
def slots_known(kind: Any) -> list[str]:
    """The slots of a class, as `slots_of` finds them; kept, as they are asked of each object."""
    return slots_of(kind)


def _read_by(function: FunctionType) -> Iterator[Place]:
    """The globals that a function names, what it has from around it, and for defaults."""
    yield from _named_in(function.__globals__, names_in(function.__code__))
    for name, cell in zip(function.__code__.co_freevars, function.__closure__ or (), strict=True):
        if is_full(cell):
            yield Place(cell, name, cell.cell_contents)
    for each in (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()):
        yield Place(None, "a default", each)


def packages_of(kinds: Iterable[type]) -> frozenset[str]:
    """The packages that classes are from, but for those that all classes are from."""
    return frozenset(kind.__module__.partition(".")[0] for kind in kinds) - _NOBODYS


@lru_cache(maxsize=1 << 10)
def is_authors(kind: Any, packages: frozenset[str]) -> bool:
    """Whether a class is of those who wrote the rules; kept, as it is asked of each object."""
    return is_of_author(kind, packages)


def is_of_author(value: Any, packages: frozenset[str]) -> bool:
    """Whether a function or class is of those who wrote the rules, and not of a library."""
    module = value.__module__ or ""
    if module.partition(".")[0] in packages:
        return True
    file = getattr(sys.modules.get(module), "__file__", None) or ""
    if isinstance(value, FunctionType):
        file = value.__code__.co_filename
    elif is_ours_class(value):
        return False
    return is_own_file(file)


@lru_cache(maxsize=1 << 10)
def is_own_file(file: str | None) -> bool:
    """Whether a file is one of an author's: of no library, and not ours."""
    if not file:
        return False
    return not (is_ours(file) or file.startswith(_LIBRARIES) or INSTALLED in file)


def is_full(cell: CellType) -> bool:
    """Whether the variable of a closure has a value."""
    try:
        return cell.cell_contents is not cell
    except ValueError:
        return False


def function_in(value: Any) -> FunctionType | None:
    """The function that a member of a class, or a global, is or has."""
    try:
        for name in ("__func__", "fget", "func", "__wrapped__"):
            value = getattr(value, name, value) if not isinstance(value, type) else value
    except Exception:  # of an author's `__getattr__`
        return None
    return value if isinstance(value, FunctionType) else None


@lru_cache(maxsize=1 << 12)
def names_in(code: CodeType) -> tuple[str, ...]:
    """The names that code reads which are no variables of its own, and short texts."""
    found = dict.fromkeys(code.co_names)
    for each in code.co_consts:
        if isinstance(each, str) and each.isidentifier():
            found[each] = None
        elif isinstance(each, CodeType):
            found.update(dict.fromkeys(names_in(each)))
    return tuple(found)
