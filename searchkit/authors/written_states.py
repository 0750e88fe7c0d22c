"""States as Python writes them, read back: for problems that have no `parse`."""

from __future__ import annotations

import ast
import enum
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from searchkit.authors.user_code import short, slots_of

MOST_TEXT = 1 << 20
MOST_LOOKED_AT = 10_000
"""At most this many values are looked at for the classes that states are made of."""
COLLECTIONS = (tuple, list, set, frozenset)
PLAIN: Mapping[str, Any] = {
    each.__name__: each for each in (*COLLECTIONS, dict, bytes, bytearray, int, float, bool, str)
}
MEMBER = re.compile(r"<(\w+\.\w+): [^<>]*>")
"""A member of an enumeration, as it shows itself within a tuple."""


def written_state(text: str, known: Sequence[Any]) -> Any:
    """The state that `text` is in Python: `(1, 0)`, `Lamp(on=True)`, `frozenset({1})`.

    It is of the type of one of the states `known`, and made of classes that these are made of;
    where all of them are texts, it is `text` itself. Raises `ValueError`, in words for the user,
    for what is no such state. O(text), and of `known` at most 10,000 values are looked at.
    """
    if known and all(isinstance(state, str) for state in known):
        return text
    classes = {each.__name__: each for each in _classes_in(known)}
    example = next((short(each) for each in known if _can_be_read(each, classes)), None)
    if example is None:
        raise ValueError("its class has no parse(text), and shows states in a form of its own")
    try:
        state = _read(text, classes)
    except Exception as error:  # of a class of the author's, too
        raise ValueError(f"write it as Python does, like {example}") from error
    alike = {int, float} if type(state) in (int, float) else {type(state)}
    if not any(type(each) in alike for each in known):
        raise ValueError(f"it is of type {type(state).__name__}; write it like {example}")
    return state


def _can_be_read(state: Any, classes: Mapping[str, Any]) -> bool:
    try:
        return bool(_read(repr(state), classes) == state)
    except Exception:
        return False


def _classes_in(states: Iterable[Any]) -> Iterator[type]:
    waiting, looked_at = list(states), 0
    while waiting and looked_at < MOST_LOOKED_AT:
        value, looked_at = waiting.pop(), looked_at + 1
        yield type(value)
        if isinstance(value, dict):
            waiting += [*value.keys(), *value.values()]
        elif isinstance(value, COLLECTIONS):
            waiting += value
        elif not isinstance(value, (enum.Enum, *PLAIN.values())):
            waiting += [getattr(value, n) for n in slots_of(type(value)) if hasattr(value, n)]
            waiting += getattr(value, "__dict__", {}).values()


def _read(text: str, classes: Mapping[str, Any]) -> Any:
    if len(text) > MOST_TEXT:
        raise ValueError("it is too long")
    try:
        tree = ast.parse(text.strip(), mode="eval")
    except SyntaxError:
        tree = ast.parse(MEMBER.sub(r"\1", text.strip()), mode="eval")
    return _value(tree.body, {**classes, **PLAIN})


def _value(node: ast.expr, classes: Mapping[str, Any]) -> Any:
    match node:
        case ast.Constant(value):
            return value
        case ast.Tuple(items):
            return tuple(_value(each, classes) for each in items)
        case ast.List(items):
            return [_value(each, classes) for each in items]
        case ast.Set(items):
            return {_value(each, classes) for each in items}
        case ast.Dict(keys, values):
            pairs = zip(keys, values, strict=True)
            return {_value(k, classes): _value(v, classes) for k, v in pairs if k is not None}
        case ast.UnaryOp(ast.USub(), operand):
            return -_value(operand, classes)
        case ast.Attribute(ast.Name(name), member) if issubclass(classes[name], enum.Enum):
            return classes[name][member]
        case ast.Call(ast.Name(name) | ast.Attribute(_, name), args, keywords):
            given = [_value(each, classes) for each in args]
            named = {each.arg: _value(each.value, classes) for each in keywords if each.arg}
            return classes[name](*given, **named)
    raise ValueError(f"{ast.unparse(node)} is no value")
