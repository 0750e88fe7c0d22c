"""What authors' classes add to their values: methods of enum members, operators of records."""

from __future__ import annotations

import ast
import functools
import inspect
import sys
import types
from enum import EnumType
from typing import Any

from searchkit.translation import comparison, expressions, lookups
from searchkit.translation.arithmetic import always_raises, of_atom
from searchkit.translation.comparison import flag_of
from searchkit.translation.lookups import either
from searchkit.translation.memory import is_object, loaded, part, there
from searchkit.translation.refusals import describe, refuse, shown_pair
from searchkit.translation.stored_classes import stored
from searchkit.translation.translator import Translator
from searchkit.translation.types import Atom, Bool, Char, Float, Int, Maybe, is_generated, names_of
from searchkit.translation.values import (
    Function,
    Items,
    Known,
    Objects,
    Place,
    Scalar,
    Stream,
    Value,
)

_OPERATORS = {
    ast.Add: "add", ast.Sub: "sub", ast.Mult: "mul", ast.Div: "truediv", ast.FloorDiv: "floordiv",
    ast.Mod: "mod", ast.Pow: "pow", ast.MatMult: "matmul", ast.BitAnd: "and", ast.BitOr: "or",
    ast.BitXor: "xor", ast.LShift: "lshift", ast.RShift: "rshift",
}  # fmt: skip
_SIGNS = {ast.USub: "__neg__", ast.UAdd: "__pos__", ast.Invert: "__invert__"}
_ORDERS = {
    "<": ("__lt__", "__gt__"), "<=": ("__le__", "__ge__"),
    ">": ("__gt__", "__lt__"), ">=": ("__ge__", "__le__"),
}  # fmt: skip
_OF_NAMED_TUPLES = frozenset({"_replace", "_asdict", "_make"})


def class_of(value: Value) -> type | None:
    """The class that a value has in Python; None if it is not known before a state is."""
    kind: Any = value.type if isinstance(value, (Scalar, Place)) else value
    if isinstance(kind, Known):
        known: type = kind.value.__class__
        return known
    if isinstance(kind, (Int, Bool, Char)):
        return {Int: int, Bool: bool, Char: str}[type(kind)]
    if isinstance(kind, (Float, Maybe)):
        return None
    found: type | None = getattr(kind, "kind", None)
    return found


def own_method(value: Value, name: str) -> types.FunctionType | None:
    """The method with a name that the author has written for the class of a value."""
    kind = class_of(value)
    if kind is None or kind.__module__ == "builtins":
        return None
    found = inspect.getattr_static(kind, name, None)
    if not isinstance(found, types.FunctionType):
        return None
    is_library = (found.__module__ or "").partition(".")[0] in sys.stdlib_module_names
    return None if is_library or is_generated(found) else found


def by_own_method(t: Translator, value: Value, name: str, *args: Value) -> Value | None:
    """What such a method gives; None if there is none."""
    found = own_method(value, name)
    return (
        None
        if found is None
        else t.forms.called(t, Function(None, None, found, value), [*args], {})
    )


# Attributes


def attribute(t: Translator, value: Value, name: str) -> Value:
    """`value.name`; of a member of an enumeration also methods and properties."""
    if isinstance(value, Objects):
        is_kept = any(name in getattr(each, "__dict__", ()) for each in value.values)
        own = None if is_kept else _of_class(t, value.kind, name, value)
        return lookups.attribute_of_one(t, value, name) if own is None else own
    value = there(t, value)
    kind = class_of(value)
    if not isinstance(value, Known) and kind is not None:
        if name == "__class__" and not isinstance(value, Scalar | Stream):
            return Known(kind)
        if isinstance(value, Scalar) and isinstance(kind, EnumType):
            found = _of_class(t, kind, name, value)
            if found is not None:
                return found
            if name == "__class__":
                return Known(kind)
            if any(callable(getattr(each, name, None)) for each in list[Any](kind)):
                raise refuse(
                    t, f"calls .{name} of {describe(value)}", "look the answer up in a dict"
                )
    return expressions.attribute(t, value, name)


def _of_class(t: Translator, kind: type, name: str, value: Value) -> Value | None:
    """What a name stands for in a class of the author's, asked for by way of a value."""
    found = inspect.getattr_static(kind, name, None)
    if isinstance(found, property) and found.fget is not None:
        return t.forms.called(t, Function(None, None, found.fget, value), [], {})
    if isinstance(found, functools.cached_property):
        return t.forms.called(t, Function(None, None, found.func, value), [], {})
    if isinstance(found, types.FunctionType):
        return Function(None, None, found, value)
    if isinstance(found, (classmethod, staticmethod)):
        return Known(getattr(kind, name))
    return None


