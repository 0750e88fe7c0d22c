"""Dicts that have a value for every key: `collections.Counter` and `collections.defaultdict`."""

from __future__ import annotations

import ast
from collections import Counter, defaultdict
from functools import partial
from typing import Any

from searchkit.translation import dicts, members
from searchkit.translation.arithmetic import always_raises, asked, binary, negative, smallest
from searchkit.translation.builders import MOST_ITEMS, any_or_all, type_of_items
from searchkit.translation.comparison import both, negated
from searchkit.translation.dicts import (
    empty_dict,
    is_any_dict,
    is_changed_later,
    is_dict,
    joined_dicts,
    keys_of,
    pair_of,
    pairs_of,
    place_with,
    placed_with,
    put_pair,
    with_named,
)
from searchkit.translation.lookups import value_or
from searchkit.translation.loops import Body, mapped, most_of, ordered_stream, run
from searchkit.translation.memory import in_memory, joined_type, loaded, store
from searchkit.translation.methods import Bound, check_other
from searchkit.translation.refusals import refuse
from searchkit.translation.sequences import sliced
from searchkit.translation.translator import Rows, Translator
from searchkit.translation.types import Int
from searchkit.translation.values import SMALL, Items, Known, Place, Round, Scalar, Stream, Value
from searchkit.translation.variables import kept

NONE, ZERO = Known(None), Known(0)
_PLAIN = (int, bool, str, float, tuple, frozenset, type(None))
_kinds: dict[Any, type] = {}
_COMPARED: dict[str, type[ast.cmpop]] = {"==": ast.Eq, "<=": ast.LtE, ">=": ast.GtE}


class Counting(Counter[Any]):
    """What counters are in the types of values."""


class Defaulting(defaultdict[Any, Any]):
    """What other dicts with defaults are: a class for each way to make one."""

    maker: Any = None
    """`list` or `set`, or None for one that is known."""
    known: Any = None


def _kind_for(maker: Any, known: Any) -> type:
    key = maker, known.__class__, known
    if key not in _kinds:
        _kinds[key] = type("defaultdict", (Defaulting,), {"maker": maker, "known": known})
    return _kinds[key]


# Made


def _call_Counter(t: Translator, /, *args: Value, **named: Value) -> Value:  # noqa: N802
    parts = with_named(t, args, named)
    known = [each.value for each in parts if isinstance(each, Known)]
    if len(known) == len(parts) and not is_changed_later(t.scope.definition, t.node):
        return asked(t, Counter, *known)
    made = empty_dict(t, Counting)
    for each in parts:
        made = _with_counts(t, made, each)
    return made


def _with_counts(t: Translator, before: Place, other: Value) -> Place:
    """A new counter with the counts of one, and those of another or of what is gone through."""
    stream = _counts_of(t, other)
    first = pairs_of(t, before)
    added = type_of_items(t, mapped(t, lambda pair: pair_of(t, pair)[0], stream))
    key = joined_type(t, keys_of(t, before).type.item, added)
    most = max(1, min(most_of(first) + most_of(stream), MOST_ITEMS))
    made = empty_dict(t, Counting, key, Int(), most)
    if not t.text.is_aside:
        _count_all(t, made, first)
        _count_all(t, made, stream)
    return made


def _count_all(t: Translator, owner: Place, pairs: Stream, sign: int = 1) -> None:
    """Add to the counts of keys, or take away from them."""

    def add(pair: Value, _: Round) -> None:
        key, count = pair_of(t, pair)
        _count(t, owner, key, count if sign > 0 else negative(t, count))

    run(t, pairs, add)


def _counts_of(t: Translator, value: Value) -> Stream:
    """Pairs of what is counted, and how often it counts."""
    if is_any_dict(value):
        return pairs_of(t, value)
    return mapped(t, lambda each: Items((each, Known(1))), ordered_stream(t, value))


def _count(t: Translator, owner: Place, key: Value, count: Value) -> None:
    """Add to the count of a key."""
    place = (place_with if owner.root is not None else placed_with)(t, owner, key, ZERO)
    total = t.forms.number(t, binary(t, ast.Add(), loaded(t, place), count), "counts by")
    store(t, total, place)


