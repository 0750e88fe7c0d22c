"""Collects the source of kernel methods and of everything they call."""

from __future__ import annotations

import ast
import inspect
import textwrap
import types
from collections.abc import Callable
from typing import Any

import attrs

from searchkit import bits
from searchkit.errors import CompilationError

TABLES = "searchkit_tables"
"""The argument in the place of `self`."""
SCOPES = (ast.Lambda, ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp, ast.FunctionDef)

WORD = 1 << bits.WORD_BITS

KNOWN = {
    getattr(bits, name): name
    for name in ("count_ones", "lowest_one", "shift_right", "replace_word", "zero_state")
}
"""Functions that the generated module has its own versions of."""


@attrs.define
class Collector:
    """Turns kernel methods into module-level functions that take tables instead of `self`.

    `self.tables.x` becomes `tables.x`, and `self.method(...)` becomes `PREFIX_method(tables,
    ...)`; `self.part.method(...)`, where `part` is one of the `parts` of the owner, becomes
    `PREFIX_4part_method(tables.part, ...)`. Module-level functions that are called are collected
    too, and integer constants by value: nothing that a kernel depends on stays outside the text.
    """

    reserved: tuple[str, ...] = ()
    """Names that the templates define."""
    texts: dict[str, str] = attrs.field(factory=dict)
    _names: dict[Any, str] = attrs.field(factory=dict)
    _found: list[tuple[Callable[[], Any], Any]] = attrs.field(factory=list)

    def method(self, owner: object, prefix: str, name: str) -> str:
        """Add the kernel method `name` of the class of `owner`; its new name."""
        kind = type(owner)
        function = self._look_up(lambda: inspect.getattr_static(kind, name, None))
        place = f"{kind.__name__}: kernel {name}"
        if name in getattr(owner, "__dict__", ()):
            raise CompilationError(f"{place} is set on the instance; define it in the class")
        if not isinstance(function, types.FunctionType):
            raise CompilationError(f"{place} is {function!r}; it must be a plain method")
        return self._add(f"{prefix}_{name}", function, place, _Self(owner, prefix))

    def uses_last(self, name: str) -> bool:
        """Whether what was collected as `name` uses its last argument."""
        (definition,) = ast.parse(self.texts[name]).body
        assert isinstance(definition, ast.FunctionDef)
        last = definition.args.args[-1].arg
        return any(isinstance(node, ast.Name) and node.id == last for node in ast.walk(definition))

    def is_current(self) -> bool:
        """Whether everything that was collected is still what it was."""
        return all(look() is value for look, value in self._found)

    def _look_up(self, look: Callable[[], Any]) -> Any:
        value = look()
        self._found.append((look, value))
        return value

    def _add(self, name: str, function: types.FunctionType, place: str, owner: _Self | None) -> str:
        key = (function, owner and owner.prefix)
        if key in self._names:
            return self._names[key]
        while name in self._names.values() or name in self.reserved:
            name += "_"
        self._names[key] = name
        self._look_up(lambda: function.__code__)
        definition = _definition(function, place)
        rewriter = _Rewriter(self, place, definition.args.args[0].arg if owner else None, owner)
        definition = rewriter.visit(definition)
        definition.name = name
        if owner:
            definition.args.args[0].arg = TABLES
        local = {node.arg for node in ast.walk(definition) if isinstance(node, ast.arg)}
        local |= {
            node.id
            for node in ast.walk(definition)
            if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
        }
        definition = _Globals(self, place, function.__globals__, local).visit(definition)
        text = ast.unparse(ast.fix_missing_locations(definition))
        self.texts[name] = f"@inlined\n{text}\n"
        return name

    def used(self, place: str, names: dict[str, Any], name: str) -> ast.expr:
        """What takes the place of a module-level `name` in a kernel.

        Functions get names that no template has, and constants are written out.
        """
        value = self._look_up(lambda: names.get(name))
        if isinstance(value, types.FunctionType):
            if value in KNOWN:
                return ast.Name(KNOWN[value], ast.Load())
            made = self._add(f"used_{name}", value, f"{place}: function {name}", None)
            return ast.Name(made, ast.Load())
        if type(value) in (int, bool):
            return ast.Constant(_signed(value, place))
        raise CompilationError(
            f"{place} uses {name}, which is {type(value).__name__}; "
            "kernels may use functions, integers and the fields of self.tables"
        )

    def text(self) -> str:
        """All that was collected, what is called before what calls it."""
        return "\n\n".join(self.texts.values())


