"""Expressions of rules on fields, as expressions on words and tables.

What a rule says of a state, `s.offset[car] + slide`, becomes shifts and masks; what depends on the
move alone becomes a number of the table of moves; lists of `self` become tables.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Hashable
from functools import partial
from typing import Any

import attrs

from searchkit.errors import CompilationError, ProblemError
from searchkit.fields.bounds import Bounds, interval_of, key_of, numbered
from searchkit.fields.declared import Int, Set
from searchkit.fields.flow import moved_to, names_of
from searchkit.fields.layout import Layout, Slot
from searchkit.fields.tables import (
    BY_MOVE,
    DICTS,
    FILLER,
    LISTS,
    NOTHING,
    NUMBERS,
    OTHERS,
    Instance,
    Lists,
    NotListedError,
    Static,
    Tables,
    attribute_name,
)
from searchkit.kernel_language.constants import constant, number_of
from searchkit.kernel_language.copies import Node, copied, put_for_names, substituted
from searchkit.kernel_language.intervals import Interval
from searchkit.kernel_language.marks import Range, ranged
from searchkit.kernel_language.site import Site

SELF = "self"
OPERATOR = "searchkit_operator"
ASKED = "searchkit_asked"
"""The state that a function which changes it was given."""
SHOWN = "searchkit_shown"
"""The state that errors show of a function whose author does not give it one."""


@attrs.frozen
class Row:
    """A list of the author's, or the row of one that some indices lead to."""

    nested: Lists
    index: tuple[ast.expr, ...] = ()
    is_sure: bool = True
    """Whether no index leads beyond a shorter row: else what is looked up is to be looked at."""

    @property
    def level(self) -> int:
        """How many indices have been given."""
        return len(self.index)


