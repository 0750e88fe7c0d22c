"""What no state changes in rules on fields: numbers and tables that are looked up.

What depends on the move and the object alone, Python works out: see `searchkit.fields.tables`.
"""

from __future__ import annotations

import ast
import builtins
import types
from collections.abc import Callable
from typing import Any, NamedTuple, NoReturn

import attrs

from searchkit.errors import ProblemError
from searchkit.fields.layout import Layout, Slot
from searchkit.fields.lowered import firsts_of
from searchkit.fields.repeatable import check_repeatable
from searchkit.fields.tables import (
    BY_MOVE,
    LISTS,
    NOTHING,
    NUMBERS,
    Instance,
    Lists,
    NotListedError,
    Static,
    Tables,
    attribute_name,
)
from searchkit.kernel_language.intervals import Interval
from searchkit.kernel_language.site import Site
from searchkit.problem import derived
from searchkit.translation import (
    arithmetic,
    calls,
    counters,
    expressions,
    members,
    memory,
    sequences,
    sets,
    variables,
)
from searchkit.translation.calls import split_source
from searchkit.translation.facts import Scope
from searchkit.translation.memory import loaded, repeat, store
from searchkit.translation.refusals import here, own_name, refuse
from searchkit.translation.translator import Rows, Translator
from searchkit.translation.types import Bool, Int, Seq, Type
from searchkit.translation.values import Function, Items, Known, Place, Scalar, Value

OPERATOR = "searchkit_operator"
SELF = "self"
SMALL_NUMBER = 8
"""Below it, bounds on numbers of objects are rounded to powers of two at most."""
_NEVER_STATIC = (ast.Constant, ast.Starred, ast.GeneratorExp, ast.Lambda, ast.JoinedStr, ast.Slice)


class Opaque(NamedTuple):
    """What no state changes, and no machine code has: a text that a move is given, say."""

    static: Static


