"""Dicts that rules make: a row of keys and a row of values, in the order in which keys came."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, TypeGuard

from searchkit.kernel_language import trees
from searchkit.translation import library, lookups, members, strings
from searchkit.translation.arithmetic import always_raises
from searchkit.translation.builders import any_or_all, put_behind
from searchkit.translation.comparison import FALSE, and_then
from searchkit.translation.effects import may_change
from searchkit.translation.expressions import generated, values_of
from searchkit.translation.facts import Variable
from searchkit.translation.lookups import either, value_or
from searchkit.translation.loops import (
    Body,
    check_order,
    mapped,
    most_of,
    one_after_another,
    ordered_stream,
    repeated,
    run,
)
from searchkit.translation.memory import copied, joined_type, loaded, store, type_of
from searchkit.translation.methods import Bound, check_other, close_gap, taken_out
from searchkit.translation.records import made_of
from searchkit.translation.refusals import refuse, trap
from searchkit.translation.sequences import at_place, is_found, place_in_row
from searchkit.translation.strings import parts_of
from searchkit.translation.translator import Rows, Translator
from searchkit.translation.types import Never, Record, Seq
from searchkit.translation.values import Items, Known, Place, Round, Scalar, Stream, Value
from searchkit.translation.variables import again, kept, makes_lists

MOST_KEYS = 64
"""How many keys a dict has at most whose length is not known."""
NONE = Known(None)


def is_dict(value: Value) -> TypeGuard[Place]:
    """Whether a value is a dict in memory."""
    return (
        isinstance(value, Place)
        and isinstance(value.type, Record)
        and issubclass(value.type.kind, dict)
    )


def keys_of(t: Translator, owner: Place) -> Place:
    """The row of the keys of a dict in memory."""
    return t.forms.field_of(t, owner, 0)


def values_of_dict(t: Translator, owner: Place) -> Place:
    """The row of its values."""
    return t.forms.field_of(t, owner, 1)


# Made


def empty_dict(
    t: Translator, kind: type = dict, key: Any = None, value: Any = None, most: int = 1
) -> Place:
    """A new dict."""
    rows = (Seq(each or Never(), 0, most, list) for each in (key, value))
    place = t.forms.slot(t, Record(tuple(rows), kind))
    for each in (keys_of(t, place), values_of_dict(t, place)):
        t.text.line(f"{each.cell()} = 0")
    return place.made()


def made_dict(t: Translator, pairs: Stream, kind: type = dict) -> Value:
    """A dict of pairs: the last value of a key is kept, and the first place."""
    keys: list[Any] = [Never()]
    values: list[Any] = [Never()]

    def look(pair: Value, _: Round) -> None:
        key, value = pair_of(t, pair)
        keys.append(type_of(t, key))
        values.append(type_of(t, value))

    with t.text.aside():
        run(t, pairs, look)
    key, value = keys[0], values[0]
    for one, other in zip(keys[1:], values[1:], strict=True):
        key, value = joined_type(t, key, one), joined_type(t, value, other)
    if isinstance(key, Never):
        return empty_dict(t, kind)
    place = empty_dict(t, kind, key, value, max(1, min(most_of(pairs), MOST_KEYS)))

    def add(pair: Value, _: Round) -> None:
        one, other = pair_of(t, pair)
        put_pair(t, place, one, other)

    if not t.text.is_aside:
        run(t, pairs, add)
    return place.made()


def pair_of(t: Translator, pair: Value) -> list[Value]:
    """A key and its value."""
    parts = parts_of(t, pair)
    if len(parts) != 2:
        raise refuse(t, "makes a dict of values that are not pairs", "use pairs")
    return parts


def put_pair(t: Translator, owner: Place, key: Value, value: Value) -> None:
    """Give a key its value, in rows that have the types of both."""
    value = kept(t, value) if isinstance(value, Scalar) else value
    store(t, value, placed_with(t, owner, key))


def _add_key(t: Translator, keys: Place, values: Place, key: Value, place: str) -> None:
    """Put a key behind the others, and give `place` the number of it."""
    count = put_behind(t, keys, key, "a dict")
    t.text.line(f"{values.cell()} = {count} + 1")
    t.text.line(f"{place} = {count}")


def _check_key(t: Translator, key: Value) -> None:
    if isinstance(key, (Items, Place)) and t.forms.is_mutable(t, type_of(t, key)):
        raise refuse(t, "uses a list for a key", "use a tuple")


# Looked up


def _place_of_key(t: Translator, owner: Place, key: Value) -> str | None:
    _check_key(t, key)
    return place_in_row(t, keys_of(t, owner), key)


def indexed(t: Translator, value: Value, index: Value) -> Value:
    """`value[index]`."""
    if not is_dict(value):
        return members.indexed(t, value, index)
    place = t.forms.place_of_value(t, value, index)
    return place if isinstance(place, Known) else loaded(t, place)


def place_of_value(t: Translator, owner: Place, key: Value) -> Place | Known:
    """Where the value of a key is; leaves the state to Python where it is missing."""
    values = values_of_dict(t, owner)
    place = _place_of_key(t, owner, key)
    place = None if isinstance(values.type.item, Never) else place
    return at_place(t, place, KeyError, lambda at: t.forms.item_at(t, values, at))


def contains(t: Translator, value: Value, item: Value) -> Scalar:
    """`item in value`."""
    if not is_dict(value):
        return members.contains(t, value, item)
    return is_found(_place_of_key(t, value, item))


def length_of(t: Translator, value: Value) -> Scalar | Known:
    """`len`."""
    if is_dict(value):
        return t.forms.length(t, keys_of(t, value))
    return members.length_of(t, value)


def equal(t: Translator, left: Value, right: Value) -> Scalar:
    """Whether two values are equal."""
    if not (is_dict(left) or is_dict(right)):
        return members.equal(t, left, right)
    if not (is_any_dict(left) and is_any_dict(right)):
        return t.forms.truth(t, Known(False))
    count, other = (
        t.forms.number(t, t.forms.length_of(t, each), "").text for each in (left, right)
    )

    def is_alike(pair: Value) -> Value:
        key, value = pair_of(t, pair)
        same = t.forms.looked_up_by(
            t, right, key, lambda e: t.forms.equal(t, value, e), lambda: FALSE
        )
        return t.forms.truth(t, same)

    return and_then(
        t,
        Scalar.truth(f"({count} == {other})"),
        lambda: any_or_all(t, mapped(t, is_alike, pairs_of(t, left)), is_any=False),
    )


def is_any_dict(value: Value) -> bool:
    """Whether a value is a dict, in memory or of the author's."""
    return is_dict(value) or (isinstance(value, Known) and isinstance(value.value, dict))


