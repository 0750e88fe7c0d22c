"""Whether an expression that is left out would have changed something: labels of steps are."""

from __future__ import annotations

import ast
import builtins
import inspect
import types
from collections.abc import Callable
from enum import EnumType
from typing import Any

from searchkit.errors import CompilationError
from searchkit.kernel_language import trees
from searchkit.kernel_language.definition import source_of
from searchkit.kernel_language.site import Site
from searchkit.translation.scopes import arguments_of, body_of, own_names, stored_in
from searchkit.translation.types import names_of

_METHODS = frozenset(
    {name for kind in (str, bytes, int, float, tuple, frozenset) for name in dir(kind)
     if not name.startswith("_")}
    | {"get", "keys", "values", "items", "_replace"}
)  # fmt: skip
"""Methods that change nothing, whatever they belong to."""
_FUNCTIONS = frozenset(
    {"abs", "all", "any", "ascii", "bin", "bool", "bytes", "chr", "dict", "divmod", "enumerate",
     "filter", "float", "format", "frozenset", "getattr", "hasattr", "hash", "hex", "int",
     "isinstance", "len", "list", "map", "max", "min", "oct", "ord", "pow", "range", "repr",
     "reversed", "round", "set", "slice", "sorted", "str", "sum", "tuple", "type", "zip"}
)  # fmt: skip
_MODULES = frozenset({"math", "operator", "_operator", "itertools", "string"})
_NEW = (ast.List, ast.Dict, ast.Set, ast.ListComp, ast.DictComp, ast.SetComp)
_MAKERS = frozenset({"list", "dict", "set", "sorted"})
NOTHING = object()
"""What a name stands for that is not known before a state is."""
_HARMLESS = frozenset(
    {"abs", "all", "any", "bool", "chr", "divmod", "enumerate", "frozenset", "int", "len", "list",
     "max", "min", "ord", "range", "reversed", "round", "set", "sorted", "str", "sum", "tuple",
     "zip"}
)  # fmt: skip
"""Calls that change nothing, unless they are given what does."""


def may_change(node: ast.AST) -> bool:
    """Whether an expression may change a list, or a name."""
    if isinstance(node, ast.Call):
        if isinstance(node.func, ast.Attribute) and not node.args and not node.keywords:
            return node.func.attr not in ("items", "keys", "values", "copy")
        return not (isinstance(node.func, ast.Name) and node.func.id in _HARMLESS)
    return isinstance(node, ast.NamedExpr)


def is_pure_method(function: Any) -> bool:
    """Whether something is a method of a text, tuple, list, dict or set that changes nothing."""
    if not isinstance(function, types.BuiltinMethodType):
        return False
    owner = function.__self__
    if isinstance(owner, (list, dict, set)):
        own: set[str] = {"index", "count"} if isinstance(owner, list) else {
            "get", "keys", "values", "items"} if isinstance(owner, dict) else {
            "union", "intersection", "difference", "symmetric_difference", "issubset",
            "issuperset", "isdisjoint"}  # fmt: skip
        return function.__name__ in own
    return isinstance(owner, (str, tuple, frozenset, bytes, int)) and function.__name__ in _METHODS


def what_changes(
    node: ast.AST, known: Callable[[str], Any], new: frozenset[str] = frozenset(), seen: Any = None
) -> str | None:
    """What in an expression, or a function's body, may change something; None if nothing does.

    `known` says what a name stands for, or `NOTHING`; `new` are names of what nothing else knows.
    """
    seen = set() if seen is None else seen
    for each in trees.nodes(node):
        found = _of_node(each, known, new, seen)
        if found is not None:
            return found
    return None


