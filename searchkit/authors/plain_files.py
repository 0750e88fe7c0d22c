"""What plugins define: functions meant for hooks, and classes of problems without them."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Collection, Iterator
from types import ModuleType
from typing import Any

from searchkit.errors import UsageError
from searchkit.parameters import KINDS, Parameter, Value
from searchkit.problem import Problem

BY_NAME = (inspect.Parameter.POSITIONAL_OR_KEYWORD, inspect.Parameter.KEYWORD_ONLY)
EMPTY: dict[type, Value] = {str: "", int: 0, float: 0.0, bool: False}
PREFIX = "searchkit_register"
MARK = "searchkit_impl"
"""The attribute that `hookimpl` sets."""
ARGUMENT = "register"


def problem_classes(module: ModuleType) -> list[type[Problem[Any, Any]]]:
    """Lists the classes of problems that a module defines, in the order of its text.

    Those whose names begin with an underscore are the author's own, and so are those that lack a
    method, unless there are no others: then that is a mistake, which shows when one is made.
    """
    found = list(_classes(module))
    return [each for each in found if not inspect.isabstract(each)] or found


def _classes(module: ModuleType) -> Iterator[type[Problem[Any, Any]]]:
    for name, each in vars(module).items():
        if (
            isinstance(each, type)
            and issubclass(each, Problem)
            and each.__module__ == module.__name__
            and each.__name__ == name
            and not name.startswith("_")
        ):
            yield each


def summary_of(made: type) -> str:
    """The first line of the docstring of a class itself, not of one that it inherits."""
    return (vars(made).get("__doc__") or "").strip().partition("\n")[0]


def parameters_of(made: Callable[..., object]) -> list[Parameter]:
    """The arguments of a class that are texts, numbers or truth values, as parameters.

    Their kinds are those of the defaults, or of the annotations where there are none. An argument
    without either is a text. Others keep their defaults; `UsageError` if one has none.
    """
    try:
        arguments = inspect.signature(made, eval_str=True).parameters.values()
    except Exception:  # annotations that cannot be evaluated, or no signature at all
        try:
            arguments = inspect.signature(made).parameters.values()
        except (TypeError, ValueError):
            return []
    found = []
    for each in arguments:
        if each.kind not in BY_NAME:
            continue
        if each.default is not each.empty:
            if type(each.default) in KINDS:
                text = isinstance(each.default, str)
                found.append(Parameter(each.name, each.default, text=text))
        else:
            kind = str if each.annotation is each.empty else each.annotation
            if kind not in EMPTY:
                raise UsageError(
                    f"takes {each.name}, which is neither a text nor a number; give it a default, "
                    "or register the puzzle with a function that makes it"
                )
            text = kind is str
            found.append(Parameter(each.name, EMPTY[kind], text=text, required=True))
    return found


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
