"""What takes the place of `self` and of module-level names in a kernel."""

from __future__ import annotations

import ast
import builtins
import types
from math import prod
from typing import Any, NamedTuple, TypeGuard

from searchkit.bits import WORD_BITS
from searchkit.errors import Trapped
from searchkit.kernel_language.constants import fits_word
from searchkit.kernel_language.program import Program
from searchkit.kernel_language.site import Site
from searchkit.kernel_language.syntax import (
    BUILTINS,
    ITERATORS,
    TRAPPED,
    assigned,
    refused_attribute,
    refused_builtin,
)
from searchkit.kernel_language.trees import Transformer, copied, nodes

TABLES = "searchkit_tables"
"""The argument in the place of `self`."""
TRAP = "searchkit_trap"
"""What `raise` has behind it: `searchkit.errors.Trapped`."""
MOST_CONSTANTS = 4096
"""How many numbers a tuple of the module may hold; more belong in the tables."""


class Owner(NamedTuple):
    """The program that a kernel is of, and what its functions' names begin with."""

    program: Program
    prefix: str
    is_part: bool = False


SEVERAL = "searchkit_several"
"""Marks the nodes of tables that are tuples of arrays."""


def name_of_part(prefix: str, part: str) -> str:
    """The prefix of a part: another one for every path of parts, thanks to the length."""
    return f"{prefix}_{len(part)}{part}"


def rewrite_uses(
    collector: Any,
    site: Site,
    owner: Owner | None,
    definition: ast.FunctionDef,
    names: dict[str, Any],
) -> None:
    """Replace the uses of `self` and of the `names` of the module in a definition.

    New names are given by the `Collector`.
    """
    every = nodes(definition)
    local = {node.arg for node in every if isinstance(node, ast.arg)}
    local |= {
        node.id for node in every if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)
    }
    self_name = definition.args.args[0].arg if owner else None
    rewriter = _UseRewriter(collector, site, owner, names, local, self_name)
    definition.body = [rewriter.visit(statement) for statement in definition.body]


