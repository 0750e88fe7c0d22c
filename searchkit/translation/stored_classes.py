"""Classes that are records written out: `__init__` stores what it is given, `__eq__` compares it.

What is not recognised is no record, and is left to Python: a class may do anything.
"""

from __future__ import annotations

import ast
import types
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

from searchkit.errors import CompilationError
from searchkit.kernel_language.definition import MADE_FROM, source_of
from searchkit.kernel_language.site import Site
from searchkit.kernel_language.trees import copied, located, nodes

_OTHER_WAYS = (
    "__new__", "__ne__", "__del__", "__getattr__", "__getattribute__", "__setattr__", "__reduce__",
    "__delattr__", "__copy__", "__deepcopy__", "__reduce_ex__", "__getstate__", "__setstate__",
    "__class__",
)  # fmt: skip
"""What a class may not say for itself: its objects would not be what their attributes are."""
_FUNCTIONS = frozenset({"tuple", "frozenset", "sorted", "len", "min", "max", "sum", "abs", "map",
                        "zip", "range", "reversed", "any", "all", "int", "bool"})  # fmt: skip
_METHODS = frozenset({"index", "count"})
_CALCULATIONS = (
    ast.Name, ast.Constant, ast.Tuple, ast.Call, ast.BinOp, ast.UnaryOp, ast.Subscript, ast.Slice,
    ast.Compare, ast.BoolOp, ast.IfExp, ast.GeneratorExp, ast.ListComp, ast.comprehension,
    ast.operator, ast.unaryop, ast.cmpop, ast.boolop, ast.expr_context,
)  # fmt: skip
_COMPARING = frozenset({"isinstance", "type", "NotImplemented", "__class__", "__dict__", "vars"})
MOST_ATTRIBUTES = 8
"""A class with more is no record: each way in which some of them differ is tried."""


class Stored(NamedTuple):
    """A class of which each object is made of the values of its attributes."""

    names: tuple[str, ...]
    make: types.FunctionType
    """Of the arguments of `__init__`: the values of the attributes, in their order."""


def stored(kind: type) -> Stored | None:
    """What is known of such a class; None of any other."""
    found = _looked_at(kind)
    return found if isinstance(found, Stored) else None


def why_not_stored(kind: type) -> str:
    """Why a class is none, as a clause about it."""
    found = _looked_at(kind)
    return "" if isinstance(found, Stored) else found


def _looked_at(kind: type) -> Stored | str:
    if type(kind) is not type or kind.__bases__ != (object,):
        base = kind.__bases__[0].__name__ if kind.__bases__ else "nothing"
        return f"which inherits from {base}"
    methods = {name: vars(kind).get(name) for name in ("__init__", "__eq__", "__hash__")}
    for name, each in methods.items():
        if not isinstance(each, types.FunctionType):
            return f"which has no {name} of its own"
    codes = [each.__code__ for each in methods.values()]  # type: ignore[union-attr]
    return _stored(kind, *methods.values(), *codes)


def attributes_of(value: Any, names: Sequence[str]) -> tuple[Any, ...] | None:
    """The values of the attributes of such an object; None if it has others, or may be changed."""
    if len(getattr(value, "__dict__", names)) != len(names):
        return None
    try:
        found = tuple(getattr(value, name) for name in names)
        hash(found)
    except (AttributeError, TypeError):
        return None
    return found


def object_of(kind: type, names: Sequence[str], items: Iterable[Any]) -> Any:
    """The object of such a class whose attributes have some values."""
    made: Any = object.__new__(kind)
    for name, each in zip(names, items, strict=True):
        setattr(made, name, each)
    return made


@lru_cache(maxsize=1 << 10)
def _stored(kind: type, make: Any, equal: Any, hashed: Any, *_codes: Any) -> Stored | str:
    own = vars(kind)
    ways = [name for name in _OTHER_WAYS if name in own]
    if ways or "__dict__" in own.get("__slots__", ()):
        return f"which has {ways[0] if ways else '__dict__'}"
    if any(each.__closure__ or hasattr(each, "__wrapped__") for each in (make, equal, hashed)):
        return "whose methods are wrapped, or use what is around the class"
    try:
        made = source_of(make, Site.of(make))
    except CompilationError:
        return "which has no source"
    values = _attributes(made, make)
    others = [own[name] for name in values if name in own]  # properties, say
    if not values or not all(isinstance(each, types.MemberDescriptorType) for each in others):
        return "whose __init__ does more than store what it is given, or a part of it"
    if len(values) > MOST_ATTRIBUTES:
        return f"which has more than {MOST_ATTRIBUTES} attributes"
    compared = _compared(kind, tuple(values), equal)
    if compared is None:
        return "whose __eq__ asks for more than whether attributes are equal"
    # What is calculated of attributes that are compared is equal where they are.
    whole = {_argument(values[name]) for name in compared}
    for name in [each for each in values if each not in compared]:
        if not _used(values[name]) <= whole:
            return f"whose __eq__ leaves out .{name}"
    if not _is_hash(kind, tuple(values), hashed):
        return "whose __hash__ is made of more than hashes of attributes"
    return Stored(tuple(values), _maker(made, make, list(values.values())))


# How objects are made


