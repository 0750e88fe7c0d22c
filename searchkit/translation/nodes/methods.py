"""Methods of Python's own: of lists, dicts, sets, rows, texts and records."""

from __future__ import annotations

import ast
import collections
from collections.abc import Callable
from typing import Any

from searchkit.translation.nodes.build import Bottom
from searchkit.translation.nodes.lattice import Ref
from searchkit.translation.nodes.node import FRAME, INT, Node, name, number
from searchkit.translation.nodes.values import (
    OBJECT,
    Chosen,
    Group,
    Known,
    Method,
    Place,
    Stream,
    View,
)
from searchkit.translation.types import Bits, Char, Never, names_of

OPERATORS = {
    "union": "BitOr", "intersection": "BitAnd", "difference": "Sub", "symmetric_difference": "BitXor",
}  # fmt: skip


class Methods:
    """Makes calls of methods."""

    def __init__(self, build: Any, parts: Any) -> None:
        self.b, self.p = build, parts

    def call(self, scope: Any, node: ast.Call, method: Method) -> Any:
        """What a call of a method comes to."""
        args, named = self.p.calls.arguments(scope, node)
        return self.apply(scope, node, method, args, named)

    def apply(
        self, scope: Any, node: Any, method: Method, args: list[Any], named: dict[str, Any]
    ) -> Any:
        """What a method says of arguments."""
        b, cells = self.b, self.p.cells
        owner, title = method.owner, method.name
        if isinstance(owner, Known):
            if all(isinstance(each, Known) for each in [*args, *named.values()]):
                if isinstance(owner.value, (str, tuple, frozenset, int, bytes)) or title in (
                    "index", "count", "copy", "issubset", "isdisjoint", "union", "difference", "intersection",
                    "get", "keys", "values", "items",
                ):  # fmt: skip
                    try:
                        found = getattr(owner.value, title)(
                            *[e.value for e in args], **{k: v.value for k, v in named.items()}
                        )
                    except Exception:
                        b.trap()
                        raise Bottom from None
                    if title == "copy":
                        raise self.b.changes(owner)
                    if title in ("keys", "values", "items"):
                        found = View(found)
                    return Known(found)
            if isinstance(owner.value, dict):
                if title == "get":
                    other = args[1] if len(args) > 1 else Known(None)
                    return self.p.expressions.looked_up(owner.value, args[0], other)
                raise cells.refuse(f"{title} of the author's dict")
        if title == "_replace":
            return self._replaced(owner, named)
        if isinstance(owner, Chosen):
            if title in ("items", "keys", "values"):
                made = [tuple(getattr(each, title)()) for each in owner.values]
                row = self.p.expressions.row_of(Chosen(made, owner.at))
                found = Stream(lambda body: self.p.going.each(row, body), cells.length(row))
                found.is_iterator = False
                return found
            raise cells.refuse(f"{title} of one of several values")
        if isinstance(owner, Stream):
            owner = self.p.going.solid(owner)
        owner = cells.there(owner)
        kind = cells.kind_of(owner)
        if kind is str and title != "join":
            is_char = len(args) == 1 and (isinstance(cells.type_of(args[0]), Char))
            if not (title in ("index", "count") and is_char):
                found = self.p.texts.apply(
                    scope, node, owner, title, [self.p.going.solid(e) for e in args]
                )
                if found is None:
                    raise cells.refuse(f"the method {title} of a text")
                return found
        if kind is int and not args:
            value = cells.number(owner)
            if title == "bit_count":
                return b.held(
                    Node(
                        "call",
                        ("count_ones",),
                        [self.p.numbers.size(self.p.numbers.small(value))],
                        INT,
                        0,
                        62,
                    )
                )
            if title == "bit_length":
                return b.held(
                    Node(
                        "call",
                        ("bit_length",),
                        [self.p.numbers.size(self.p.numbers.small(value))],
                        INT,
                        0,
                        62,
                    )
                )
        if title in ("index", "count") and (
            kind in (tuple, list, str) or (kind and issubclass(kind, tuple))
        ):
            return self._place(title, owner, args)
        if title == "join" and kind is str:
            return self._joined(scope, node, owner, args[0])
        if isinstance(owner, Known) and kind in (list, dict, set):
            if title in OPERATORS or title in ("issubset", "issuperset", "isdisjoint"):
                return self._of_set(scope, node, owner, title, args)
            raise self.b.changes(owner)
        if kind in (list, dict) and not isinstance(cells.type_of(owner), Ref):
            raise self.b.changes(owner)
        if kind is list:
            return self._of_list(scope, node, owner, title, args, named)
        if kind is dict:
            return self._of_dict(scope, node, owner, title, args)
        if kind in (set, frozenset):
            return self._of_set(scope, node, owner, title, args)
        raise cells.refuse(f"the method {title} of {kind}")

    def _replaced(self, owner: Any, named: dict[str, Any]) -> Any:
        cells = self.p.cells
        kind = cells.kind_of(owner)
        names = names_of(kind) or ()
        self.p.calls.check_made(kind)
        if set(named) - set(names):
            raise cells.refuse("replaces what is not there")
        owner = cells.there(owner)
        items = [
            named[each] if each in named else cells.part(owner, i) for i, each in enumerate(names)
        ]
        return Group([self.p.going.solid(each) for each in items], kind)

    def _place(self, title: str, owner: Any, args: list[Any]) -> Any:
        b, cells = self.b, self.p.cells
        if len(args) != 1:
            raise cells.refuse(f"{title} with bounds")
        if cells.kind_of(owner) is str and not isinstance(cells.type_of(args[0]), Char):
            if not (
                isinstance(args[0], Known)
                and isinstance(args[0].value, str)
                and len(args[0].value) == 1
            ):
                raise cells.refuse("looks for a text in a text")
        if title == "index":
            if isinstance(owner, Known):
                keys = list(dict.fromkeys(owner.value))
                if len(keys) == len(owner.value):
                    at = self.p.sets.known_place(keys, args[0])
                    at = b.held(at)
                    b.trap(b.compare("Lt", at, 0))
                    return Node(at.kind, at.what, at.args, INT, 0, len(keys) - 1)
            at = self.p.objects.find(owner, args[0])
            b.trap(b.compare("Lt", at, 0))
            count = self.p.going.count(owner)
            return Node(at.kind, at.what, at.args, INT, 0, max(0, count.high - 1))
        title = b.fresh("v_n")
        b.let(title, number(0))
        here = name(title, INT, 0, max(1, self.p.going.count(owner).high))

        def one(item: Any) -> None:
            b.choose(cells.equal(item, args[0]), lambda: b.let(title, b.plus(here, 1)))

        self.p.going.each(owner, one)
        return b.held(here)

    def _joined(self, scope: Any, node: Any, between: Any, value: Any) -> Any:
        b, cells = self.b, self.p.cells
        if not isinstance(between, Known):
            raise cells.refuse("joins by a text that is not known")
        if between.value == "":
            sized = not isinstance(value, Stream) or value.length is not None
            kind = None if isinstance(value, Stream) else cells.type_of(value)
            item = kind.heap.item if isinstance(kind, Ref) else getattr(kind, "item", None)
            if isinstance(item, Char) and sized:
                made = Stream(lambda body: self.p.going.each(value, body), cells.length(value))
                made.kind = str
                return self.p.going.solid(made)
        heap = b.heap(self.p.expressions.key(scope, node), str)
        ref = self.p.objects.new(heap, 8, -1)
        b.put(ref, number(0))
        title = b.fresh("v_any")
        b.let(title, number(0))

        def one(item: Any) -> None:
            item = self.p.going.solid(item)
            if between.value:

                def gap() -> None:
                    for each in between.value:
                        self.p.objects.append(ref, Known(each))

                b.choose(b.compare("NotEq", name(title, INT, 0, 1), 0), gap)
                b.let(title, number(1))
            if isinstance(cells.type_of(item), Char):
                self.p.objects.append(ref, item)
            else:
                self.p.going.each(item, lambda each: self.p.objects.append(ref, each))

        self.p.going.each(value, one)
        return ref

    def _of_list(
        self, scope: Any, node: Any, owner: Any, title: str, args: list[Any], named: Any
    ) -> Any:
        b, cells, objects = self.b, self.p.cells, self.p.objects
        if title == "append":
            objects.append(owner, args[0])
        elif title == "extend":
            self.p.going.each(args[0], lambda item: objects.append(owner, item))
        elif title == "insert":
            objects.insert(owner, args[0], args[1])
        elif title == "pop":
            return objects.pop(owner, args[0] if args else None)
        elif title == "remove":
            if isinstance(owner.type.heap.item, Never):
                raise Bottom
            b.lengthen(owner.type.heap, -1)
            at = b.held(objects.find(owner, args[0]))
            b.trap(b.compare("Lt", at, 0))
            objects.take_out(owner, at)
        elif title == "reverse":
            objects.reverse(owner)
        elif title == "sort" and not set(named) - {"reverse"}:
            objects.sort(owner, is_down=bool(named.get("reverse", Known(False)).value))
        elif title == "copy":
            return objects.collected(b.heap(self.p.expressions.key(scope, node), list), owner)
        elif title == "clear":
            b.lengthen(owner.type.heap, -1)
            b.put(objects._address(owner), number(0))
        else:
            raise cells.refuse(f"{title} of a list")
        return Known(None)

    def items(self, owner: Any) -> Stream:
        """The pairs of a dict."""
        cells, b = self.p.cells, self.b
        heap = owner.type.heap

        def run(body: Callable[[Any], None]) -> None:
            if isinstance(heap.root().item, Never):
                return

            def one(place: Any) -> None:
                key, value = place.type.items
                at = b.plus(place.at, key.cells)
                body(
                    Group([self.p.going.key(place), cells.loaded(Place(value, FRAME, at, OBJECT))])
                )

            self.p.going.unchanged(owner, one)

        made = Stream(run, self.p.objects.length(owner))
        made.is_iterator = False
        return made

    def _of_dict(self, scope: Any, node: Any, owner: Any, title: str, args: list[Any]) -> Any:
        b, cells, objects = self.b, self.p.cells, self.p.objects
        owner = b.held(owner)
        if title == "items":
            return self.items(owner)
        if title in ("keys", "values"):
            pairs, which = self.items(owner), int(title == "values")
            made = Stream(
                lambda body: pairs.run(lambda pair: body(pair.items[which])), pairs.length
            )
            made.is_iterator = False
            return made
        if title == "get":
            variable = b.variable(self.p.expressions.key(scope, node, "get"))
            at = b.held(objects.key_place(owner, args[0]))
            other = args[1] if len(args) > 1 else Known(None)
            b.choose(
                b.compare("GtE", at, 0),
                lambda: self.p.names.hold(variable, cells.loaded(objects.value_place(owner, at))),
                lambda: self.p.names.hold(variable, other),
            )
            return self.p.names.settled(self.p.names.value_of(variable))
        if owner.type.heap.default is not None and title in ("copy", "update", "setdefault", "pop"):
            raise cells.refuse(f"{title} of a dict with values of its own")
        if title == "total" and owner.type.heap.default is collections.Counter:
            made = ast.copy_location(ast.Call(ast.Name("sum", ast.Load()), [], []), node)
            return self.p.builtins._sum(
                scope, made, [self._of_dict(scope, node, owner, "values", [])], {}
            )
        if title == "copy":
            ref = objects.new(b.heap(self.p.expressions.key(scope, node), dict), 8, -1)
            b.put(ref, number(0))
            self.p.going.each(self.items(owner), lambda pair: objects.put_key(ref, *pair.items))
            return ref
        if (title in ("setdefault", "pop") and len(args) == 2) or (title == "pop" and args):
            at = b.held(objects.key_place(owner, args[0]))
            if title == "setdefault":
                b.choose(b.compare("Lt", at, 0), lambda: objects.put_key(owner, *args))
                return self.p.expressions.item(owner, args[0])
            if len(args) == 1:
                b.trap(b.compare("Lt", at, 0))
                found = cells.loaded(objects.value_place(owner, at))
                found = self.p.names.settled(found)
                objects.take_out(owner, at)
                return found
            variable = b.variable(self.p.expressions.key(scope, node, "pop"))

            def take() -> None:
                self.p.names.hold(variable, cells.loaded(objects.value_place(owner, at)))
                objects.take_out(owner, at)

            b.choose(b.compare("GtE", at, 0), take, lambda: self.p.names.hold(variable, args[1]))
            return self.p.names.settled(self.p.names.value_of(variable))
        if title == "update" and len(args) == 1:
            value = args[0]
            if isinstance(value, Known):
                value = Known(tuple(dict(value.value).items()))
            elif cells.kind_of(value) is dict:
                value = self.items(value)
            self.p.going.each(
                value, lambda pair: objects.put_key(owner, cells.part(pair, 0), cells.part(pair, 1))
            )
            return Known(None)
        raise cells.refuse(f"{title} of a dict")

    def _of_set(self, scope: Any, node: Any, owner: Any, title: str, args: list[Any]) -> Any:
        b, cells, sets = self.b, self.p.cells, self.p.sets
        is_made = isinstance(cells.type_of(owner), Ref) and cells.kind_of(owner) is set
        if title == "add" and is_made:
            sets.add(owner, args[0])
            return Known(None)
        if title in ("discard", "remove") and is_made:
            sets.remove(owner, args[0], must=title == "remove")
            return Known(None)
        if title == "update" and is_made:
            for each in args:
                self.p.going.each(each, lambda item: sets.add(owner, item), ordered=False)
            return Known(None)
        if title == "copy":
            return sets.operate(
                "BitOr", owner, Known(frozenset()), self.p.expressions.key(scope, node)
            )
        if title in (*OPERATORS, "issubset", "issuperset", "isdisjoint") and len(args) == 1:
            other = args[0]
            if cells.kind_of(other) not in (set, frozenset):
                other = self.p.objects.collected(
                    b.heap(self.p.expressions.key(scope, node, "set"), set), other, is_set=True
                )
            if title in OPERATORS:
                return sets.operate(
                    OPERATORS[title], owner, other, self.p.expressions.key(scope, node)
                )
            if title == "issubset":
                return sets.within(owner, other)
            if title == "issuperset":
                return sets.within(other, owner)
            both = sets.operate("BitAnd", owner, other, self.p.expressions.key(scope, node))
            return b.negated(cells.truth(both))
        raise cells.refuse(f"{title} of a set")


_ = Bits
