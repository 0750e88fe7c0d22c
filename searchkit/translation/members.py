"""What authors' classes add to their values: methods of enum members, operators of records."""

from __future__ import annotations

import ast
import functools
import inspect
import sys
import types
from enum import EnumType
from typing import Any

from searchkit.translation.expressions import Expressions
from searchkit.translation.naming import describe, shown_pair
from searchkit.translation.stored_classes import stored
from searchkit.translation.types import Atom, Bool, Char, Float, Int, Maybe, is_generated, names_of
from searchkit.translation.values import Function, Items, Known, Place, Scalar, Stream, Value

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


class Members(Expressions):
    """What is looked up in the class of a value."""

    def class_of(self, value: Value) -> type | None:
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

    def own_method(self, value: Value, name: str) -> types.FunctionType | None:
        """The method with a name that the author has written for the class of a value."""
        kind = self.class_of(value)
        if kind is None or kind.__module__ == "builtins":
            return None
        found = inspect.getattr_static(kind, name, None)
        if not isinstance(found, types.FunctionType):
            return None
        is_library = (found.__module__ or "").partition(".")[0] in sys.stdlib_module_names
        return None if is_library or is_generated(found) else found

    def by_own_method(self, value: Value, name: str, *args: Value) -> Value | None:
        """What such a method gives; None if there is none."""
        found = self.own_method(value, name)
        return (
            None if found is None else self.called(Function(None, None, found, value), [*args], {})
        )

    # Attributes

    def attribute(self, value: Value, name: str) -> Value:
        """`value.name`; of a member of an enumeration also methods and properties."""
        value = self.there(value)
        kind = self.class_of(value)
        if not isinstance(value, Known) and kind is not None:
            if name == "__class__" and not isinstance(value, Scalar | Stream):
                return Known(kind)
            if isinstance(value, Scalar) and isinstance(kind, EnumType):
                found = self._of_class(kind, name, value)
                if found is not None:
                    return found
                if name == "__class__":
                    return Known(kind)
                if any(callable(getattr(each, name, None)) for each in list[Any](kind)):
                    raise self.refuse(
                        f"calls .{name} of {describe(value)}", "look the answer up in a dict"
                    )
        return super().attribute(value, name)

    def _of_class(self, kind: type, name: str, value: Value) -> Value | None:
        """What a name stands for in a class of the author's, asked for by way of a value."""
        found = inspect.getattr_static(kind, name, None)
        if isinstance(found, property) and found.fget is not None:
            return self.called(Function(None, None, found.fget, value), [], {})
        if isinstance(found, functools.cached_property):
            return self.called(Function(None, None, found.func, value), [], {})
        if isinstance(found, types.FunctionType):
            return Function(None, None, found, value)
        if isinstance(found, (classmethod, staticmethod)):
            return Known(getattr(kind, name))
        return None

    def _method_of(self, kind: type, name: str, value: Value) -> Value:
        is_own = name not in _OF_NAMED_TUPLES and name[:2] != "__"
        found = self._of_class(kind, name, value) if is_own else None
        if found is not None:
            return found
        static = inspect.getattr_static(kind, name, None)
        if is_own and static is not None and not hasattr(static, "__get__"):
            return Known(static)  # the same for all objects
        raise self.refuse(f"uses .{name} of {describe(value)}", "use its fields")

    # Operators

    def combined(self, op: ast.operator, left: Value, right: Value) -> Value:
        """A binary operator, by the method of an author's class if there is one."""
        name = _OPERATORS[type(op)]
        own = self.own_method(left, f"__{name}__"), self.own_method(right, f"__r{name}__")
        if own == (None, None) or (isinstance(left, Known) and isinstance(right, Known)):
            return super().combined(op, left, right)
        kinds = self.class_of(left), self.class_of(right)
        are_unlike = own[1] is not None and kinds[0] is not kinds[1]
        if are_unlike and (kinds[0] is None or issubclass(kinds[1], kinds[0])):  # type: ignore[arg-type]
            raise self.refuse("uses an operator of a derived class", "call a method")
        if own[0] is not None:
            found = self.called(Function(None, None, own[0], left), [right], {})
            if not _is_left_to_other(found):
                return found
        if own[1] is not None and are_unlike:
            found = self.called(Function(None, None, own[1], right), [left], {})
            if not _is_left_to_other(found):
                return found
        return self.always_raises(TypeError())

    def unary(self, op: ast.unaryop, value: Value) -> Value:
        """`-`, `+` or `~`."""
        if not isinstance(value, Known):
            found = self.by_own_method(value, _SIGNS[type(op)])
            if found is not None:
                return found
        return super().unary(op, value)

    def equal(self, left: Value, right: Value) -> Scalar:
        """Whether two values are equal, by what the class of an object of the author's says."""
        for one, other in ((left, right), (right, left)):
            if isinstance(one, Known) and not isinstance(other, Known):
                found = self.by_own_method(one, "__eq__", other)
                if found is not None and not _is_left_to_other(found):
                    return self.truth(found)
        if not any(isinstance(each, Known) and each.value is None for each in (left, right)):
            self._check_comparable(left, right)
        return super().equal(left, right)

    def ordered(self, sign: str, left: Value, right: Value) -> Scalar:
        """`<`, `<=`, `>` and `>=`, by what an author's class says."""
        if not (isinstance(left, Known) and isinstance(right, Known)):
            for one, other, name in zip((left, right), (right, left), _ORDERS[sign], strict=True):
                found = self.by_own_method(one, name, other)
                if found is not None and not _is_left_to_other(found):
                    return self.truth(found)
            left, right = self._by_fields(left, right)
        return super().ordered(sign, left, right)

    def compared(self, op: ast.cmpop, left: Value, right: Value) -> Scalar:
        """A comparison by one of Python's signs."""
        if isinstance(op, (ast.Eq, ast.NotEq)):
            self._check_comparable(left, right)
        return super().compared(op, left, right)

    def _check_comparable(self, left: Value, right: Value) -> None:
        """Refuse to compare an object with one of another class, which `__eq__` may not expect."""
        kinds = [self._class_within(each) for each in (left, right)]
        if kinds[0] is not kinds[1] and any(each and stored(each) for each in kinds):
            raise self.refuse(
                f"compares {shown_pair(left, right)}, by an __eq__ of their own",
                "compare objects of one class; ask for None by `is None`",
            )

    def _class_within(self, value: Value) -> type | None:
        """The class of a value, or that which it has if it is not None."""
        kind = value.type if isinstance(value, Place) else None
        found = getattr(kind.item, "kind", None) if isinstance(kind, Maybe) else None
        return found or self.class_of(value)

    def _by_fields(self, left: Value, right: Value) -> tuple[Value, Value]:
        """Two records whose class compares them as tuples of their fields, as such tuples."""
        kind = self.class_of(left)
        if kind is None or kind is not self.class_of(right) or issubclass(kind, tuple):
            return left, right
        names = names_of(kind)
        if not names or not _is_ordered_by_fields(kind):
            return left, right
        return tuple(
            Items(tuple(self.attribute(each, name) for name in names)) for each in (left, right)
        )  # type: ignore[return-value]

    # What has items

    def indexed(self, value: Value, index: Value) -> Value:
        """`value[index]`."""
        if isinstance(value, Known) and isinstance(value.value, EnumType):
            if not isinstance(index, Known):
                return self.found_in_dict(dict(value.value.__members__), index)
        elif not (isinstance(value, Known) and isinstance(index, Known)):
            found = self.by_own_method(value, "__getitem__", index)
            if found is not None:
                return found
        return super().indexed(value, index)

    def contains(self, value: Value, item: Value) -> Scalar:
        """`item in value`."""
        if not (isinstance(value, Known) and isinstance(item, Known)):
            found = self.by_own_method(value, "__contains__", item)
            if found is not None:
                return self.truth(found)
        return super().contains(value, item)

    def length_of(self, value: Value) -> Scalar | Known:
        """`len`."""
        found = None if isinstance(value, Known) else self.by_own_method(value, "__len__")
        return super().length_of(value) if found is None else self.number(found, "has for a length")

    def stream(self, value: Value) -> Stream:
        """What going through a value gives."""
        found = None if isinstance(value, Known) else self.by_own_method(value, "__iter__")
        return super().stream(value if found is None else found)

    def truth(self, value: Value) -> Scalar:
        """Whether Python takes a value for true."""
        if not isinstance(value, Known):
            found = self.by_own_method(value, "__bool__")
            if found is None and not isinstance(value, (Scalar, Stream)):
                found = self.by_own_method(value, "__len__")
            if found is not None:
                return super().truth(found)
        return super().truth(value)

    # Classes

    def is_instance(self, value: Value, classes: Any) -> Scalar:
        """`isinstance`."""
        if isinstance(value, Known):
            return self.truth(Known(isinstance(value.value, classes)))
        kind: Any = value.type if isinstance(value, (Scalar, Place)) else value
        if isinstance(kind, Maybe):
            assert isinstance(value, Place)
            inner = self.loaded(self.part(value, kind.item, 1))
            there, found = self.flag_of(value), self.is_instance(inner, classes)
            is_none = self.truth(Known(isinstance(kind.empty, classes)))
            return self.truth(self.either(there, lambda: found, lambda: is_none))
        if isinstance(value, Scalar) and isinstance(kind, Atom) and kind.kind is None:
            found = self.of_atom(value, lambda each: int(isinstance(each, classes)))
            return Scalar.truth(f"({found.text} != 0)")
        own = self.class_of(value)
        may_be_bool = isinstance(kind, Int) and kind.truths and not issubclass(int, classes)
        if own is None or (may_be_bool and issubclass(bool, classes)):
            raise self.refuse(f"asks for the class of {describe(value)}", "compare values")
        return self.truth(Known(issubclass(own, classes)))


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
