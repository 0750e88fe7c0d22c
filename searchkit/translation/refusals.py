"""Where machine code ends, with the author's line: what is refused, and what is left to Python.

And what messages call values and expressions.
"""

from __future__ import annotations

import ast
import enum
import inspect
import re
from types import NoneType
from typing import Any

from searchkit.authors.blame import is_ours
from searchkit.errors import CompilationError
from searchkit.kernel_language.site import Site
from searchkit.translation.text import Loop, Trap
from searchkit.translation.translator import Translator
from searchkit.translation.types import (
    Atom,
    Bits,
    Bool,
    Char,
    Float,
    Grid,
    Int,
    Listed,
    Maybe,
    Never,
    Open,
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
    Objects,
    Place,
    Scalar,
    Value,
)


def shown(kind: Type) -> str:
    """The type in a few words, for messages: `a tuple of 9 numbers`."""
    match kind:
        case Int():
            return "a number or truth value" if kind.truths else "a number"
        case Float():
            return "a number with a decimal point"
        case Bool():
            return "True or False"
        case Char():
            return "a character"
        case Atom():
            if kind.kind is None:
                return "a value of several classes"
            return _named(kind.kind)
        case Maybe():
            return f"{kind.empty} or {shown(kind.item)}"
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
            plain = f"a {kind.kind.__name__}"
            return f"{plain} of {inner}" if kind.kind in (tuple, list) else plain
        case Open():
            return shown(kind.bits)
        case Bits():
            return f"a {kind.kind.__name__}"
        case Never():
            return "nothing"


DEEPEST, MOST_LOOKED_AT = 5, 100
"""How far messages look into a value for what has no type."""
UNLIKE_ITEMS = (
    "joins sequences of unlike items",
    "use items of one shape: as many parts, of like kinds, with 0 or '' for one that is missing",
)
SORTED = "go through sorted(...) of it, or use tuples"
SHORTER = "keep to the lengths that states had at first, or work on it in parts"


def beyond(kind: Type) -> str:
    """What is said of what is longer or shorter than a place has room for."""
    return f"puts something longer or shorter where there is room for {shown(kind)}"


def full(most: int, what: str) -> str:
    """What is said where something grows beyond its room."""
    return f"makes {what} of more than {most} items"


def unlike(one: Type, other: Type) -> tuple[str, str]:
    """What is said of values of two types in one place, and what would help."""
    kinds = shown(one), shown(other)
    if kinds[0] == kinds[1] == "a text":
        return (
            "has texts of letters alone and other texts in one place, as 'up' and 'up left'",
            "use texts of letters alone, or numbers",
        )
    return f"has {kinds[0]} and {kinds[1]} in one place", _cure_of(one, other)


def _cure_of(one: Type, other: Type) -> str:
    """What would help where values of two types are in one place."""
    forms = {getattr(each, "kind", None) for each in (one, other)}
    if forms <= {set, frozenset}:
        return (
            "use sets of what states have in their sets, or sorted tuples, or write an `if` with a "
            "line for each"
        )
    if forms <= {tuple, list}:
        return (
            "give all of them one shape: as many parts, of like kinds, with 0 or '' for one that "
            "is missing; or join lists of one shape each: `[...] + [...]`"
        )
    forms |= {str for each in (one, other) if isinstance(each, Char)}
    if str in forms and any(isinstance(each, (Int, Bool)) for each in (one, other)):
        return "put a number in the place of the text, such as 0 or -1; or use two names"
    return "use values of one kind: numbers alone, or texts alone; or two names"


def unknown_in(value: Any) -> tuple[str, str]:
    """What is said of an object of Python that has no type, and what would help."""
    inner = _unlike_in(value, 0)
    shown_value = f"uses {value!r:.60}"
    if isinstance(inner, float):
        return f"{shown_value}, with whole numbers and others in one place", "use whole numbers"
    if callable(inner) and not isinstance(inner, type):
        name = getattr(inner, "__name__", "a function")
        return (
            f"{shown_value}, which holds functions ({name})",
            "call them by their names, or go through a tuple or dict of them alone",
        )
    if isinstance(inner, (dict, set)):
        kind = type(inner).__name__
        return f"{shown_value}, which holds a {kind}", f"look each {kind} up by its key: d[key]"
    if inner is not None:
        return (
            f"{shown_value}, which holds an object of class {type(inner).__name__}",
            "keep what rules ask of it in tuples or dicts, or make its class a NamedTuple",
        )
    return f"{shown_value}, which is not a tuple, list or dict of like values", (
        "use tuples of numbers and texts"
    )


def _unlike_in(value: Any, depth: int) -> Any:
    """An item within a value that no type has; None if there is none."""
    if isinstance(value, dict) and not depth:
        value = list(value.values())
    if isinstance(value, (tuple, list)) and depth < DEEPEST:
        found = (_unlike_in(each, depth + 1) for each in value[:MOST_LOOKED_AT])
        return next((each for each in found if each is not None), None)
    if isinstance(value, (bool, int, str, bytes, frozenset, enum.Enum)) or value is None:
        return None
    return value if depth else None


