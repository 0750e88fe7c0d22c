"""Dicts that rules make: a row of keys and a row of values, in the order in which keys came."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from searchkit.translation.expressions import may_change
from searchkit.translation.functions import Functions
from searchkit.translation.loops import Body
from searchkit.translation.methods import Bound
from searchkit.translation.types import Bool, Never, Record, Seq
from searchkit.translation.values import (
    Items,
    Known,
    Place,
    Round,
    Scalar,
    Stream,
    Value,
)
from searchkit.translation.variables import Variable

MOST_KEYS = 64
"""How many keys a dict has at most whose length is not known."""
NONE = Known(None)


class Dicts(Functions):
    """What can be done with dicts that states decide about.

    In memory a dict is a record of two lists. A key is looked for from the first on.
    """

    open_dicts: tuple[Any, ...] = ()
    """The variables of the dicts that are gone through at this point."""

    @staticmethod
    def is_dict(value: Value) -> bool:
        """Whether a value is a dict in memory."""
        return (
            isinstance(value, Place) and isinstance(value.type, Record) and value.type.kind is dict
        )

    def _keys(self, owner: Place) -> Place:
        return self.field_of(owner, 0)._replace(is_stable=owner.is_stable)

    def _values(self, owner: Place) -> Place:
        return self.field_of(owner, 1)._replace(is_stable=owner.is_stable)

    # Made

    def empty_dict(self) -> Place:
        """A new dict."""
        row = Seq(Never(), 0, 1, list)
        place = self.slot(Record((row, row), dict))
        for each in (self._keys(place), self._values(place)):
            self.text.line(f"{each.cell()} = 0")
        return place._replace(is_stable=True, is_fresh=True)

    def made_dict(self, pairs: Stream) -> Value:
        """A dict of pairs: the last value of a key is kept, and the first place."""
        keys: list[Any] = [Never()]
        values: list[Any] = [Never()]

        def look(pair: Value, _: Round) -> None:
            key, value = self._pair(pair)
            keys.append(self.type_of(key))
            values.append(self.type_of(value))

        with self.text.apart():
            self.run(pairs, look)
        key, value = keys[0], values[0]
        for one, other in zip(keys[1:], values[1:], strict=True):
            key, value = self.joined(key, one), self.joined(value, other)
        if isinstance(key, Never):
            return self.empty_dict()
        most = max(1, min(self.most_of(pairs), MOST_KEYS))
        place = self.slot(Record((Seq(key, 0, most, list), Seq(value, 0, most, list)), dict))
        for each in (self._keys(place), self._values(place)):
            self.text.line(f"{each.cell()} = 0")

        def add(pair: Value, _: Round) -> None:
            one, other = self._pair(pair)
            self._put_pair(place, one, other)

        self.run(pairs, add)
        return place._replace(is_stable=True, is_fresh=True)

    def _pair(self, pair: Value) -> list[Value]:
        parts = self.parts_of(pair)
        if len(parts) != 2:
            raise self.refuse("makes a dict of what are no pairs", "use pairs")
        return parts

    def _put_pair(self, owner: Place, key: Value, value: Value) -> None:
        """Give a key its value, in rows that have the types of both."""
        self._check_key(key)
        keys, values = self._keys(owner), self._values(owner)
        keys, values = (each._replace(is_stable=False) for each in (keys, values))
        key = self.settled(key)
        if isinstance(value, Scalar):
            value = self.kept(value)
        place = self.place_in_row(keys, key)
        assert place is not None
        with self.text.block(f"if {place} < 0:"):
            count = self.text.temporary(keys.cell(), "n")
            self.trap(f"{count} >= {keys.type.most}")
            self.store(key, self.item_at(keys, count))
            self.text.line(f"{keys.cell()} = {count} + 1")
            self.text.line(f"{values.cell()} = {count} + 1")
            self.text.line(f"{place} = {count}")
        self.store(value, self.item_at(values, place))

    def _check_key(self, key: Value) -> None:
        if isinstance(key, (Items, Place)) and self.is_mutable(self.type_of(key)):
            raise self.refuse("uses a list for a key", "use a tuple")

    # Looked up

    def _place_of_key(self, owner: Place, key: Value) -> str | None:
        self._check_key(key)
        return self.place_in_row(self._keys(owner), key)

    def indexed(self, value: Value, index: Value) -> Value:
        """`value[index]`."""
        if not self.is_dict(value):
            return super().indexed(value, index)
        assert isinstance(value, Place)
        place = self.place_of_value(value, index)
        return place if isinstance(place, Known) else self.loaded(place)

    def place_of_value(self, owner: Place, key: Value) -> Place | Known:
        """Where the value of a key is; leaves the state to Python where it is missing."""
        place = self._place_of_key(owner, key)
        if place is None or isinstance(self._values(owner).type.item, Never):
            return self.always_raises(KeyError())
        self.trap(f"{place} < 0", KeyError)
        return self.item_at(self._values(owner), place)

    def contains(self, value: Value, item: Value) -> Scalar:
        """`item in value`."""
        if not self.is_dict(value):
            return super().contains(value, item)
        place = self._place_of_key(value, item)  # type: ignore[arg-type]
        return Scalar(Bool(), f"({place} >= 0)", 0, 1) if place else self.truth(Known(False))

    def length_of(self, value: Value) -> Scalar | Known:
        """`len`."""
        if self.is_dict(value):
            return self.length(self._keys(value))  # type: ignore[arg-type]
        return super().length_of(value)

    def truth(self, value: Value) -> Scalar:
        """Whether Python takes a value for true."""
        return super().truth(self._keys(value) if self.is_dict(value) else value)  # type: ignore[arg-type]

    def equal(self, left: Value, right: Value) -> Scalar:
        """Whether two values are equal."""
        if self.is_dict(left) or self.is_dict(right):
            raise self.refuse("compares dicts", "compare tuples")
        return super().equal(left, right)

    def held(self, value: Value) -> Value:
        """A sequence of which items can be taken by number: known, items, or in memory."""
        if self.is_dict(value):
            raise self.refuse("takes a dict apart", "use its keys")
        return super().held(value)

    # Gone through

    def stream(self, value: Value) -> Stream:
        """What going through a value gives."""
        if self.is_dict(value):
            return self._gone_through(value, lambda key, _: key)  # type: ignore[arg-type]
        return super().stream(value)

    def _gone_through(self, owner: Place, item: Callable[[Value, Value], Value]) -> Stream:
        """The items of a dict, which may not grow on the way."""
        keys, values = self._keys(owner), self._values(owner)
        keys, values = (each._replace(is_stable=False) for each in (keys, values))
        if isinstance(keys.type.item, Never) or isinstance(values.type.item, Never):
            none = Scalar(self.type_of(Known(0)), "0", 0, 0)
            return Stream(each=lambda body: None, count=none, at=lambda i: Known(0))

        def each(body: Body) -> None:
            before = self.open_dicts
            self.open_dicts = (*before, owner.root)
            begin = self.text.temporary(keys.cell(), "n")
            i = self.text.temporary("-1", "i")
            with self.text.loop("while True:") as loop:
                self.trap(f"{keys.cell()} != {begin}")
                self.text.line(f"{i} += 1")
                with self.text.block(f"if {i} >= {begin}:"):
                    self.text.line("break")
                pair = [self.loaded(self.item_at(row, i)) for row in (keys, values)]
                body(item(pair[0], pair[1]), Round((loop, "break"), (loop, "continue")))
            self.open_dicts = before

        return Stream(each=each, most=keys.type.most, is_iterator=False)

    # Changed

    def put_in_dict(self, owner: Place, key: Value, value: Value) -> None:
        """`owner[key] = value`."""
        self.change(owner)
        self._replaces(owner)
        owner = self._with_room(owner, key, value)
        self._put_pair(owner, key, value)

    def _replaces(self, owner: Place) -> None:
        """Note that whole lists within it may be put in or taken out."""
        if not isinstance(owner.root, Variable):
            raise self.refuse("changes a dict that has no name", "give it one before")
        if self.is_mutable(self._values(owner).type.item) and not owner.root.is_replaced:
            owner.root.is_replaced = True
            self.again(owner.root)

    def _with_room(self, owner: Place, key: Value, value: Value) -> Place:
        """The same dict, once its rows have the types of a key and a value."""
        self.enlarge(self._keys(owner), self.type_of(key))
        self.enlarge(self._values(owner), self.type_of(value))
        return owner

    def _no_longer_open(self, owner: Place) -> None:
        if any(each is owner.root for each in self.open_dicts):
            raise self.refuse("takes keys out of a dict while it goes through it", "do so later")

    def _dict_pop(self, owner: Place, key: Value, default: Value | None = None) -> Value:
        self.change(owner)
        self._replaces(owner)
        self._no_longer_open(owner)
        if default is not None:
            raise self.refuse("pops a key with a default", "ask for the key before")
        keys, values = self._keys(owner), self._values(owner)
        self.enlarge(keys, Never())
        self.enlarge(values, Never())
        place = self._place_of_key(owner, key)
        if place is None:
            return self.always_raises(KeyError())
        self.trap(f"{place} < 0", KeyError)
        found = self._taken(self.loaded(self.item_at(values, place)))
        if isinstance(found, Scalar):
            found = self.kept(found)
        count = self.text.temporary(keys.cell(), "n")
        self._close(keys, place, count)
        self._close(values, place, count)
        return found

    def delete_key(self, owner: Place, key: Value) -> None:
        """`del owner[key]`."""
        self._dict_pop(owner, key)

    # Methods

    def method(self, owner: Value, name: str) -> Any:
        """A method of a list, tuple, text, set or dict; None for all else."""
        if not self.is_dict(owner):
            return super().method(owner, name)
        run: Any = {
            "get": self._dict_get,
            "pop": self._dict_pop,
            "keys": lambda own: self._gone_through(own, lambda key, _: key),
            "values": lambda own: self._gone_through(own, lambda _, value: value),
            "items": lambda own: self._gone_through(own, lambda *pair: Items(pair)),
            "copy": self.copied_dict,
        }.get(name)
        if run is None:
            raise self.refuse(f"calls .{name} of a dict", "use [], in, get, keys, values or items")
        return Bound(owner, run)

    def copied_dict(self, owner: Place) -> Value:
        """`dict(owner)`."""
        if self.is_mutable(self._values(owner).type.item):
            raise self.refuse("copies a dict of lists, which stay the same lists", "copy each")
        copy = self.slot(owner.type)
        self._copy(owner, copy)
        return copy._replace(is_stable=True, is_fresh=True)

    def _dict_get(self, owner: Place, key: Value, default: Value = NONE) -> Value:
        place = self._place_of_key(owner, key)
        values = self._values(owner)
        if place is None or isinstance(values.type.item, Never):
            return default
        test = Scalar(Bool(), f"({place} >= 0)", 0, 1)
        return self.either(test, lambda: self.loaded(self.item_at(values, place)), lambda: default)

    def _call_dict(self, args: list[Value], named: dict[str, Value]) -> Value:
        if named or len(args) != 1:
            raise self.refuse("makes a dict of names", "write {...}")
        if self.is_dict(args[0]):
            return self.copied_dict(args[0])  # type: ignore[arg-type]
        return self.made_dict(self.ordered_stream(args[0]))

    # Written out

    def _of_dictcomp(self, node: ast.DictComp) -> Value:
        stream = self._generated(node, lambda: Items(tuple(self.values([node.key, node.value]))))
        self.check_order(stream)
        return self.made_dict(stream)

    def _of_dict(self, node: ast.Dict) -> Value:
        """One that nothing changes, and no state decides about, is an object of Python."""
        nodes: list[ast.expr] = []
        for key, value in zip(node.keys, node.values, strict=True):
            if key is None:
                raise self.refuse("joins dicts by **", "make one by a loop")
            nodes += [key, value]
        found = [self._as_known(each) for each in self.values(nodes)]
        if not is_changed_later(self.scope.definition, node) and all(
            isinstance(each, Known) for each in found
        ):
            known = [each.value for each in found]  # type: ignore[union-attr]
            return Known(dict(zip(known[::2], known[1::2], strict=True)))
        pairs: list[Value] = [Items((found[i], found[i + 1])) for i in range(0, len(found), 2)]
        return self.made_dict(self._repeated(pairs)) if pairs else self.empty_dict()

    @staticmethod
    def _as_known(value: Value) -> Value:
        if isinstance(value, Items) and all(isinstance(each, Known) for each in value.items):
            return Known(value.kind(each.value for each in value.items))
        return value


def is_changed_later(definition: Any, node: ast.AST) -> bool:
    """Whether the dict that an expression makes may be changed, by its name or where it is put."""
    names = set()
    for each in ast.walk(definition):
        if isinstance(each, (ast.Assign, ast.AnnAssign)) and each.value is node:
            for target in each.targets if isinstance(each, ast.Assign) else [each.target]:
                if not isinstance(target, ast.Name):
                    return True
                names.add(target.id)
    stores = 0
    for each in ast.walk(definition):
        value = getattr(each, "value", None)
        is_own = isinstance(value, ast.Name) and value.id in names
        if isinstance(each, ast.Subscript) and is_own and not isinstance(each.ctx, ast.Load):
            return True
        if isinstance(each, ast.Attribute) and is_own and each.attr in _CHANGING:
            return True
        if isinstance(each, ast.Call) and may_change(each):
            given = [*each.args, *(one.value for one in each.keywords)]
            if any(isinstance(one, ast.Name) and one.id in names for one in given):
                return True
        stores += isinstance(each, ast.Name) and each.id in names and (
            not isinstance(each.ctx, ast.Load)
        )  # fmt: skip
    return stores > len(names)


_CHANGING = frozenset({"pop", "update", "setdefault", "popitem", "clear"})