def method_of(t: Translator, kind: type, name: str, value: Value) -> Value:
    """What a method of an author's class, or an attribute by its name, is of a value."""
    is_own = name not in _OF_NAMED_TUPLES and name[:2] != "__"
    found = _of_class(t, kind, name, value) if is_own else None
    if found is not None:
        return found
    static = inspect.getattr_static(kind, name, None)
    if is_own and static is not None and not hasattr(static, "__get__"):
        return Known(static)  # the same for all objects
    raise refuse(t, f"uses .{name} of {describe(value)}", "use its fields")


# Operators


def combined(t: Translator, op: ast.operator, left: Value, right: Value) -> Value:
    """A binary operator, by the method of an author's class if there is one."""
    name = _OPERATORS[type(op)]
    own = own_method(left, f"__{name}__"), own_method(right, f"__r{name}__")
    if own == (None, None) or (isinstance(left, Known) and isinstance(right, Known)):
        return expressions.combined(t, op, left, right)
    kinds = class_of(left), class_of(right)
    are_unlike = own[1] is not None and kinds[0] is not kinds[1]
    if are_unlike and (kinds[0] is None or issubclass(kinds[1], kinds[0])):  # type: ignore[arg-type]
        raise refuse(t, "uses an operator of a derived class", "call a method")
    if own[0] is not None:
        found = t.forms.called(t, Function(None, None, own[0], left), [right], {})
        if not _is_left_to_other(found):
            return found
    if own[1] is not None and are_unlike:
        found = t.forms.called(t, Function(None, None, own[1], right), [left], {})
        if not _is_left_to_other(found):
            return found
    return always_raises(t, TypeError())


def unary(t: Translator, op: ast.unaryop, value: Value) -> Value:
    """`-`, `+` or `~`."""
    if not isinstance(value, Known):
        found = by_own_method(t, value, _SIGNS[type(op)])
        if found is not None:
            return found
    return expressions.unary(t, op, value)


def equal(t: Translator, left: Value, right: Value) -> Scalar:
    """Whether two values are equal, by what the class of an object of the author's says."""
    for one, other in ((left, right), (right, left)):
        if isinstance(one, Known) and not isinstance(other, Known):
            found = by_own_method(t, one, "__eq__", other)
            if found is not None and not _is_left_to_other(found):
                return t.forms.truth(t, found)
    if isinstance(left, Objects) or isinstance(right, Objects):
        raise refuse(t, f"compares {shown_pair(left, right)}", "compare an attribute of theirs")
    if not any(isinstance(each, Known) and each.value is None for each in (left, right)):
        _check_comparable(t, left, right)
    return comparison.equal(t, left, right)


def ordered(t: Translator, sign: str, left: Value, right: Value) -> Scalar:
    """`<`, `<=`, `>` and `>=`, by what an author's class says."""
    if not (isinstance(left, Known) and isinstance(right, Known)):
        for one, other, name in zip((left, right), (right, left), _ORDERS[sign], strict=True):
            found = by_own_method(t, one, name, other)
            if found is not None and not _is_left_to_other(found):
                return t.forms.truth(t, found)
        left, right = _by_fields(t, left, right)
    return comparison.ordered(t, sign, left, right)


def compared(t: Translator, op: ast.cmpop, left: Value, right: Value) -> Scalar:
    """A comparison by one of Python's signs."""
    if isinstance(op, (ast.Eq, ast.NotEq)):
        _check_comparable(t, left, right)
    return comparison.compared(t, op, left, right)


def _check_comparable(t: Translator, left: Value, right: Value) -> None:
    """Refuse to compare an object with one of another class, which `__eq__` may not expect."""
    kinds = [_class_within(each) for each in (left, right)]
    if kinds[0] is not kinds[1] and any(each and stored(each) for each in kinds):
        raise refuse(
            t,
            f"compares {shown_pair(left, right)}, by an __eq__ of their own",
            "compare objects of one class; ask for None by `is None`",
        )


def _class_within(value: Value) -> type | None:
    """The class of a value, or that which it has if it is not None."""
    kind = value.type if isinstance(value, Place) else None
    found = getattr(kind.item, "kind", None) if isinstance(kind, Maybe) else None
    return found or class_of(value)


