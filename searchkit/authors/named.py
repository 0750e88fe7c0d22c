"""What rules may read by its name: attributes of objects and classes, globals, dicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from inspect import getattr_static, getclosurevars
from types import BuiltinMethodType, FunctionType, ModuleType
from typing import Any

from searchkit.authors.reach import (
    function_in,
    held_by,
    is_of_author,
    names_in,
    packages_of,
    parts_of,
)

RULES = (
    "successors", "predecessors", "is_goal", "goal_states", "key", "heuristic", "default_heuristic",
    "certificate", "symmetries", "toggles", "operators", "control", "next_control", "inverse",
    "at_goal", "legal", "apply", "cost", "expand", "action", "rank", "unrank", "rank_after",
    "estimate", "change", "after", "begin", "follow", "recall", "__call__",
)  # fmt: skip
"""Methods on which an answer rests."""


MAKING = frozenset({"__init__", "__new__", "__post_init__", "__attrs_post_init__"})
"""What runs before any rule."""
ANY_NAME = frozenset({
    "__dict__", "vars", "getattr", "setattr", "attrgetter", "asdict", "astuple", "format_map",
    "__getattribute__", "__getstate__", "__reduce__", "__reduce_ex__", "str.format", "globals",
})  # fmt: skip
"""What may read, or write, an attribute whose name stands nowhere."""


def is_read(owner: Any, attribute: str) -> bool:
    """Returns whether rules of an object or class, or what they call, may read an attribute."""
    return any(name in ("", attribute) for name, _ in read_by([owner], _written_in))


def names_read(owner: Any) -> set[str]:
    """Returns the names that rules of an object or class, or what they call, may read; "" is any.

    For many attributes: it takes about as long as `is_read` for one.
    """
    return {name for name, _ in read_by([owner], _written_in)}


def _written_in(function: FunctionType) -> Iterable[str]:
    """The names that an author's function reads; methods that attrs and dataclasses make do more.

    These compare and show whole objects.
    """
    is_made = function.__code__.co_filename.startswith("<")
    return () if is_made else names_in(function.__code__)


def read_by(
    owners: Sequence[Any], names_of: Callable[[FunctionType], Iterable[str]]
) -> Iterator[tuple[Any, str]]:
    """The names that rules may read, each with what does; "" stands for all names.

    Of dicts that are read by name, or that something but one owner holds, there are the numbers as
    well. Owners are objects or classes, and `names_of` says what a function reads.

    Whatever has the name of something that a rule names may be called by it. So may the special
    methods of what an owner holds or a rule names: what needs no state, Python finds out once.
    """
    todo: list[Any] = []
    places: list[Any] = []
    """Classes and modules, in which names are looked up."""
    named = set(RULES)
    kinds = [own if isinstance(own, type) else type(own) for own in owners]
    packages = packages_of(each for kind in kinds for each in kind.__mro__)

    def look_into(place: Any, names: Iterable[str]) -> None:
        todo.extend(getattr_static(place, each, None) for each in names)

    for own, kind in zip(owners, kinds, strict=True):
        todo += [kind, *held_by(own, packages)]
    dicts = Counter(_dicts_in(todo))
    yield from ((number, "another name") for number, times in dicts.items() if times > 1)
    seen: set[int] = set()
    for value in todo:  # grows as it goes, and so holds all whose numbers are in `seen`
        if id(value) in seen:
            continue
        seen.add(id(value))
        if isinstance(value, type):
            special = {n for n in dir(value) if n[:2] == n[-2:] == "__"} - MAKING
            places.append(value)
            look_into(value, named | special)
        elif isinstance(value, ModuleType):
            places.append(value)
            look_into(value, named)
        held = [*parts_of(value)] if isinstance(value, partial) else held_by(value, packages)
        if not any(value is own for own in owners):
            yield from ((number, type(value).__name__) for number in _dicts_in(held))
        todo += held
        function = None if held else function_in(value)
        if function is None or not is_of_author(function, packages):
            continue
        name, space = function.__qualname__, getclosurevars(function).nonlocals
        todo += (*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values())
        found = set(names_of(function))
        for each in found:
            yield ("" if each in ANY_NAME else each), name
            other = space.get(each, function.__globals__.get(each))
            yield from ((number, name) for number in _dicts_in([other]))
            todo += [] if isinstance(other, type) else [other]
        todo += space.values()
        for place in places:
            look_into(place, found - named)
        named |= found


def _dicts_in(values: Iterable[Any]) -> Iterator[int]:
    """The numbers of the dicts among some values, and of those whose methods these are."""
    for each in values:
        owner = each.__self__ if isinstance(each, BuiltinMethodType) else each
        if isinstance(owner, dict):
            yield id(owner)