class Same:
    """A value that is compared with that of another object, whatever it is."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def __eq__(self, other: object) -> bool:
        assert isinstance(other, Same)
        if self.value is other.value:
            return True
        return type(self.value) is type(other.value) and bool(self.value == other.value)

    __hash__ = None  # type: ignore[assignment]


class Row(NamedTuple):
    """A table, or the row of one that some indices lead to."""

    lists: Lists
    suffix: str
    level: int


@attrs.define(eq=False, kw_only=True)
class FieldsTranslator(Translator):
    """One rule on fields on its way to a kernel."""

    tables: Tables
    layout: Layout
    live: dict[Any, dict[str, Any]] = attrs.field(factory=dict)
    """The globals of functions, by their definitions."""
    of_texts: dict[str, Static] = attrs.field(factory=dict)
    """What such texts stand for."""
    rows: dict[str, Row] = attrs.field(factory=dict)
    places: dict[str, tuple[str, str]] = attrs.field(factory=dict)
    """Words and shifts, by names for indices that the move decides."""
    indices: dict[str, Static] = attrs.field(factory=dict)
    firsts: dict[int, Slot] = derived(lambda self: firsts_of(self.layout))
    limits: list[int] = derived(lambda self: _limits(self.layout))
    """The greatest values and indices of fields."""
    calling: Any = None
    """What is called at present, for messages."""


def _limits(layout: Layout) -> list[int]:
    fields = layout.fields.values()
    return sorted({n for each in fields for n in (each.length - 1, each.below - 1, each.low)})


def value(t: FieldsTranslator, node: ast.expr) -> Value:
    """The value of an expression."""
    if isinstance(node, _NEVER_STATIC):
        return expressions.value(t, node)
    static = static_value(t, node)
    found = None if static is None else of_static(t, static, node)
    return expressions.value(t, node) if found is None else found


def names_within(t: FieldsTranslator) -> dict[str, Any]:
    """The globals of the function that is translated, as they are now."""
    scope: Scope | None = t.scope
    while scope is not None and scope.definition not in t.live:
        scope = scope.outer
    return {} if scope is None else t.live[scope.definition]


def static_value(t: FieldsTranslator, node: ast.expr) -> Static | None:
    """The value of an expression that no state changes; None if there is none."""
    names = t.tables.names_of(node)
    if names is None:
        return None
    parts: dict[str, Static] = {}
    space = names_within(t)
    for name in names:
        found = t.scope.static(name)
        if found is None:
            if name in space or hasattr(builtins, name):
                continue
            if name not in t.scope.names:
                raise t.forms.wrong(t, f"uses {name}, which is not defined")
            found = Known(t.scope.names[name])
        part = static_of(t, found)
        if part is None:
            return None
        parts[name] = part
    made = t.tables.composed(node, parts, space, t.site.file)
    return None if t.tables.sort(made) == NOTHING else made


def static_of(t: FieldsTranslator, value: Any) -> Static | None:
    """What no state changes, as it is found out of an object."""
    if isinstance(value, Known):
        if value.value is t.author:
            return t.tables.author
        return t.tables.known(value.value)
    if isinstance(value, Opaque):
        return value.static
    if isinstance(value, Scalar):
        return t.of_texts.get(value.text)
    if isinstance(value, Place) and not value.base and not value.shift:
        return t.of_texts.get(value.memory)
    return None


def of_static(t: FieldsTranslator, static: Static, node: ast.AST) -> Any:
    """The value that an expression has which no state changes; None for what is none."""
    sort = t.tables.sort(static)
    if sort == NUMBERS:
        if not static.by_move and not static.of_self:
            value = t.tables.ask(lambda instance: (static.values(instance) or [0])[0])
            return Known(value if isinstance(value, int) else static.numbers(t.tables.of)[0])
        numbers = static.numbers
        text = from_tables(t, static, numbers, "", attribute_name(node))  # type: ignore[arg-type]
        low, high = bounds_of(t, static.extremes)
        t.of_texts[text] = static
        return Scalar(Int(), text, low, high)
    if sort == LISTS and not t.tables.ask(static.has_range):
        return _of_lists(t, static, node)
    return None


def _of_lists(t: FieldsTranslator, static: Static, node: ast.AST) -> Place:
    wanted = "moved" if static.by_move else attribute_name(node)  # type: ignore[arg-type]
    try:
        lists = t.tables.lists(static, wanted)
    except NotListedError as error:
        raise refuse(t, f"uses a list that holds {error}") from None
    suffix = f"[{OPERATOR}]" if static.by_move else ""
    found = _row_place(t, Row(lists, suffix, int(static.by_move)))
    t.of_texts[found.memory] = static
    return found


def _row_place(t: FieldsTranslator, row: Row) -> Place:
    memory = f"{SELF}.tables.{t.tables.padded(row.lists)}{row.suffix}"
    t.rows[memory] = row
    span = bounds_of(t, row.lists.static.span)
    kind: Type = Int()
    kinds = t.tables.ask(row.lists.static.kinds)
    levels = [*zip(row.lists.shape, kinds, strict=True)][row.level :]
    for (least, most), each in reversed(levels):
        if each is None:
            raise refuse(t, "uses lists and tuples beside each other", "use lists alone")
        kind = Seq(kind, least, most, each)
    return Place(kind, memory, "", 0, is_stable=True, bounds=span)


def from_tables(
    t: FieldsTranslator,
    static: Static,
    numbers: Callable[[Instance], list[int]],
    kind: Any,
    wanted: str = "",
) -> str:
    """The text of a number that belongs to an expression: a table, or a column by move."""
    if static.by_move:
        column = t.tables.column((static, kind), numbers)
        return f"{SELF}.tables.{BY_MOVE}[{OPERATOR}][{column}]"
    if not static.of_self:
        return str(t.tables.ask(lambda instance: numbers(instance)[0]))
    name = t.tables.number((static, kind), lambda instance: numbers(instance)[0], wanted)
    return f"{SELF}.tables.{name}"


def bounds_of(t: FieldsTranslator, extremes: Callable[[Instance], Interval | None]) -> Interval:
    """Bounds on numbers of an object, which are those of many others as well.

    They are rounded to where it may make a difference, and to powers of two.
    """
    limits = t.limits  # questions are kept, and the translator is not

    def rounded(instance: Instance) -> Interval:
        low, high = extremes(instance) or (0, 0)
        low = min(low, 1) if low >= 0 else -_rounded(-low, limits)
        return low, (_rounded(high, limits) if high > 0 else min(high, 0))

    return t.tables.ask(rounded)


# What is read of objects and modules otherwise decides what kernels say.


def attribute_of_known(t: FieldsTranslator, value: Known, name: str) -> Value:
    """An attribute of an object of Python, which kernels then depend on."""
    if value.value is t.author:
        if not hasattr(t.author, name):
            raise t.forms.wrong(t, f"uses self.{name}, which is not there when the puzzle is made")
        static = getattr(type(t.author), name, None)
        if isinstance(static, (types.FunctionType, property)):
            t.tables.ask(lambda instance: getattr(type(instance.author), name))
        else:
            t.tables.ask(lambda instance: Same(getattr(instance.author, name)))
    return expressions.attribute_of_known(t, value, name)


def of_name(t: FieldsTranslator, node: ast.Name) -> Value:
    """What a name stands for; a global one as it is now."""
    if t.scope.static(node.id) is None:
        names, name = names_within(t), node.id
        if name in names:
            return Known(t.tables.ask(lambda _: names.get(name)))
    return expressions.of_name(t, node)


def called(
    t: FieldsTranslator,
    function: Function,
    args: list[Value],
    named: dict[str, Value],
    *,
    is_memo: bool = False,
) -> Value:
    """A function of the author's, in the place of its call."""
    if function.function is not None:
        source = split_source(function.function)
        t.live[source.definition] = function.function.__globals__
        _check(t, source.definition, function.function, source.site)
    return calls.called(t, function, args, named, is_memo=is_memo)


