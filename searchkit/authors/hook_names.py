"""What a plugin meant for a hook, and what keeps it from being one."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterator
from types import ModuleType
from typing import Any

PREFIX = "searchkit_register"
MARK = "searchkit_impl"
"""The attribute that `hookimpl` sets."""
ARGUMENT = "register"


def misfits(plugin: ModuleType | object, hooks: Collection[str]) -> Iterator[str]:
    """What is wrong with the functions of `plugin` that are meant for hooks, a line for each."""
    for name, function in _functions(plugin):
        marked = getattr(function, MARK, None) is not None
        if name in hooks and marked:
            taken = _arguments(function)
            if taken is not None and taken != [ARGUMENT]:
                yield (
                    f"defines {name}({', '.join(taken)}), but a hook has one argument, and that "
                    f"must be called {ARGUMENT}"
                )
        elif name in hooks:
            yield f"defines {name} without @searchkit.hookimpl; mark it with that"
        elif marked or name.startswith(PREFIX):
            from difflib import get_close_matches  # noqa: PLC0415  (for wrong names alone)

            close = get_close_matches(name, hooks, n=1) or sorted(hooks)
            yield f"defines {name}, which is not a hook; did you mean {' or '.join(close)}?"


def is_for_later(plugin: ModuleType | object, name: str) -> bool:
    """Whether a package lists a name that it imports when it is asked for: no hook is one."""
    return isinstance(plugin, ModuleType) and name not in vars(plugin)


def _functions(plugin: ModuleType | object) -> Iterator[tuple[str, Callable[..., Any]]]:
    for name in dir(plugin):
        if is_for_later(plugin, name):
            continue
        try:
            found = getattr(plugin, name)
        except Exception:  # a property of third-party code
            continue
        if inspect.isroutine(found):
            yield name, found


def _arguments(function: Callable[..., Any]) -> list[str] | None:
    try:
        return list(inspect.signature(function).parameters)
    except (TypeError, ValueError):
        return None
