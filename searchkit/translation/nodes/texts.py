"""What is done with texts: runs of characters in memory, or one."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from searchkit.translation.nodes.cellwise import SEEN, Plain
from searchkit.translation.nodes.node import BOOL, FRAME, INT, Node, name, number
from searchkit.translation.nodes.values import Known, Place
from searchkit.translation.types import Atom, Char, Seq

OF_CHARACTERS = ("isupper", "islower", "isdigit", "isalpha", "isalnum", "isspace", "isnumeric")


class Texts:
    """Makes texts, and looks into them."""

    def __init__(self, build: Any, parts: Any) -> None:
        self.b, self.p = build, parts

    def run(self, value: Any) -> tuple[str, Node, Node]:
        """Memory, place and length of a text."""
        b, cells = self.b, self.p.cells
        value = cells.in_memory(value)
        kind = cells.type_of(value)
        count = self.p.going.count(value)
        if isinstance(value, Place):
            return value.memory, b.plus(value.at, kind.start), count
        return FRAME, self.p.objects.data(value), count

    def _call(self, what: str, whole: Any, part: Any, *more: Node, kind: Any = INT) -> Node:
        one, other = self.run(whole), self.run(part)
        texts = (what, one[0], Plain(one[1]), Plain(one[2]), other[0])
        low = 0 if kind == BOOL else -1
        return self.b.held(
            Node(
                "call",
                texts,
                [other[1], other[2], *more],
                kind,
                low,
                1 if kind == BOOL else 1 << 20,
            )
        )

    def contains(self, part: Any, whole: Any) -> Node:
        """Whether a text is in another."""
        return self.b.compare("GtE", self._call("place_of", whole, part, number(0)), 0)

    def apply(self, scope: Any, node: Any, owner: Any, title: str, args: list[Any]) -> Any:
        """What a method of a text comes to; None where it has no form here."""
        b, cells = self.b, self.p.cells
        kind = cells.type_of(owner)
        known = all(isinstance(each, Known) for each in args)
        if isinstance(kind, Atom) and known:
            table = {}
            for each in b.atoms.values:
                if type(each) is str:
                    table[each] = getattr(each, title)(*[e.value for e in args])
            return self.p.expressions.looked_up(table, owner, None)
        if isinstance(kind, Char) and known and not args:
            b.trap(b.compare("GtE", owner, SEEN))
            found = [getattr(chr(i), title)() for i in range(SEEN)]
            if title in OF_CHARACTERS:
                return self.p.expressions.at_known(found, b.type_of_items(found), owner)
            if all(isinstance(each, str) and len(each) == 1 for each in found):
                return b.load(
                    "constants", b.plus(owner, b.numbers([ord(each) for each in found])), Char()
                )
        if title in ("find", "index") and 1 <= len(args) <= 2:
            first = cells.number(args[1]) if len(args) > 1 else number(0)
            first = self.p.objects.bounded(first, self.p.going.count(owner))
            at = self._call("place_of", owner, args[0], first)
            if title == "index":
                b.trap(b.compare("Lt", at, 0))
            return at
        if title == "rfind" and len(args) == 1:
            return self._call("last_place_of", owner, args[0])
        if title in ("startswith", "endswith") and len(args) == 1:
            place = number(0)
            if title == "endswith":
                place = b.held(b.minus(self.p.going.count(owner), self.p.going.count(args[0])))
            return self._call("is_at", owner, args[0], place, kind=BOOL)
        if title == "count" and len(args) == 1:
            b.trap(b.compare("Eq", self.p.going.count(args[0]), 0))
            return self._call("times_of", owner, args[0])
        if title == "replace" and len(args) in (2, 3):
            return self.replaced(scope, node, owner, *args)
        if title == "split" and len(args) == 1:
            return self.split(scope, node, owner, args[0])
        if (
            title in ("zfill", "rjust")
            and isinstance(args[0], Known)
            and (title == "zfill" or (known and len(args) == 2))
        ):
            fill = "0" if title == "zfill" else args[1].value
            ref, count = self._new(scope, node, "filled"), self.p.going.count(owner)
            if title == "zfill":
                first = b.load(*self.run(owner)[:2], Char())
                b.trap(
                    b.both(
                        "or", [b.compare("Eq", first, ord("-")), b.compare("Eq", first, ord("+"))]
                    )
                )
            with b.counting(count, number(args[0].value)):
                self.p.objects.append(ref, Known(fill))
            self._extend(ref, owner)
            return ref
        if title == "partition" and len(args) == 1:
            return self.parted(owner, args[0])
        if title in ("upper", "lower") and not args:
            return self.mapped(
                scope, node, owner, lambda each: self.apply(scope, node, each, title, [])
            )
        return None

    def parted(self, owner: Any, between: Any) -> Any:
        """What is before a text, it, and what is behind it."""
        from searchkit.translation.nodes.values import Group

        b, going = self.b, self.p.going
        count, width = b.held(going.count(owner)), b.held(going.count(between))
        b.trap(b.compare("Eq", width, 0))
        at = self._call("place_of", owner, between, number(0))
        missing = b.compare("Lt", at, 0)
        low = b.held(Node("choose", None, [missing, count, at], INT, 0, count.high))
        size = b.held(Node("choose", None, [missing, number(0), width], INT, 0, width.high))
        end = b.held(b.plus(low, size))
        path = going.path
        parts = []
        for n, (row, begin, stop) in enumerate(
            ((owner, number(0), low), (between, number(0), size), (owner, end, count))
        ):
            going.path = (path, "parted", n)
            parts.append(going.solid(self._part(going.held(row), begin, stop)))
        going.path = path
        return Group(parts)

    def _new(self, scope: Any, node: Any, what: str) -> Node:
        b = self.b
        heap = b.heap(self.p.expressions.key(scope, node, what), str)
        self.p.objects.widen(heap, Char())
        ref = self.p.objects.new(heap, 8, -1)
        b.put(ref, number(0))
        return ref

    def _extend(self, ref: Node, value: Any) -> None:
        self.p.going.each(value, lambda item: self.p.objects.append(ref, item))

    def mapped(self, scope: Any, node: Any, owner: Any, make: Callable[[Any], Any]) -> Node:
        """A text of what each character becomes."""
        ref = self._new(scope, node, "mapped")
        self.p.going.each(owner, lambda item: self.p.objects.append(ref, make(item)))
        return ref

    def _pieces(self, owner: Any, part: Any, piece: Any, between: Any, most: Any = None) -> None:
        """Go through what is between places of a part: `piece(low, high)` and `between()`."""
        b = self.b
        last, left = b.fresh("v_last"), b.fresh("v_left")
        b.let(last, number(0))
        b.let(left, number(0))
        here, times = name(last, INT, 0, 1 << 20), name(left, INT, 0, 1 << 20)
        count = self.p.going.count(owner)
        width = self.p.going.count(part)
        b.trap(b.compare("Eq", width, 0))
        with b.block() as label, b.endless():
            at = self._call("place_of", owner, part, here)
            stop = [b.compare("Lt", at, 0)]
            if most is not None:
                stop.append(b.compare("GtE", times, most))
            b.choose(b.both("or", stop), lambda: b.leave(label))
            piece(b.held(here), at)
            between()
            b.let(last, b.plus(at, width))
            b.let(left, b.plus(times, 1))
        piece(b.held(here), b.held(count))

    def replaced(
        self, scope: Any, node: Any, owner: Any, old: Any, new: Any, most: Any = None
    ) -> Node:
        """`replace`."""
        solid = self.p.going.solid
        owner, old, new = (self.p.cells.in_memory(solid(each)) for each in (owner, old, new))
        ref = self._new(scope, node, "replaced")

        def piece(low: Node, high: Node) -> None:
            self._extend(ref, self._part(owner, low, high))

        times = None if most is None else self.p.cells.number(most)
        if times is not None:
            self.b.trap(self.b.compare("Lt", times, 0))
        self._pieces(owner, old, piece, lambda: self._extend(ref, new), times)
        return ref

    def _part(self, owner: Any, low: Node, high: Node) -> Any:
        return self.p.going.sliced(owner, [low, high, None], str)

    def split(self, scope: Any, node: Any, owner: Any, between: Any) -> Node:
        """`split` by a text."""
        b = self.b
        owner = self.p.cells.in_memory(self.p.going.solid(owner))
        between = self.p.cells.in_memory(between)
        heap = b.heap(self.p.expressions.key(scope, node, "split"), list)
        ref = self.p.objects.new(heap, 8, -1)
        b.put(ref, number(0))

        def piece(low: Node, high: Node) -> None:
            made = self._new(scope, node, "piece")
            self._extend(made, self._part(owner, low, high))
            self.p.objects.append(ref, made)

        self._pieces(owner, between, piece, lambda: None)
        return ref

    def of_number(self, scope: Any, node: Any, value: Any, least: int = 1) -> Any:
        """`str` of a whole number."""
        b, cells = self.b, self.p.cells
        found = b.held(cells.number(value))
        if least > 1:
            b.trap(b.compare("Lt", found, 0))
        if least > 16:
            raise cells.refuse("many digits")
        heap = b.heap(self.p.expressions.key(scope, node, "digits"), str)
        self.p.objects.widen(heap, Char())
        ref = self.p.objects.new(heap, 16, -1)
        texts = ("write_number", Plain(found), Plain(number(least)), FRAME)
        count = b.held(Node("call", texts, [b.plus(self.p.objects._address(ref), 3)], INT, 1, 16))
        b.put(self.p.objects._address(ref), count)
        return ref

    def number(self, value: Any) -> Node:
        """`int` of a text."""
        b = self.b
        memory, at, count = self.run(value)
        texts = ("whole_number", memory, Plain(at))
        found = b.held(Node("call", texts, [count, number(10)], INT, -(1 << 62), 1 << 62))
        b.trap(b.compare("GtE", found, 1 << 40))
        b.trap(b.compare("LtE", found, -(1 << 40)))
        return Node(found.kind, found.what, found.args, INT, 1 - (1 << 40), (1 << 40) - 1)


_ = Seq