def name_of_part(prefix: str, part: str) -> str:
    """The prefix of a part: another one for every path of parts, thanks to the length."""
    return f"{prefix}_{len(part)}{part}"


def parts_of(owner: Any, above: tuple[Any, ...] = ()) -> tuple[str, ...]:
    """The names of the parts of an object with kernels; `CompilationError` if they are wrong."""
    parts = getattr(owner, "parts", ())
    kind = type(owner).__name__
    if not isinstance(parts, tuple) or not all(
        isinstance(part, str) and part.isidentifier() for part in parts
    ):
        raise CompilationError(f"{kind}: parts is {parts!r:.60}; it must be a tuple of names")
    fields = getattr(getattr(owner, "tables", None), "_fields", ())
    for part in parts:
        if parts.count(part) > 1 or part in fields or part.startswith("_"):
            raise CompilationError(
                f"{kind}: the part {part!r} needs a name of its own, which no table has, and "
                "that does not begin with an underscore"
            )
        if getattr(owner, part, None) is None:
            raise CompilationError(f"{kind}: there is no part {part!r}; set self.{part}")
        if any(getattr(owner, part) is each for each in (*above, owner)):
            raise CompilationError(f"{kind}: the part {part!r} contains itself")
        parts_of(getattr(owner, part), (*above, owner))
    return parts


def fields_of_arrays(owner: Any) -> frozenset[str]:
    """The tables of an object that are tuples of arrays."""
    tables = getattr(owner, "tables", None)
    return frozenset(
        field
        for field in getattr(tables, "_fields", ())
        if isinstance(value := getattr(tables, field), tuple)
        and any(hasattr(each, "dtype") for each in value)
    )


@attrs.frozen
class _Globals(ast.NodeTransformer):
    """Replaces the module-level names that a kernel uses."""

    collector: Collector
    place: str
    names: dict[str, Any]
    local: set[str]

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id in self.local or node.id not in self.names:
            return node
        return self.collector.used(self.place, self.names, node.id)


@attrs.frozen
class _Self:
    owner: object
    prefix: str


def _definition(function: types.FunctionType, place: str) -> ast.FunctionDef:
    """The syntax tree of a function, without its annotations, docstring and decorators."""
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(function)))
    except (OSError, TypeError, SyntaxError) as error:
        raise CompilationError(f"{place} has no source to compile: {error}") from error
    definition = tree.body[0]
    if not isinstance(definition, ast.FunctionDef):
        raise CompilationError(f"{place} is not defined by `def`")
    for node in ast.walk(definition):
        if isinstance(node, ast.Attribute) and node.attr.startswith("__"):
            raise CompilationError(
                f"{place} uses .{node.attr}; names begin with one underscore at most"
            )
    if not _is_source_of(function, definition):
        raise CompilationError(
            f"{place}: its source file has changed since it was imported; start Python anew"
        )
    if "super" in function.__code__.co_names:
        raise CompilationError(f"{place} uses super(); call the other kernel by a name of its own")
    if function.__defaults__ or function.__kwdefaults__:
        raise CompilationError(f"{place} has default arguments; give all arguments in each call")
    inner = [node for node in ast.walk(definition) if isinstance(node, SCOPES)]
    if len(inner) > 1:
        raise CompilationError(
            f"{place} holds a lambda, a comprehension or a function; use loops, and functions of "
            "the module"
        )
    if not any(isinstance(node, ast.Return) and node.value for node in ast.walk(definition)):
        raise CompilationError(f"{place} returns nothing")
    if function.__closure__:
        raise CompilationError(f"{place} uses variables of the function that it is defined in")
    definition.decorator_list = []
    definition.returns = None
    for argument in ast.walk(definition.args):
        if isinstance(argument, ast.arg):
            argument.annotation = None
    if ast.get_docstring(definition) is not None:
        definition.body = definition.body[1:] or [ast.Pass()]
    return definition


