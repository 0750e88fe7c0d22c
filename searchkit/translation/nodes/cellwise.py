"""Values as cells: their types, parts, copies, equality and order."""

from __future__ import annotations

import enum
from typing import Any

from searchkit.translation import types
from searchkit.translation.cells import cells_of
from searchkit.translation.nodes.build import Bottom, Build, Refused
from searchkit.translation.nodes.lattice import Ref, has_ref, is_flat, is_scalar
from searchkit.translation.nodes.node import BOOL, CONSTANTS, FRAME, INT, Node, number
from searchkit.translation.nodes.values import (
    EVER,
    NAMED,
    OBJECT,
    ONCE,
    Chosen,
    Function,
    Group,
    Known,
    Method,
    Place,
    Row,
    Stream,
    View,
)
from searchkit.translation.types import (
    NONE,
    Atom,
    Bits,
    Bool,
    Char,
    Int,
    Maybe,
    Never,
    Record,
    Seq,
    Unfit,
    items_of,
    names_of,
)

SEEN = 128
"""The characters of which is known what Python says of them."""
MANY = 4096
"""Of how many values is looked at which are the least and the largest."""
SEQUENCES = (tuple, list, str)


def cell_types(kind: Any) -> list[Any]:
    """The type of each cell of a flat value, as a node has it."""
    if is_scalar(kind):
        return [kind]
    if isinstance(kind, Maybe):
        return [INT, *cell_types(kind.item)]
    if isinstance(kind, Record):
        return [cell for each in kind.items for cell in cell_types(each)]
    if isinstance(kind, Seq) and kind.is_fixed:
        return cell_types(kind.item) * kind.most if kind.most else []
    return [INT] * kind.cells


