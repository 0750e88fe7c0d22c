"""Dicts that rules make: a row of keys and a row of values, in the order in which keys came."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from typing import Any

from searchkit.kernel_language import trees
from searchkit.translation.comparison import FALSE
from searchkit.translation.effects import may_change
from searchkit.translation.iterators import Iterators
from searchkit.translation.loops import Body
from searchkit.translation.methods import Bound
from searchkit.translation.naming import full
from searchkit.translation.records import made_of
from searchkit.translation.types import Never, Record, Seq
from searchkit.translation.values import Items, Known, Place, Round, Scalar, Stream, Value
from searchkit.translation.variables import Variable

MOST_KEYS = 64
"""How many keys a dict has at most whose length is not known."""
NONE = Known(None)


class Dicts(Iterators):
    """What can be done with dicts that states decide about.

    In memory a dict is a record of two lists. A key is looked for from the first on.
    """

    open_dicts: tuple[Any, ...] = ()
    """The variables of the dicts that are gone through at this point, each with the loop."""
    open_loop: Any = None
    """The innermost `for` here."""
    named_parts: tuple[Any, ...] = ()
    """The variables of dicts of lists of which a list has a name at this point."""

    @staticmethod
    def is_dict(value: Value) -> bool:
        """Whether a value is a dict in memory."""
        return (
            isinstance(value, Place)
            and isinstance(value.type, Record)
            and issubclass(value.type.kind, dict)
        )

    def _keys(self, owner: Place) -> Place:
        return self.field_of(owner, 0)

    def _values(self, owner: Place) -> Place:
        return self.field_of(owner, 1)

    # Made

    def empty_dict(
        self, kind: type = dict, key: Any = None, value: Any = None, most: int = 1
    ) -> Place:
        """A new dict."""
        rows = (Seq(each or Never(), 0, most, list) for each in (key, value))
        place = self.slot(Record(tuple(rows), kind))
        for each in (self._keys(place), self._values(place)):
            self.text.line(f"{each.cell()} = 0")
        return place.made()

    def made_dict(self, pairs: Stream, kind: type = dict) -> Value:
        """A dict of pairs: the last value of a key is kept, and the first place."""
        keys: list[Any] = [Never()]
        values: list[Any] = [Never()]

        def look(pair: Value, _: Round) -> None:
            key, value = self._pair(pair)
            keys.append(self.type_of(key))
            values.append(self.type_of(value))

        with self.text.aside():
            self.run(pairs, look)
        key, value = keys[0], values[0]
        for one, other in zip(keys[1:], values[1:], strict=True):
            key, value = self.joined(key, one), self.joined(value, other)
        if isinstance(key, Never):
            return self.empty_dict(kind)
        place = self.empty_dict(kind, key, value, max(1, min(self.most_of(pairs), MOST_KEYS)))

        def add(pair: Value, _: Round) -> None:
            one, other = self._pair(pair)
            self._put_pair(place, one, other)

        if not self.text.is_aside:
            self.run(pairs, add)
        return place.made()

    def _pair(self, pair: Value) -> list[Value]:
        parts = self.parts_of(pair)
        if len(parts) != 2:
            raise self.refuse("makes a dict of values that are not pairs", "use pairs")
        return parts

    def _put_pair(self, owner: Place, key: Value, value: Value) -> None:
        """Give a key its value, in rows that have the types of both."""
        value = self.kept(value) if isinstance(value, Scalar) else value
        self.store(value, self._place_with(owner, key))

    def _add_key(self, keys: Place, values: Place, key: Value, place: str) -> None:
        """Put a key behind the others, and give `place` the number of it."""
        count = self.text.temporary(keys.cell(), "n")
        most = keys.type.most
        self.trap(f"{count} >= {most}", what=full(most, "a dict"), instead="use a smaller one")
        self.store(key, self.item_at(keys, count))
        self.text.line(f"{keys.cell()} = {count} + 1")
        self.text.line(f"{values.cell()} = {count} + 1")
        self.text.line(f"{place} = {count}")

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
        values = self._values(owner)
        place = self._place_of_key(owner, key)
        place = None if isinstance(values.type.item, Never) else place
        return self.at_place(place, KeyError, lambda at: self.item_at(values, at))

    def contains(self, value: Value, item: Value) -> Scalar:
        """`item in value`."""
        if not self.is_dict(value):
            return super().contains(value, item)
        return self.is_found(self._place_of_key(value, item))  # type: ignore[arg-type]

    def length_of(self, value: Value) -> Scalar | Known:
        """`len`."""
        if self.is_dict(value):
            return self.length(self._keys(value))  # type: ignore[arg-type]
        return super().length_of(value)

    def equal(self, left: Value, right: Value) -> Scalar:
        """Whether two values are equal."""
        if not (self.is_dict(left) or self.is_dict(right)):
            return super().equal(left, right)
        if not (self.is_any_dict(left) and self.is_any_dict(right)):
            return self.truth(Known(False))
        count, other = (self.number(self.length_of(each), "").text for each in (left, right))

        def is_alike(pair: Value) -> Value:
            key, value = self._pair(pair)
            same = self.looked_up_by(right, key, lambda e: self.equal(value, e), lambda: FALSE)
            return self.truth(same)

        return self.and_then(
            Scalar.truth(f"({count} == {other})"),
            lambda: self.any_or_all(self.mapped(is_alike, self.pairs_of(left)), is_any=False),
        )

    def is_any_dict(self, value: Value) -> bool:
        """Whether a value is a dict, in memory or of the author's."""
        return self.is_dict(value) or (isinstance(value, Known) and isinstance(value.value, dict))

    def pairs_of(self, value: Value) -> Stream:
        """The keys of a dict, in memory or of the author's, with their values."""
        if isinstance(value, Known):
            return self.stream(Known(tuple(value.value.items())))
        assert isinstance(value, Place)
        return self._gone_through(value, lambda *pair: Items(pair))

    def looked_up_by(
        self,
        owner: Value,
        key: Value,
        found: Callable[[Value], Value],
        missing: Callable[[], Value],
    ) -> Value:
        """What `found` makes of the value of a key, or what is there for one that is missing."""
        if not self.is_dict(owner):
            return super().looked_up_by(owner, key, found, missing)
        assert isinstance(owner, Place)
        values, place = self._values(owner), self._place_of_key(owner, key)
        if place is None or isinstance(values.type.item, Never):
            return missing()
        of_key = lambda: found(self.loaded(self.item_at(values, place)))  # noqa: E731
        return self.either(self.is_found(place), of_key, missing)

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
            before = self.open_dicts, self.named_parts
            self.open_dicts = (*self.open_dicts, (owner.root, self.open_loop))
            begin = self.text.temporary(keys.cell(), "n")
            i = self.text.temporary("-1", "i")
            with self.text.loop("while True:") as loop:
                self.trap(f"{keys.cell()} != {begin}", what="changes a dict that is gone through")
                self.text.line(f"{i} += 1")
                with self.text.block(f"if {i} >= {begin}:"):
                    self.text.line("break")
                pair = [self.loaded(self.item_at(row, i)) for row in (keys, values)]
                body(item(pair[0], pair[1]), Round((loop, "break"), (loop, "continue")))
            self.open_dicts, self.named_parts = before

        return Stream(each=each, most=keys.type.most, is_iterator=False)

    # Changed

    def put_in_dict(self, owner: Place, key: Value, value: Value) -> None:
        """`owner[key] = value`."""
        self._change_keys(owner)
        owner = self._with_room(owner, key, value)
        self._put_pair(owner, key, value)

    def _change_keys(self, owner: Place) -> None:
        """Note that it is changed, and whole lists within it may be put in or taken out."""
        self.change(owner)
        if not isinstance(owner.root, Variable):
            raise self.refuse("changes a dict that has no name", "give it one before")
        if self.is_mutable(self._values(owner).type.item) and not owner.root.is_replaced:
            owner.root.is_replaced = True
            self.again(owner.root)
        if any(each is owner.root for each in self.named_parts):
            raise self.refuse(
                "puts lists into a dict while it goes through its lists", "do so later"
            )

    def may_name_part(self, variable: Variable, root: Variable) -> bool:
        """Whether a list of a dict may have a name: until the end of a loop over the dict."""
        for each, loop in self.open_dicts:
            if each is root and loop is not None:
                name = variable.key[1]
                inside = {id(node) for node in trees.nodes(loop)}
                uses = (e for e in trees.nodes(self.scope.definition) if isinstance(e, ast.Name))
                if all(id(node) in inside for node in uses if node.id == name):
                    self.named_parts = (*self.named_parts, root)
                    return True
        return False

    def _with_room(self, owner: Place, key: Value, value: Value) -> Place:
        """The same dict, once its rows have the types of a key and a value."""
        self.enlarge(self._keys(owner), self.type_of(key))
        self.enlarge(self._values(owner), self.type_of(value))
        return owner

    def _no_longer_open(self, owner: Place) -> None:
        if any(each is owner.root for each, _ in self.open_dicts):
            raise self.refuse("takes keys out of a dict while it goes through it", "do so later")

    def _dict_pop(self, owner: Place, key: Value, default: Value | None = None) -> Value:
        if default is not None:
            key = self.settled(key)
            return self.either(
                self.contains(owner, key), lambda: self._dict_pop(owner, key), lambda: default
            )
        self._change_keys(owner)
        self._no_longer_open(owner)
        keys, values = self._keys(owner), self._values(owner)
        self.enlarge(keys, Never())
        self.enlarge(values, Never())

        def taken(place: str) -> Value:
            found = self._taken(self.loaded(self.item_at(values, place)))
            if isinstance(found, Scalar):
                found = self.kept(found)
            count = self.text.temporary(keys.cell(), "n")
            self._close(keys, place, count)
            self._close(values, place, count)
            return found

        return self.at_place(self._place_of_key(owner, key), KeyError, taken)

    # Methods

    def method(self, owner: Value, name: str) -> Any:
        """A method of a list, tuple, text, set or dict; None for all else."""
        if isinstance(owner, Known) and owner.value is dict and name == "fromkeys":
            return Bound(owner, self._from_keys)
        if not self.is_dict(owner):
            found: Bound | None = super().method(owner, name)
            return found
        run: Any = {
            "get": self.value_or,
            "pop": self._dict_pop,
            "keys": lambda own: self._gone_through(own, lambda key, _: key),
            "values": lambda own: self._gone_through(own, lambda _, value: value),
            "items": lambda own: self._gone_through(own, lambda *pair: Items(pair)),
            "copy": self.copied_dict,
            "setdefault": self._dict_setdefault,
            "update": self.updated_dict,
            "clear": self._dict_clear,
        }.get(name)
        if run is None:
            raise self.refuse(
                f"calls .{name} of a dict", "use [], in, get, pop, update, keys, values or items"
            )
        return Bound(owner, run)

    def _dict_setdefault(self, owner: Place, key: Value, default: Value = NONE) -> Value:
        place = self.place_with(owner, key, default)
        return self.loaded(place)

    def place_with(self, owner: Place, key: Value, default: Value) -> Place:
        """Where the value of a key is, which is put there if the key is missing."""
        self._change_keys(owner)
        return self._place_with(self._with_room(owner, key, default), key, default)

    def _place_with(self, owner: Place, key: Value, default: Value | None = None) -> Place:
        """The same in rows that have the types of both; without a default whoever asks puts one."""
        self._check_key(key)
        keys, values = self._keys(owner), self._values(owner)
        keys, values = (each._replace(is_stable=False) for each in (keys, values))
        key = self.settled(key)
        place = self.place_in_row(keys, key)
        assert place is not None
        with self.text.block(f"if {place} < 0:"):
            self._add_key(keys, values, key, place)
            if default is not None:
                self.store(default, self.item_at(values, place))
        return self.item_at(values, place)

    def updated_dict(self, owner: Place, other: Value | None = None, **named: Value) -> Value:
        """`owner.update(other)`."""
        for each in self.with_named([] if other is None else [other], named):
            self.check_other(owner, each, "updates a dict with itself", "leave it")
            self._change_keys(owner)
            self.run(
                self._pairs_in(each), lambda pair, _: self.put_in_dict(owner, *self._pair(pair))
            )
        return NONE

    def with_named(self, args: Iterable[Value], named: dict[str, Value]) -> list[Value]:
        """The arguments of a call; those with names, if any, as a dict behind the others."""
        pairs: list[Value] = [Items((Known(name), value)) for name, value in named.items()]
        return [*args, *([self.made_dict(self._repeated(pairs))] if pairs else [])]

    def _pairs_in(self, value: Value) -> Stream:
        """The pairs of a dict, or those that are gone through."""
        return self.pairs_of(value) if self.is_any_dict(value) else self.ordered_stream(value)

    def joined_dicts(self, parts: list[Value], kind: type = dict) -> Value:
        """A dict of the pairs of several, one behind the other; the last value of a key is kept."""
        return self.made_dict(self.one_after_another([*map(self._pairs_in, parts)]), kind)

    def _from_keys(self, owner: Known, keys: Value, value: Value = NONE) -> Value:
        if self._makes_lists(value):
            raise self.refuse("gives all keys of a dict one list", "use a comprehension")
        stream = self.ordered_stream(keys)
        return self.made_dict(self.mapped(lambda key: Items((key, value)), stream))

    def _dict_clear(self, owner: Place) -> Value:
        self._change_keys(owner)
        self._no_longer_open(owner)
        for each in (self._keys(owner), self._values(owner)):
            self.text.line(f"{each.cell()} = 0")
        return NONE

    def combined(self, op: ast.operator, left: Value, right: Value) -> Value:
        """A binary operator: `|` joins dicts."""
        if isinstance(op, ast.BitOr) and (self.is_dict(left) or self.is_dict(right)):
            if self.is_any_dict(left) and self.is_any_dict(right):
                return self.joined_dicts([left, right])
            return self.always_raises(TypeError())
        return super().combined(op, left, right)

    def _of_attribute(self, node: ast.Attribute) -> Value:
        """`value.name`; of methods that change nothing also as values: `key=sizes.get`."""
        owner = self.value(node.value)
        is_asked = node.attr in _AS_VALUES and not isinstance(owner, Known)
        method = self.method(owner, node.attr) if is_asked else None
        return self.attribute(owner, node.attr) if method is None else Known(method)

    def copied_dict(self, owner: Place) -> Value:
        """`dict(owner)`."""
        if self.is_mutable(self._values(owner).type.item):
            raise self.refuse("copies a dict of lists, which stay the same lists", "copy each")
        return self.copied(owner)

    def _call_dict(self, *args: Value, **named: Value) -> Value:
        parts = self.with_named(args, named)
        if not named and args and self.is_dict(args[0]):
            return self.copied_dict(args[0])  # type: ignore[arg-type]
        return self.joined_dicts(parts) if parts else self.empty_dict()

    # Written out

    def _of_dictcomp(self, node: ast.DictComp) -> Value:
        stream = self._generated(node, lambda: Items(tuple(self.values([node.key, node.value]))))
        self.check_order(stream)
        return self.made_dict(stream)

    def _of_dict(self, node: ast.Dict) -> Value:
        """One that nothing changes, and no state decides about, is an object of Python."""
        if None in node.keys:
            return self._with_others(node)
        nodes: Any = [each for pair in zip(node.keys, node.values, strict=True) for each in pair]
        found = [self._as_known(each) for each in self.values(nodes)]
        if not is_changed_later(self.scope.definition, node) and all(
            isinstance(each, Known) for each in found
        ):
            known = [each.value for each in found]  # type: ignore[union-attr]
            return Known(dict(zip(known[::2], known[1::2], strict=True)))
        pairs: list[Value] = [Items((found[i], found[i + 1])) for i in range(0, len(found), 2)]
        return self.made_dict(self._repeated(pairs)) if pairs else self.empty_dict()

    def _with_others(self, node: ast.Dict) -> Value:
        """`{**other, key: value}`."""
        pairs = zip(node.keys, node.values, strict=True)
        found = iter(self.values([each for pair in pairs for each in pair if each is not None]))
        parts: list[Value] = []
        for key in node.keys:
            one = next(found)
            if key is not None:
                parts.append(Items((Items((one, next(found))),)))
            elif self.is_any_dict(one):
                parts.append(one)
            else:
                raise self.refuse("unpacks by ** a value that is not a dict", "unpack dicts")
        return self.joined_dicts(parts)

    @staticmethod
    def _as_known(value: Value) -> Value:
        if isinstance(value, Items) and all(isinstance(each, Known) for each in value.items):
            items = [each.value for each in value.items]
            is_plain = value.kind in (tuple, list)
            return Known(value.kind(items) if is_plain else made_of(value.kind, items))
        return value