def _by_fields(t: Translator, left: Value, right: Value) -> tuple[Value, Value]:
    """Two records whose class compares them as tuples of their fields, as such tuples."""
    kind = class_of(left)
    if kind is None or kind is not class_of(right) or issubclass(kind, tuple):
        return left, right
    names = names_of(kind)
    if not names or not _is_ordered_by_fields(kind):
        return left, right
    return tuple(
        Items(tuple(t.forms.attribute(t, each, name) for name in names)) for each in (left, right)
    )  # type: ignore[return-value]


# What has items


def _checked(t: Translator, value: Value) -> Value:
    """A value whose items are asked for; a record that has none is refused."""
    if is_object(value):
        what = f"asks for items of {describe(value)}, whose class does not say what they are"
        raise refuse(t, what, "ask for its attributes")
    return value


def indexed(t: Translator, value: Value, index: Value) -> Value:
    """`value[index]`."""
    if isinstance(value, Known) and isinstance(value.value, EnumType):
        if not isinstance(index, Known):
            return t.forms.found_in_dict(t, dict(value.value.__members__), index)
    elif not (isinstance(value, Known) and isinstance(index, Known)):
        found = by_own_method(t, value, "__getitem__", index)
        if found is not None:
            return found
    return lookups.indexed(t, _checked(t, value), index)


def contains(t: Translator, value: Value, item: Value) -> Scalar:
    """`item in value`."""
    if not (isinstance(value, Known) and isinstance(item, Known)):
        found = by_own_method(t, value, "__contains__", item)
        if found is not None:
            return t.forms.truth(t, found)
    if is_object(value):
        value = t.forms.made_row(t, t.forms.stream(t, value), tuple)
    return lookups.contains(t, value, item)


def length_of(t: Translator, value: Value) -> Scalar | Known:
    """`len`."""
    found = None if isinstance(value, Known) else by_own_method(t, value, "__len__")
    return (
        lookups.length_of(t, _checked(t, value))
        if found is None
        else t.forms.number(t, found, "has for a length")
    )


def stream(t: Translator, value: Value) -> Stream:
    """What going through a value gives."""
    found = None if isinstance(value, Known) else by_own_method(t, value, "__iter__")
    return lookups.stream(t, _checked(t, value) if found is None else found)


def truth(t: Translator, value: Value) -> Scalar:
    """Whether Python takes a value for true."""
    if not isinstance(value, Known):
        found = by_own_method(t, value, "__bool__")
        if found is None and not isinstance(value, (Scalar, Stream)):
            found = by_own_method(t, value, "__len__")
        if found is not None:
            return comparison.truth(t, found)
    return comparison.truth(t, Known(True) if isinstance(value, Objects) else value)


# Classes


def is_instance(t: Translator, value: Value, classes: Any) -> Scalar:
    """`isinstance`."""
    if isinstance(value, Known):
        return t.forms.truth(t, Known(isinstance(value.value, classes)))
    kind: Any = value.type if isinstance(value, (Scalar, Place)) else value
    if isinstance(value, Place) and isinstance(kind, Maybe):
        inner = loaded(t, part(value, kind.item, 1))
        there, found = flag_of(t, value), is_instance(t, inner, classes)
        is_none = t.forms.truth(t, Known(isinstance(kind.empty, classes)))
        return t.forms.truth(t, either(t, there, lambda: found, lambda: is_none))
    if isinstance(value, Scalar) and isinstance(kind, Atom) and kind.kind is None:
        found = of_atom(t, value, lambda each: int(isinstance(each, classes)))
        return Scalar.truth(f"({found.text} != 0)")
    own = class_of(value)
    may_be_bool = isinstance(kind, Int) and kind.truths and not issubclass(int, classes)
    if own is None or (may_be_bool and issubclass(bool, classes)):
        raise refuse(t, f"asks for the class of {describe(value)}", "compare values")
    return t.forms.truth(t, Known(issubclass(own, classes)))


def _is_left_to_other(value: Value) -> bool:
    """Whether a method says that it does not know the other operand."""
    return isinstance(value, Known) and value.value is NotImplemented


def _is_ordered_by_fields(kind: type) -> bool:
    """Whether dataclasses or attrs have made the comparisons of a class."""
    if not is_generated(getattr(kind, "__lt__")):  # noqa: B009  (not every class has it)
        return False
    fields = getattr(kind, "__attrs_attrs__", None)
    if fields is not None:
        return all(each.order is True for each in fields)
    parameters = getattr(kind, "__dataclass_params__", None)
    return parameters is not None and bool(parameters.order)
