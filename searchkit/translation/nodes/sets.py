"""Sets: bits of a state's universe, and what rules make, as objects without an item twice."""

from __future__ import annotations

import enum
from collections.abc import Callable
from typing import Any

from searchkit.translation import types
from searchkit.translation.nodes.lattice import ANY, Ref
from searchkit.translation.nodes.node import BOOL, CONSTANTS, FRAME, INT, Node, name, number
from searchkit.translation.nodes.values import OBJECT, Group, Known, Place, Row, Stream
from searchkit.translation.types import Atom, Bits, Bool, Char, Grid, Int, Never, Record, Seq

DENSE = 16384
"""How many numbers a table of members or keys has at most."""


class Sets:
    """What is done with sets, and looking up what is known."""

    def __init__(self, build: Any, parts: Any) -> None:
        self.b, self.p = build, parts

    # Bits

    def cells(self, value: Any, kind: Bits, *, inside: bool = True) -> list[Node]:
        """The cells of a set as bits; of members that have none, only if they must be `inside`."""
        b, cells = self.b, self.p.cells
        own = cells.type_of(value)
        if isinstance(own, Bits) and own.universe == kind.universe and not isinstance(value, Known):
            return value.cells if isinstance(value, Row) else cells.loads(value)
        if isinstance(value, Known):
            found = [0] * kind.cells
            for member in value.value:
                try:
                    place = kind.universe.place(member, b.atoms)
                except types.Unfit as error:
                    if inside:
                        raise cells.refuse(str(error)) from error
                    continue
                found[place // kind.width] |= 1 << place % kind.width
            return [number(each) for each in found]
        made = b.slot(kind, OBJECT)
        cells.clear(made.at, kind.cells)

        def one(item: Any) -> None:
            there, place = self.place(item, kind)
            if inside:
                b.trap(b.negated(there))
            b.choose(there, lambda: self._set_bit(made, place(), kind))

        self.p.going.each(value, one, ordered=False)
        return cells.loads(made)

    def _set_bit(self, made: Place, place: Node, kind: Bits) -> None:
        b = self.b
        at, bit = self._bit(place, kind)
        at = b.held(b.plus(made.at, at), "to")
        old = b.load(FRAME, at, INT)
        b.put(at, Node("binary", "BitOr", [old, bit], INT, 0, 1 << 62))

    def _bit(self, place: Node, kind: Bits) -> tuple[Node, Node]:
        if kind.cells == 1:
            return number(0), Node("binary", "LShift", [number(1), place], INT, 0, 1 << 62)
        at = Node("binary", "FloorDiv", [place, number(kind.width)], INT, 0, kind.cells - 1)
        rest = Node("binary", "Mod", [place, number(kind.width)], INT, 0, kind.width - 1)
        return at, Node("binary", "LShift", [number(1), rest], INT, 0, 1 << 62)

    def place(self, item: Any, kind: Bits) -> tuple[Node, Callable[[], Node]]:
        """Whether an item is in the universe, and its number there."""
        b, cells = self.b, self.p.cells
        universe = kind.universe
        if isinstance(item, Known):
            try:
                found = universe.place(item.value, b.atoms)
            except types.Unfit:
                return number(0, BOOL), lambda: number(0)
            return number(1, BOOL), lambda: number(found)
        item = cells.there(self.p.going.solid(item))
        if not isinstance(universe, Grid):
            own = cells.typed(item)
            if isinstance(own, Char):
                found = cells.code_of(item)
                return b.both(
                    "and", [b.compare("GtE", found, 0), b.compare("Lt", found, universe.size)]
                ), lambda: found
            if not isinstance(own, Atom):
                found = b.held(self.known_place(list(b.atoms.values[: universe.size]), item))
                return b.compare("GtE", found, 0), lambda: found
            code = b.held(cells.scalar(item, Atom(own.kind)))
            return b.compare("Lt", code, universe.size), lambda: code
        if universe.is_bare:
            if not isinstance(cells.typed(item), (Int, Bool)):
                return number(0, BOOL), lambda: number(0)
            numbers = [b.held(cells.number(item))]
        else:
            length = cells.length(item)
            if not isinstance(length, Known):
                raise cells.refuse("a row of unknown length in a set")
            if length.value != len(universe.lows) or cells.kind_of(item) is not tuple:
                return number(0, BOOL), lambda: number(0)
            numbers = [b.held(cells.number(cells.part(item, i))) for i in range(length.value)]
        tests, place = [], number(0)
        for each, low, size in zip(numbers, universe.lows, universe.sizes, strict=True):
            tests += [b.compare("GtE", each, low), b.compare("Lt", each, low + size)]
            place = b.plus(b.times(place, size), b.minus(each, low))
        there = b.held(b.both("and", tests))
        place = Node(place.kind, place.what, place.args, INT, 0, max(0, universe.size - 1))
        return there, lambda: b.held(place)

    def each(self, value: Any, body: Callable[[Any], None]) -> None:
        """Members of bits, by their numbers."""
        b, cells = self.b, self.p.cells
        kind = value.type
        for i, cell in enumerate(self.cells(value, kind)):
            rest = b.fresh("v_rest")
            b.let(rest, cell)
            left = name(rest, INT, 0, 1 << 62)
            with b.block() as label, b.endless():
                b.choose(b.compare("Eq", left, 0), lambda: b.leave(label))
                bit = b.held(Node("call", ("lowest_one",), [left], INT, 0, kind.width - 1))
                below = Node("binary", "Sub", [left, number(1)], INT, 0, 1 << 62)
                b.let(rest, Node("binary", "BitAnd", [left, below], INT, 0, 1 << 62))
                place = b.plus(bit, i * kind.width)
                b.alone(lambda place=place: body(self.member_at(place, kind)))
        _ = cells

    def member_at(self, place: Node, kind: Bits) -> Any:
        """The member with a number."""
        b, universe = self.b, kind.universe
        if not isinstance(universe, Grid):
            found = b.held(place)
            if universe.kind is not str and not (
                isinstance(universe.kind, type) and issubclass(universe.kind, enum.Enum)
            ):
                values = list(b.atoms.values[: universe.size])
                item = b.type_of_items(values)
                if item is not None and not isinstance(item, Atom):
                    return self.p.expressions.at_known(values, item, found)
            return Node(found.kind, found.what, found.args, Atom(universe.kind), 0, universe.size)
        numbers = []
        for low, size in reversed(list(zip(universe.lows, universe.sizes, strict=True))):
            is_first = len(numbers) == len(universe.lows) - 1
            rest = (
                place
                if is_first
                else Node("binary", "Mod", [place, number(size)], INT, 0, size - 1)
            )
            found = b.held(b.plus(rest, low))
            numbers.append(Node(found.kind, found.what, found.args, INT, low, low + size - 1))
            place = b.held(
                Node(
                    "binary",
                    "FloorDiv",
                    [place, number(size)],
                    INT,
                    0,
                    max(0, place.high // max(1, size)),
                )
            )
        return numbers[0] if universe.is_bare else Group(list(reversed(numbers)))

    def size(self, value: Any) -> Node:
        """How many members bits have."""
        b = self.b
        total = number(0)
        for cell in self.cells(value, value.type):
            total = b.plus(total, Node("call", ("count_ones",), [cell], INT, 0, value.type.width))
        return b.held(total)

    # Any sets

    def kind_of_both(self, one: Any, other: Any) -> Any:
        """The bits that both are made to; None if neither has any."""
        kinds = [self.p.cells.type_of(each) for each in (one, other)]
        found = [each for each in kinds if isinstance(each, Bits)]
        if len(found) == 2 and isinstance(one, Known) is not isinstance(other, Known):
            found = [
                k for k, v in zip(kinds, (one, other), strict=True) if not isinstance(v, Known)
            ]
        if isinstance(one, Known) and isinstance(other, Known):
            return None
        typed = [k for k, v in zip(kinds, (one, other), strict=True)
                 if isinstance(k, Bits) and not isinstance(v, Known)]  # fmt: skip
        return typed[0] if typed else None

    def contains(self, item: Any, value: Any) -> Node:
        """Whether a set has an item."""
        b, cells = self.b, self.p.cells
        if isinstance(value, Known):
            return b.compare("GtE", self.known_place(list(value.value), item), 0)
        kind = cells.typed(value)
        if isinstance(kind, Ref):
            if isinstance(kind.heap.item, Never):
                return number(0, BOOL)
            return b.compare("GtE", self.find(value, item), 0)
        there, place = self.place(item, kind)

        def look() -> Node:
            at, bit = self._bit(place(), kind)
            if isinstance(value, Row) and kind.cells == 1:
                cell = value.cells[0]
            elif isinstance(value, Row):
                made = b.slot(kind)
                cells.store(made.at, value, kind)
                cell = b.load(FRAME, b.plus(made.at, at), INT)
            else:
                cell = b.load(value.memory, b.plus(value.at, at), INT)
            both = Node("binary", "BitAnd", [cell, bit], INT, 0, 1 << 62)
            return b.held(Node("compare", "NotEq", [both, number(0)], BOOL, 0, 1))

        return cells.then(there, look)

    def find(self, ref: Node, item: Any) -> Node:
        """The place of a member of an object, or -1."""
        return self._place_in(ref, item)

    def add(self, ref: Node, item: Any) -> None:
        """Let an object have a member."""
        b, cells, objects = self.b, self.p.cells, self.p.objects
        item = self.p.going.solid(item)
        objects.check_key(cells.typed(item))
        objects.widen(ref.type.heap, cells.typed(item))
        b.lengthen(ref.type.heap, ANY)
        item = objects._settled(item, ref.type.heap.item)
        at = self._place_in(ref, item)
        b.choose(b.compare("Lt", at, 0), lambda: objects.append(ref, item))

    def _place_in(self, ref: Node, item: Any) -> Node:
        """The place of an item in a set, whose order nobody sees."""
        b, cells, objects = self.b, self.p.cells, self.p.objects
        found = b.fresh("found")
        b.let(found, number(-1))
        with b.block() as label, b.counting(number(0), objects.count(ref)) as i:

            def here() -> None:
                b.let(found, i)
                b.leave(label)

            b.choose(cells.equal(cells.loaded(cells.item_at(ref, i)), item), here)
        return name(found, INT, -1, 1 << 20)

    def remove(self, ref: Node, item: Any, *, must: bool) -> None:
        """Let an object no longer have a member."""
        b, objects = self.b, self.p.objects
        if isinstance(ref.type.heap.item, Never):
            if must:
                b.trap()
            return
        at = self._place_in(ref, self.p.going.solid(item))
        if must:
            b.trap(b.compare("Lt", at, 0))
        b.choose(b.compare("GtE", at, 0), lambda: objects.take_out(ref, at))

    def operate(self, sign: str, one: Any, other: Any, key: Any) -> Any:
        """`| & - ^` of two sets."""
        b, cells = self.b, self.p.cells
        kind = self.kind_of_both(one, other)
        made_of = cells.kind_of(one)
        if kind is not None and sign in ("BitOr", "BitXor"):
            for each in (one, other):
                if isinstance(each, Known):
                    if not self._has_all(kind, each.value):
                        kind = None
                        break
                elif (
                    not isinstance(cells.type_of(each), Bits)
                    or cells.type_of(each).universe != kind.universe
                ):
                    kind = None
                    break
        if kind is not None and sign == "Sub" and not isinstance(cells.type_of(one), Bits):
            kind = None
        if kind is not None and isinstance(one, Known) and not self._has_all(kind, one.value):
            kind = None
        if kind is not None:
            needs = {
                "BitOr": (True, True),
                "BitXor": (True, True),
                "BitAnd": (False, False),
                "Sub": (True, False),
            }
            found = [
                self.cells(each, kind, inside=n)
                for each, n in zip((one, other), needs[sign], strict=True)
            ]
            made = []
            for x, y in zip(*found, strict=True):
                if sign == "Sub":
                    both = Node("binary", "BitAnd", [x, y], INT, 0, 1 << 62)
                    made.append(b.held(Node("binary", "BitXor", [x, both], INT, 0, 1 << 62)))
                else:
                    made.append(b.held(Node("binary", sign, [x, y], INT, 0, 1 << 62)))
            kind = Bits(kind.universe, made_of if made_of in (set, frozenset) else kind.kind)
            return Row(kind, made)
        ref = self.p.objects.new(b.heap(key, made_of), 8, ANY)
        b.put(ref, number(0))
        each = self.p.going.each
        if sign == "BitOr":
            each(one, lambda item: self.p.objects.append(ref, item), ordered=False)
            each(other, lambda item: self.add(ref, item), ordered=False)
        else:

            def take(item: Any, beside: Any, wanted: bool) -> None:
                item = self.p.going.solid(item)
                test = self.contains(item, beside)
                test = test if wanted else b.negated(test)
                b.choose(test, lambda: self.p.objects.append(ref, item))

            each(one, lambda item: take(item, other, sign == "BitAnd"), ordered=False)
            if sign == "BitXor":
                each(other, lambda item: take(item, one, False), ordered=False)
        return ref

    def _has_all(self, kind: Bits, members: Any) -> bool:
        """Whether bits have room for all of several members."""
        try:
            for each in members:
                kind.universe.place(each, self.b.atoms)
        except types.Unfit:
            return False
        return True

    def count(self, value: Any) -> Node:
        """How many members a set has."""
        found = self.p.cells.length(value)
        return number(found.value) if isinstance(found, Known) else found

    def equal(self, one: Any, other: Any) -> Node:
        """Whether two sets have the same members."""
        b = self.b
        kinds = [self.p.cells.kind_of(each) for each in (one, other)]
        if not all(each in (set, frozenset) for each in kinds):
            return number(0, BOOL)
        sizes = b.compare("Eq", self.count(one), self.count(other))
        return self.p.cells.then(sizes, lambda: self.within(one, other))

    def within(self, one: Any, other: Any) -> Node:
        """Whether all members of a set are of another."""
        b = self.b
        kind = self.kind_of_both(one, other)
        if kind is not None and self.p.cells.type_of(one) == kind:
            mine, theirs = (self.cells(each, kind, inside=False) for each in (one, other))
            tests = []
            for x, y in zip(mine, theirs, strict=True):
                both = Node("binary", "BitAnd", [x, y], INT, 0, 1 << 62)
                tests.append(Node("compare", "Eq", [both, x], BOOL, 0, 1))
            return b.held(b.both("and", tests))
        answer = b.fresh("within")
        b.let(answer, number(1, BOOL))
        with b.block() as label:

            def one_item(item: Any) -> None:
                def lacks() -> None:
                    b.let(answer, number(0, BOOL))
                    b.leave(label)

                b.choose(b.negated(self.contains(item, other)), lacks)

            self.p.going.each(one, one_item, ordered=False)
        return name(answer, BOOL, 0, 1)

    def ordered(self, sign: str, one: Any, other: Any) -> Node:
        """Whether a set is a part of another."""
        if not all(self.p.cells.kind_of(e) in (set, frozenset) for e in (one, other)):
            raise self.p.cells.refuse("compares a set with another value")
        if sign in ("Gt", "GtE"):
            return self.ordered({"Gt": "Lt", "GtE": "LtE"}[sign], other, one)
        found = self.within(one, other)
        if sign == "LtE":
            return found
        sizes = self.b.compare("Lt", self.count(one), self.count(other))
        return self.b.both("and", [found, sizes])

    # What is known

    def known_place(self, keys: list[Any], item: Any) -> Node:
        """The place of a value among keys that are known, or -1."""
        b, cells = self.b, self.p.cells
        if isinstance(item, Known):
            return number(keys.index(item.value) if item.value in keys else -1)
        item = self.p.going.solid(item)
        if not keys:
            return number(-1)
        own = cells.type_of(item)
        if isinstance(own, types.Maybe):
            none = keys.index(None) if None in keys else -1
            found = b.fresh("found")
            b.let(found, number(none))
            flag = b.compare("NotEq", cells.flag(item), 0)
            b.choose(flag, lambda: b.let(found, self.known_place(keys, cells.inner(item))))
            return name(found, INT, -1, len(keys) - 1)
        kind = b.type_of_items(keys)
        if kind is None:
            keys_of = dict(enumerate(keys))
            found = b.fresh("found")
            b.let(found, number(-1))
            for i, k in keys_of.items():
                b.choose(cells.equal(item, Known(k)), lambda i=i: b.let(found, number(i)))
            return name(found, INT, -1, len(keys) - 1)
        if isinstance(kind, types.Maybe):
            keys = list(keys)
            at = [i for i, each in enumerate(keys) if each is not None]
            inner = self.known_place([keys[i] for i in at], item)
            table = b.numbers([-1, *at])
            return b.load(CONSTANTS, b.plus(inner, table + 1), INT)
        if isinstance(kind, Bits):
            raise cells.refuse("sets among sets")
        joined = (
            None if own is None else types.join(kind, own) if not isinstance(own, Ref) else None
        )
        if joined is None or not isinstance(joined, (Int, Bool, Char, Atom, Record, Seq)):
            if isinstance(own, (Ref,)) or (isinstance(own, (Atom, Char, Seq)) and own != kind):
                return self._one_by_one(keys, item)
            return number(-1)
        if isinstance(joined, (Int, Bool, Char, Atom)):
            numbers = [[cells.scalar(Known(k), joined).what] for k in keys]
            given = [b.held(cells.scalar(item, joined))]
        elif (
            isinstance(joined, (Record, Seq))
            and all(isinstance(each, (Int, Bool, Char, Atom)) for each in self._parts(joined))
            and (not isinstance(joined, Seq) or joined.is_fixed)
            and joined.cells <= 8
        ):
            numbers = [[c.what for c in cells.cells(Known(k), joined)] for k in keys]
            given = [b.held(each) for each in cells.cells(item, joined)]
        else:
            return self._one_by_one(keys, item)
        return self._dense(numbers, given) or self._one_by_one(keys, item)

    def _parts(self, kind: Any) -> tuple[Any, ...]:
        return kind.items if isinstance(kind, Record) else (kind.item,)

    def _dense(self, numbers: list[list[int]], given: list[Node]) -> Node | None:
        b = self.b
        columns = list(zip(*numbers, strict=True))
        lows, size = [min(each) for each in columns], 1
        sizes = [max(each) + 1 - low for each, low in zip(columns, lows, strict=True)]
        for each in sizes:
            size *= each
        if size > DENSE:
            return None
        table = [-1] * size
        for i, row in reversed(list(enumerate(numbers))):
            place = 0
            for each, low, count in zip(row, lows, sizes, strict=True):
                place = place * count + each - low
            table[place] = i
        tests, at = [], number(0)
        for each, low, count in zip(given, lows, sizes, strict=True):
            tests += [b.compare("GtE", each, low), b.compare("Lt", each, low + count)]
            at = b.plus(b.times(at, count), b.minus(each, low))
        found, begin = b.fresh("found"), b.numbers(table)
        b.let(found, number(-1))
        place = b.plus(at, begin)

        def look() -> None:
            b.let(found, Node("load", CONSTANTS, [place], INT, -1, len(numbers) - 1))

        b.choose(b.both("and", tests), look)
        return name(found, INT, -1, len(numbers) - 1)

    def _one_by_one(self, keys: list[Any], item: Any) -> Node:
        b, cells = self.b, self.p.cells
        if len(keys) > 64:
            raise cells.refuse("looks up among many keys")
        found = b.fresh("found")
        b.let(found, number(-1))
        for i, key in reversed(list(enumerate(keys))):
            b.choose(cells.equal(item, Known(key)), lambda i=i: b.let(found, number(i)))
        return name(found, INT, -1, len(keys) - 1)


_ = (Bool, Stream)