def _check(t: FieldsTranslator, definition: Any, function: Any, site: Site) -> None:
    own = Site(f"{name_of_puzzle(t)}: {function.__name__}", site.file)
    may_yield = t.run_entry is None
    draws = check_repeatable(definition, function, own, t.author, may_yield=may_yield)
    t.tables.ask(lambda instance: draws(instance.author))


def name_of_puzzle(t: FieldsTranslator) -> str:
    """What messages call the puzzle."""
    return type(t.author).__name__


def wrong(t: FieldsTranslator, what: str) -> ProblemError:
    """The error for what no engine could do."""
    rule = t.site.what.rpartition(".")[2]
    place = Site(f"{name_of_puzzle(t)}: {rule}", t.site.file).at(getattr(t.node, "lineno", 0))
    return ProblemError(f"{place}: {what}")


def check_set(t: FieldsTranslator, node: ast.AST) -> None:
    """Refuse a name that some way gives no value."""
    if getattr(node, "is_unsure", False):
        name = own_name(node.id)  # type: ignore[attr-defined]
        raise refuse(t, f"uses {name}, which may have no value here", "give it one before")


def arguments(
    t: FieldsTranslator, definition: Any, args: list[Value], *more: Any
) -> dict[str, Value]:
    """What the arguments of a function are; notes the call for messages."""
    t.calling = definition, args, more[0]
    return calls.arguments(t, definition, args, *more)


def wrong_call(t: FieldsTranslator) -> NoReturn:
    """The error for a call with arguments that a function has not."""
    definition, args, named = t.calling
    names = [own_name(each.arg) for each in definition.args.args]
    is_method = bool(args) and isinstance(args[0], Known) and args[0].value is t.author
    raise t.forms.wrong(
        t,
        f"calls {definition.name} with {len(args) - is_method + len(named)} arguments; it "
        f"takes ({', '.join(names[is_method:])})",
    )


def bind_argument(
    t: FieldsTranslator, definition: Any, scope: Scope, name: str, value: Any
) -> None:
    """Give an argument its value."""
    if isinstance(value, Opaque):
        scope.bound[name] = value  # type: ignore[assignment]
    else:
        calls.bind_argument(t, definition, scope, name, value)


def assign(t: FieldsTranslator, name: str, value: Any) -> None:
    """Give a name a value."""
    once = t.scope.defined.get(name, 0) <= 1
    if isinstance(value, Opaque) or (
        once and isinstance(value, Scalar) and value.text in t.of_texts
    ):
        t.scope.bound[name] = value
        return
    variables.assign(t, name, value)