def _call_defaultdict(t: Translator, /, *args: Value, **named: Value) -> Value:
    if named or len(args) > 2:
        raise refuse(t, "makes a defaultdict of names", "write {...}")
    make = args[0] if args else NONE
    maker = make.value if isinstance(make, Known) else make
    if maker is None:
        kind: type = dict
    elif maker in (list, set):
        kind = _kind_for(maker, None)
    else:
        known: Any = t.forms.call(t, make, [], {})
        if not isinstance(known, Known) or not isinstance(known.value, _PLAIN):
            raise refuse(
                t,
                "makes a defaultdict of values that are not plain",
                "use defaultdict(int), defaultdict(list), or dict.setdefault",
            )
        kind = _kind_for(None, known.value)
    if len(args) < 2:
        return empty_dict(t, kind)
    return joined_dicts(t, [*args[1:]], kind)


# Looked up


def _default_of(kind: type) -> Value | None:
    """What a missing key stands for; None if that is an error."""
    if issubclass(kind, Counting):
        return ZERO
    if not issubclass(kind, Defaulting):
        return None
    return Known(kind.known) if kind.maker is None else Items((), kind.maker)


def indexed(t: Translator, value: Value, index: Value) -> Value:
    """`value[index]`."""
    if isinstance(value, Known) and isinstance(value.value, (Counter, defaultdict)):
        made = _default_of_known(value.value)
        if made is not None:
            return value_or(t, value, index, made)
    elif is_counter(value):
        return value_or(t, value, index, ZERO)
    return dicts.indexed(t, value, index)


def _default_of_known(known: Any) -> Value | None:
    if isinstance(known, Counter):
        return ZERO
    made = None if known.default_factory is None else known.default_factory()
    # What Python adds to it is left out: it would be the same however often it is asked.
    return Known(made) if made is not None and isinstance(made, _PLAIN) else None


def place_of_value(t: Translator, owner: Place, key: Value) -> Place | Known:
    """Where the value of a key is: put there if it was missing."""
    default = _default_of(owner.type.kind)
    if default is None:
        return dicts.place_of_value(t, owner, key)
    return place_with(t, owner, key, default)


# Methods


def method(t: Translator, owner: Value, name: str) -> Bound | None:
    """A method of a list, tuple, text, set or dict; None for all else."""
    if is_counter(owner):
        run = _METHODS.get(name)
        if run and not (isinstance(owner, Known) and name in ("update", "subtract")):
            return Bound(owner, partial(run, t))
    return dicts.method(t, owner, name)


def _elements(t: Translator, owner: Value) -> Value:
    pairs = pairs_of(t, owner)

    def each(body: Body) -> None:
        with t.text.once() as out:

            def times(pair: Value, _: Round) -> None:
                key, count = pair_of(t, pair)
                number = kept(t, t.forms.number(t, count, "counts by"))
                i = t.text.name("i")
                with t.text.loop(f"for {i} in range({number.text}):") as loop:
                    body(key, Round((out, "break"), (loop, "continue")))

            run(t, pairs, times)

    return Stream(each=each, most=MOST_ITEMS + 1)


def _most_common(t: Translator, owner: Value, count: Value = NONE) -> Value:
    last = lambda pair: pair_of(t, pair)[1]  # noqa: E731
    row = t.forms.made_row(t, pairs_of(t, owner), list)
    ordered = t.forms.sorted_row(t, row, last, down=True)
    if isinstance(count, Known) and count.value is None:
        return ordered
    most = smallest(t, [t.forms.number(t, count, "takes"), Known(0)], "max")
    return in_memory(t, sliced(t, ordered, (NONE, most, NONE)))


def _add(
    t: Translator, owner: Place, args: tuple[Value, ...], named: dict[str, Value], sign: int
) -> Value:
    for other in with_named(t, args, named):
        check_other(t, owner, other, "adds a counter to itself", "copy it first")
        _count_all(t, owner, _counts_of(t, other), sign)
    return NONE


# Operators


def is_counter(value: Value) -> bool:
    """Whether a value is a counter, in memory or of the author's."""
    if isinstance(value, Known):
        return isinstance(value.value, Counter)
    return is_dict(value) and value.type.kind is Counting


