"""What messages call values and expressions."""

from __future__ import annotations

import ast
import re

from searchkit.translation.types import (
    Atom,
    Bits,
    Bool,
    Char,
    Float,
    Int,
    Maybe,
    Never,
    Record,
    Seq,
    Type,
)
from searchkit.translation.values import (
    Chosen,
    Function,
    Items,
    Joined,
    Known,
    Place,
    Scalar,
    Value,
)


def shown(kind: Type) -> str:
    """The type in a few words, for messages: `a tuple of 9 numbers`."""
    match kind:
        case Int():
            return "a number"
        case Float():
            return "a number with a decimal point"
        case Bool():
            return "True or False"
        case Char():
            return "a character"
        case Atom():
            if kind.kind is None:
                return "a value of several classes"
            return "a word" if kind.kind is str else f"a {kind.kind.__name__}"
        case Maybe():
            return f"None or {shown(kind.item)}"
        case Seq() if kind.kind is str:
            return "a text"
        case Seq():
            length = str(kind.least) if kind.is_fixed else f"{kind.least} to {kind.most}"
            item = shown(kind.item).removeprefix("a ")
            return f"a {kind.kind.__name__} of {length} times {item}"
        case Record() if issubclass(kind.kind, dict):
            return "a dict"
        case Record():
            inner = ", ".join(map(shown, kind.items))
            return f"a {kind.kind.__name__} of {inner}"
        case Bits():
            return f"a {kind.kind.__name__}"
        case Never():
            return "nothing"


def written(node: ast.AST) -> str:
    """What an author wrote."""
    return re.sub(r"([^\W\d]\w*)[.~]\d+", r"\1", ast.unparse(node))


def describe(value: Value) -> str:
    """What messages call a value."""
    if isinstance(value, Known):
        return f"{value.value!r:.40}"
    if isinstance(value, (Scalar, Place)):
        return shown(value.type)
    if isinstance(value, Joined):
        return f"a {value.kind.__name__}"
    if isinstance(value, Items):
        return f"a {value.kind.__name__} of {len(value.items)}"
    if isinstance(value, Chosen):
        return f"a {type(value.values[0]).__name__}"
    return "a function" if isinstance(value, Function) else "an iterator"


def shown_pair(left: Value, right: Value) -> str:
    """Two values for a message."""
    return f"{describe(left)} with {describe(right)}"