def _check_listed(t: FieldsTranslator, *values: Any) -> None:
    """Refuse a text, or whatever else machine code has not, where a state decides."""
    for each in values:
        if isinstance(each, Opaque):
            (value, *_) = each.static.values(t.tables.of) or [None]
            what = f"uses {value!r:.40}{here(t)}, which is not a whole number"
            raise refuse(t, what, "number what rules compare with fields")


def number(t: FieldsTranslator, value: Value, what: str) -> Scalar:
    """A value as a number."""
    _check_listed(t, value)
    return arithmetic.number(t, value, what)


def truth(t: FieldsTranslator, value: Value) -> Scalar:
    """Whether Python takes a value for true."""
    _check_listed(t, value)
    return members.truth(t, value)


def compared(t: FieldsTranslator, op: ast.cmpop, left: Value, right: Value) -> Scalar:
    """A comparison of two values, but for `in`."""
    _check_listed(t, left, right)
    return members.compared(t, op, left, right)


# Tables


def row_of_place(t: FieldsTranslator, value: Any) -> Row | None:
    """The row of a table that a value is."""
    if not isinstance(value, Place) or value.base or value.shift:
        return None
    return t.rows.get(value.memory)


def item_at(t: FieldsTranslator, place: Place, index: str) -> Place:
    """The item of a sequence, by its number, which is in range."""
    row = row_of_place(t, place)
    if row is None:
        return memory.item_at(t, place, index)
    if not index.isdigit() and not index.startswith(f"{SELF}.tables."):
        index = t.text.temporary(index, "at")
    if not isinstance(place.type.item, Seq):
        base, shift = ("", int(index)) if index.isdigit() else (index, 0)
        bounds = place.bounds
        return Place(place.type.item, place.memory, base, shift, is_stable=True, bounds=bounds)
    return _row_place(t, Row(row.lists, f"{row.suffix}[{index}]", row.level + 1))


def indexed(t: FieldsTranslator, value: Value, index: Value) -> Value:
    """`value[index]`; of a table, also by several numbers at once."""
    items = index.items if isinstance(index, Items) else ()
    if isinstance(index, Known) and isinstance(index.value, tuple):
        items = tuple(map(Known, index.value))
    if row_of_place(t, value) is None or not items:
        return counters.indexed(t, value, index)
    for each in items:
        value = t.forms.indexed(t, value, each)
    return value


def length(t: FieldsTranslator, place: Place) -> Scalar:
    """How many items a sequence has."""
    row = row_of_place(t, place)
    if row is None or place.type.is_fixed:
        return memory.length(t, place)
    if row.suffix == f"[{OPERATOR}]":  # beside what else the move decides
        text = from_tables(t, row.lists.static, _lengths(row.lists.static), "length")
        return Scalar(Int(), text, place.type.least, place.type.most)
    name = t.tables.lengths(row.lists, row.level)
    text = f"{SELF}.tables.{name}{row.suffix}"
    return Scalar(Int(), text, place.type.least, place.type.most)


def copy(t: FieldsTranslator, source: Place, place: Place) -> None:
    """Copy a value; a row of a table item by item."""
    if row_of_place(t, source) is None:
        sets.copy(t, source, place)
        return
    count = t.forms.length(t, source)
    if place.type.start:
        t.text.line(f"{place.cell()} = {count.text}")
    repeat(t, count, lambda i: store(
        t, loaded(t, t.forms.item_at(t, source, i)), t.forms.item_at(t, place, i)))  # fmt: skip


def in_row(t: FieldsTranslator, row: Any, item: Value) -> Scalar:
    """Whether something is in a sequence."""
    found = row_of_place(t, row)
    if found is None or isinstance(row.type.item, Seq):
        return sequences.in_row(t, row, item)
    number = t.forms.number(t, item, "looks for")
    return Scalar(Bool(), f"({number.text} in {row.memory})", 0, 1)


def _lengths(static: Static) -> Callable[[Instance], list[int]]:
    """How long the list is that each move has."""
    return lambda instance: list(map(len, static.nested(instance).value))


def _rounded(number: int, limits: list[int]) -> int:
    """The least number that is not below one, of some limits and of powers of two less one."""
    power = (1 << number.bit_length()) - 1
    near = power if number < SMALL_NUMBER else 4 * power
    return next((each for each in limits if number <= each < near), power)


EXPRESSIONS: Rows = {ast.Name: of_name}