def combined(t: Translator, op: ast.operator, left: Value, right: Value) -> Value:
    """A binary operator: `+`, `-`, `|` and `&` of counters keep what counts above 0."""
    if isinstance(left, Known) and isinstance(right, Known):
        return dicts.combined(t, op, left, right)
    if not (is_counter(left) and is_counter(right)):
        return dicts.combined(t, op, left, right)
    if not isinstance(op, (ast.Add, ast.Sub, ast.BitOr, ast.BitAnd)):
        return always_raises(t, TypeError())
    own, other = (_with_counts(t, empty_dict(t, Counting), each) for each in (left, right))
    key = joined_type(t, keys_of(t, own).type.item, keys_of(t, other).type.item)
    most = max(1, keys_of(t, own).type.most + keys_of(t, other).type.most)
    made = empty_dict(t, Counting, key, Int(), most)

    def keep(pair: Value, _: Round) -> None:
        one, count = pair_of(t, pair)
        second = value_or(t, other, one, ZERO)
        _keep(t, made, one, _counted(t, op, count, second))

    def keep_other(pair: Value, _: Round) -> None:
        one, count = pair_of(t, pair)
        there = t.forms.contains(t, own, one)
        with t.text.block(f"if not {there.text}:"):
            _keep(t, made, one, _counted(t, op, ZERO, count))

    run(t, pairs_of(t, own), keep)
    if not isinstance(op, ast.BitAnd):
        run(t, pairs_of(t, other), keep_other)
    return made


def _counted(t: Translator, op: ast.operator, one: Value, other: Value) -> Value:
    if isinstance(op, (ast.BitOr, ast.BitAnd)):
        return smallest(t, [one, other], "max" if isinstance(op, ast.BitOr) else "min")
    return binary(t, op, one, other)


def _keep(t: Translator, made: Place, key: Value, count: Value) -> None:
    number = kept(t, t.forms.within(t, t.forms.number(t, count, "counts by"), 1 - SMALL, SMALL - 1))
    with t.text.block(f"if {number.text} > 0:"):
        put_pair(t, made, key, number)


def equal(t: Translator, left: Value, right: Value) -> Scalar:
    """Whether two values are equal: a counter has 0 of what it does not have."""
    if not (is_counter(left) and is_counter(right)) or (
        isinstance(left, Known) and isinstance(right, Known)
    ):
        return dicts.equal(t, left, right)
    return _all_counts(t, "==", left, right)


def ordered(t: Translator, sign: str, left: Value, right: Value) -> Scalar:
    """`<`, `<=`, `>` and `>=`; of counters, whether each count is."""
    if not (is_counter(left) and is_counter(right)):
        return members.ordered(t, sign, left, right)
    found = _all_counts(t, f"{sign[0]}=", left, right)
    if len(sign) == 2:
        return found
    same = _all_counts(t, "==", left, right)
    return both(found, negated(same))


def _all_counts(t: Translator, sign: str, left: Value, right: Value) -> Scalar:
    """Whether the count of each thing in one is so to that in the other."""

    def all_of(one: Value, other: Value, sign: str) -> Scalar:
        def holds(pair: Value) -> Value:
            key, count = pair_of(t, pair)
            second = value_or(t, other, key, ZERO)
            return t.forms.compared(t, _COMPARED[sign](), count, second)

        return any_or_all(t, mapped(t, holds, pairs_of(t, one)), is_any=False)

    turned = sign.translate(str.maketrans("<>", "><"))
    return both(all_of(left, right, sign), all_of(right, left, turned))


CALLS: Rows = {"Counter": _call_Counter, "defaultdict": _call_defaultdict}

_METHODS: Rows = {
    "elements": _elements, "most_common": _most_common,
    "total": lambda t, own: t.forms.calls["sum"](
        t, mapped(t, lambda pair: pair_of(t, pair)[1], pairs_of(t, own))
    ),
    "update": lambda t, own, /, *args, **named: _add(t, own, args, named, 1),
    "subtract": lambda t, own, /, *args, **named: _add(t, own, args, named, -1),
    "copy": lambda t, own: _with_counts(t, empty_dict(t, Counting), own),
}  # fmt: skip
