"""How objects are made of the classes that `names_of` knows."""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from typing import Any, NamedTuple

import attrs

from searchkit.translation.stored_classes import object_of, stored
from searchkit.translation.types import names_of

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
    names = names_of(kind) or ()
    if issubclass(kind, tuple):
        return Making(names, names, dict(getattr(kind, "_field_defaults", {})), frozenset())
    defaults: dict[str, Any] = {}
    made_anew: set[str] = set()
    if attrs.has(kind):
        fields = attrs.fields(kind)
        for each in fields:
            if isinstance(each.default, attrs.Factory):  # type: ignore[arg-type]
                made_anew.add(each.alias)
            elif each.default is not attrs.NOTHING:
                defaults[each.alias] = each.default
        by_position = tuple(each.alias for each in fields if not each.kw_only)
        return Making(
            tuple(each.alias for each in fields), by_position, defaults, frozenset(made_anew)
        )
    own = dataclasses.fields(kind)  # type: ignore[arg-type]
    for one in own:
        if one.default_factory is not dataclasses.MISSING:
            made_anew.add(one.name)
        elif one.default is not dataclasses.MISSING:
            defaults[one.name] = one.default
    by_position = tuple(each.name for each in own if not each.kw_only)
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