@attrs.define
class Expressions:
    """One function of rules on its way to a kernel."""

    rules: Any
    """The `Rules` that it is one of: they have what it calls."""
    site: Site
    names: dict[str, Any]
    """The globals of the function."""
    own: str
    """The name of its argument `self`."""
    state: str | None = None
    """The name of its argument that is a state."""
    moves: tuple[str, ...] = ()
    """The names of its arguments that are the numbers of a move."""
    local: set[str] = attrs.field(factory=set)
    """Names that it assigns to, and arguments that are not of a move."""
    statics: dict[str, ast.expr] = attrs.field(factory=dict)
    """Names for expressions that no state changes."""
    aliases: dict[str, Row] = attrs.field(factory=dict)
    """Names for rows of tables."""
    known: dict[str, Bounds] = attrs.field(factory=dict)
    """Bounds on what names stand for."""
    guards: dict[str, Bounds] = attrs.field(factory=dict)
    """Bounds on expressions that another rule has made sure of, as long as no field is changed."""
    gives_state: bool = False
    """Whether it changes the state, and so returns it."""
    is_shown: bool = False
    """Whether it must be given a state that errors show."""

    @property
    def layout(self) -> Layout:
        """Where the fields are."""
        layout: Layout = self.rules.layout
        return layout

    @property
    def tables(self) -> Tables:
        """What is looked up."""
        tables: Tables = self.rules.tables
        return tables

    def is_own(self, name: str) -> bool:
        """Whether a name is one of the function's own, and not of its module."""
        return (
            name in (self.own, self.state, *self.moves)
            or name in self.local
            or name in self.statics
            or name in self.aliases
        )

    def guard(self, node: ast.expr) -> Bounds | None:
        """Bounds on an expression that another rule has made sure of."""
        return self.guards.get(key_of(node, numbered((self.own, str(self.state), *self.moves))))

    def wrong(self, node: ast.AST, message: str) -> ProblemError:
        """The error for what no engine could do."""
        return ProblemError(str(self.site.error(node, message)))

    def error(self, node: ast.AST, message: str) -> CompilationError:
        """The error for what machine code cannot do."""
        return self.site.error(node, message)

    # Values that no state changes

    def substituted(self, node: ast.expr) -> ast.expr | None:
        """The expression without names of its function's own; None if a state may change it."""
        bound = {each.arg for each in ast.walk(node) if isinstance(each, ast.arg)}
        bound |= {*names_of(node, stored=True)}
        for each in ast.walk(node):
            if isinstance(each, (ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)):
                return None
            if isinstance(each, ast.Name) and each.id not in bound:
                name = each.id
                if name == self.state or name in self.local or name in self.aliases:
                    return None
                known = name in self.statics or name in self.moves or name == self.own
                if not known and name not in self.names and not hasattr(builtins, name):
                    raise self.wrong(each, f"uses {name}, which is not defined")
        if self.statics.keys().isdisjoint(names_of(node)):
            return node
        return substituted(node, self.statics, bound)

    def static(self, node: ast.expr) -> Static | None:
        """The value of an expression that no state changes; None if there is none."""
        if isinstance(node, ast.Constant):
            value = node.value
            key: Any = "constant", type(value), repr(value)
            return self.tables.static(key, lambda: Static(lambda _: value, is_constant=True))
        whole = self.substituted(node)
        if whole is None:
            return None
        used = {*names_of(whole)}
        by_move, of_self = bool(used & set(self.moves)), self.own in used
        names = (self.own, *self.moves) if by_move else (self.own,)

        def made() -> Static:
            plain = ast.arguments([], [ast.arg(name) for name in names], None, [], [], None, [])
            text = ast.fix_missing_locations(ast.Expression(ast.Lambda(plain, whole)))
            ast.copy_location(text.body, node)
            try:
                function = eval(compile(text, self.site.file, "eval"), self.names)
            except Exception:  # it is no expression: it has no values
                return Static(int, by_move=True)
            return Static(function, by_move=by_move, of_self=of_self)

        static = self.tables.static((ast.dump(whole), names, id(self.names)), made)
        return None if self.tables.sort(static) == NOTHING else static

    def static_number(self, node: ast.expr) -> ast.expr | None:
        """The number of an expression that no state changes, as it is looked up."""
        static = self.static(node)
        if static is None or self.tables.sort(static) in (LISTS, OTHERS):
            return None
        try:
            static.numbers(self.tables.of)
        except NotListedError as error:
            raise self.error(node, f"uses {error}") from None
        return self.looked_up(node, static, static.numbers)

    def looked_up(
        self,
        node: ast.expr,
        static: Static,
        numbers: Callable[[Instance], list[int]],
        kind: Hashable = "",
    ) -> ast.expr:
        """Where numbers are that belong to an expression: a constant, a table, or one by move.

        `kind` says which numbers they are, unless they are its values.
        """
        if static.by_move:
            column = self.tables.column((static, kind), numbers)
            row = self.item(self.table(BY_MOVE, node), ast.Name(OPERATOR, ast.Load()))
            return self.item(row, constant(column, node))
        if not static.of_self:
            return constant(self.tables.ask(lambda instance: numbers(instance)[0]), node)
        name = self.tables.number(
            (static, kind), lambda instance: numbers(instance)[0], attribute_name(node)
        )
        return self.table(name, node)

    def table(self, name: str, node: ast.AST) -> ast.expr:
        """A table by its name."""
        tables = ast.Attribute(ast.Name(SELF, ast.Load()), "tables", ast.Load())
        return self.placed(ast.Attribute(tables, name, ast.Load()), node)

    def item(self, value: ast.expr, index: ast.expr) -> ast.expr:
        """An item of something."""
        return self.placed(ast.Subscript(value, index, ast.Load()), value)

    def placed(self, made: Node, node: ast.AST) -> Node:
        """What was made for a node, with its lines."""
        for each in ast.walk(made):
            if not hasattr(each, "lineno") and "lineno" in each._attributes:
                ast.copy_location(each, node)
        return made

    def made(self, text: str, node: ast.AST, /, **parts: ast.expr) -> ast.expr:
        """The expression of a text in which names stand for parts."""
        return moved_to(put_for_names(ast.parse(text, mode="eval").body, parts), node)

    def named(self, name: str, node: ast.AST) -> ast.expr:
        """What has a name."""
        return self.placed(ast.Name(name, ast.Load()), node)

    def called(self, function: str, arguments: list[ast.expr], node: ast.AST) -> ast.expr:
        """The call of a function of Python's."""
        return self.placed(ast.Call(ast.Name(function, ast.Load()), arguments, []), node)

    # Lists

    def row(self, node: ast.expr, *, sure: bool = True) -> Row | None:
        """The list that an expression is, its indices compared if it is to be `sure`; or None."""
        if isinstance(node, ast.Name) and node.id in self.aliases:
            return self.aliases[node.id]
        static = self.static(node)
        if static is not None:
            sort = self.tables.sort(static)
            if sort == DICTS:
                raise self.error(node, "uses a dict by what a state decides; use a list")
            if sort != LISTS:
                return None
            try:
                wanted = "moved" if static.by_move else attribute_name(node)
                nested = self.tables.lists(static, wanted)
            except NotListedError as error:
                raise self.error(node, f"uses a list that holds {error}") from None
            index = (ast.Name(OPERATOR, ast.Load()),) if static.by_move else ()
            return Row(nested, index)
        if isinstance(node, ast.Subscript) and self.field(node) is None:
            base = self.row(node.value, sure=sure)
            if base is None:
                return None
            given = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
            row = base
            for each in given:
                at, is_sure = self._index(row, each, sure=sure)
                row = Row(base.nested, (*row.index, at), row.is_sure and is_sure)
            return row
        return None

    def _index(self, row: Row, node: ast.expr, *, sure: bool) -> tuple[ast.expr, bool]:
        """An index of a list, compared with its length unless what is known of it is enough.

        Where lengths differ, shorter lists are filled up with a number that none of them has. Only
        a `sure` index of rows is compared with that of its own; the second value says if it need
        not be. A number below 0 that is written there counts from the end.
        """
        nested, level = row.nested, row.level
        number = self.number(node)
        back = number_of(number)
        if back is not None and back < 0 and level < nested.depth:
            if not nested.is_ragged(level):
                number = constant(nested.longest(level) + back, node)
            else:
                number = self.made(
                    "n - k", node, n=self.row_length(row, node), k=constant(-back, node)
                )
        if level >= nested.depth:
            return number, True
        length, known = nested.longest(level), interval_of(self, node)
        found = self.within(number, "an index", (0, length - 1), known)
        is_from_end = back is not None and back < 0
        if is_from_end or level == nested.depth - 1 or not nested.is_ragged(level):
            return found, True
        if self._is_known(known, (0, nested.shape[level][0] - 1)):
            return found, True
        if not sure:
            return found, False
        parts = {"i": number, "n": self.row_length(row, node), "x": constant(FILLER, node)}
        number = self.made("i if i < n else x", node, **parts)
        return self.within(number, "an index within a shorter row", (0, length - 1), None), True

    def there(self, row: Row, found: ast.expr, most: int) -> ast.expr:
        """What was looked up of a row, from 0 to `most`, which shorter lists are filled up with."""
        if row.is_sure:
            return found
        return self.within(found, "an item within a shorter row", (0, most), None)

    def row_item(self, row: Row, node: ast.AST) -> ast.expr:
        """The table, row or number that the indices of a row lead to."""
        found = self.table(self.tables.padded(row.nested), node)
        for index in row.index:
            found = self.item(found, copied(index))
        return found

    def row_length(self, row: Row, node: ast.AST) -> ast.expr:
        """How many items a row has."""
        longest = row.nested.longest(row.level)
        if row.nested.is_ragged(row.level) or not row.is_sure or not longest:
            found = self.table(self.tables.lengths(row.nested, row.level), node)
            for index in row.index:
                found = self.item(found, copied(index))
            return self.there(row, found, longest)
        return self.called("len", [self.row_item(row, node)], node)

    # Fields

    def field(self, node: ast.AST) -> tuple[Slot, ast.expr | None] | None:
        """The field that an expression is, or is an item of, and the index."""
        index = node.slice if isinstance(node, ast.Subscript) else None
        node = node.value if isinstance(node, ast.Subscript) else node
        if not (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id == self.state
        ):
            return None
        slot = self.layout.slots.get(node.attr)
        if slot is None:
            known = ", ".join(self.layout.slots)
            raise self.wrong(node, f"there is no field {node.attr!r}; the fields are {known}")
        if index is not None and isinstance(slot.field, Int):
            raise self.wrong(node, f"{slot.name} is one number; it has no items")
        if isinstance(index, ast.Slice):
            raise self.error(node, f"uses a slice of {slot.name}; use its items in a loop")
        if index is not None and isinstance(slot.field, Set):
            raise self.wrong(node, f"{slot.name} is a Set; use `in`, add and remove")
        return slot, index

    def place(self, slot: Slot, index: ast.expr | None, node: ast.AST) -> tuple[Any, ast.expr]:
        """The word (a number, or an expression) and the shift of a number of a field."""
        if index is None:
            return slot.word, constant(slot.shift, node)
        static = self.static(index)
        if static is not None and self.are_items(static, slot):
            words, shifts = (partial(_part_of_places, slot, static, part) for part in (0, 1))
            word: Any = self.tables.ask(lambda instance: _only(words(instance)))
            if word is None:
                word = self.looked_up(index, static, words, ("word", slot.name))
            scaled = self.made("x * 0 + y", index, x=index, y=constant(slot.shift, node))
            return word, self.looked_up(scaled, static, shifts, ("shift", slot.name))
        at = self.within(
            self.number(index), f"the index of {slot.name}", (0, slot.field.length - 1),
            interval_of(self, index),
        )  # fmt: skip
        word, bits = slot.word, slot.field.bits
        if slot.is_wide:
            even = slot.per & (slot.per - 1) == 0
            by, of = ("i >> n", "i & n") if even else ("i // n", "i % n")
            count = slot.per.bit_length() - 1 if even else slot.per
            word = self.made(by, node, i=copied(at), n=constant(count, node))
            if slot.word:
                word = self.made("w + n", node, w=word, n=constant(slot.word, node))
            rest = slot.per - 1 if even else slot.per
            at = self.made(of, node, i=at, n=constant(rest, node))
        if bits > 1:
            at = self.made("i * n", node, i=at, n=constant(bits, node))
        if slot.shift:
            at = self.made("i + n", node, i=at, n=constant(slot.shift, node))
        return word, at

    def are_items(self, static: Static, slot: Slot) -> bool:
        """Whether the values of an expression are indices of a field."""
        is_number = self.tables.sort(static) == NUMBERS
        return is_number and self.tables.ask(static.within(slot.field.length))

    def within(
        self, value: ast.expr, what: str, bounds: Interval, known: Bounds | None
    ) -> ast.expr:
        """The number, compared with bounds unless what is known of it is enough."""
        if self._is_known(known, bounds):
            return value
        return ranged(value, Range(what, bounds[0], bounds[1] + 1, self.shown()))

    def shown(self) -> str:
        """The name of the state that errors show."""
        if self.gives_state or self.state is not None:
            return ASKED if self.gives_state else str(self.state)
        self.is_shown = True
        return SHOWN

    def _is_known(self, known: Bounds | None, bounds: Interval) -> bool:
        """Whether what is known of a number says that it is within bounds."""
        low, high = bounds

        def fits(instance: Instance) -> bool:
            found = None if known is None else known(instance)
            return found is not None and low <= found[0] and found[1] <= high

        return known is not None and self.tables.ask(fits)

    def word(self, word: Any, node: ast.AST) -> ast.expr:
        """A word of the state."""
        assert self.state is not None
        state = self.named(self.state, node)
        if self.layout.words == 1:
            return state
        index = constant(word, node) if isinstance(word, int) else copied(word)
        return self.item(state, index)

    def load(self, slot: Slot, index: ast.expr | None, node: ast.AST) -> ast.expr:
        """A number of a field."""
        word, shift = self.place(slot, index, node)
        return self.loaded(slot, word, shift, node)

    def loaded(self, slot: Slot, word: Any, shift: ast.expr, node: ast.AST) -> ast.expr:
        """The number of a field at a place."""
        text = "w & m" if number_of(shift) == 0 else "w >> k & m"
        found = self.made(
            text, node, w=self.word(word, node), k=copied(shift), m=constant(slot.mask, node)
        )
        if slot.field.low:
            found = self.made("x + n", node, x=found, n=constant(slot.field.low, node))
        return found

    def number(self, node: ast.expr) -> ast.expr:
        """An expression as one of words and tables; see `searchkit.fields.numbers`."""
        raise NotImplementedError


def _part_of_places(slot: Slot, static: Static, part: int, instance: Instance) -> list[int]:
    """The words of the numbers of a field, or their shifts, that an expression has as indices."""
    numbers = static.numbers(instance)
    places = {each: slot.place(each)[part] for each in {*numbers}}
    return [places[each] for each in numbers]


def _only(numbers: list[int]) -> int | None:
    """The one number that all are; None where they differ."""
    return numbers[0] if len({*numbers}) == 1 else None