def pairs_of(t: Translator, value: Value) -> Stream:
    """The keys of a dict, in memory or of the author's, with their values."""
    if isinstance(value, Known):
        return t.forms.stream(t, Known(tuple(value.value.items())))
    assert isinstance(value, Place)
    return _gone_through(t, value, lambda *pair: Items(pair))


def looked_up_by(
    t: Translator,
    owner: Value,
    key: Value,
    found: Callable[[Value], Value],
    missing: Callable[[], Value],
) -> Value:
    """What `found` makes of the value of a key, or what is there for one that is missing."""
    if not is_dict(owner):
        return lookups.looked_up_by(t, owner, key, found, missing)
    values, place = values_of_dict(t, owner), _place_of_key(t, owner, key)
    if place is None or isinstance(values.type.item, Never):
        return missing()
    of_key = lambda: found(loaded(t, t.forms.item_at(t, values, place)))  # noqa: E731
    return either(t, is_found(place), of_key, missing)


def held(t: Translator, value: Value) -> Value:
    """A sequence of which items can be taken by number: known, items, or in memory."""
    if is_dict(value):
        raise refuse(t, "takes a dict apart", "use its keys")
    return lookups.held(t, value)


# Gone through


def stream(t: Translator, value: Value) -> Stream:
    """What going through a value gives."""
    if is_dict(value):
        return _gone_through(t, value, lambda key, _: key)
    return members.stream(t, value)


def _gone_through(t: Translator, owner: Place, item: Callable[[Value, Value], Value]) -> Stream:
    """The items of a dict, which may not grow on the way."""
    keys, values = keys_of(t, owner), values_of_dict(t, owner)
    keys, values = (each._replace(is_stable=False) for each in (keys, values))
    if isinstance(keys.type.item, Never) or isinstance(values.type.item, Never):
        none = Scalar(type_of(t, Known(0)), "0", 0, 0)
        return Stream(each=lambda body: None, count=none, at=lambda i: Known(0))

    def each(body: Body) -> None:
        before = t.open_dicts, t.named_parts
        t.open_dicts = (*t.open_dicts, (owner.root, t.open_loop))
        begin = t.text.temporary(keys.cell(), "n")
        i = t.text.temporary("-1", "i")
        with t.text.loop("while True:") as loop:
            trap(t, f"{keys.cell()} != {begin}", what="changes a dict that is gone through")
            t.text.line(f"{i} += 1")
            with t.text.block(f"if {i} >= {begin}:"):
                t.text.line("break")
            pair = [loaded(t, t.forms.item_at(t, row, i)) for row in (keys, values)]
            body(item(pair[0], pair[1]), Round((loop, "break"), (loop, "continue")))
        t.open_dicts, t.named_parts = before

    return Stream(each=each, most=keys.type.most, is_iterator=False)