class Cellwise:
    """What is done with values as cells."""

    def __init__(self, build: Build, parts: Any) -> None:
        self.b, self.p = build, parts

    def refuse(self, what: str) -> Refused:
        """The error for what has no form here."""
        return Refused(what, self.b.line)

    # Types

    def type_of(self, value: Any) -> Any:
        """The type of a value; None if it has none."""
        if isinstance(value, Known):
            return self.b.type_of_known(value.value)
        if isinstance(value, (Node, Row, Place)):
            return value.type
        if isinstance(value, Group):
            kinds = [self.type_of(each) for each in value.items]
            if None in kinds:
                return None
            if any(isinstance(each, Never) for each in kinds):
                raise Bottom
            if value.kind in (tuple, list) and not any(map(has_ref, kinds)):
                same = types.alike(kinds, value.kind)
                if same is not None:
                    return Seq(same, len(kinds), len(kinds), value.kind)
            return Record(tuple(kinds), value.kind)
        return None

    def typed(self, value: Any) -> Any:
        """The type of a value that must have one."""
        found = self.type_of(value)
        if found is None:
            what = type(value.value).__name__ if isinstance(value, Known) else type(value).__name__
            raise self.refuse(f"{what} has no type")
        return found

    def kind_of(self, value: Any) -> Any:
        """The class of a value in Python, as far as it has one."""
        if isinstance(value, Known):
            return type(value.value)
        if isinstance(value, Group):
            return value.kind
        if isinstance(value, Stream):
            return value.kind
        if isinstance(value, Chosen):
            kinds = {type(each) for each in value.values}
            return kinds.pop() if len(kinds) == 1 else None
        if isinstance(value, (Function, Method)):
            return None
        kind = value.type
        if isinstance(kind, (Seq, Record, Ref, Bits, Atom)):
            return kind.kind
        return {Int: int, Bool: bool, Char: str}.get(type(kind))

    def there(self, value: Any) -> Any:
        """A value that may be None, where it is none: the state is left to Python otherwise."""
        kind = self.type_of(value)
        if not isinstance(kind, Maybe):
            return value
        cell = self.flag(value)
        self.b.trap(self.b.compare("Eq", cell, 0))
        return self.inner(value)

    def present(self, value: Any) -> Any:
        """The same; what is None as far as is known may become more, or is an error of Python's."""
        if self.type_of(value) == NONE:
            self.b.trap()
            raise Bottom
        return self.there(value)

    def flag(self, value: Any) -> Node:
        """The cell that says whether there is a value."""
        if isinstance(value, Row):
            return value.cells[0]
        return self.b.load(value.memory, value.at, INT)

    def inner(self, value: Any) -> Any:
        """What is there of a value that may be None."""
        kind = value.type.item
        if isinstance(value, Row):
            return self.of_cells(kind, value.cells[1:])
        return self.loaded(Place(kind, value.memory, self.b.plus(value.at, 1), value.lasts))

    def of_cells(self, kind: Any, cells: list[Node]) -> Any:
        """A value by its cells."""
        if isinstance(kind, Never):
            raise Bottom
        return cells[0] if is_scalar(kind) else Row(kind, cells)

    def loaded(self, place: Place) -> Any:
        """A value in memory as it is now."""
        kind = place.type
        if isinstance(kind, Never):
            raise Bottom
        if is_scalar(kind):
            found = self.b.load(place.memory, place.at, kind)
            if place.values and isinstance(kind, (Int, Bool)):
                low, high = int(min(place.values)), int(max(place.values))
                return Node(found.kind, found.what, found.args, kind, low, high)
            return found
        if place.lasts != OBJECT:
            return place
        if is_flat(kind):
            return Row(kind, self.loads(place))
        made = self.b.slot(kind)
        self.copy(place, made.at)
        return made

    def loads(self, place: Place) -> list[Node]:
        """All cells of a place, looked at now."""
        return [
            self.b.load(place.memory, self.b.plus(place.at, i), kind)
            for i, kind in enumerate(cell_types(place.type))
        ]

    def copy(self, place: Place, at: Node) -> None:
        """Copy cells into the frame."""
        b, size = self.b, place.type.cells
        if (
            place.memory == FRAME
            and place.at.kind == at.kind == "number"
            and place.at.what == at.what
        ):
            return
        if size <= 4:
            for i in range(size):
                found = Node("load", place.memory, [b.plus(place.at, i)], INT)
                b.put(b.plus(at, i), found)
            return
        with b.counting(number(0), number(size)) as i:
            found = Node("load", place.memory, [b.plus(place.at, i)], INT)
            b.put(b.plus(at, i), found)

    # Parts

    def part(self, value: Any, i: int) -> Any:
        """An item by a place that is known."""
        if isinstance(value, Known):
            items = value.value
            items = items if isinstance(items, SEQUENCES) else items_of(items)
            try:
                return Known(items[i])
            except IndexError:
                self.b.trap()
                raise Bottom from None
        if isinstance(value, Stream):
            value = self.p.going.solid(value)
        if isinstance(value, Group):
            if not -len(value.items) <= i < len(value.items):
                self.b.trap()
                raise Bottom
            return value.items[i]
        value = self.there(value)
        kind = self.type_of(value)
        if isinstance(kind, Record):
            if not -len(kind.items) <= i < len(kind.items):
                self.b.trap()
                raise Bottom
            i %= len(kind.items)
            start, item = kind.starts()[i], kind.items[i]
            if isinstance(value, Row):
                return self.of_cells(item, value.cells[start : start + item.cells])
            at = self.b.plus(value.at, start)
            inner = Place(item, value.memory, at, value.lasts)
            if value.values:
                rows = (e if isinstance(e, tuple) else items_of(e) for e in value.values)
                inner.values = [each[i] for each in rows]
            return self.loaded(inner)
        if isinstance(kind, Seq) and isinstance(value, Row):
            if not -kind.most <= i < kind.most:
                self.b.trap()
                raise Bottom
            i %= kind.most
            size = kind.item.cells
            return self.of_cells(kind.item, value.cells[i * size : i * size + size])
        return self.item(value, number(i))

    def item(self, value: Any, i: Node) -> Any:
        """An item by a place, which is compared with the length."""
        value = self.present(self.p.going.solid(value))
        if i.kind == "number" and isinstance(value, (Known, Group, Row)):
            return self.part(value, i.what)
        kind = self.type_of(value)
        if isinstance(kind, Record) and i.kind == "number":
            return self.part(value, i.what)
        value = self.in_memory(value)
        at = self.index(i, self.length(value))
        return self.loaded(self.item_at(value, at))

    def index(self, i: Node, length: Any) -> Node:
        """A place from 0 on, after what is below 0 was counted from the end."""
        b = self.b
        count = number(length.value) if isinstance(length, Known) else length
        i = b.narrowed(i)
        if i.low < 0:
            i = b.held(i)
            turned = b.plus(count, i)
            if i.high < 0:
                i = turned
            else:
                low, high = min(0, i.low + count.low), max(i.high, count.high - 1)
                test = b.compare("Lt", i, 0)
                i = b.held(Node("choose", None, [test, turned, i], INT, low, high))
        elif i.kind not in ("name", "number"):
            i = b.held(i)
        b.trap(b.both("or", [b.compare("Lt", i, 0), b.compare("GtE", i, count)]))
        return Node(i.kind, i.what, i.args, INT, max(i.low, 0), max(0, min(i.high, count.high - 1)))

    def in_memory(self, value: Any) -> Any:
        """A row of like items as a place, or an object."""
        value = self.p.going.solid(value)
        if isinstance(value, Known) and isinstance(value.value, View):
            value = Known(tuple(value.value))
        kind = self.typed(value)
        if isinstance(kind, Ref) or isinstance(value, Place):
            if isinstance(kind, (Ref, Seq)):
                return value
        row = self.row_type(value)
        if isinstance(value, Known):
            place = self.b.constant(row, value.value)
            place.values = [value.value]
            return place
        made = self.b.slot(row)
        self.store(made.at, value, row)
        return made

    def row_type(self, value: Any) -> Any:
        """The type of a value as a row of like items."""
        kind = self.typed(value)
        if isinstance(kind, Seq):
            return kind
        if isinstance(kind, Atom) and isinstance(value, Known) and isinstance(value.value, str):
            return Seq(Char(), len(value.value), len(value.value), str)
        if isinstance(kind, Char):
            return Seq(Char(), 1, 1, str)
        if isinstance(kind, Record) and kind.kind not in (tuple, list) and not names_of(kind.kind):
            raise self.refuse(f"{kind.kind.__name__} is no row")
        if not isinstance(kind, Record):
            raise self.refuse(f"{kind} is no row")
        same: Any = Never()
        for each in kind.items:
            same = self.b.join(same, each)
            if same is None:
                raise self.refuse("a row of unlike items")
        return Seq(same, len(kind.items), len(kind.items), tuple if kind.kind is not list else list)

    def item_at(self, value: Any, i: Node) -> Place:
        """The place of an item that is there."""
        kind = self.type_of(value)
        if isinstance(kind, Ref):
            item = kind.heap.item
            if isinstance(item, Never):
                raise Bottom
            at = self.b.plus(self.p.objects.data(value), self.b.times(i, item.cells))
            return Place(item, FRAME, at, OBJECT)
        at = self.b.plus(self.b.plus(value.at, kind.start), self.b.times(i, kind.item.cells))
        made = Place(kind.item, value.memory, at, value.lasts)
        if value.values and len(value.values) <= MANY:
            if i.kind == "number":
                made.values = [each[i.what] for each in value.values if i.what < len(each)]
            else:
                made.values = [item for each in value.values for item in each]
        return made

    def length(self, value: Any, *, inside: bool = True) -> Any:
        """How many items there are: `Known`, or a node."""
        if not inside:
            self.check_row(value)
        if isinstance(value, Stream) and value.is_iterator and value.kind is None and not inside:
            raise self.refuse("the length of an iterator")
        if isinstance(value, Chosen):
            return self.p.expressions.at_known(list(map(len, value.values)), INT, value.at)
        if isinstance(value, Known):
            if isinstance(value.value, (*SEQUENCES, set, frozenset, dict, range, bytes)):
                return Known(len(value.value))
            if names_of(type(value.value)) is not None:
                return Known(len(items_of(value.value)))
            if isinstance(value.value, enum.EnumMeta):
                return Known(len(value.value))
            raise self.refuse("the length of an object")
        if isinstance(value, Group):
            return Known(len(value.items))
        if isinstance(value, Stream):
            if value.length is None:
                raise self.refuse("the length of an iterator")
            return value.length
        value = self.there(value)
        kind = self.typed(value)
        if isinstance(kind, Ref):
            return self.p.objects.length(value)
        if isinstance(kind, Record):
            return Known(len(kind.items))
        if isinstance(kind, Char):
            return Known(1)
        if isinstance(kind, Bits):
            return self.p.sets.size(value)
        if not isinstance(kind, Seq):
            raise self.refuse(f"the length of {kind}")
        if kind.is_fixed:
            return Known(kind.most)
        found = self.b.load(value.memory, value.at, INT)
        return Node(found.kind, found.what, found.args, INT, kind.least, kind.most)

    def check_row(self, value: Any) -> None:
        """Refuse a value that Python has no items of."""
        kind = self.kind_of(value)
        if kind is type(None):
            self.present(value)
        rows = (tuple, list, str, set, frozenset, dict)
        if isinstance(value, Known) and not isinstance(value.value, (*rows, range, bytes)):
            raise self.refuse("goes through an object")
        if (
            not isinstance(value, (Known, Stream, Chosen))
            and isinstance(kind, type)
            and not issubclass(kind, rows)
        ):
            raise self.refuse(f"goes through {kind.__name__}")

    # Writing

    def cells(self, value: Any, kind: Any) -> list[Node]:
        """The cells of a value as one of a flat type."""
        value = self.p.going.solid(value)
        if isinstance(kind, Never):
            raise Bottom
        if is_scalar(kind):
            return [self.scalar(value, kind)]
        if (
            isinstance(value, Known)
            and not has_ref(kind)
            and not (isinstance(kind, Bits) and not isinstance(value.value, (set, frozenset)))
        ):
            try:
                found = cells_of(kind, value.value, self.b.atoms)
            except Unfit as error:
                raise self.refuse(str(error)) from error
            return [number(n, t) for n, t in zip(found, cell_types(kind), strict=True)]
        if isinstance(kind, Bits):
            return self.p.sets.cells(value, kind)
        own = self.typed(value)
        if isinstance(kind, Seq) and kind.kind is str and isinstance(own, Char) and kind.most == 1:
            return [value]
        if isinstance(kind, Maybe):
            if own == NONE:
                return [number(0, each) for each in cell_types(kind)]
            if isinstance(own, Maybe):
                if isinstance(own.item, Never):
                    return [number(0, each) for each in cell_types(kind)]
                flag, inner = self.flag(value), self.inner(value)
                return [flag, *self.cells(inner, kind.item)]
            return [number(1), *self.cells(value, kind.item)]
        value = self.there(value)
        own = self.typed(value)
        if own == kind and isinstance(value, Row):
            return value.cells
        if own == kind and isinstance(value, Place):
            return self.loads(value)
        if isinstance(kind, Record):
            count, inner = len(kind.items), kind.items
        else:
            count, inner = kind.most, (kind.item,) * kind.most
        if self.kind_of(value) is not kind.kind:
            raise self.refuse(f"{own} as {kind}")
        length = self.length(value)
        if isinstance(length, Known):
            if length.value != count:
                self.b.trap()
                raise Bottom
        else:
            self.b.trap(self.b.compare("NotEq", length, count))
        return [
            cell for i, each in enumerate(inner) for cell in self.cells(self.part(value, i), each)
        ]

    def scalar(self, value: Any, kind: Any) -> Node:
        """A value as one cell of a type."""
        if isinstance(value, Known) and not isinstance(kind, Ref):
            try:
                return number(cells_of(kind, value.value, self.b.atoms)[0], kind)
            except Unfit as error:
                raise self.refuse(str(error)) from error
        value = self.there(value)
        own = self.typed(value)
        if isinstance(kind, Ref):
            if own == kind:
                return value
            return self.p.objects.copied(value, kind.heap)
        if not isinstance(value, Node):
            raise self.refuse(f"{own} as {kind}")
        if own == kind:
            return value
        if isinstance(kind, Int) and isinstance(own, Bool):
            return Node("call", ("int",), [value], INT, max(0, value.low), min(1, value.high))
        if isinstance(kind, Atom) and isinstance(own, Atom):
            if kind.kind is not None and kind.kind is not own.kind:
                value = self.b.held(value)
                flags = [int(type(each) is kind.kind) for each in self.b.atoms.values]
                is_of = self.b.load(CONSTANTS, self.b.plus(value, self.b.numbers(flags)), INT)
                self.b.trap(self.b.compare("Eq", is_of, 0))
            return Node(value.kind, value.what, value.args, kind, value.low, value.high)
        if isinstance(kind, Atom) and isinstance(own, Char) and kind.kind in (None, str):
            code = self.code_of(value)
            self.b.trap(self.b.compare("Lt", code, 0))
            return Node(code.kind, code.what, code.args, kind, 0, code.high)
        raise self.refuse(f"{own} as {kind}")

    def number(self, value: Any) -> Node:
        """A value as a whole number."""
        value = self.present(value)
        kind = self.typed(value)
        if isinstance(kind, Atom) and isinstance(kind.kind, type) and issubclass(kind.kind, int):
            found = [int(e) if isinstance(e, kind.kind) else 0 for e in self.b.atoms.values]
            return self.p.expressions.at_known(found, INT, self.scalar(value, kind))
        if not isinstance(kind, (Int, Bool)):
            raise self.refuse(f"{kind} is no number")
        return self.scalar(value, INT)

    def store(self, at: Node, value: Any, kind: Any) -> None:
        """Put a value as one of a type into the frame, with zeros behind what is short."""
        b = self.b
        if isinstance(kind, Never):
            raise Bottom
        if is_flat(kind):
            for i, cell in enumerate(self.cells(value, kind)):
                b.put(b.plus(at, i), cell)
            return
        if isinstance(value, Known) and not has_ref(kind):
            self.copy(b.constant(kind, value.value), at)
            return
        if isinstance(value, Stream):
            if isinstance(kind, Seq) and value.length is not None and value.kind is kind.kind:
                self._store_row(at, value, kind)
                return
            value = self.p.going.solid(value)
        own = self.typed(value)
        if own == kind and isinstance(value, Place):
            self.copy(value, at)
            return
        if isinstance(kind, Maybe):
            if own == NONE:
                self.clear(at, kind.cells)
                return
            if not isinstance(own, Maybe):
                b.put(at, number(1))
                self.store(b.plus(at, 1), value, kind.item)
                return
            is_there = b.compare("NotEq", self.flag(value), 0)
            b.put(at, self.flag(value))
            b.choose(
                is_there,
                lambda: self.store(b.plus(at, 1), self.inner(value), kind.item),
                lambda: self.clear(b.plus(at, 1), kind.item.cells),
            )
            return
        if isinstance(kind, Bits):
            for i, cell in enumerate(self.p.sets.cells(value, kind)):
                b.put(b.plus(at, i), cell)
            return
        value = self.there(value)
        if isinstance(kind, Record):
            length = self.length(value)
            if not isinstance(length, Known):
                b.trap(b.compare("NotEq", length, len(kind.items)))
            elif length.value != len(kind.items):
                b.trap()
                raise Bottom
            for i, (start, each) in enumerate(zip(kind.starts(), kind.items, strict=True)):
                self.store(b.plus(at, start), self.part(value, i), each)
            return
        self._store_row(at, value, kind)

    def _store_row(self, at: Node, value: Any, kind: Seq) -> None:
        b = self.b
        if kind.kind is frozenset:
            raise self.refuse("a large set")
        if self.kind_of(value) is not kind.kind and not isinstance(value, Known):
            raise self.refuse(f"{self.type_of(value)} as {kind}")
        if not isinstance(value, (Group, Stream)) and not isinstance(self.type_of(value), Ref):
            value = self.in_memory(value)
        count = self.length(value)
        if isinstance(count, Known):
            if not kind.least <= count.value <= kind.most:
                b.trap()
                raise Bottom
            count = number(count.value)
        else:
            tests = [b.compare("Lt", count, kind.least), b.compare("Gt", count, kind.most)]
            b.trap(b.both("or", tests))
        if not kind.is_fixed:
            b.put(at, count)
        first, size = b.plus(at, kind.start), kind.item.cells
        if isinstance(value, Group):
            for i, each in enumerate(value.items):
                self.store(b.plus(first, i * size), each, kind.item)
        elif isinstance(value, Stream):
            title = b.fresh("n")
            b.let(title, first)

            def one(item: Any) -> None:
                to = Node("name", title, (), INT, 0, 1 << 30)
                self.store(to, item, kind.item)
                b.let(title, b.plus(to, size))

            self.p.going.each(value, one)
        else:
            with b.counting(number(0), count) as i:
                item = self.item_at(value, i)
                if item.type == kind.item and (is_scalar(kind.item) or not is_flat(kind.item)):
                    self.copy(item, b.plus(first, b.times(i, size)))
                else:
                    self.store(b.plus(first, b.times(i, size)), self.loaded(item), kind.item)
        if count.kind == "number":
            self.clear(b.plus(first, count.what * size), (kind.most - count.what) * size)
        elif not kind.is_fixed:
            with b.counting(b.times(count, size), number(kind.most * size)) as i:
                b.put(b.plus(first, i), number(0))

    def clear(self, at: Node, size: int) -> None:
        """Put zeros."""
        if size <= 4:
            for i in range(size):
                self.b.put(self.b.plus(at, i), number(0))
            return
        with self.b.counting(number(0), number(size)) as i:
            self.b.put(self.b.plus(at, i), number(0))

    def as_type(self, value: Any, kind: Any) -> Any:
        """A value as one of a type."""
        if self.type_of(value) == kind and not isinstance(value, (Known, Group)):
            return value
        if is_flat(kind):
            return self.of_cells(kind, self.cells(value, kind))
        made = self.b.slot(kind)
        self.store(made.at, value, kind)
        return made

    # Comparing

    def equal(self, one: Any, other: Any) -> Node:
        """Whether two values are equal."""
        b = self.b
        kinds = [self.kind_of(each) for each in (one, other)]
        if dict in kinds and not (isinstance(one, Known) and isinstance(other, Known)):
            raise self.refuse("compares dicts")
        if kinds[0] is not kinds[1] and any(
            isinstance(k, type) and k is not tuple and (isinstance(v, Group) or isinstance(self.type_of(v), Record))
            and not issubclass(k, tuple) for k, v in zip(kinds, (one, other), strict=True)
        ) and None not in kinds:  # fmt: skip
            return number(0, BOOL)
        if isinstance(one, Known) and isinstance(other, Known):
            return number(one.value == other.value, BOOL)
        if isinstance(one, Known):
            one, other = other, one
        if isinstance(one, (Stream, Function)) or isinstance(other, (Stream, Function)):
            raise self.refuse("compares functions or iterators")
        mine = self.type_of(one)
        if isinstance(other, Known) and self.type_of(other) is None:
            if isinstance(other.value, (set, frozenset)):
                return self.p.sets.equal(one, other)
            raise self.refuse("compares with what has no type")
        theirs = self.type_of(other)
        for x, y, of_y, of_x in ((one, other, theirs, mine), (other, one, mine, theirs)):
            if isinstance(of_x, Maybe) and not isinstance(of_y, Maybe):
                flag = b.compare("NotEq", self.flag(x), 0)
                if of_y == NONE:
                    return b.negated(flag)
                if isinstance(of_x.item, Never):
                    return number(0, BOOL)
                return self.then(flag, lambda x=x, y=y: self.equal(self.inner(x), y))
        if isinstance(mine, Bits) or isinstance(theirs, Bits):
            return self.p.sets.equal(one, other)
        kinds = [self.kind_of(each) for each in (one, other)]
        if any(k in (set, frozenset) for k in kinds):
            return self.p.sets.equal(one, other)
        rows = (tuple, list, str)
        is_record = all(isinstance(k, type) and issubclass(k, tuple) for k in kinds)
        if kinds[0] is not kinds[1] and is_record:
            return self._equal_items(one, other)
        if kinds[0] is not kinds[1] and (kinds[0] in rows or kinds[1] in rows):
            if str not in kinds or not {Atom, Char} & {type(mine), type(theirs)}:
                return number(0, BOOL)
        if any(isinstance(e, Group) or isinstance(t, Ref) or has_ref(t)
               for e, t in ((one, mine), (other, theirs))):  # fmt: skip
            return self._equal_items(one, other)
        kind = b.join(mine, theirs)
        if kind is None:
            if {type(mine), type(theirs)} <= {Atom, Char, Seq} and str in kinds:
                raise self.refuse("compares texts that are kept in two ways")
            return number(0, BOOL)
        if is_flat(kind):
            try:
                cells = [self.cells(each, kind) for each in (one, other)]
            except Refused:
                if isinstance(other, Known):
                    return number(0, BOOL)
                raise
            tests = [b.compare("Eq", x, y) for x, y in zip(*cells, strict=True)]
            return b.held(b.both("and", tests))
        if isinstance(other, Known):
            places = [self._placed(one, kind), b.constant(kind, other.value)]
        else:
            places = [self._placed(each, kind) for each in (one, other)]
        size = number(kind.cells)
        x, y = places
        what = ("is_at", x.memory)
        args = [x.at, size]
        return b.held(
            Node(
                "call",
                (*what, Plain(args[0]), Plain(size), y.memory),
                [y.at, size, number(0)],
                BOOL,
                0,
                1,
            )
        )

    def _placed(self, value: Any, kind: Any) -> Place:
        if isinstance(value, Place) and value.type == kind:
            return value
        made = self.b.slot(kind)
        self.store(made.at, value, kind)
        return made

    def then(self, test: Node, make: Any) -> Node:
        """Whether a test holds, and what is made next holds, which is asked only then."""
        b = self.b
        if test.kind == "number" and not test.what:
            return number(0, BOOL)
        body: list[Node] = []
        with b.inside(body):
            try:
                found = make()
            except Bottom:
                b.trap()
                found = number(0, BOOL)
        return self.joined(test, body, found)

    def joined(self, test: Node, body: list[Node], found: Node) -> Node:
        """Whether a test holds and then, after a body, another."""
        b = self.b
        if test.kind == "number":
            if not test.what:
                return number(0, BOOL)
            b.body.extend(body)
            return found
        if not body:
            return b.both("and", [test, found])
        title = b.fresh("both")
        b.let(title, number(0, BOOL))
        body.append(Node("set", title, [found]))
        b.emit(Node("if", None, [test], bodies=(body, [])))
        return Node("name", title, (), BOOL, 0, 1)

    def _equal_items(self, one: Any, other: Any) -> Node:
        b = self.b
        lengths = [self.length(each) for each in (one, other)]
        if all(isinstance(each, Known) for each in lengths):
            if lengths[0].value != lengths[1].value:
                return number(0, BOOL)
            if (
                any(isinstance(each, (Group, Row)) for each in (one, other))
                or isinstance(self.type_of(one), Record)
                or isinstance(self.type_of(other), Record)
            ):
                tests = [
                    self.equal(self.part(one, i), self.part(other, i))
                    for i in range(lengths[0].value)
                ]
                return b.held(b.both("and", tests))
        counts = [number(e.value) if isinstance(e, Known) else e for e in lengths]
        answer = b.fresh("same")
        b.let(answer, b.compare("Eq", *counts))
        rows = [self.in_memory(each) for each in (one, other)]

        def compare() -> None:
            with b.block() as label, b.counting(number(0), counts[0]) as i:
                try:
                    items = [self.loaded(self.item_at(each, i)) for each in rows]
                    found = self.equal(*items)
                except Bottom:
                    found = number(0, BOOL)

                def differs() -> None:
                    b.let(answer, number(0, BOOL))
                    b.leave(label)

                b.choose(b.negated(found), differs)

        b.choose(Node("name", answer, (), BOOL, 0, 1), compare)
        return Node("name", answer, (), BOOL, 0, 1)

    def ordered(self, sign: str, one: Any, other: Any) -> Node:
        """Whether a value comes before another."""
        b = self.b
        one, other = self.there(one), self.there(other)
        kinds = [self.typed(one), self.typed(other)]
        if all(isinstance(each, (Int, Bool)) for each in kinds):
            return b.compare(sign, self.number(one), self.number(other))
        if all(isinstance(each, Bits) for each in kinds) or any(
            self.kind_of(e) in (set, frozenset) for e in (one, other)
        ):
            return self.p.sets.ordered(sign, one, other)
        if all(isinstance(each, Char) for each in kinds):
            return b.compare(sign, one if isinstance(one, Node) else self.scalar(one, Char()),
                             other if isinstance(other, Node) else self.scalar(other, Char()))  # fmt: skip
        kind = b.join(*kinds)
        if (
            kind is None
            or has_ref(kind)
            or not is_flat(kind)
            or not all(
                isinstance(each, (Int, Bool, Char)) or each == Atom(str)
                for each in cell_types(kind)
            )
            or isinstance(kind, (Maybe, Bits))
        ):
            raise self.refuse(f"the order of {kinds[0]} and {kinds[1]}")
        cells = [[self.ranked(c) for c in self.cells(each, kind)] for each in (one, other)]
        strict = sign in ("Lt", "Gt")
        found = number(not strict, BOOL)
        way = "Lt" if sign in ("Lt", "LtE") else "Gt"
        for x, y in reversed(list(zip(*cells, strict=True))):
            same = b.both("and", [b.compare("Eq", x, y), found])
            found = b.both("or", [b.compare(way, x, y), same])
        return b.held(found)

    def code_of(self, value: Node) -> Node:
        """The number of a character as a name, or -1."""
        value = self.b.held(value)
        self.b.trap(self.b.compare("GtE", value, SEEN))
        known = {e: i for i, e in enumerate(self.b.atoms.values) if type(e) is str}
        table = self.b.numbers([known.get(chr(i), -1) for i in range(SEEN)])
        found = self.b.load(CONSTANTS, self.b.plus(value, table), INT)
        return Node(found.kind, found.what, found.args, INT, -1, len(self.b.atoms.values))

    def ranked(self, cell: Node) -> Node:
        """A cell, or of a name its place among the names in order."""
        if isinstance(cell.type, Atom):
            return self.b.load(CONSTANTS, self.b.plus(cell, self.b.numbers(self.ranks()[0])), INT)
        return self.b.held(cell)

    def ranks(self) -> tuple[list[int], list[int]]:
        """The place of each name that is an atom in their order, and the names in this order."""
        values = self.b.atoms.values
        order = sorted((i for i, e in enumerate(values) if type(e) is str), key=values.__getitem__)
        places = [0] * max(1, len(values))
        for place, i in enumerate(order):
            places[i] = place
        return places, order or [0]

    def truth(self, value: Any) -> Node:
        """Whether a value counts as true."""
        b = self.b
        if isinstance(value, Known):
            return number(bool(value.value), BOOL)
        if isinstance(value, (Function, Method)):
            return number(1, BOOL)
        if isinstance(value, Chosen):
            return b.compare("NotEq", self.length(value), 0)
        if isinstance(value, Group):
            return number(bool(value.items), BOOL)
        kind = self.typed(value)
        if isinstance(kind, Bool):
            return value
        if isinstance(kind, Int):
            return b.compare("NotEq", value, 0)
        if isinstance(kind, Maybe):
            return self.then(
                b.compare("NotEq", self.flag(value), 0), lambda: self.truth(self.inner(value))
            )
        if isinstance(kind, Char):
            return number(1, BOOL)
        if isinstance(kind, Atom):
            falsy = [i for i, each in enumerate(b.atoms.values) if not each]
            return b.both("and", [b.compare("NotEq", value, i) for i in falsy])
        if isinstance(kind, Bits):
            return b.both("or", [b.compare("NotEq", c, 0) for c in self.p.sets.cells(value, kind)])
        if isinstance(kind, Record) and kind.kind is not tuple and not issubclass(kind.kind, tuple):
            return number(1, BOOL)
        count = self.length(value)
        if isinstance(count, Known):
            return number(bool(count.value), BOOL)
        return b.compare("NotEq", count, 0)


class Plain:
    """An argument of a call that is a node among texts."""

    def __init__(self, node: Node) -> None:
        self.node = node

    def __str__(self) -> str:
        from searchkit.translation.nodes.lower import written

        return written(self.node)


_ = (CONSTANTS, EVER, NAMED, ONCE)
