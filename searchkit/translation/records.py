"""How objects are made of the classes that `names_of` knows."""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any, NamedTuple

import attrs

from searchkit.translation.stored_classes import object_of, stored
from searchkit.translation.types import names_of

_MAKERS = ("dataclasses", "attr._make")
_HOOKS = ("__post_init__", "__attrs_pre_init__", "__attrs_post_init__")


class Making(NamedTuple):
    """What a class takes for the items of an object."""

    names: tuple[str, ...]
    """The arguments, in the order of the items."""
    by_position: tuple[str, ...]
    """Those that need no name, in their order."""
    defaults: dict[str, Any]
    made_anew: frozenset[str]
    """Those for which a function makes a value if none is given."""


def making_of(kind: type) -> Making:
    """How objects are made of a class that `names_of` knows."""
    fields = attrs.fields(kind) if attrs.has(kind) else ()
    names = tuple(each.alias for each in fields) or names_of(kind) or ()
    given = list(inspect.signature(kind).parameters.values())
    by_position = tuple(each.name for each in given if each.kind is not each.KEYWORD_ONLY)
    known = {each.name: each.default for each in given if each.default is not each.empty}
    # dataclasses and attrs have objects of their own there.
    made_anew = {n for n, each in known.items() if type(each).__module__ in _MAKERS}
    defaults = {name: each for name, each in known.items() if name not in made_anew}
    return Making(names, by_position, defaults, frozenset(made_anew))


def does_more(kind: type) -> bool:
    """Whether to make an object of such a class may do more than keep what is given."""
    if issubclass(kind, tuple):
        return False
    if any(hasattr(kind, each) for each in _HOOKS):
        return True
    if attrs.has(kind):
        return any(each.validator is not None for each in attrs.fields(kind))
    code = getattr(kind, "__init__").__code__  # noqa: B009  (a class, not an object)
    count: int = code.co_argcount + code.co_kwonlyargcount
    return count != 1 + len(names_of(kind) or ())  # some are for the time of making alone


def made_of(kind: type, items: Sequence[Any]) -> Any:
    """The object of such a class that has some items."""
    known = stored(kind)
    if known is not None:
        return object_of(kind, known.names, items)
    make: Any = kind
    return make(**dict(zip(making_of(kind).names, items, strict=True)))