# Changed


def put_in_dict(t: Translator, owner: Place, key: Value, value: Value) -> None:
    """`owner[key] = value`."""
    _change_keys(t, owner)
    owner = _with_room(t, owner, key, value)
    put_pair(t, owner, key, value)


def _change_keys(t: Translator, owner: Place, *, takes_out: bool = False) -> None:
    """Note that it is changed, and whole lists within it may be put in or taken out."""
    t.forms.change(t, owner)
    if not isinstance(owner.root, Variable):
        raise refuse(t, "changes a dict that has no name", "give it one before")
    if t.forms.is_mutable(t, values_of_dict(t, owner).type.item) and not owner.root.is_replaced:
        owner.root.is_replaced = True
        again(t, owner.root)
    if any(each is owner.root for each in t.named_parts):
        raise refuse(t, "puts lists into a dict while it goes through its lists", "do so later")
    if takes_out and any(each is owner.root for each, _ in t.open_dicts):
        raise refuse(t, "takes keys out of a dict while it goes through it", "do so later")


def _with_room(t: Translator, owner: Place, key: Value, value: Value) -> Place:
    """The same dict, once its rows have the types of a key and a value."""
    t.forms.enlarge(t, keys_of(t, owner), type_of(t, key))
    t.forms.enlarge(t, values_of_dict(t, owner), type_of(t, value))
    return owner


def dict_pop(t: Translator, owner: Place, key: Value, default: Value | None = None) -> Value:
    """Take a key out of a dict; its value."""
    if default is not None:
        key = t.forms.settled(t, key)
        return either(
            t, t.forms.contains(t, owner, key), lambda: dict_pop(t, owner, key), lambda: default
        )
    _change_keys(t, owner, takes_out=True)
    keys, values = keys_of(t, owner), values_of_dict(t, owner)
    t.forms.enlarge(t, keys, Never())
    t.forms.enlarge(t, values, Never())

    def taken(place: str) -> Value:
        found = taken_out(t, loaded(t, t.forms.item_at(t, values, place)))
        if isinstance(found, Scalar):
            found = kept(t, found)
        count = t.text.temporary(keys.cell(), "n")
        close_gap(t, keys, place, count)
        close_gap(t, values, place, count)
        return found

    return at_place(t, _place_of_key(t, owner, key), KeyError, taken)


# Methods


def method(t: Translator, owner: Value, name: str) -> Bound | None:
    """A method of a list, tuple, text, set or dict; None for all else."""
    if isinstance(owner, Known) and owner.value is dict and name == "fromkeys":
        return Bound(owner, partial(_from_keys, t))
    if not is_dict(owner):
        return library.method(t, owner, name)
    run = _METHODS.get(name)
    if run is None:
        raise refuse(
            t, f"calls .{name} of a dict", "use [], in, get, pop, update, keys, values or items"
        )
    return Bound(owner, partial(run, t))


def place_with(t: Translator, owner: Place, key: Value, default: Value) -> Place:
    """Where the value of a key is, which is put there if the key is missing."""
    _change_keys(t, owner)
    return placed_with(t, _with_room(t, owner, key, default), key, default)


def placed_with(t: Translator, owner: Place, key: Value, default: Value | None = None) -> Place:
    """The same in rows that have the types of both; without a default whoever asks puts one."""
    _check_key(t, key)
    keys, values = keys_of(t, owner), values_of_dict(t, owner)
    keys, values = (each._replace(is_stable=False) for each in (keys, values))
    key = t.forms.settled(t, key)
    place = place_in_row(t, keys, key)
    assert place is not None
    with t.text.block(f"if {place} < 0:"):
        _add_key(t, keys, values, key, place)
        if default is not None:
            store(t, default, t.forms.item_at(t, values, place))
    return t.forms.item_at(t, values, place)


def updated_dict(
    t: Translator, owner: Place, other: Value | None = None, /, **named: Value
) -> Value:
    """`owner.update(other)`."""
    for each in with_named(t, [] if other is None else [other], named):
        check_other(t, owner, each, "updates a dict with itself", "leave it")
        _change_keys(t, owner)
        run(t, _pairs_in(t, each), lambda pair, _: put_in_dict(t, owner, *pair_of(t, pair)))
    return NONE


def with_named(t: Translator, args: Iterable[Value], named: dict[str, Value]) -> list[Value]:
    """The arguments of a call; those with names, if any, as a dict behind the others."""
    pairs: list[Value] = [Items((Known(name), value)) for name, value in named.items()]
    return [*args, *([made_dict(t, repeated(t, pairs))] if pairs else [])]


def _pairs_in(t: Translator, value: Value) -> Stream:
    """The pairs of a dict, or those that are gone through."""
    return pairs_of(t, value) if is_any_dict(value) else ordered_stream(t, value)