def members_of(universe: Grid | Listed) -> str:
    """What a set has room for, in a few words."""
    if not isinstance(universe, Grid):
        return f"{universe.size} members"
    ends = [
        f"{low} to {low + size - 1}" if size else "none"
        for low, size in zip(universe.lows, universe.sizes, strict=True)
    ]
    return ends[0] if universe.is_bare else f"({', '.join(ends)})"


def own_name(name: str) -> str:
    """A name as its author wrote it."""
    return re.sub(r"([^\W\d]\w*)[.~]\d+", r"\1", name)


def written(node: ast.AST) -> str:
    """What an author wrote."""
    return own_name(ast.unparse(node))


def _named(kind: type) -> str:
    """What messages call a value of a class."""
    return {NoneType: "None", str: "a text", int: "a number"}.get(kind, f"a {kind.__name__}")


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
    if isinstance(value, (Chosen, Objects)):
        return _named(type(value.values[0]))
    return "a function" if isinstance(value, Function) else "an iterator"


def shown_pair(left: Value, right: Value) -> str:
    """Two values for a message."""
    return f"{describe(left)} with {describe(right)}"


class Untranslatable(CompilationError):  # noqa: N818  (leads to the reference engine)
    """What of an author's program machine code cannot be made of, and what would help."""

    def __init__(self, place: str, what: str, instead: str) -> None:
        super().__init__(f"{place}: {what}; {instead}" if instead else f"{place}: {what}")
        self.place, self.what, self.instead = place, what, instead
        self.reached = (0, 0)
        """How many kernels were made by then, and how many names in this one."""


class Again(Exception):  # noqa: N818  (a signal)
    """What is known of the types has changed: the translation begins once more."""


class StatesOfTruths(Exception):  # noqa: N818  (a signal)
    """True or False may be where states that were looked at had numbers alone."""


def place_of_rule(kind: type, method: str) -> str:
    """Where a method of an author's class is, or his class, where that is one of ours."""
    code: Any = getattr(getattr(kind, method, None), "__code__", None)
    file, line = getattr(code, "co_filename", "?"), getattr(code, "co_firstlineno", 0)
    if code is not None and is_ours(file):
        try:
            file, line = str(inspect.getsourcefile(kind)), inspect.getsourcelines(kind)[1]
        except (OSError, TypeError):  # it was typed at a prompt
            return f"{kind.__name__}.{method}"
    return Site(f"{kind.__name__}.{method}", file).at(line)


def stand_at(t: Translator, node: ast.stmt) -> None:
    """Note the statement that is translated now."""
    t.node = node
    if not is_ours(t.site.file):
        t.own = where(t)


def where(t: Translator, node: ast.AST | None = None) -> str:
    """What messages about a part of the author's program begin with.

    Where it is one of ours, as of a class for problems of other libraries, what does not fit
    there was made by the author's statement before.
    """
    if t.own and is_ours(t.site.file):
        return t.own
    return t.site.at(getattr(node or t.node, "lineno", 0))


def refuse(
    t: Translator, what: str, instead: str = "", node: ast.AST | None = None
) -> Untranslatable:
    """The error for what cannot be translated."""
    return Untranslatable(where(t, node), what, instead)


def of_order(t: Translator, what: str, instead: str = SORTED) -> Untranslatable:
    """The error for what depends on the order of the members of a set."""
    return refuse(t, f"{what}, whose order machine code does not know", instead)


def here(t: Translator) -> str:
    """What messages of one expression add: in which, if it is the author's."""
    node: Any = getattr(t.node, "iter", t.node)
    is_shown = isinstance(node, ast.expr) and not is_ours(t.site.file)
    return f" in `{written(node):.40}`" if is_shown else ""


def trap(
    t: Translator,
    test: str,
    raises: type[Exception] | None = None,
    what: str = "",
    instead: str = "",
) -> None:
    """Leave the state to Python where a test holds; or go where that error of Python leads.

    `what` says what machine code lacks then, and `instead` what would help; expressions of the
    text in braces stand for their values, as in `the number {t_3}`.
    """
    with t.text.block(f"if {test}:"):
        t.forms.fail(t, raises, what, instead)


def fail(
    t: Translator, raises: type[Exception] | None = None, what: str = "", instead: str = ""
) -> None:
    """Leave the state to Python, or go where an error of Python leads."""
    target = None if raises is None else handler_of(t, raises)
    if target is not None:
        t.text.leave(target)
        return
    if raises is not None and not what:
        what = f"leaves what {raises.__name__} leads to, or may lead to, to Python"
    t.text.line(Trap(where(t), what, instead))


def handler_of(t: Translator, raises: type[Exception]) -> Loop | None:
    """The end of which loop of the text an error leads to; None if it leaves the rules."""
    for kinds, loop, unordered in reversed(t.handlers):
        if issubclass(raises, kinds):
            # What was done in a loop over a set before depends on its order.
            return loop if len(t.unordered) == unordered else None
    return None