class _UseRewriter(Transformer):
    """Rewrites the uses of `self`, and of all other names that are not the kernel's own."""

    def __init__(
        self,
        collector: Any,
        site: Site,
        owner: Owner | None,
        names: dict[str, Any],
        local: set[str],
        self_name: str | None,
    ) -> None:
        self.collector, self.site, self.owner = collector, site, owner
        self.names, self.local, self.self_name = names, local, self_name

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.AST:
        value: Any = copied(node.target)
        value.ctx = ast.Load()
        changed = ast.copy_location(ast.BinOp(value, node.op, node.value), node)
        return self.visit_Assign(ast.copy_location(ast.Assign([node.target], changed), node))

    def visit_AnnAssign(self, node: ast.AnnAssign) -> ast.AST:
        if node.value is None:
            return ast.copy_location(ast.Pass(), node)
        return self.visit_Assign(ast.copy_location(ast.Assign([node.target], node.value), node))

    def visit_Assign(self, node: ast.Assign) -> ast.AST:
        for target in node.targets:
            for each in assigned(target):
                root: ast.AST = each
                while isinstance(root, (ast.Subscript, ast.Attribute)):
                    root = root.value
                if isinstance(root, ast.Name) and root.id == self.self_name:
                    raise self.site.error(node, "changes self; kernels change nothing but memo")
        self.generic_visit(node)
        return node

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        raised, names = node.exc, self.names
        if isinstance(raised, ast.Attribute) and isinstance(raised.value, ast.Name):
            module = raised.value.id
            names = getattr(self.collector.look_up(lambda: self.names.get(module)), "__dict__", {})
        if self.collector.look_up(lambda: names.get(TRAPPED)) is not Trapped:
            raise self.site.error(node, "raises what is not searchkit.errors.Trapped")
        node.exc = _name(TRAP, node)
        return node

    def visit_For(self, node: ast.For) -> ast.AST:
        node.iter = self._iterated(node.iter)
        node.target = self.visit(node.target)
        node.body = [self.visit(statement) for statement in node.body]
        node.orelse = [self.visit(statement) for statement in node.orelse]
        return node

    def _iterated(self, node: ast.expr) -> Any:
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            name = node.func.id
            if name in ITERATORS and name not in self.local and name not in self.names:
                node.args = [self._iterated(each) for each in node.args]
                node.keywords = [self.visit(each) for each in node.keywords]
                return node
        return self._whole(node)

    def visit_Compare(self, node: ast.Compare) -> ast.AST:
        node.left = self.visit(node.left)
        node.comparators = [
            self._whole(each) if isinstance(op, (ast.In, ast.NotIn)) else self.visit(each)
            for op, each in zip(node.ops, node.comparators, strict=True)
        ]
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        function = node.func
        is_len = isinstance(function, ast.Name) and function.id == "len"
        node.args = [self._whole(each) if is_len else self.visit(each) for each in node.args]
        node.keywords = [self.visit(each) for each in node.keywords]
        if isinstance(function, ast.Attribute) and (found := self._owner_of(function.value)):
            of, tables = found
            kernel = self.collector.add(of.program, of.prefix, function.attr, is_part=of.is_part)
            node.func = _name(kernel, function)
            node.args = [tables, *node.args]
        elif isinstance(function, ast.Name):
            node.func = self._called(function)
        else:
            node.func = self.visit(function)
            if not isinstance(node.func, ast.Name):
                raise self.site.error(node, "calls what is not a function")
        return node

    def _called(self, node: ast.Name) -> ast.expr:
        """What takes the place of the name of a function that is called."""
        if node.id in self.local or node.id in self.names:
            value = self.visit(node)
            if node.id in self.local or not isinstance(value, ast.Name):
                raise self.site.error(node, f"calls {node.id}, which is not a function")
            return value
        if node.id in ITERATORS:
            raise self.site.error(node, f"calls {node.id}; only `for` may do so")
        if node.id not in BUILTINS:
            if not hasattr(builtins, node.id):
                raise self.site.error(node, f"calls {node.id}, which is not defined")
            raise self.site.error(node, refused_builtin(node.id))
        return node

    def visit_Attribute(self, node: ast.Attribute) -> ast.AST:
        value = node.value
        if self._is_of_self(node):
            if node.attr == "words" and self.owner and self.owner.program.words is not None:
                return ast.copy_location(ast.Constant(self.owner.program.words), node)
            if node.attr != "tables":
                raise self.site.error(
                    node,
                    f"uses self.{node.attr}; kernels may use self.tables and other kernels only, "
                    "and those of the objects named in parts",
                )
            raise self.site.error(node, "uses self.tables as a whole; use its fields")
        if self._is_of_self(value) and value.attr == "tables":
            assert self.owner is not None
            program = self.owner.program
            if node.attr not in program.fields:
                raise self.site.error(
                    node, f"uses self.tables.{node.attr}, but there is no such table"
                )
            constants = program.constants
            if self.collector.with_constants and node.attr in constants:
                return ast.copy_location(ast.Constant(constants[node.attr]), node)
            node.value = _name(TABLES, node)
            if not self._is_rows(node):
                setattr(node, SEVERAL, True)
            return node
        inner: ast.AST = value
        while isinstance(inner, ast.Attribute):
            if self._is_of_self(inner) and inner.attr != "tables":
                self.visit(inner)  # says what is wrong with it
            inner = inner.value
        if isinstance(value, ast.Name) and value.id not in self.local:
            module = self.collector.look_up(lambda: self.names.get(value.id))
            if isinstance(module, types.ModuleType):
                return self._replaced(node, vars(module), node.attr, f"{value.id}.{node.attr}")
        raise self.site.error(node, refused_attribute(node.attr))

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """`tables.x[i][j]` becomes `tables.x[i, j]`: one look-up, and no view of a row.

        Unless it is one of several arrays.
        """
        node.value = self._whole(node.value)
        node.slice = self.visit(node.slice)
        inner = node.value
        if (
            isinstance(inner, ast.Subscript)
            and isinstance(inner.value, (ast.Attribute, ast.Name))
            and self._is_rows(inner.value)
        ):
            first = inner.slice.elts if isinstance(inner.slice, ast.Tuple) else [inner.slice]
            both = ast.Tuple([*first, node.slice], ast.Load())
            node.slice = ast.copy_location(both, node)
            node.value = inner.value
        return node

    def _is_rows(self, node: ast.Attribute | ast.Name) -> bool:
        """Whether it is a table of rows of one length, and not one of several arrays."""
        if isinstance(node, ast.Name):
            return node.id in self.collector.tuples
        return not (self.owner and node.attr in self.owner.program.arrays)

    def visit_Name(self, node: ast.Name) -> ast.AST:
        if node.id == self.self_name:
            raise self.site.error(node, "uses self as a whole; use self.tables and other kernels")
        if node.id in self.local:
            return node
        if node.id not in self.names:
            raise self.site.error(
                node,
                f"uses {node.id} other than by a call"
                if hasattr(builtins, node.id)
                else f"uses {node.id}, which is not defined",
            )
        return self._replaced(node, self.names, node.id, node.id)

    def _whole(self, node: ast.expr) -> Any:
        """The node where a tuple of the module may stand as a table."""
        name = node.id if isinstance(node, ast.Name) else None
        if name is not None and name not in self.local and type(self.names.get(name)) is tuple:
            value = self.collector.look_up(lambda: self.names.get(name))
            self._check_tuple(node, name, value)
            return _name(self.collector.tuple_named(name, value), node)
        return self.visit(node)

    def _replaced(self, node: ast.expr, names: dict[str, Any], name: str, shown: str) -> ast.AST:
        """What takes the place of a name of a module: a function's new name, or a constant."""
        value = self.collector.look_up(lambda: names.get(name))
        if isinstance(value, types.FunctionType):
            return _name(self.collector.function(value, name, shown, self.site), node)
        if type(value) in (int, bool):
            if value.bit_length() > 2 * WORD_BITS:  # larger ones may be on the way to a word
                raise self.site.error(node, f"uses {shown}, which has more than 64 bits")
            return ast.copy_location(ast.Constant(value), node)
        if type(value) is tuple:
            self._check_tuple(node, shown, value)
            return _display(value, node)
        if isinstance(value, types.BuiltinFunctionType) or callable(value):
            raise self.site.error(
                node,
                f"uses {shown}, which is not a function written in Python; kernels may use "
                "functions of the same kind, and those of searchkit.bits",
            )
        raise self.site.error(
            node,
            f"uses {shown}, which is {type(value).__name__}; kernels may use functions, integers, "
            "tuples of integers and the fields of self.tables",
        )

    def _check_tuple(self, node: ast.expr, shown: str, value: tuple[Any, ...]) -> None:
        try:
            count = prod(_shape(value))
        except ValueError as error:
            raise self.site.error(node, f"uses {shown}, {error}") from None
        if count > MOST_CONSTANTS:
            raise self.site.error(
                node, f"uses {shown}, which holds {count} numbers; put them into self.tables"
            )

    def _owner_of(self, node: ast.expr) -> tuple[Owner, ast.expr] | None:
        """The object that `self` or `self.part` is, and its tables; None for all else."""
        if self.owner is None:
            return None
        tables = _name(TABLES, node)
        if isinstance(node, ast.Name) and node.id == self.self_name:
            return self.owner, tables
        if self._is_of_self(node) and node.attr in self.owner.program.parts:
            part = self.owner.program.parts[node.attr]
            field = ast.copy_location(ast.Attribute(tables, node.attr, ast.Load()), node)
            name = name_of_part(self.owner.prefix, node.attr)
            return Owner(part, name, is_part=True), field
        return None

    def _is_of_self(self, node: ast.AST) -> TypeGuard[ast.Attribute]:
        return (
            self.self_name is not None
            and isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == self.self_name
        )


def _shape(value: Any) -> tuple[int, ...]:
    """The shape of a nested tuple of numbers; `ValueError` if it has none."""
    if type(value) in (int, bool):
        if not fits_word(value):
            raise ValueError(f"which holds {value:#x}, a number of more than 64 bits")
        return ()
    if type(value) is not tuple:
        raise ValueError(f"a tuple that holds {value!r:.40}; tuples hold integers, or tuples")
    if not value:
        raise ValueError("an empty tuple")
    shapes = set(map(_shape, value))
    if len(shapes) > 1:
        raise ValueError("a tuple with rows of different lengths; fill them up to one length")
    return len(value), *shapes.pop()


def _display(value: Any, node: ast.expr) -> ast.expr:
    """A constant tuple written out."""
    if isinstance(value, tuple):
        inner = ast.Tuple([_display(each, node) for each in value], ast.Load())
        return ast.copy_location(inner, node)
    return ast.copy_location(ast.Constant(value), node)


def _name(name: str, node: ast.AST) -> ast.Name:
    return ast.copy_location(ast.Name(name, ast.Load()), node)
