"""What compilers are given of a problem or a heuristic: its kernels, and what these look up."""

from __future__ import annotations

import types
from collections.abc import Callable, Mapping
from functools import cached_property, lru_cache
from typing import Any, TypeVar

import attrs

from searchkit.errors import CompilationError
from searchkit.problem import name_of

MORE_KERNELS = {
    "moved_from": ("self", "control", "operator"),
    "moved_to": ("self", "control", "operator"),
    "fewest_chains": ("self", "state", "moving"),
    "aim": ("self", "target"),
    "bound_to": ("self", "state", "aim"),
    "bound_change": ("self", "state", "control", "operator", "child", "aim"),
}
"""The arguments of those that no base class declares."""
TEXT = "searchkit_text"
"""The attribute of a function that was made of a text, with that text."""
_CORE = ("searchkit.packed", "searchkit.heuristics.patterns.")
"""Where the kernels are declared that authors define."""
CARRIED = "searchkit_carried"
"""The attribute of an object with the functions that it has in the place of its class's."""
VARIABLE_ARGUMENTS = 0x04
"""The flag of code that takes any number of arguments: `inspect.CO_VARARGS`."""

T = TypeVar("T")


class Carried(dict[str, Callable[..., Any]]):
    """Functions that were made for an object, or for many: these share it."""

    @cached_property
    def key(self) -> Any:
        """What is equal for functions of the same texts."""
        return frozenset((name, getattr(each, TEXT, each)) for name, each in self.items())


_NONE = Carried()


@attrs.frozen(eq=False, kw_only=True)
class Program:
    """Functions of the kernel language over machine words, and the tables that they look up.

    Every description of a problem comes to this; compilers take nothing else.
    """

    name: str
    """What messages call it."""
    source: Any
    """The object that it is made of: it has the labels, and its author's rules."""
    kind: type
    """The class that has the functions which are not carried."""
    carried: Carried
    """Functions that were made, by their names."""
    words: int | None
    """How many a state has, a constant of the text; None for what has no states."""
    tables: Any
    """A named tuple of what the functions look up, or None."""
    constants: Mapping[str, int]
    """Those of the tables that are numbers of the text."""
    parts: Mapping[str, Program]
    """Programs whose functions these call."""
    overridden: frozenset[str]
    """Methods that are set on the object by hand, which no kernel may be."""

    @classmethod
    def of(cls, source: Any, above: tuple[Any, ...] = ()) -> Program:
        """Returns the program of an object, and of its parts; `CompilationError` if it has none."""
        kind, own = type(source), getattr(source, "__dict__", {})
        carried: Carried = own.get(CARRIED, _NONE)
        name, tables = name_of(source), getattr(source, "tables", None)
        words = getattr(source, "words", None)
        if tables is not None and not hasattr(tables, "_fields"):
            raise CompilationError(
                f"{name}: tables is {tables!r:.60}; it must be a named tuple, or None"
            )
        return cls(
            name=name, source=source, kind=kind, carried=carried,
            words=words if isinstance(words, int) else None, tables=tables,
            constants=_constants_of(source), parts=_parts_of(source, (*above, source)),
            overridden=frozenset(
                each for each in own if each not in carried and callable(getattr(kind, each, None))
            ),
        )  # fmt: skip

    @property
    def fields(self) -> tuple[str, ...]:
        """The names of the tables."""
        return getattr(self.tables, "_fields", ())

    @property
    def arrays(self) -> frozenset[str]:
        """The tables that are tuples of arrays."""
        return frozenset(
            field
            for field in self.fields
            if isinstance(value := getattr(self.tables, field), tuple)
            and any(hasattr(kind, "dtype") for kind in {*map(type, value)})
        )

    @property
    def key(self) -> Any:
        """All that the text depends on: equal for programs of the same functions."""
        parts = (part.key for part in self.parts.values())
        own = self.name, self.kind, self.carried.key, self.words, self.overridden, self.arrays
        return *own, *self.constants.items(), *parts

    def finder(self, name: str) -> Callable[[], Any]:
        """Returns what finds a function, as it is by then; it keeps nothing of the object."""
        kind, carried = self.kind, self.carried
        return lambda: carried[name] if name in carried else _member(kind, name)


