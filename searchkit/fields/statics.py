"""What no state changes in rules on fields: numbers and tables that are looked up.

What depends on the move and the object alone, Python works out: see `searchkit.fields.tables`.
"""

from __future__ import annotations

import ast
import builtins
import types
from collections.abc import Callable
from functools import cached_property
from typing import Any, NamedTuple

from searchkit.errors import ProblemError
from searchkit.fields.layout import Layout
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
from searchkit.translation.calls import split_source
from searchkit.translation.naming import own_name
from searchkit.translation.rules import OfObjects
from searchkit.translation.types import Bool, Int, Seq, Type
from searchkit.translation.values import Function, Items, Known, Place, Scalar, Value
from searchkit.translation.variables import Scope

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


class Statics(OfObjects):
    """What no state changes is a number or a table of the object's."""

    def __init__(self, work: Any, name: str, site: Any, facts: Any) -> None:
        super().__init__(work, name, site, facts)
        self.tables: Tables = work.tables
        self.live, self.of_texts, self.rows = {}, {}, {}

    live: dict[int, dict[str, Any]]
    """The globals of functions, by the identities of their definitions."""
    of_texts: dict[str, Static]
    """What such texts stand for."""
    rows: dict[str, Row]
    layout: Layout

    def value(self, node: ast.expr) -> Value:
        """The value of an expression."""
        if isinstance(node, _NEVER_STATIC):
            return super().value(node)
        static = self.static(node)
        found = None if static is None else self.of_static(static, node)
        return super().value(node) if found is None else found

    def names_within(self) -> dict[str, Any]:
        """The globals of the function that is translated, as they are now."""
        scope: Scope | None = self.scope
        while scope is not None and id(scope.definition) not in self.live:
            scope = scope.outer
        return {} if scope is None else self.live[id(scope.definition)]

    def static(self, node: ast.expr) -> Static | None:
        """The value of an expression that no state changes; None if there is none."""
        names = self.tables.names_of(node)
        if names is None:
            return None
        parts: dict[str, Static] = {}
        space = self.names_within()
        for name in names:
            found = self.scope.static(name)
            if found is None:
                if name in space or hasattr(builtins, name):
                    continue
                if name not in self.scope.names:
                    raise self.wrong(f"uses {name}, which is not defined")
                found = Known(self.scope.names[name])
            part = self.static_of(found)
            if part is None:
                return None
            parts[name] = part
        made = self.tables.composed(node, parts, space, self.site.file)
        return None if self.tables.sort(made) == NOTHING else made

    def static_of(self, value: Any) -> Static | None:
        """What no state changes, as it is found out of an object."""
        if isinstance(value, Known):
            if value.value is self.author:
                return self.tables.author
            return self.tables.known(value.value)
        if isinstance(value, Opaque):
            return value.static
        if isinstance(value, Scalar):
            return self.of_texts.get(value.text)
        if isinstance(value, Place) and not value.base and not value.shift:
            return self.of_texts.get(value.memory)
        return None

    def of_static(self, static: Static, node: ast.AST) -> Any:
        """The value that an expression has which no state changes; None for what is none."""
        sort = self.tables.sort(static)
        if sort == NUMBERS:
            if not static.by_move and not static.of_self:
                value = self.tables.ask(lambda instance: (static.values(instance) or [0])[0])
                return (
                    Known(value)
                    if isinstance(value, (int, bool))
                    else Known(static.numbers(self.tables.of)[0])
                )
            numbers = static.numbers
            text = self.from_tables(static, numbers, "", attribute_name(node))  # type: ignore[arg-type]
            low, high = self.bounds_of(static.extremes)
            self.of_texts[text] = static
            return Scalar(Int(), text, low, high)
        if sort == LISTS and not self.tables.ask(static.has_range):
            return self._of_lists(static, node)
        return None

    def _of_lists(self, static: Static, node: ast.AST) -> Place:
        wanted = "moved" if static.by_move else attribute_name(node)  # type: ignore[arg-type]
        try:
            lists = self.tables.lists(static, wanted)
        except NotListedError as error:
            raise self.refuse(f"uses a list that holds {error}") from None
        suffix = f"[{OPERATOR}]" if static.by_move else ""
        found = self._row_place(Row(lists, suffix, int(static.by_move)))
        self.of_texts[found.memory] = static
        return found

    def _row_place(self, row: Row) -> Place:
        memory = f"{SELF}.tables.{self.tables.padded(row.lists)}{row.suffix}"
        self.rows[memory] = row
        span = self.bounds_of(row.lists.static.span)
        kind: Type = Int()
        kinds = self.tables.ask(row.lists.static.kinds)
        levels = [*zip(row.lists.shape, kinds, strict=True)][row.level :]
        for (least, most), each in reversed(levels):
            if each is None:
                raise self.refuse("uses lists and tuples beside each other", "use lists alone")
            kind = Seq(kind, least, most, each)
        return Place(kind, memory, "", 0, is_stable=True, bounds=span)

    def from_tables(
        self, static: Static, numbers: Callable[[Instance], list[int]], kind: Any, wanted: str = ""
    ) -> str:
        """The text of a number that belongs to an expression: a table, or a column by move."""
        if static.by_move:
            column = self.tables.column((static, kind), numbers)
            return f"{SELF}.tables.{BY_MOVE}[{OPERATOR}][{column}]"
        if not static.of_self:
            return str(self.tables.ask(lambda instance: numbers(instance)[0]))
        name = self.tables.number((static, kind), lambda instance: numbers(instance)[0], wanted)
        return f"{SELF}.tables.{name}"

    def bounds_of(self, extremes: Callable[[Instance], Interval | None]) -> Interval:
        """Bounds on numbers of an object, which are those of many others as well.

        They are rounded to where it may make a difference, and to powers of two.
        """
        limits = self.limits

        def rounded(instance: Instance) -> Interval:
            low, high = extremes(instance) or (0, 0)
            low = min(low, 1) if low >= 0 else -_rounded(-low, limits)
            return low, (_rounded(high, limits) if high > 0 else min(high, 0))

        return self.tables.ask(rounded)

    @cached_property
    def limits(self) -> list[int]:
        """The greatest values and indices of fields."""
        fields = [each.field for each in self.layout.slots.values()]
        return sorted({n for each in fields for n in (each.length - 1, each.below - 1, each.low)})

    # What is read of objects and modules otherwise decides what kernels say.

    def _attribute_of_known(self, value: Known, name: str) -> Value:
        if value.value is self.author:
            if not hasattr(self.author, name):
                raise self.wrong(f"uses self.{name}, which is not there when the puzzle is made")
            static = getattr(type(self.author), name, None)
            if isinstance(static, (types.FunctionType, property)):
                self.tables.ask(lambda instance: getattr(type(instance.author), name))
            else:
                self.tables.ask(lambda instance: Same(getattr(instance.author, name)))
        return super()._attribute_of_known(value, name)

    def _of_name(self, node: ast.Name) -> Value:
        if self.scope.static(node.id) is None:
            names, name = self.names_within(), node.id
            if name in names:
                return Known(self.tables.ask(lambda _: names.get(name)))
        return super()._of_name(node)

    def called(
        self,
        function: Function,
        args: list[Value],
        named: dict[str, Value],
        *,
        is_memo: bool = False,
    ) -> Value:
        """A function of the author's, in the place of its call."""
        if function.function is not None:
            definition, site = split_source(function.function)
            self.live[id(definition)] = function.function.__globals__
            self._check(definition, function.function, site)
        return super().called(function, args, named, is_memo=is_memo)

    def _check(self, definition: Any, function: Any, site: Site) -> None:
        own = Site(f"{self.what()}: {function.__name__}", site.file)
        may_yield = self.run_entry is None
        draws = check_repeatable(definition, function, own, self.author, may_yield=may_yield)
        self.tables.ask(lambda instance: draws(instance.author))

    def what(self) -> str:
        """What messages call the puzzle."""
        return type(self.author).__name__

    def wrong(self, what: str) -> ProblemError:
        """The error for what no engine could do."""
        rule = self.site.what.rpartition(".")[2]
        place = Site(f"{self.what()}: {rule}", self.site.file).at(getattr(self.node, "lineno", 0))
        return ProblemError(f"{place}: {what}")

    def check_set(self, node: ast.AST) -> None:
        """Refuse a name that some way gives no value."""
        if getattr(node, "is_unsure", False):
            name = own_name(node.id)  # type: ignore[attr-defined]
            raise self.refuse(f"uses {name}, which may have no value here", "give it one before")

    def _arguments(self, definition: Any, args: list[Value], *more: Any) -> dict[str, Value]:
        self._calling = definition, args, more[0]
        return super()._arguments(definition, args, *more)

    def _wrong_call(self) -> Any:
        definition, args, named = self._calling
        names = [own_name(each.arg) for each in definition.args.args]
        is_method = bool(args) and isinstance(args[0], Known) and args[0].value is self.author
        raise self.wrong(
            f"calls {definition.name} with {len(args) - is_method + len(named)} arguments; it "
            f"takes ({', '.join(names[is_method:])})"
        )

    def bind_argument(self, definition: Any, scope: Scope, name: str, value: Any) -> None:
        """Give an argument its value."""
        if isinstance(value, Opaque):
            scope.bound[name] = value  # type: ignore[assignment]
        else:
            super().bind_argument(definition, scope, name, value)

    def assign(self, name: str, value: Any) -> None:
        """Give a name a value."""
        once = self.scope.defined.get(name, 0) <= 1
        if isinstance(value, Opaque) or (
            once and isinstance(value, Scalar) and value.text in self.of_texts
        ):
            self.scope.bound[name] = value
            return
        super().assign(name, value)

    def _check_listed(self, *values: Any) -> None:
        """Refuse a text, or whatever else machine code has not, where a state decides."""
        for each in values:
            if isinstance(each, Opaque):
                (value, *_) = each.static.values(self.tables.of) or [None]
                what = f"uses {value!r:.40}{self.here()}, which is not a whole number"
                raise self.refuse(what, "number what rules compare with fields")

    def number(self, value: Value, what: str) -> Scalar:
        """A value as a number."""
        self._check_listed(value)
        return super().number(value, what)

    def truth(self, value: Value) -> Scalar:
        """Whether Python takes a value for true."""
        self._check_listed(value)
        return super().truth(value)

    def compared(self, op: ast.cmpop, left: Value, right: Value) -> Scalar:
        """A comparison of two values, but for `in`."""
        self._check_listed(left, right)
        return super().compared(op, left, right)

    # Tables

    def row_of_place(self, value: Any) -> Row | None:
        """The row of a table that a value is."""
        if not isinstance(value, Place) or value.base or value.shift:
            return None
        return self.rows.get(value.memory)

    def item_at(self, place: Place, index: str) -> Place:
        """The item of a sequence, by its number, which is in range."""
        row = self.row_of_place(place)
        if row is None:
            return super().item_at(place, index)
        if not index.isdigit() and not index.startswith(f"{SELF}.tables."):
            index = self.text.temporary(index, "at")
        if not isinstance(place.type.item, Seq):
            return Place(
                place.type.item, place.memory, "" if index.isdigit() else index,
                int(index) if index.isdigit() else 0, is_stable=True, bounds=place.bounds,
            )  # fmt: skip
        return self._row_place(Row(row.lists, f"{row.suffix}[{index}]", row.level + 1))

    def indexed(self, value: Value, index: Value) -> Value:
        """`value[index]`; of a table, also by several numbers at once."""
        items = index.items if isinstance(index, Items) else ()
        if isinstance(index, Known) and isinstance(index.value, tuple):
            items = tuple(map(Known, index.value))
        if self.row_of_place(value) is None or not items:
            return super().indexed(value, index)
        for each in items:
            value = self.indexed(value, each)
        return value

    def length(self, place: Place) -> Scalar:
        """How many items a sequence has."""
        row = self.row_of_place(place)
        if row is None or place.type.is_fixed:
            return super().length(place)
        if row.suffix == f"[{OPERATOR}]":  # beside what else the move decides
            text = self.from_tables(row.lists.static, _lengths(row.lists.static), "length")
            return Scalar(Int(), text, place.type.least, place.type.most)
        name = self.tables.lengths(row.lists, row.level)
        text = f"{SELF}.tables.{name}{row.suffix}"
        return Scalar(Int(), text, place.type.least, place.type.most)

    def _copy(self, source: Place, place: Place) -> None:
        if self.row_of_place(source) is None:
            super()._copy(source, place)
            return
        count = self.length(source)
        if place.type.start:
            self.text.line(f"{place.cell()} = {count.text}")
        self.repeat(count, lambda i: self.store(
            self.loaded(self.item_at(source, i)), self.item_at(place, i)))  # fmt: skip

    def in_row(self, row: Any, item: Value) -> Scalar:
        """Whether something is in a sequence."""
        found = self.row_of_place(row)
        if found is None or isinstance(row.type.item, Seq):
            return super().in_row(row, item)
        number = self.number(item, "looks for")
        return Scalar(Bool(), f"({number.text} in {row.memory})", 0, 1)


def _lengths(static: Static) -> Callable[[Instance], list[int]]:
    """How long the list is that each move has."""
    return lambda instance: list(map(len, static.nested(instance).value))


def _rounded(number: int, limits: list[int]) -> int:
    """The least number that is not below one, of some limits and of powers of two less one."""
    power = (1 << number.bit_length()) - 1
    near = power if number < SMALL_NUMBER else 4 * power
    return next((each for each in limits if number <= each < near), power)
