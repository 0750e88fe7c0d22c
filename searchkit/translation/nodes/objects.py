"""What has an identity, or no bounded length: lists, dicts, and tuples and texts that are made.

An object whose length never changes is a run of cells. Any other begins with its length, where its
items are, and for how many there is room. Objects are made one behind the other, so that one is
never written over another; where there is no room, the state is left to Python.
"""

from __future__ import annotations

from typing import Any

from searchkit.translation.nodes.build import Bottom
from searchkit.translation.nodes.cellwise import cell_types
from searchkit.translation.nodes.lattice import ANY, Heap, Ref, has_ref, is_flat, is_scalar
from searchkit.translation.nodes.node import BOOL, CONSTANTS, FRAME, INT, Node, name, number
from searchkit.translation.nodes.values import OBJECT, Group, Known, Place, Row, Stream
from searchkit.translation.types import Atom, Bool, Char, Int, Maybe, Never, Record, Seq

TOP, LIMIT = name("top", INT), name("limit", INT)


class Objects:
    """Makes, reads and changes objects."""

    def __init__(self, build: Any, parts: Any) -> None:
        self.b, self.p = build, parts

    # Making

    def _taken(self, size: Node | int) -> Node:
        b = self.b
        b.grows = True
        title = b.fresh("at")
        b.let(title, TOP)
        b.let("top", b.plus(TOP, size))
        b.trap(b.compare("Gt", TOP, LIMIT))
        return name(title, INT, 0, 1 << 30)

    def new(self, heap: Heap, room: Node | int, length: Node | int) -> Node:
        """An object with so many items, which are to be written, and room for more."""
        b = self.b
        b.lengthen(heap, length if isinstance(length, int) and heap.kind is not dict else ANY)
        heap = heap.root()
        size = heap.item.cells
        if heap.length != ANY:
            if id(heap) in b.static:
                at = number(b.cells)
                b.cells += heap.length * size
            else:
                at = self._taken(heap.length * size)
        else:
            rooms = b.times(number(room) if isinstance(room, int) else room, size)
            at = self._taken(b.plus(rooms, 3))
            b.put(at, number(length) if isinstance(length, int) else length)
            b.put(b.plus(at, 1), b.plus(at, 3))
            b.put(b.plus(at, 2), number(room) if isinstance(room, int) else room)
        return Node(at.kind, at.what, at.args, Ref(heap), at.low, at.high)

    def widen(self, heap: Heap, kind: Any) -> None:
        """Let objects have items of a type."""
        if not self.b.widen(heap, kind):
            raise self.p.cells.refuse(f"a list of {heap.root().item} and {kind}")

    def of_items(self, heap: Heap, items: list[Any]) -> Node:
        """An object of values."""
        for each in items:
            self.widen(heap, self.p.cells.typed(each))
        ref = self.new(heap, len(items), len(items))
        self._write_items(ref, items)
        return ref

    def _write_items(self, ref: Node, items: list[Any]) -> None:
        b, data, heap = self.b, self.data(ref), ref.type.heap
        for i, each in enumerate(items):
            self.p.cells.store(b.plus(data, i * heap.item.cells), each, heap.item)

    def of_known(self, heap: Heap, value: Any) -> Node:
        """An object with what is known."""
        return self.of_items(heap, [Known(each) for each in value])

    def copied(self, value: Any, heap: Heap) -> Node:
        """An immutable value as an object."""
        cells, _b = self.p.cells, self.b
        kind = cells.kind_of(value)
        if kind is not heap.kind or kind not in (tuple, str, frozenset, set):
            raise cells.refuse(f"{kind} as {heap.kind}")
        if kind in (set, frozenset):
            return self.collected(heap, value, is_set=True)
        return self.collected(heap, value)

    def collected(self, heap: Heap, value: Any, *, is_set: bool = False) -> Node:
        """An object with all items of what is gone through."""
        b, cells = self.b, self.p.cells
        if isinstance(value, Group) and not is_set:
            return self.of_items(heap, value.items)
        if isinstance(value, Known) and not is_set and len(value.value) <= 4:
            return self.of_known(heap, list(value.value))
        if is_set:
            ref = self.new(heap, 8, ANY)
            b.put(ref, number(0))
            self.p.going.each(value, lambda item: self.p.sets.add(ref, item), ordered=False)
            return ref
        is_sized = not isinstance(value, Stream) or value.length is not None
        count = cells.length(value) if is_sized else None
        if count is None:
            ref = self.new(heap, 8, ANY)
            b.put(ref, number(0))
            self.p.going.each(value, lambda item: self.append(ref, item))
            return ref
        size = count.value if isinstance(count, Known) else count
        if isinstance(value, Known):
            self.widen(heap, cells.row_type(value).item)
        ref = self.new(heap, size, size)
        self.p.changes.copied(ref, value)
        data, i = self.data(ref), b.fresh("n")
        b.let(i, number(0))

        def one(item: Any) -> None:
            item = self.p.going.solid(item)
            self.widen(heap, cells.typed(item))
            here = heap.root().item
            at = b.held(b.plus(data, b.times(name(i, INT, 0, 1 << 30), here.cells)), "to")
            cells.store(at, item, here)
            b.let(i, b.plus(name(i, INT, 0, 1 << 30), 1))

        self.p.going.each(value, one)
        return ref

    # Reading

    def data(self, ref: Node) -> Node:
        """Where the items are."""
        at = Node(ref.kind, ref.what, ref.args, INT, 0, 1 << 30)
        if ref.type.heap.length != ANY:
            return at
        found = self.b.load(FRAME, self.b.plus(at, 1), INT)
        return Node(found.kind, found.what, found.args, INT, 0, 1 << 30)

    def length(self, ref: Node) -> Any:
        """How many items there are."""
        heap = ref.type.heap
        if heap.length is None:
            raise Bottom
        if heap.length != ANY:
            return Known(heap.length)
        found = self.b.load(FRAME, Node(ref.kind, ref.what, ref.args, INT), INT)
        return Node(found.kind, found.what, found.args, INT, 0, 1 << 20)

    def count(self, ref: Node) -> Node:
        """How many there are, as a node."""
        found = self.length(ref)
        return number(found.value) if isinstance(found, Known) else found

    def _address(self, ref: Node) -> Node:
        return Node(ref.kind, ref.what, ref.args, INT, 0, 1 << 30)

    # Changing

    def _call(self, what: str, *args: Any, kind: Any = INT) -> Node:
        """What a function of the library says of the frame."""
        texts = (what, FRAME)
        return self.b.held(Node("call", texts, list(args), kind))

    def append(self, ref: Node, value: Any) -> None:
        """Put an item behind the others."""
        b, cells = self.b, self.p.cells
        heap = ref.type.heap
        value = self.p.going.solid(value)
        self.widen(heap, cells.typed(value))
        b.lengthen(heap, ANY)
        heap = heap.root()
        value = self._settled(value, heap.item)
        self._room(ref)
        count = self.count(ref)
        at = b.held(b.plus(self.data(ref), b.times(count, heap.item.cells)), "to")
        cells.store(at, value, heap.item)
        b.put(self._address(ref), b.plus(count, 1))

    def _settled(self, value: Any, kind: Any) -> Any:
        """A value as one of a type, before anything is moved."""
        cells = self.p.cells
        if isinstance(value, Known) and not has_ref(kind):
            return value
        return cells.as_type(value, kind)

    def _room(self, ref: Node) -> None:
        b, size = self.b, ref.type.heap.item.cells
        b.grows = True
        title = b.fresh("free")
        b.let(
            title,
            Node("call", ("grow", FRAME), [self._address(ref), number(size), TOP, LIMIT], INT),
        )
        b.trap(b.compare("Lt", name(title, INT), 0))
        b.let("top", name(title, INT))

    def insert(self, ref: Node, i: Any, value: Any) -> None:
        """Put an item in front of another."""
        b, cells, heap = self.b, self.p.cells, ref.type.heap
        value = self.p.going.solid(value)
        self.widen(heap, cells.typed(value))
        b.lengthen(heap, ANY)
        value = self._settled(value, heap.root().item)
        self._room(ref)
        size, count = heap.root().item.cells, self.count(ref)
        at = self.bounded(cells.number(i), count)
        data = self.data(ref)
        to = b.held(b.plus(data, b.times(at, size)), "to")
        end = b.plus(data, b.times(count, size))
        self._call("shift_up", to, end, number(size))
        cells.store(to, value, heap.root().item)
        b.put(self._address(ref), b.plus(count, 1))

    def bounded(self, i: Node, count: Node) -> Node:
        """A bound of a slice as a place from 0 to the length."""
        b = self.b
        if i.kind == "number" and count.kind == "number":
            return number(max(0, min(count.what, i.what if i.what >= 0 else i.what + count.what)))
        i = b.held(i)
        if i.low < 0:
            turned = b.plus(i, count)
            i = Node("choose", None, [b.compare("Lt", i, 0), turned, i], INT,
                     min(i.low + count.low, i.low), max(i.high, count.high))  # fmt: skip
            i = b.held(i)
            i = Node("call", ("max",), [i, number(0)], INT, max(0, i.low), max(0, i.high))
        if i.high > count.low:
            i = Node(
                "call", ("min",), [i, count], INT, min(i.low, count.low), min(i.high, count.high)
            )
        return b.held(i)

    def pop(self, ref: Node, i: Any = None) -> Any:
        """Take an item out."""
        b, cells, heap = self.b, self.p.cells, ref.type.heap
        b.lengthen(heap, ANY)
        heap = heap.root()
        if isinstance(heap.item, Never):
            raise Bottom
        count = self.count(ref)
        if i is None:
            b.trap(b.compare("Eq", count, 0))
            last = b.held(b.minus(count, 1))
            b.put(self._address(ref), last)
            return self._kept(cells.item_at(ref, last))
        at = b.held(cells.index(cells.number(i), count))
        found = self._kept(cells.item_at(ref, at))
        self.take_out(ref, at)
        return found

    def _kept(self, place: Place) -> Any:
        return self.p.cells.loaded(place)

    def take_out(self, ref: Node, at: Node) -> None:
        """Move the items behind one over it."""
        b, size = self.b, ref.type.heap.item.cells
        if any(each.root() is ref.type.heap for each in self.p.going.open):
            raise self.p.cells.refuse("takes out of what is gone through")
        count, data = self.count(ref), self.data(ref)
        begin = b.plus(data, b.times(at, size))
        self._call("shift_down", begin, b.plus(data, b.times(count, size)), number(size))
        b.put(self._address(ref), b.minus(count, 1))

    def put_item(self, ref: Node, i: Node, value: Any) -> None:
        """Give an item another value."""
        b, cells, heap = self.b, self.p.cells, ref.type.heap
        value = self.p.going.solid(value)
        self.widen(heap, cells.typed(value))
        item = heap.root().item
        value = self._settled(value, item)
        at = cells.index(i, self.length(ref))
        place = cells.item_at(ref, at)
        cells.store(b.held(place.at, "to"), value, item)
        if is_scalar(item):
            self.p.changes.put(ref, at, cells.scalar(value, item))

    def sort(self, ref: Node, *, is_down: bool = False) -> None:
        """Sort the items by their cells, which are in their order."""
        heap = ref.type.heap
        if isinstance(heap.item, Never):
            return
        self.p.changes.lost(ref)
        self.check_order(heap.item)
        size = heap.item.cells
        places, order = self.p.cells.ranks()
        self._mapped(ref, places)
        self._call("sort_rows", self.data(ref), self.count(ref), number(size))
        self._mapped(ref, order)
        if is_down:
            # Equal items are the same by all their cells, so that it does not matter which is first.
            self.reverse(ref)

    def _mapped(self, ref: Node, table: list[int]) -> None:
        """Put what a table says in the place of names, in all items."""
        b, item = self.b, ref.type.heap.item
        atoms = [i for i, each in enumerate(cell_types(item)) if isinstance(each, Atom)]
        if not atoms:
            return
        begin = b.numbers(table)
        data = b.held(self.data(ref))
        with b.counting(number(0), self.count(ref)) as i:
            for each in atoms:
                at = b.held(b.plus(b.plus(data, b.times(i, item.cells)), each))
                old = b.load(FRAME, at, INT)
                b.put(at, Node("load", CONSTANTS, [b.plus(old, begin)], INT))

    def check_order(self, kind: Any) -> None:
        """Refuse items whose cells are not in the order of the items."""
        if isinstance(kind, (Int, Bool, Char)) or kind == Atom(str):
            return
        inner = (
            kind.items
            if isinstance(kind, Record)
            else (kind.item,)
            if isinstance(kind, Seq) and kind.is_fixed
            else None
        )
        if inner is None or not (kind.kind is tuple or issubclass(kind.kind, tuple)):
            raise self.p.cells.refuse(f"sorts {kind}")
        for each in inner:
            self.check_order(each)

    def reverse(self, ref: Node) -> None:
        """Turn a list round."""
        self.p.changes.lost(ref)
        size = ref.type.heap.item.cells
        if size:
            self._call("turn", self.data(ref), self.count(ref), number(size))

    def find(self, value: Any, wanted: Any) -> Node:
        """The place of the first item that equals a value, or -1."""
        b, cells = self.b, self.p.cells
        value = cells.there(value)
        found = b.fresh("found")
        b.let(found, number(-1))
        i = b.fresh("n")
        wanted = self.p.going.solid(wanted)
        going = self.p.going
        if going.is_sized(value) and not isinstance(value, Known):
            value = going.held(value)
            with b.block() as label, b.counting(number(0), going.count(value)) as at:

                def there() -> None:
                    b.let(found, at)
                    b.leave(label)

                b.alone(lambda: b.choose(cells.equal(going.at(value, at), wanted), there))
            return name(found, INT, -1, 1 << 20)
        b.let(i, number(0))
        with b.block() as label:

            def one(item: Any) -> None:
                def here() -> None:
                    b.let(found, name(i, INT))
                    b.leave(label)

                b.choose(cells.equal(item, wanted), here)
                b.let(i, b.plus(name(i, INT, 0, 1 << 20), 1))

            self.p.going.each(value, one)
        return name(found, INT, -1, 1 << 20)

    # Dicts

    def check_key(self, kind: Any) -> None:
        """Refuse keys and members that may change."""
        if isinstance(kind, Ref):
            if kind.kind not in (tuple, str, frozenset):
                raise self.p.cells.refuse(f"a {kind.kind.__name__} as a key")
            self.check_key(kind.heap.item)
        elif isinstance(kind, Record):
            for each in kind.items:
                self.check_key(each)
        elif isinstance(kind, (Seq, Maybe)):
            self.check_key(kind.item)
            if isinstance(kind, Seq) and kind.kind is list:
                raise self.p.cells.refuse("a list as a key")

    def key_place(self, ref: Node, key: Any) -> Node:
        """The place of a key of a dict, or -1."""
        b, cells, heap = self.b, self.p.cells, ref.type.heap
        if isinstance(heap.item, Never):
            return number(-1)
        kind = heap.item.items[0]
        found = b.fresh("found")
        b.let(found, number(-1))
        with b.block() as label, b.counting(number(0), self.count(ref)) as i:
            place = cells.item_at(ref, i)
            inner = Place(kind, FRAME, place.at, OBJECT)

            def here() -> None:
                b.let(found, i)
                b.leave(label)

            b.choose(cells.equal(cells.loaded(inner), key), here)
        return name(found, INT, -1, 1 << 20)

    def value_place(self, ref: Node, at: Node) -> Place:
        """Where the value of a key is."""
        heap, cells = ref.type.heap, self.p.cells
        place = cells.item_at(ref, at)
        key, value = heap.item.items
        return Place(value, FRAME, self.b.plus(place.at, key.cells), OBJECT)

    def put_key(self, ref: Node, key: Any, value: Any) -> None:
        """Give a key of a dict a value."""
        b, cells, heap = self.b, self.p.cells, ref.type.heap
        key, value = self.p.going.solid(key), self.p.going.solid(value)
        pair = Record((cells.typed(key), cells.typed(value)))
        self.check_key(pair.items[0])
        self.widen(heap, pair)
        item = heap.root().item
        kinds = item.items
        key = self._settled(key, kinds[0])
        value = self._settled(value, kinds[1])
        at = self.key_place(ref, key)
        b.choose(
            b.compare("GtE", at, 0),
            lambda: cells.store(b.held(self.value_place(ref, at).at, "to"), value, kinds[1]),
            lambda: self.append(ref, Group([key, value])),
        )


_ = (BOOL, Row, is_flat, is_scalar)
