"""Going through items: bodies are made where items are, so that nothing is kept in between."""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from typing import Any

from searchkit.translation.nodes.lattice import ANY, Ref
from searchkit.translation.nodes.node import BOOL, INT, Node, name, number
from searchkit.translation.nodes.values import (
    OBJECT,
    Chosen,
    Function,
    Group,
    Known,
    Place,
    Row,
    Stream,
)
from searchkit.translation.types import Atom, Bits, Bool, Char, Int, Never, Seq

COUNT = 1 << 20


class Going:
    """Makes loops over values."""

    def __init__(self, build: Any, parts: Any) -> None:
        self.b, self.p = build, parts
        self.path: Any = ()
        self.open: list[Any] = []
        """The dicts and sets that are gone through now."""

    def each(self, value: Any, body: Callable[[Any], None], *, ordered: bool = True) -> None:
        """Make what is done with each item."""
        b, cells = self.b, self.p.cells
        value = value if isinstance(value, Place) else self.p.names.settled(value)
        if isinstance(value, Stream):
            if value.is_set and ordered:
                raise cells.refuse("the order of a set")
            value.run(body)
            return
        if isinstance(value, Known):
            self._known(value, body, ordered=ordered)
            return
        if isinstance(value, Known) and isinstance(value.value, enum.EnumMeta):
            value = Known(tuple(value.value))
        cells.check_row(value)
        if isinstance(value, Chosen):
            value = self.p.expressions.row_of(value)
        if isinstance(value, Group):
            self._group(value, body)
            return
        value = cells.there(value)
        kind = cells.typed(value)
        if isinstance(kind, Bits):
            if ordered:
                raise cells.refuse("the order of a set")
            self.p.sets.each(value, body)
            return
        if isinstance(kind, Ref):
            heap = kind.heap
            if heap.kind in (set, frozenset) and ordered:
                raise cells.refuse("the order of a set")
            if heap.length is None or (isinstance(heap.item, Never) and heap.length == ANY):
                return
            if heap.kind is dict:
                self.unchanged(value, lambda place: body(self.key(place)))
                return
            if heap.kind is set:
                self.unchanged(value, lambda place: body(cells.loaded(place)))
                return
            if heap.length == ANY and heap.kind is list:
                self._growing(value, body)
                return
        if isinstance(value, Row) and value.type.cells <= 8:
            count = cells.length(value).value
            if count <= 2:
                for i in range(count):
                    body(cells.part(value, i))
                return
        value = cells.in_memory(value)
        self._rows(value, lambda place: body(cells.loaded(place)))
        _ = b

    def key(self, place: Place) -> Any:
        """The key of a row of a dict."""
        kind = place.type.items[0]
        return self.p.cells.loaded(Place(kind, place.memory, place.at, OBJECT))

    def _rows(self, value: Any, body: Callable[[Place], None]) -> None:
        count = self.p.cells.length(value)
        count = number(count.value) if isinstance(count, Known) else count
        if count.kind == "number" and not count.what:
            return
        with self.b.counting(number(0), count) as i:
            self.b.alone(lambda: body(self.p.cells.item_at(value, i)))

    def unchanged(self, value: Node, body: Callable[[Place], None]) -> None:
        """Items of a dict or a set, which must not become more or fewer on the way."""
        b, objects = self.b, self.p.objects
        count = b.held(objects.count(value))
        self.open.append(value.type.heap)

        def check() -> None:
            b.trap(b.compare("NotEq", objects.count(value), count))

        def one(i: Node) -> None:
            check()
            body(self.p.cells.item_at(value, i))

        with b.counting(number(0), count) as i:
            b.alone(lambda: one(i))
        self.open.pop()
        check()

    def _is_live(self, value: Any) -> bool:
        """Whether a list may become longer or shorter."""
        kind = None if isinstance(value, Stream) else self.p.cells.type_of(value)
        return isinstance(kind, Ref) and kind.kind is list and kind.heap.length == ANY

    def _growing(self, value: Any, body: Callable[[Any], None]) -> None:
        """Items of a list that may become longer or shorter on the way."""
        b = self.b
        i = b.fresh("v_n")
        b.let(i, number(0))
        here = name(i, INT, 0, COUNT)
        with b.block() as label, b.endless():
            done = b.compare("GtE", here, self.p.objects.count(value))
            b.choose(done, lambda: b.leave(label))
            at = b.fresh("n")
            b.let(at, here)
            b.let(i, b.plus(here, 1))

            def one() -> None:
                body(self.p.cells.loaded(self.p.cells.item_at(value, name(at, INT, 0, COUNT))))

            b.alone(one)

    def _known(self, value: Known, body: Callable[[Any], None], *, ordered: bool) -> None:
        b, cells = self.b, self.p.cells
        items = list(value.value)
        if len(items) <= 1:
            for each in items:
                body(Known(each))
            return
        item = b.type_of_items(items)
        if item is None:
            for each in items:
                body(Known(each))
            return
        place = b.constant(Seq(item, len(items), len(items)), tuple(items))
        place.values = [tuple(items)]
        numbers = items if isinstance(item, (Int, Bool)) else None

        def one(place: Place) -> None:
            found = cells.loaded(place)
            if numbers is not None and isinstance(found, Node):
                low, high = int(min(numbers)), int(max(numbers))
                found = Node(found.kind, found.what, found.args, item, low, high)
            body(found)

        self._rows(place, one)

    def _group(self, value: Group, body: Callable[[Any], None]) -> None:
        cells = self.p.cells
        kinds = [cells.type_of(each) for each in value.items]
        same: Any = Never()
        for each in kinds:
            same = None if same is None or each is None else self.b.join(same, each)
        if same is None or len(value.items) < 2:
            for each in value.items:
                body(each)
            return
        made = self.b.slot(Seq(same, len(kinds), len(kinds)))
        cells.store(made.at, value, made.type)
        self._rows(made, lambda place: body(cells.loaded(place)))

    # Streams

    def counted(self, bounds: Sequence[Any]) -> Stream:
        """`range`."""
        b, cells = self.b, self.p.cells
        found = [cells.number(each) for each in bounds]
        low, high = (number(0), found[0]) if len(found) == 1 else (found[0], found[1])
        step = found[2] if len(found) > 2 else number(1)
        if step.kind != "number" or not step.what:
            raise cells.refuse("a step that is not known")
        low, high, by = b.held(low), b.held(high), step.what
        if {low.kind, high.kind} == {"number"}:
            length: Any = Known(len(range(low.what, high.what, by)))
        elif abs(by) == 1:
            count = b.minus(high, low) if by > 0 else b.minus(low, high)
            count = Node(
                "call", ("max",), [count, number(0)], INT, max(0, count.low), max(0, count.high)
            )
            length = count
        else:
            length = None

        def run(body: Callable[[Any], None]) -> None:
            with b.counting(low, high, by) as i:
                b.alone(lambda: body(i))

        def at(i: Node) -> Any:
            return b.held(b.plus(low, b.times(i, by)))

        made = Stream(run, length, at)
        made.is_iterator = False
        made.bounds = (low, high, by)
        return made

    def at(self, value: Any, i: Node) -> Any:
        """An item of what has a length, at a place that is there."""
        if isinstance(value, Stream):
            if value.at is None:
                raise self.p.cells.refuse("an iterator beside another")
            return value.at(i)
        cells = self.p.cells
        return cells.loaded(cells.item_at(cells.in_memory(value), i))

    def is_sized(self, value: Any) -> bool:
        """Whether items are found by their places."""
        if isinstance(value, Stream):
            return value.length is not None and value.at is not None
        kind = self.p.cells.kind_of(value)
        return kind in (tuple, list, str) or (kind is not None and issubclass(kind, tuple))

    def count(self, value: Any) -> Node:
        """How many items there are, as a node."""
        found = self.p.cells.length(value)
        return number(found.value) if isinstance(found, Known) else found

    def enumerated(self, value: Any, start: Any) -> Stream:
        """`enumerate`."""
        b = self.b
        begin = self.p.cells.number(start)

        def run(body: Callable[[Any], None]) -> None:
            if self.is_sized(value) and not self._is_live(value):
                held = self.held(value)
                with b.counting(number(0), self.count(held)) as i:
                    b.alone(lambda: body(Group([b.held(b.plus(begin, i)), self.at(held, i)])))
                return
            title = b.fresh("v_n")
            b.let(title, begin)
            sized = None
            if not (isinstance(value, Stream) and value.length is None):
                sized = self._most(value)
            high = COUNT if sized is None else begin.high + sized - 1

            def one(item: Any) -> None:
                i = b.fresh("n")
                here = name(title, INT, begin.low, max(high, begin.low))
                b.let(i, here)
                b.let(title, b.plus(here, 1))
                body(Group([name(i, INT, here.low, here.high), item]))

            self.each(value, one)

        sized = self.is_sized(value)
        return Stream(
            run,
            self.p.cells.length(value) if sized else None,
            (lambda i: Group([b.plus(begin, i), self.at(value, i)])) if sized else None,
        )

    def _most(self, value: Any) -> int | None:
        kind = self.p.cells.kind_of(value)
        if isinstance(value, Stream) or kind in (dict, set, frozenset):
            return None
        found = self.p.cells.length(value)
        return found.value if isinstance(found, Known) else found.high

    def zipped(self, values: Sequence[Any], *, strict: bool) -> Stream:
        """`zip`."""
        b = self.b
        if not values:
            return Stream(lambda body: None, Known(0))
        known = [each for each in values if isinstance(each, Known)]
        if len(known) == len(values) and all(
            isinstance(e.value, (tuple, list, str)) for e in known
        ):
            items = tuple(zip(*(e.value for e in known), strict=False))
            return Stream(lambda body: self.each(Known(items), body), Known(len(items)), None)
        values = [
            self.solid(each) if isinstance(each, Stream) and each.kind and not each.at else each
            for each in values
        ]
        moving = [each for each in values if not self.is_sized(each)]
        if len(moving) > 1:
            raise self.p.cells.refuse("zips several iterators")
        held = [self.held(each) if each not in moving else each for each in values]
        counts = [self.count(each) for each in held if each not in moving]
        least = counts[0]
        for other in counts[1:]:
            if strict:
                b.trap(b.compare("NotEq", least, other))
            elif other.kind == least.kind == "number":
                least = number(min(other.what, least.what))
            else:
                least = b.held(
                    Node(
                        "call",
                        ("min",),
                        [least, other],
                        INT,
                        min(least.low, other.low),
                        min(least.high, other.high),
                    )
                )

        def live(body: Callable[[Any], None]) -> None:
            if strict:
                raise self.p.cells.refuse("zips lists that may grow strictly")
            title = b.fresh("v_n")
            b.let(title, number(0))
            here = name(title, INT, 0, COUNT)
            with b.block() as label, b.endless():
                tests = [b.compare("GtE", here, self.count(each)) for each in held]
                b.choose(b.both("or", tests), lambda: b.leave(label))
                at = b.fresh("n")
                b.let(at, here)
                b.let(title, b.plus(here, 1))
                i = name(at, INT, 0, COUNT)
                b.alone(lambda: body(Group([self.at(each, i) for each in held])))

        if not moving and any(map(self._is_live, held)):
            return Stream(live)

        def run(body: Callable[[Any], None]) -> None:
            if not moving:
                with b.counting(number(0), least) as i:
                    b.alone(lambda: body(Group([self.at(each, i) for each in held])))
                return
            title = b.fresh("v_n")
            b.let(title, number(0))
            here = name(title, INT, 0, COUNT)
            with b.block() as label:

                def one(item: Any) -> None:
                    b.choose(b.compare("GtE", here, least), lambda: b.leave(label))
                    i = b.fresh("n")
                    b.let(i, here)
                    b.let(title, b.plus(here, 1))
                    at = name(i, INT, 0, max(0, least.high - 1))
                    body(Group([item if e in moving else self.at(e, at) for e in held]))

                self.each(moving[0], one)
                if strict:
                    raise self.p.cells.refuse("zips an iterator strictly")

        if moving:
            return Stream(run)
        return Stream(run, _length(least), lambda i: Group([self.at(each, i) for each in held]))

    def held(self, value: Any) -> Any:
        """A value whose items are found by their places."""
        if isinstance(value, Node):
            value = self.b.held(value)
        if isinstance(value, Stream):
            return value if value.at is not None else self.solid(value)
        return self.p.cells.in_memory(self.p.cells.there(value))

    def turned(self, value: Any) -> Stream:
        """`reversed`."""
        b = self.b
        if isinstance(value, Stream) and value.kind and not value.at:
            value = self.solid(value)
        if not self.is_sized(value):
            raise self.p.cells.refuse("reverses an iterator")
        value = self.held(value)
        value = self.p.names.settled(value) if isinstance(value, Node) else value
        count = b.held(self.count(value))
        if self._is_live(value):

            def live(body: Callable[[Any], None]) -> None:
                with b.block() as label, b.counting(b.minus(count, 1), number(-1), -1) as i:
                    b.choose(b.compare("GtE", i, self.count(value)), lambda: b.leave(label))
                    b.alone(lambda: body(self.at(value, i)))

            return Stream(live, count)

        def at(i: Node) -> Any:
            return self.at(value, b.held(b.minus(b.minus(count, 1), i)))

        def run(body: Callable[[Any], None]) -> None:
            with b.counting(number(0), count) as i:
                b.alone(lambda: body(at(i)))

        return Stream(run, _length(count), at)

    def sliced(self, value: Any, bounds: Sequence[Any], kind: Any) -> Any:
        """A slice."""
        b, cells = self.b, self.p.cells
        if all(each is None or isinstance(each, Known) for each in bounds):
            given = slice(*[None if each is None else each.value for each in bounds])
            if isinstance(value, Known):
                return Known(value.value[given])
            if isinstance(value, Group):
                items = value.items[given]
                return Group(items, value.kind if value.kind is list else tuple)
            own = None if isinstance(value, Stream) else cells.typed(value)
            if isinstance(value, Row) or (own is not None and not isinstance(own, (Ref, Seq))):
                count = cells.length(value).value
                return Group([cells.part(value, i) for i in range(count)[given]], tuple)
        step = 1 if bounds[2] is None else bounds[2].value if isinstance(bounds[2], Known) else None
        if step not in (1, -1) or (step == -1 and (bounds[0] or bounds[1])):
            if step is None or not isinstance(step, int) or step < 1:
                raise cells.refuse("slices by a step that is not known")
        if isinstance(value, Stream) and value.kind and not value.at:
            value = self.solid(value)
        if not self.is_sized(value):
            raise cells.refuse("slices an iterator")
        value = self.held(value)
        count = b.held(self.count(value))
        if step == -1:
            turned = self.turned(value)
            turned.kind = kind
            return turned
        low = (
            number(0)
            if bounds[0] is None
            else self.p.objects.bounded(cells.number(bounds[0]), count)
        )
        high = (
            count if bounds[1] is None else self.p.objects.bounded(cells.number(bounds[1]), count)
        )
        own = None if isinstance(value, Stream) else cells.type_of(value)
        if (
            isinstance(own, Seq)
            and low.kind == high.kind == "number"
            and step == 1
            and own.kind is not list
        ):
            size = max(0, high.what - low.what)
            at = b.plus(b.plus(value.at, own.start), low.what * own.item.cells)
            return Place(Seq(own.item, size, size, own.kind), value.memory, at, value.lasts)
        length = b.minus(high, low)
        if step != 1:
            length = Node("binary", "FloorDiv", [b.plus(length, step - 1), number(step)], INT,
                          (length.low + step - 1) // step, (length.high + step - 1) // step)  # fmt: skip
        if length.low < 0:
            length = Node("call", ("max",), [length, number(0)], INT, 0, max(0, length.high))
        length = b.held(length)

        def at_place(i: Node) -> Any:
            return self.at(value, b.held(b.plus(low, b.times(i, step))))

        def run(body: Callable[[Any], None]) -> None:
            with b.counting(number(0), length) as i:
                b.alone(lambda: body(at_place(i)))

        made = Stream(run, _length(length), at_place)
        if isinstance(value, Place) and step == 1:
            made.part_of = (value, low, high)
        made.kind = kind
        return made

    def chained(self, values: Sequence[Any], kind: Any) -> Stream:
        """One behind the other; with a class, where it is a sum of rows."""
        b = self.b
        total: Any = number(0)
        for each in values:
            if isinstance(each, Stream) and each.length is None:
                total = None
                break
            found = self.count(each)
            total = b.plus(total, found)

        def run(body: Callable[[Any], None]) -> None:
            for each in values:
                self.each(each, body)

        made = Stream(run, None if total is None else _length(b.held(total)))
        made.kind = kind
        return made

    def solid(self, value: Any) -> Any:
        """A value that stays what it is: rows that are made on the way are made now."""
        if not isinstance(value, Stream):
            return value
        kind = value.kind
        if kind is None:
            raise self.p.cells.refuse("keeps an iterator")
        if kind is tuple and isinstance(value.length, Known) and value.length.value <= 0:
            return Known(())
        b = self.b
        key = ("solid", self.path, b.line, b.seen.setdefault(("solid", self.path, b.line), 0))
        b.seen[("solid", self.path, b.line)] += 1
        if isinstance(value.length, Known) and kind in (tuple, str):
            return self.fixed(key, value, kind)
        return self.p.objects.collected(b.heap(key, kind), value)

    def fixed(self, key: Any, value: Any, kind: Any) -> Any:
        """A row whose length is known, as a value."""
        b, cells = self.b, self.p.cells
        count = cells.length(value).value
        if not count:
            return Known(kind())
        variable = b.variable((*key, "item"))
        made: list[Place] = []
        i = b.fresh("v_n")
        b.let(i, number(0))
        here = name(i, INT, 0, COUNT)

        def one(item: Any) -> None:
            item = self.solid(item)
            own = cells.typed(item)
            bounds = (item.low, item.high) if isinstance(item, Node) else (0, 0)
            b.grow(variable, own, *bounds)
            if not made:
                made.append(b.slot(Seq(variable.type, count, count, kind)))
            at = b.held(b.plus(made[0].at, b.times(here, variable.type.cells)), "to")
            cells.store(at, item, variable.type)
            b.let(i, b.plus(here, 1))

        self.each(value, one)
        if not made:
            from searchkit.translation.nodes.build import Bottom

            raise Bottom
        if made[0].type.item != variable.type:
            b.changed = True
        return made[0]


def _length(node: Node) -> Any:
    return Known(node.what) if node.kind == "number" else node


_ = (BOOL, Function, Atom, Char, Sequence)
