"""Classes made of their annotations, in 0.01 ms each.

attrs and dataclasses write the text of `__init__` and of other methods for each class, and compile
it: 0.25 ms for one class, on a processor of 2024. Here `__init__` is compiled once for each number
of fields; a class gets a copy with its own names put in (after David Beazley, "dataklasses", 2021).
The other methods are shared by all classes. For classes that many processes make and few people
see: those of the public interface are attrs classes, which say more and take more.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from types import FunctionType
from typing import Any, TypeVar, dataclass_transform, overload

T = TypeVar("T")
FIELDS = "searchkit_fields"
_UNSET: Any = object()


class _Field:
    """What `field` says of one."""

    def __init__(self, default: Any, factory: Callable[[], Any] | None, init: bool) -> None:
        self.default, self.factory, self.init = default, factory, init


@overload
def field(*, factory: Callable[[], T], init: bool = True) -> T: ...


@overload
def field(*, default: T, init: bool = True) -> T: ...


@overload
def field(*, init: bool) -> Any: ...


def field(*, default: Any = _UNSET, factory: Any = None, init: bool = True) -> Any:
    """A field with a value of its own in each object, or one that is no argument of `__init__`."""
    return _Field(default, factory, init)


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
def frozen(kind: type[T]) -> type[T]:
    """A class of values that are equal if their fields are, and that nothing changes.

    A type checker sees to it that nothing does; at run time nobody looks.
    """
    _complete(kind, kw_only=False)
    shared: Any = kind
    shared.__eq__, shared.__hash__, shared.__repr__ = _equal, _hash, _repr
    return kind


@overload
def define(kind: type[T], /) -> type[T]: ...


@overload
def define(*, kw_only: bool = False) -> Callable[[type[T]], type[T]]: ...


@dataclass_transform(eq_default=False, field_specifiers=(field,))
def define(kind: Any = None, /, *, kw_only: bool = False) -> Any:
    """A class of objects that may change, each equal to itself alone."""
    if kind is None:
        return lambda kind: _complete(kind, kw_only=kw_only)
    return _complete(kind, kw_only=kw_only)


def evolve(value: T, **changes: Any) -> T:
    """A copy of a `frozen` value with other values in some of its fields."""
    twin = object.__new__(value.__class__)
    fields = twin.__dict__
    fields.update(value.__dict__)
    count = len(fields)
    fields.update(changes)
    if len(fields) != count:
        unknown = ", ".join(changes.keys() - value.__dict__.keys())
        raise TypeError(f"{type(value).__name__} has no field {unknown}")
    return twin


def _complete(kind: Any, *, kw_only: bool) -> Any:
    own = vars(kind).get("__annotations__", {})
    setattr(kind, FIELDS, {name: _taken_out(kind, name) for name in own})
    fields: dict[str, _Field] = {}
    for base in reversed(kind.__mro__):
        fields |= vars(base).get(FIELDS, {})
    makers = {name: each.factory for name, each in fields.items() if each.factory is not None}
    given = {name: each.default for name, each in fields.items() if each.init}
    init = _initialiser(tuple(given), kw_only=kw_only)
    defaults = {
        name: value
        for name, value in given.items()
        if value is not _UNSET or name in makers  # `_UNSET` until the maker is called
    }
    if kw_only:
        init.__kwdefaults__ = defaults
    else:
        if list(given)[len(given) - len(defaults) :] != list(defaults):
            raise TypeError(f"{kind.__name__}: a field without a default follows one that has one")
        init.__defaults__ = tuple(defaults.values())
    last = getattr(kind, "__post_init__", None)
    kind.__init__ = _with_more(init, tuple(makers.items()), last) if makers or last else init
    return kind


def _taken_out(kind: Any, name: str) -> _Field:
    """A field of a class, in which only its default stays, as of any attribute."""
    found = vars(kind).get(name, _UNSET)
    if not isinstance(found, _Field):
        return _Field(found, None, init=True)
    if found.default is _UNSET:
        delattr(kind, name)
    else:
        setattr(kind, name, found.default)
    return found


def _initialiser(names: tuple[str, ...], *, kw_only: bool) -> FunctionType:
    """An `__init__` that has these arguments, and sets attributes of these names."""
    count = len(names)
    template = _template(count)
    code = template.__code__.replace(co_varnames=("self", *names), co_names=names)
    if kw_only:
        code = code.replace(co_argcount=1, co_kwonlyargcount=count)
    return FunctionType(code, template.__globals__, "__init__")


@cache
def _template(count: int) -> FunctionType:
    numbers = range(count)
    arguments = "".join(f", a{i}" for i in numbers)
    lines = [f"self.a{i} = a{i}" for i in numbers] or ["pass"]
    space: dict[str, Any] = {}
    exec(f"def __init__(self{arguments}):\n    " + "\n    ".join(lines), space)
    made: FunctionType = space["__init__"]
    return made


def _with_more(
    init: Callable[..., None],
    makers: tuple[tuple[str, Callable[[], Any]], ...],
    last: Callable[[Any], None] | None,
) -> Callable[..., None]:
    def __init__(self: Any, *values: Any, **named: Any) -> None:  # noqa: N807
        init(self, *values, **named)
        fields = self.__dict__
        for name, make in makers:
            if fields.get(name, _UNSET) is _UNSET:
                setattr(self, name, make())
        if last is not None:
            last(self)

    return __init__


def _equal(self: Any, other: Any) -> Any:
    if self.__class__ is not other.__class__:
        return NotImplemented
    return self.__dict__ == other.__dict__


def _hash(self: Any) -> int:
    return hash((self.__class__, *self.__dict__.values()))


def _repr(self: Any) -> str:
    shown = ", ".join(f"{name}={value!r}" for name, value in self.__dict__.items())
    return f"{type(self).__name__}({shown})"
