"""The author's code: called so that its failures are not taken for ours, and found in its file."""

from __future__ import annotations

import ast
import inspect
import textwrap
from collections.abc import Callable, Iterable
from itertools import islice
from types import FunctionType, MemberDescriptorType
from typing import Any, TypeVar

from searchkit.authors.blame import is_ours_class, what_and_where
from searchkit.errors import LawError

T = TypeVar("T")

MOST_ITEMS = 100_000
"""What gives more than this is taken to be endless."""


class AuthorError(Exception):
    """The author's `method` raised its cause, or gave what it must not give.

    `found` says so in a sentence.
    """

    def __init__(self, method: str, found: str, place: str | None = None) -> None:
        super().__init__(found)
        self.method = method
        self.found = found
        self.place = place


def call(method: str, function: Callable[..., T], *args: Any) -> T:
    """What the author's function returns; whatever it raises becomes an `AuthorError`."""
    try:
        return function(*args)
    except (KeyboardInterrupt, AuthorError):
        raise
    except BaseException as error:  # any failure of third-party code
        raise raised(method, error) from error


def items(method: str, function: Callable[..., Iterable[T]], *args: Any) -> list[T]:
    """All that the author's function gives, which must be finitely many."""

    def gathered() -> list[T]:
        given = function(*args)
        try:
            each = iter(given)
        except TypeError:
            hint = "; does it lack a return or a yield?" if given is None else ""
            found = f"{method} returns {short(given)}, over which nothing can iterate{hint}"
            raise AuthorError(method, found) from None
        return list(islice(each, MOST_ITEMS + 1))

    found = call(method, gathered)
    if len(found) > MOST_ITEMS:
        raise AuthorError(method, f"{method} gives more than {MOST_ITEMS:,} and does not end")
    return found


def raised(method: str, error: BaseException) -> AuthorError:
    """What `error` says, and the innermost line of the author's that it passed through."""
    if isinstance(error, LawError) and error.found:
        return AuthorError(method, error.found, error.place)
    what, place = what_and_where(error)
    return AuthorError(method, f"{method} raises {what}", place)


def is_by_identity(value: object) -> bool:
    """Whether a value equals no other object."""
    return getattr(type(value), "__eq__", None) is object.__eq__


def slots_of(kind: type) -> list[str]:
    """The attributes that an object has besides those of its dictionary."""
    return [
        name
        for base in kind.__mro__
        for name, each in vars(base).items()
        if isinstance(each, MemberDescriptorType) and name not in ("__weakref__", "__dict__")
    ]


def short(value: object, most: int = 80) -> str:
    """The text of a value on one line; whatever its `__repr__` does."""
    try:
        text = " ".join(repr(value).split())
    except KeyboardInterrupt:
        raise
    except BaseException as error:  # any failure of third-party code
        return f"an object whose __repr__ raises {type(error).__name__}"
    return text if len(text) <= most else text[: most - 3] + "..."


def place_of(problem: Any, *names: str) -> str | None:
    """The first of `places_of`; None if no source is found."""
    return next(iter(places_of(problem, *names)), None)


def places_of(problem: Any, *names: str) -> list[str]:
    """Where the author says what `names` are about: `file:line in name`.

    Those are the methods and attributes of these names that a class of the author's defines; else
    it is the class itself. A problem made from another one (a transform) leads to that one.
    """
    while is_ours_class(type(problem)) and getattr(problem, "base", None) is not None:
        problem = problem.base
    own = [kind for kind in type(problem).__mro__ if kind is not object and not is_ours_class(kind)]
    places = [_place(kind, name) for name in names for kind in own if name in kind.__dict__]
    if not any(places):
        places = [_class_place(kind) for kind in own]
    return [place for place in dict.fromkeys(places) if place is not None]


def place_of_callable(function: Any) -> str | None:
    """Where a function or a class is defined: `file:line in name`."""
    if inspect.isclass(function):
        return _class_place(function)
    plain = inspect.unwrap(getattr(function, "__func__", getattr(function, "func", function)))
    if not isinstance(plain, FunctionType):
        return place_of(plain, "__call__")
    return f"{plain.__code__.co_filename}:{plain.__code__.co_firstlineno} in {plain.__name__}"


def _place(kind: type, name: str) -> str | None:
    value = kind.__dict__[name]
    value = getattr(value, "__func__", getattr(value, "fget", value))
    if callable(value):
        function = inspect.unwrap(value)
        if isinstance(function, FunctionType):
            # What `PackedProblem` gives to a class that lists its steps.
            if (function.__module__ or "searchkit.").startswith("searchkit."):
                return None
            code = function.__code__
            return f"{code.co_filename}:{code.co_firstlineno} in {name}"
    return _attribute_place(kind, name)


def _attribute_place(kind: type, name: str) -> str | None:
    try:
        lines, first = inspect.getsourcelines(kind)
        tree = ast.parse(textwrap.dedent("".join(lines)))
    except (OSError, TypeError, SyntaxError):
        return None
    for node in getattr(tree.body[0], "body", ()):
        targets = node.targets if isinstance(node, ast.Assign) else [getattr(node, "target", None)]
        if any(isinstance(target, ast.Name) and target.id == name for target in targets):
            return f"{inspect.getsourcefile(kind)}:{first + node.lineno - 1} in {kind.__name__}"
    return _class_place(kind)


def _class_place(kind: type) -> str | None:
    try:
        _, line = inspect.getsourcelines(kind)
        return f"{inspect.getsourcefile(kind)}:{line} in {kind.__name__}"
    except (OSError, TypeError):
        return None