def _attributes(made: ast.FunctionDef, function: types.FunctionType) -> dict[str, ast.expr]:
    """What `__init__` gives each attribute; none where it does anything else."""
    found: dict[str, ast.expr] = {}
    args = made.args
    own, *given = [each.arg for each in (*args.posonlyargs, *args.args, *args.kwonlyargs)]
    if args.vararg or args.kwarg or not _FUNCTIONS.isdisjoint(given):
        return {}
    known = {*given, *(_FUNCTIONS - function.__globals__.keys())}
    for line in made.body:
        pairs = list(_stores(line))
        for target, value in pairs:
            is_own = isinstance(target, ast.Attribute) and _is_name(target.value, own)
            if not is_own or target.attr in found or not _is_calculated(value, known):  # type: ignore[attr-defined]
                return {}
            found[target.attr] = value  # type: ignore[attr-defined]
        if not pairs:
            return {}
    return found


def _stores(line: ast.stmt) -> Iterator[tuple[ast.expr, Any]]:
    if isinstance(line, ast.AnnAssign) and line.value is not None:
        yield line.target, line.value
    elif isinstance(line, ast.Assign) and len(line.targets) == 1:
        target, value = line.targets[0], line.value
        if not isinstance(target, ast.Tuple):
            yield target, value
        elif isinstance(value, ast.Tuple) and len(target.elts) == len(value.elts):
            yield from zip(target.elts, value.elts, strict=True)


def _is_name(node: ast.AST, name: str) -> bool:
    return isinstance(node, ast.Name) and node.id == name


def _is_calculated(value: ast.expr, known: set[str]) -> bool:
    """Whether an expression depends on some names alone, and changes nothing."""
    made = {e.id for e in nodes(value) if isinstance(e, ast.Name) and isinstance(e.ctx, ast.Store)}
    known = known | made
    called = [each.func for each in nodes(value) if isinstance(each, ast.Call)]
    methods = [each for each in called if isinstance(each, ast.Attribute)]
    if any(each.attr not in _METHODS for each in methods) or not _FUNCTIONS.isdisjoint(made):
        return False
    return all(
        each.id in known if isinstance(each, ast.Name) else isinstance(each, _CALCULATIONS)
        for each in nodes(value)
        if each not in methods
    )


def _used(value: ast.expr) -> set[str]:
    """The names in an expression, but those of functions."""
    return {each.id for each in nodes(value) if isinstance(each, ast.Name)} - _FUNCTIONS


def _argument(value: ast.expr) -> str | None:
    """The argument that an attribute holds all of."""
    if isinstance(value, ast.Call) and len(value.args) == 1 and _is_name(value.func, "tuple"):
        value = value.args[0]
    return value.id if isinstance(value, ast.Name) else None


def _maker(made: ast.FunctionDef, function: Any, values: list[ast.expr]) -> Any:
    """What gives the values of the attributes, of the arguments of `__init__`; for translation."""
    tree = copied(made)
    (tree.args.posonlyargs or tree.args.args).pop(0)
    whole = ast.Tuple(list(map(copied, values)), ast.Load())
    tree.body = [ast.copy_location(ast.Return(whole), made.body[0])]
    found = types.FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__
    )
    found.__kwdefaults__, found.__qualname__ = function.__kwdefaults__, function.__qualname__
    setattr(found, MADE_FROM, located(tree))
    return found


# How they are compared


class _Unknown:
    """A value that can only be compared with another of the same attribute, and hashed."""

    def __init__(self, name: str, number: int) -> None:
        self.name, self.number = name, number

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, _Unknown) or self.name != other.name:
            raise TypeError
        return self.number == other.number

    def __hash__(self) -> int:
        return hash((self.name, self.number))

    def __repr__(self) -> str:
        raise TypeError


def _compared(kind: type, names: tuple[str, ...], equal: Any) -> set[str] | None:
    """The attributes that `__eq__` finds equal of two objects; None if it asks anything else.

    It is called for unknown values of which any are equal. O(2**attributes).
    """
    if not _says_no_more(equal, kind, {*names, *_COMPARING}):
        return None
    zeros = object_of(kind, names, [_Unknown(name, 0) for name in names])

    def found(*differ: int) -> Any:
        other = object_of(kind, names, map(_Unknown, names, differ))
        return equal(zeros, other), equal(other, zeros)

    try:
        ways = {differ: found(*differ) for differ in product((0, 1), repeat=len(names))}
    except Exception:
        return None
    one = [tuple(map(int, map(name.__eq__, names))) for name in names]
    compared = [ways[each] == (False, False) for each in one]
    for differ, said in ways.items():
        is_equal = not any(a and b for a, b in zip(differ, compared, strict=True))
        if said[0] is not is_equal or said[1] is not is_equal:
            return None
    return {name for name, is_asked in zip(names, compared, strict=True) if is_asked}


def _is_hash(kind: type, names: tuple[str, ...], hashed: Any) -> bool:
    """Whether the hash is made of those of attributes."""
    if not _says_no_more(hashed, kind, {*names, "hash"}):
        return False
    try:
        ways = [object_of(kind, names, [_Unknown(name, 0) for name in names]) for _ in range(2)]
        return bool(hashed(ways[0]) == hashed(ways[1]))
    except Exception:
        return False


def _says_no_more(function: types.FunctionType, kind: type, known: set[str]) -> bool:
    """Whether a method, with those that it calls, uses no other names."""
    code, names = function.__code__, {*function.__code__.co_names}
    own = {each for each in names if function.__globals__.get(each) is kind}
    if any(isinstance(each, types.CodeType) for each in code.co_consts):
        return False
    for name in names - own - known - function.__globals__.keys():
        method: Any = getattr(vars(kind).get(name), "fget", vars(kind).get(name))
        is_plain = isinstance(method, types.FunctionType) and not method.__closure__
        if not is_plain or not _says_no_more(method, kind, {*known, name}):
            return False
        own.add(name)
    return names - own <= known - function.__globals__.keys()