def _is_source_of(function: types.FunctionType, definition: ast.FunctionDef) -> bool:
    """Whether the definition compiles to the code of the function."""
    module = ast.Module([definition], [])
    code = compile(ast.fix_missing_locations(module), "<kernel>", "exec")
    made = [each for each in code.co_consts if isinstance(each, types.CodeType)]
    ours, theirs = made[-1], function.__code__
    if function.__closure__ or any(isinstance(each, types.CodeType) for each in theirs.co_consts):
        return True  # refused for what it is
    return _content(ours) == _content(theirs)


def _content(code: types.CodeType) -> tuple[Any, ...]:
    """What code does; its docstring is indented in another way."""
    constants = [each for each in code.co_consts if not isinstance(each, str)]
    return code.co_code, constants, code.co_names, code.co_varnames


def _signed(value: int, place: str) -> int:
    """The signed number with the same 64 bits."""
    if not -WORD // 2 <= value < WORD:
        raise CompilationError(f"{place} uses the number {value}, which has more than 64 bits")
    return value - WORD if value >= WORD // 2 else value


class _Rewriter(ast.NodeTransformer):
    """Rewrites the uses of `self` in a kernel method, and what numba would read differently."""

    def __init__(
        self, collector: Collector, place: str, self_name: str | None, owner: _Self | None
    ) -> None:
        self.collector = collector
        self.place = place
        self.self_name = self_name
        self.owner = owner

    def visit_Call(self, node: ast.Call) -> ast.AST:
        function = node.func
        if self._is_of_self(function):
            assert isinstance(function, ast.Attribute)
            assert self.owner is not None
            name = self.collector.method(self.owner.owner, self.owner.prefix, function.attr)
            node.func = ast.Name(name, ast.Load())
            node.args = [ast.Name(TABLES, ast.Load()), *node.args]
        elif isinstance(function, ast.Attribute) and self._is_part(function.value):
            assert isinstance(function.value, ast.Attribute)
            assert self.owner is not None
            part = function.value.attr
            prefix = name_of_part(self.owner.prefix, part)
            name = self.collector.method(getattr(self.owner.owner, part), prefix, function.attr)
            node.func = ast.Name(name, ast.Load())
            tables = ast.Attribute(ast.Name(TABLES, ast.Load()), part, ast.Load())
            node.args = [tables, *node.args]
        self.generic_visit(node)
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        if self._is_of_self(node):
            if node.attr != "tables":
                raise CompilationError(
                    f"{self.place} uses self.{node.attr}; kernels may use self.tables and "
                    "other kernels only, and those of the objects named in parts"
                )
            return ast.Name(TABLES, ast.Load())
        self.generic_visit(node)
        return node

    def _is_part(self, node: ast.AST) -> bool:
        """Whether it is `self.part`, the place of another object with kernels."""
        if not self._is_of_self(node):
            return False
        assert isinstance(node, ast.Attribute)
        assert self.owner is not None
        return node.attr in getattr(self.owner.owner, "parts", ())

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """`tables.x[i][j]` becomes `tables.x[i, j]`: one look-up, and no view of a row.

        Unless it is one of several arrays.
        """
        self.generic_visit(node)
        inner = node.value
        if (
            isinstance(inner, ast.Subscript)
            and isinstance(inner.value, ast.Attribute)
            and not (self.owner and inner.value.attr in fields_of_arrays(self.owner.owner))
        ):
            first = inner.slice.elts if isinstance(inner.slice, ast.Tuple) else [inner.slice]
            node.slice = ast.Tuple([*first, node.slice], ast.Load())
            node.value = inner.value
        return node

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if type(node.value) is int:
            return ast.Constant(_signed(node.value, self.place))
        return node

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        self.generic_visit(node)
        if node.value is None:
            return ast.Pass()
        return ast.Assign([node.target], node.value)

    def _is_of_self(self, node: ast.AST) -> bool:
        return (
            self.self_name is not None
            and isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == self.self_name
        )