def carrying(source: T, functions: Mapping[str, Callable[..., Any]]) -> T:
    """Gives an object functions that were made for it, in the place of its class's methods.

    To be called again, with none, for a copy: else its methods are those of what was copied.
    """
    known: Carried | None = vars(source).get(CARRIED)
    if known is None:
        carried = functions if isinstance(functions, Carried) else Carried(functions)
    else:
        carried = Carried({**known, **functions}) if functions else known
    object.__setattr__(source, CARRIED, carried)
    for name, function in carried.items():
        object.__setattr__(source, name, types.MethodType(function, source))
    return source


def check_kernels(source: object, names: tuple[str, ...]) -> None:
    """Raises `CompilationError` where a kernel of an object has the wrong arguments."""
    kind, carried = type(source), vars(source).get(CARRIED, {})
    for name in names:
        function = carried.get(name) or _member(kind, name)
        if isinstance(function, types.FunctionType):
            check_arguments(kind, name, function)


@lru_cache(maxsize=512)
def declared_arguments(kind: type, name: str) -> tuple[str, ...]:
    """The arguments that the core gives a kernel, by their documented names; empty if it is none.

    A class that is not derived from those of the core may have kernels that they declare.
    """
    for base in reversed(kind.__mro__):
        known = vars(base).get(name)
        if base.__module__.startswith(_CORE) and isinstance(known, types.FunctionType):
            return known.__code__.co_varnames[: known.__code__.co_argcount]
    return MORE_KERNELS.get(name, ())


def check_arguments(kind: type, name: str, function: types.FunctionType) -> None:
    """Raise `CompilationError` where a kernel of the core has other arguments than it is given."""
    code = function.__code__
    expected, found = declared_arguments(kind, name), code.co_varnames[: code.co_argcount]
    takes_any = bool(function.__defaults__) or bool(code.co_flags & VARIABLE_ARGUMENTS)
    if expected and len(expected) != len(found) and not takes_any:
        raise CompilationError(
            f"{kind.__name__}: kernel {name}, {code.co_filename}:{code.co_firstlineno}: takes "
            f"({', '.join(found)}); write def {name}({', '.join(expected)})"
        )


def _member(kind: type, name: str) -> Any:
    """What a class or the first of its bases has under a name, unbound; None if none has it."""
    for each in kind.__mro__:
        if name in each.__dict__:
            return each.__dict__[name]
    return None


def _constants_of(source: Any) -> dict[str, int]:
    found = {}
    for name in getattr(source, "constants", ()):
        value = getattr(getattr(source, "tables", None), name, None)
        if type(value) is not int:
            kind = type(source).__name__
            raise CompilationError(
                f"{kind}: constants names {name!r}, but tables has no int of that name"
            )
        found[name] = value
    return found


def _parts_of(source: Any, above: tuple[Any, ...]) -> dict[str, Program]:
    """The programs of the parts of an object; `CompilationError` if they are wrong."""
    parts = getattr(source, "parts", ())
    kind = type(source).__name__
    if not isinstance(parts, tuple) or not all(
        isinstance(part, str) and part.isidentifier() for part in parts
    ):
        raise CompilationError(f"{kind}: parts is {parts!r:.60}; it must be a tuple of names")
    fields = getattr(getattr(source, "tables", None), "_fields", ())
    found: dict[str, Program] = {}
    for part in parts:
        if parts.count(part) > 1 or part in fields or part.startswith("_"):
            raise CompilationError(
                f"{kind}: the part {part!r} needs a name of its own, which no table has, and "
                "that does not begin with an underscore"
            )
        if getattr(source, part, None) is None:
            raise CompilationError(f"{kind}: there is no part {part!r}; set self.{part}")
        if any(getattr(source, part) is each for each in above):
            raise CompilationError(f"{kind}: the part {part!r} contains itself")
        found[part] = Program.of(getattr(source, part), above)
    return found