def is_changed_later(definition: Any, node: ast.AST) -> bool:
    """Whether the dict that an expression makes may be changed, by its name or where it is put."""
    names = set()
    for each in trees.nodes(definition):
        if isinstance(each, (ast.Assign, ast.AnnAssign)) and each.value is node:
            for target in each.targets if isinstance(each, ast.Assign) else [each.target]:
                if not isinstance(target, ast.Name):
                    return True
                names.add(target.id)
    stores = 0
    for each in trees.nodes(definition):
        value = getattr(each, "value", None)
        is_own = isinstance(value, ast.Name) and value.id in names
        if isinstance(each, ast.Subscript) and is_own and not isinstance(each.ctx, ast.Load):
            return True
        if isinstance(each, ast.Attribute) and is_own and each.attr in _CHANGING:
            return True
        if isinstance(each, ast.Call) and may_change(each):
            given = [*each.args, *(one.value for one in each.keywords if one.arg)]
            if any(isinstance(one, ast.Name) and one.id in names for one in given):
                return True
        stores += isinstance(each, ast.Name) and each.id in names and (
            not isinstance(each.ctx, ast.Load)
        )  # fmt: skip
    return stores > len(names)


_CHANGING = frozenset({"pop", "update", "setdefault", "popitem", "clear", "subtract"})
_AS_VALUES = frozenset({"get", "index", "count", "find"})
"""Methods that change nothing."""