def joined_dicts(t: Translator, parts: list[Value], kind: type = dict) -> Value:
    """A dict of the pairs of several, one behind the other; the last value of a key is kept."""
    return made_dict(t, one_after_another(t, [_pairs_in(t, each) for each in parts]), kind)


def _from_keys(t: Translator, owner: Known, keys: Value, value: Value = NONE) -> Value:
    if makes_lists(t, value):
        raise refuse(t, "gives all keys of a dict one list", "use a comprehension")
    stream = ordered_stream(t, keys)
    return made_dict(t, mapped(t, lambda key: Items((key, value)), stream))


def _dict_clear(t: Translator, owner: Place) -> Value:
    _change_keys(t, owner, takes_out=True)
    for each in (keys_of(t, owner), values_of_dict(t, owner)):
        t.text.line(f"{each.cell()} = 0")
    return NONE


def combined(t: Translator, op: ast.operator, left: Value, right: Value) -> Value:
    """A binary operator: `|` joins dicts."""
    if isinstance(op, ast.BitOr) and (is_dict(left) or is_dict(right)):
        if is_any_dict(left) and is_any_dict(right):
            return joined_dicts(t, [left, right])
        return always_raises(t, TypeError())
    return strings.combined(t, op, left, right)


def _of_attribute(t: Translator, node: ast.Attribute) -> Value:
    """`value.name`; of methods that change nothing also as values: `key=sizes.get`."""
    owner = t.forms.value(t, node.value)
    is_asked = node.attr in _AS_VALUES and not isinstance(owner, Known)
    method = t.forms.method(t, owner, node.attr) if is_asked else None
    return t.forms.attribute(t, owner, node.attr) if method is None else Known(method)


def copied_dict(t: Translator, owner: Place) -> Value:
    """`dict(owner)`."""
    if t.forms.is_mutable(t, values_of_dict(t, owner).type.item):
        raise refuse(t, "copies a dict of lists, which stay the same lists", "copy each")
    return copied(t, owner)


def _call_dict(t: Translator, /, *args: Value, **named: Value) -> Value:
    parts = with_named(t, args, named)
    if not named and args and is_dict(args[0]):
        return copied_dict(t, args[0])
    return joined_dicts(t, parts) if parts else empty_dict(t)


# Written out


def _of_dictcomp(t: Translator, node: ast.DictComp) -> Value:
    stream = generated(t, node, lambda: Items(tuple(values_of(t, [node.key, node.value]))))
    check_order(t, stream)
    return made_dict(t, stream)


def _of_dict(t: Translator, node: ast.Dict) -> Value:
    """One that nothing changes, and no state decides about, is an object of Python."""
    if None in node.keys:
        return _with_others(t, node)
    nodes: Any = [each for pair in zip(node.keys, node.values, strict=True) for each in pair]
    found = [_as_known(each) for each in values_of(t, nodes)]
    if not is_changed_later(t.scope.definition, node) and all(
        isinstance(each, Known) for each in found
    ):
        known = [each.value for each in found]  # type: ignore[union-attr]
        return Known(dict(zip(known[::2], known[1::2], strict=True)))
    pairs: list[Value] = [Items((found[i], found[i + 1])) for i in range(0, len(found), 2)]
    return made_dict(t, repeated(t, pairs)) if pairs else empty_dict(t)


def _with_others(t: Translator, node: ast.Dict) -> Value:
    """`{**other, key: value}`."""
    pairs = zip(node.keys, node.values, strict=True)
    found = iter(values_of(t, [each for pair in pairs for each in pair if each is not None]))
    parts: list[Value] = []
    for key in node.keys:
        one = next(found)
        if key is not None:
            parts.append(Items((Items((one, next(found))),)))
        elif is_any_dict(one):
            parts.append(one)
        else:
            raise refuse(t, "unpacks by ** a value that is not a dict", "unpack dicts")
    return joined_dicts(t, parts)


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


EXPRESSIONS: Rows = {ast.Attribute: _of_attribute, ast.DictComp: _of_dictcomp, ast.Dict: _of_dict}


CALLS: Rows = {"dict": _call_dict}

_METHODS: Rows = {
    "get": value_or, "pop": dict_pop, "copy": copied_dict, "update": updated_dict,
    "setdefault": lambda t, own, key, default=NONE: loaded(t, place_with(t, own, key, default)),
    "clear": _dict_clear,
    "keys": lambda t, own: _gone_through(t, own, lambda key, _: key),
    "values": lambda t, own: _gone_through(t, own, lambda _, value: value),
    "items": lambda t, own: _gone_through(t, own, lambda *pair: Items(pair)),
}  # fmt: skip
