"""Collects the source of kernel methods and of everything they call."""

from __future__ import annotations

import ast
import types
from collections.abc import Callable, Iterable
from typing import Any, Literal, NamedTuple

from searchkit import bits
from searchkit.errors import CompilationError
from searchkit.kernel_language import floats
from searchkit.kernel_language.constants import check_words, fold
from searchkit.kernel_language.definition import definition_of
from searchkit.kernel_language.program import Program, check_arguments, declared_arguments
from searchkit.kernel_language.site import Site
from searchkit.kernel_language.trees import located, nodes
from searchkit.kernel_language.uses import (
    TABLES,
    Owner,
    rewrite_uses,
)

TUPLES = "tuple_"
"""What the new names of tuples of modules begin with."""
KNOWN = {
    getattr(bits, name): name
    for name in ("count_ones", "lowest_one", "shift_right", "replace_word", "zero_state", "frame")
} | {getattr(floats, name): name for name in dir(floats) if name.startswith("float_")}
"""Functions that whoever runs the kernels has versions of its own of."""


Gives = Literal["number", "state", "steps"]


class Collected(NamedTuple):
    """A function as it was collected: names replaced, constants folded, the author's lines."""

    site: Site
    definition: ast.FunctionDef
    gives: Gives | None = None
    """What it returns to the engines, or yields, None if they do not call it."""
    declared: tuple[str, ...] = ()
    """The names that its arguments have in the documents, if engines call it."""

    def uses(self, argument: str) -> bool:
        """Whether it reads the argument."""
        return any(
            isinstance(node, ast.Name) and node.id == argument for node in nodes(self.definition)
        )


Dialect = Callable[[str, Collected], ast.FunctionDef]
"""Gives a function that was collected, by its new name, the form in which it will run."""


class Collector:
    """Turns kernel methods into module-level functions that take tables instead of `self`.

    `self.tables.x` becomes `tables.x`, and `self.method(...)` becomes `PREFIX_method(tables,
    ...)`; `self.part.method(...)`, where `part` is one of the `parts` of the owner, becomes
    `PREFIX_4part_method(tables.part, ...)`. Functions that are called are collected too, and
    integer constants by value: nothing that a kernel depends on stays outside.

    With `with_constants` the tables that `constants` names are read now, as numbers of the text.
    """

    def __init__(self, dialect: Dialect, *, with_constants: bool = False) -> None:
        self.dialect, self.with_constants = dialect, with_constants
        self.functions: dict[str, Collected] = {}
        self.made: dict[str, ast.FunctionDef] = {}
        """The functions in the form of the dialect, what is called before what calls it."""
        self.tuples: dict[str, Any] = {}
        """The tuples of modules that kernels look up, by their new names."""
        self._names: dict[Any, str] = {}
        self._found: list[tuple[Callable[[], Any], Any]] = []

    def add(self, program: Program, prefix: str, name: str, *, is_part: bool = False) -> str:
        """Add the kernel `name` of a program; its new name."""
        function = self.look_up(program.finder(name))
        what = f"{program.name}: kernel {name}"
        if name in program.overridden:
            raise CompilationError(f"{what} is set on the instance; define it in the class")
        if not isinstance(function, types.FunctionType):
            raise CompilationError(f"{what} is {function!r}; it must be a plain method")
        check_arguments(program.kind, name, function)
        own, declared = Owner(program, prefix, is_part), declared_arguments(program.kind, name)
        return self._add(f"{prefix}_{name}", function, what, own, declared)

    def function(self, function: types.FunctionType, name: str, shown: str, caller: Site) -> str:
        """Add a function of a module that `caller` uses; its new name, which no template has."""
        if function in KNOWN:
            return KNOWN[function]
        what = f"{caller.what}: function {shown}"
        return self._add(f"used_{name}", function, what, None)

    def tuple_named(self, name: str, value: tuple[Any, ...]) -> str:
        """Add a tuple of a module; its new name."""
        made = f"{TUPLES}{name}"
        while self.tuples.get(made, value) != value:
            made += "_"
        self.tuples[made] = value
        return made

    def looked_up_by(self, name: str) -> set[str]:
        """The tables, and the parts with tables of their own, that a function uses, by name."""
        return {
            node.attr
            for node in nodes(self.made.get(name, ast.Module([], [])))
            if isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == TABLES
        }

    def is_current(self) -> bool:
        """Whether everything that was collected is still what it was."""
        for look, value in self._found:  # noqa: SIM110  (a generator takes half as long again)
            if look() is not value:
                return False
        return True

    def forget_failed(self) -> None:
        """Forget functions that could not be collected, to be asked for again."""
        self._names = {key: name for key, name in self._names.items() if name in self.made}

    def look_up(self, look: Callable[[], Any]) -> Any:
        """What is found now, which is remembered."""
        value = look()
        self._found.append((look, value))
        return value

    def _add(
        self,
        name: str,
        function: types.FunctionType,
        what: str,
        owner: Owner | None,
        declared: tuple[str, ...] = (),
    ) -> str:
        key = (function, owner and owner.prefix)
        if key in self._names:
            if self._names[key] not in self.made:
                raise CompilationError(
                    f"{what}, {function.__code__.co_filename}:{function.__code__.co_firstlineno}: "
                    "calls itself, by itself or by others; use a loop"
                )
            return self._names[key]
        while name in self._names.values():
            name += "_"
        self._names[key] = name
        self.look_up(lambda: function.__code__)
        site = Site(what, function.__code__.co_filename)
        gives = None
        if owner is not None and declared:
            gives = _given(owner, name.removeprefix(f"{owner.prefix}_"))
        definition = definition_of(function, site, yields=gives == "steps")
        rewrite_uses(self, site, owner, definition, function.__globals__)
        definition.name = name
        if owner:
            definition.args.args[0].arg = TABLES
        fold(definition, site)
        check_words(definition, site)
        collected = Collected(site, definition, gives, declared)
        self.functions[name] = collected
        self.made[name] = located(self.dialect(name, collected))
        return name


def verified(
    program: Program, prefix: str, kernels: Iterable[str], *, with_constants: bool = False
) -> Collector:
    """Collects kernels, made or written, and all that they call: as they are.

    Raises `CompilationError` for the first that has other arguments than it is given, or holds a
    construct, a name or a number that it may not hold.
    """
    collector = Collector(
        lambda name, collected: collected.definition, with_constants=with_constants
    )
    for kernel in kernels:
        collector.add(program, prefix, kernel)
    return collector


def _given(owner: Owner, name: str) -> Gives | None:
    """What a kernel gives the engines; what a part gives as a state goes to other kernels."""
    if name.rstrip("_") == "expand":
        return "steps"
    is_state = name.rstrip("_") in ("apply", "aim") or (
        name.startswith("unrank") and owner.program.words is not None
    )
    if is_state:
        return None if owner.is_part else "state"
    return "number"