def _of_node(node: Any, known: Callable[[str], Any], new: frozenset[str], seen: Any) -> str | None:
    if isinstance(node, (ast.NamedExpr, ast.Global, ast.Nonlocal, ast.Delete, ast.Import)):
        return f"`{ast.unparse(node):.40}`"
    if isinstance(node, (ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
        is_own = isinstance(node, ast.Subscript) and _is_new(node.value, new)
        return None if is_own else f"`{ast.unparse(node):.40}`"
    if isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
        return None if node.target.id in new else f"`{ast.unparse(node):.40}`"
    if isinstance(node, (ast.Name, ast.Attribute)) and isinstance(node.ctx, ast.Load):
        value = _value(node, known)
        return None if value is NOTHING else _of_value(value, seen)
    if not isinstance(node, ast.Call) or _value(node.func, known) is not NOTHING:
        return None
    if isinstance(node.func, ast.Attribute) and (
        node.func.attr in _METHODS or _is_new(node.func.value, new)
    ):
        return None
    return f"`{ast.unparse(node.func):.40}`"


def _is_new(node: ast.AST, new: frozenset[str]) -> bool:
    return isinstance(node, ast.Name) and node.id in new


def _value(node: ast.AST, known: Callable[[str], Any]) -> Any:
    if isinstance(node, ast.Name):
        return known(node.id)
    if isinstance(node, ast.Attribute):
        owner = _value(node.value, known)
        if owner is not NOTHING:
            static = inspect.getattr_static(owner, node.attr, NOTHING)
            if isinstance(static, property) and static.fget is not None:
                return types.MethodType(static.fget, owner)
            if isinstance(static, types.FunctionType):
                is_method = not isinstance(owner, (type, types.ModuleType))
                return types.MethodType(static, owner) if is_method else static
            return NOTHING if static is NOTHING else getattr(owner, node.attr, NOTHING)
    return NOTHING


def _of_value(value: Any, seen: Any) -> str | None:
    """What calling a value, or asking for it, may change."""
    first = NOTHING
    if isinstance(value, types.MethodType):
        first, value = value.__self__, value.__func__
    value = getattr(value, "__wrapped__", value)
    if hasattr(value, "known") and hasattr(value, "node"):  # an inner function
        if value.node in seen:
            return None
        seen.add(value.node)
        own, inner = own_names(value.node), ast.Module(body_of(value.node), [])
        known = lambda name: NOTHING if name in own else value.known(name)  # noqa: E731
        return what_changes(inner, known, frozenset(), seen)
    if isinstance(value, types.FunctionType):
        if value in seen:
            return None
        seen.add(value)
        return _of_function(value, first, seen)
    if not callable(value):
        return None
    name = getattr(value, "__name__", "?")
    is_builtin = getattr(builtins, name, None) is value
    if is_builtin:
        is_error = isinstance(value, type) and issubclass(value, BaseException)
        return None if name in _FUNCTIONS or is_error else name
    if is_pure_method(value) or getattr(value, "__module__", None) in _MODULES:
        return None
    is_record = isinstance(value, type) and (isinstance(value, EnumType) or names_of(value))
    # Objects that can be called, but are not functions, are looked at where they are called.
    is_object = not isinstance(value, (type, types.BuiltinFunctionType))
    return None if is_record or is_object else name


def _of_function(function: types.FunctionType, first: Any, seen: Any) -> str | None:
    name = function.__qualname__
    try:
        definition = source_of(function, Site.of(function))
    except CompilationError:
        return name
    local, stored = own_names(definition), stored_in(definition.body)
    names = {**function.__globals__, **inspect.getclosurevars(function).nonlocals}
    plain = [each.arg for each in (*definition.args.posonlyargs, *definition.args.args)]

    def known(one: str) -> Any:
        if plain[:1] == [one] and one not in stored:
            return first
        if one in local:
            return NOTHING
        return names.get(one, getattr(builtins, one, NOTHING))

    body = ast.Module(definition.body, [])
    found = what_changes(body, known, _new_names(definition), seen)
    return None if found is None else f"{name}, {found}"


def _new_names(definition: ast.FunctionDef) -> frozenset[str]:
    """Local names of lists that the function has made itself, and of what it counts."""
    plain: set[int] = set()
    for node in trees.nodes(definition):
        match node:
            case ast.Assign([ast.Name() as target], value) | ast.AnnAssign(
                ast.Name() as target, value=value
            ):
                is_call = isinstance(value, ast.Call) and isinstance(value.func, ast.Name)
                is_new = isinstance(value, (*_NEW, ast.Constant, ast.JoinedStr))
                if is_new or (is_call and value.func.id in _MAKERS):  # type: ignore[union-attr]
                    plain.add(id(target))
            case ast.AugAssign(target):
                plain.add(id(target))
    stores = [each for each in trees.nodes(definition)
              if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]  # fmt: skip
    others = {each.id for each in stores if id(each) not in plain}
    given = {each.arg for each in arguments_of(definition)}
    return frozenset({each.id for each in stores} - others - given)
