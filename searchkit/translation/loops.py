"""What is gone through: loops over sequences, and what is built or found by them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import EnumType
from math import prod
from typing import Any

from searchkit.translation.arithmetic import always_raises
from searchkit.translation.comparison import known_truth
from searchkit.translation.facts import Scope
from searchkit.translation.memory import (
    fields_of,
    is_object,
    items_of_joined,
    kind_of,
    loaded,
    type_of,
)
from searchkit.translation.refusals import (
    SORTED,
    Again,
    Untranslatable,
    describe,
    here,
    of_order,
    refuse,
    trap,
)
from searchkit.translation.sequences import as_row, of_range
from searchkit.translation.text import Leave, Loop
from searchkit.translation.translator import Translator
from searchkit.translation.types import Bits, Int, Never, Open, Seq
from searchkit.translation.values import Items, Joined, Known, Place, Round, Scalar, Stream, Value
from searchkit.translation.variables import kept

MOST_REPEATED = 24
"""Of how many unlike items a loop is written out, once for each."""
Body = Callable[[Value, Round], None]


@contextmanager
def inside(t: Translator, scope: Scope) -> Iterator[None]:
    """Translate as a part of another function."""
    before, t.scope = t.scope, scope
    site, t.site = t.site, scope.site
    try:
        yield
    finally:
        t.scope, t.site = before, site


def is_set(value: Value) -> bool:
    """Whether a value is a set."""
    return kind_of(value) in (set, frozenset)


def stream(t: Translator, value: Value) -> Stream:
    """What going through a value gives."""
    if isinstance(value, Stream):
        if value.known is not None:
            return stream_of_known(t, value.known)._replace(is_iterator=True)
        return value
    if isinstance(value, Joined) and items_of_joined(t, value)[0] is None:
        return _of_unlike_parts(t, value)
    value = t.forms.held(t, value)
    if isinstance(value, Known):
        return stream_of_known(t, value.value)
    if isinstance(value, Items):
        if value.kind in (set, frozenset):
            if not isinstance(type_of(t, value), Seq):
                raise refuse(t, "goes through a set of unlike members", "use members of one kind")
            return items_in_memory(t, t.forms.row_of(t, value))
        return _alike_or_repeated(t, value, list(value.items))
    if isinstance(value, Place) and isinstance(value.type, Seq):
        return items_in_memory(t, value)
    fields = fields_of(t, value)
    if fields is not None:
        return repeated(t, fields)
    if isinstance(value, Place) and isinstance(value.type, (Bits, Open)):
        return t.forms.members_in(t, value)
    raise refuse(t, f"goes through {describe(value)}", "use a tuple, list or range")


def _of_unlike_parts(t: Translator, value: Joined) -> Stream:
    """Sequences of unlike items one after another, made before the first is gone through."""
    rows = []
    for each in value.parts:
        part: Value = Joined((each,), value.kind) if isinstance(each, Stream) else each
        rows.append(t.forms.stream(t, t.forms.settled(t, part)))
    return one_after_another(t, rows)


def one_after_another(t: Translator, streams: list[Stream]) -> Stream:
    """`itertools.chain`."""

    def each(body: Body) -> None:
        with t.text.once() as out:
            for stream in streams:
                run(t, stream, lambda value, turn: body(value, Round((out, "break"), turn.next)))

    return Stream(each=each, most=sum(map(most_of, streams)))


def stream_of_known(t: Translator, value: Any) -> Stream:
    """The items of an object of Python."""
    if isinstance(value, range):
        count = Scalar(Int(), str(len(value)), len(value), len(value))
        at = lambda i: of_range(value, i)  # noqa: E731
        return Stream(count=count, at=at, is_iterator=False)
    if isinstance(value, (set, frozenset, dict, EnumType)) or type(value).__name__ in (
        "dict_items", "dict_keys", "dict_values",
    ):  # fmt: skip
        value = tuple(value)  # in this process Python has this order
    if not isinstance(value, (tuple, list, str)):
        raise refuse(t, f"goes through {value!r:.40}", "use a tuple, list or range")
    if isinstance(value, str):
        return items_in_memory(t, as_row(t, Known(value)))  # type: ignore[arg-type]
    return _alike_or_repeated(t, Known(tuple(value)), [Known(each) for each in value])


def _alike_or_repeated(t: Translator, value: Value, items: list[Value]) -> Stream:
    """The items of a sequence as a row; unlike ones, and functions, one by one."""
    kind = None
    if len(items) > 1:
        with t.text.apart(), suppress(Untranslatable):
            kind = type_of(t, value)
    if not isinstance(kind, Seq):
        return repeated(t, items)
    row = as_row(t, value)
    if not isinstance(row, Place) or not isinstance(row.type, Seq):
        return repeated(t, items)  # known whole numbers among floats stay what they are
    return items_in_memory(t, row)


def items_in_memory(t: Translator, place: Place) -> Stream:
    """The items of a sequence in memory."""
    is_ordered = place.type.kind not in (set, frozenset)
    count = t.forms.length(t, place)
    if isinstance(place.type.item, Never):
        none = Scalar(Int(), "0", 0, 0)
        return Stream(each=lambda body: None, count=none, at=lambda i: Known(0))
    if place.is_stable or place.type.is_fixed:
        return Stream(
            count=count,
            at=lambda i: loaded(t, t.forms.item_at(t, place, i.text)),
            is_ordered=is_ordered,
        )

    def each(body: Body) -> None:
        # The list may grow or shrink on the way: its length is asked for each time.
        with _by_place(t, "-1") as (i, turn):
            with t.text.block(f"if {i} >= {place.cell()}:"):
                t.text.line("break")
            body(loaded(t, t.forms.item_at(t, place, i)), turn)

    return Stream(each=each, most=count.high, is_ordered=is_ordered, row=place)


def repeated(t: Translator, items: list[Value]) -> Stream:
    """A loop that is written out, once for each item."""
    if len(items) > MOST_REPEATED:
        raise refuse(t, f"goes through {len(items)} unlike items", "use tuples of like items")

    def each(body: Body) -> None:
        with t.text.once() as out:
            for item in items:
                one_round(t, body, item, (out, "break"))

    return Stream(each=each, most=len(items))


def one_round(t: Translator, body: Body, item: Value, stop: tuple[Loop, Leave]) -> None:
    """What is done with an item, in a loop of the author's that is none of the text."""
    with t.text.once() as one:
        body(item, Round(stop, (one, "break")))


@contextmanager
def _by_place(t: Translator, before: str, step: str = "+= 1") -> Iterator[tuple[str, Round]]:
    """A loop over places from the one after `before` on, which says itself where to end."""
    i = t.text.temporary(before, "i")
    with t.text.loop("while True:") as loop:
        t.text.line(f"{i} {step}")
        yield i, Round((loop, "break"), (loop, "continue"))


def run(t: Translator, stream: Stream, body: Body) -> None:
    """Make the loop over a stream."""
    before = t.unordered
    if not stream.is_ordered:
        t.unordered = (*before, t.scope.key)
    try:
        if stream.each is not None:
            stream.each(body)
            return
        assert stream.count is not None
        i = t.text.name("i")
        with t.text.loop(f"for {i} in range({stream.count.text}):") as loop:
            body(stream.item(i), Round((loop, "break"), (loop, "continue")))
    finally:
        t.unordered = before


def note_most(t: Translator, place: Any, stream: Stream) -> None:
    """Note how many items there may be at a place of the program.

    Begins again where room was made in this round for fewer.
    """
    most = max(1, most_of(stream))
    if most > t.facts.sizes.get(place, 0):
        t.facts.sizes[place] = most
        if place in t.sized:
            t.facts.rounds += 1
            raise Again


def most_at(t: Translator, places: list[Any], look: Callable[[], None]) -> int:
    """How many items there may be at all of some places, once they are noted by `look`."""
    if not t.sized.issuperset(places):
        with t.text.aside():
            look()
        t.sized.update(places)
    return prod(t.facts.sizes.get(each, 1) for each in places)


def most_of(stream: Stream) -> int:
    """A bound on how many items there are."""
    return stream.most if stream.count is None else stream.count.high


def ordered_stream(t: Translator, value: Value) -> Stream:
    """What going through a value gives, where the order matters."""
    found = t.forms.stream(t, value)
    check_order(t, found)
    return found


def check_order(t: Translator, stream: Stream) -> None:
    """Refuse to go through a set where the order matters."""
    if not stream.is_ordered:
        mixed = "use a tuple, as its members are of several kinds that have no order"
        raise of_order(t, f"goes through a set{here(t)}", mixed if stream.is_mixed else SORTED)


# Streams made of streams


def counted(t: Translator, start: Scalar, stop: Scalar, step: int) -> Stream:
    """`range`."""
    span = stop.high - start.low if step > 0 else start.high - stop.low
    least = stop.low - start.high if step > 0 else start.low - stop.high
    high, low = max(0, -(-span // abs(step))), max(0, -(-least // abs(step)))
    if step == 1:
        text = stop.text if start.text == "0" else f"{stop.text} - {start.text}"
    elif step == -1:
        text = f"{start.text} - {stop.text}"
    elif step > 0:
        text = f"({stop.text} - {start.text} + {step - 1}) // {step}"
    else:
        text = f"({start.text} - {stop.text} + {-step - 1}) // {-step}"
    if low == high:
        text = str(low)
    elif least <= 0:
        text = f"max(0, {text})"
    count = kept(t, Scalar(Int(), text, low, high), "n")
    begin = kept(t, start, "start")

    def at(i: Scalar) -> Value:
        scaled = i.text if step == 1 else f"{i.text} * {step}"
        text = scaled if begin.text == "0" else f"({begin.text} + {scaled})"
        if step > 0:
            return Scalar(Int(), text, begin.low, max(begin.low, stop.high - 1))
        return Scalar(Int(), text, min(begin.high, stop.low + 1), begin.high)

    return Stream(count=count, at=at, is_iterator=False)


def enumerated(t: Translator, stream: Stream, start: Scalar) -> Stream:
    """`enumerate`; of a set, a member's number depends on the order."""
    check_order(t, stream)
    if stream.at is not None:
        inner = stream.at

        def at(i: Scalar) -> Value:
            number = i
            if start.text != "0":
                low, high = start.low + i.low, start.high + i.high
                number = Scalar(Int(), f"({start.text} + {i.text})", low, high)
            return Items((number, inner(i)))

        return stream._replace(at=at, is_iterator=True, known=None)

    def each(body: Body) -> None:
        n = t.text.temporary(f"{start.text} - 1", "n")

        def numbered(value: Value, turn: Round) -> None:
            t.text.line(f"{n} += 1")
            body(Items((Scalar(Int(), n, start.low), value)), turn)  # a function may yield many

        run(t, stream, numbered)

    return stream._replace(each=each, is_iterator=True, row=None, known=None)


def zipped(t: Translator, streams: list[Stream], *, is_strict: bool) -> Stream:
    """`zip`; which member of a set meets which item depends on the order."""
    for stream in streams if len(streams) > 1 else ():
        check_order(t, stream)
    if any(each.at is None for each in streams):
        return _zipped_on_the_way(t, streams, is_strict=is_strict)
    rows = streams
    counts = [each.count for each in rows if each.count is not None]
    count = counts[0]
    for each in counts[1:]:
        if is_strict and (each.text != count.text or each.low != each.high):
            if each.low == each.high == count.low == count.high:
                t.forms.fail(t)  # Python finds out at the end
            else:
                trap(t, f"{count.text} != {each.text}")
        elif not (each.low == each.high == count.low == count.high):
            text = f"min({count.text}, {each.text})"
            count = Scalar(Int(), text, min(count.low, each.low), min(count.high, each.high))
    count = kept(t, count, "n")
    return Stream(
        count=count,
        at=lambda i: Items(tuple(each.at(i) for each in rows)),  # type: ignore[misc]
        is_ordered=all(each.is_ordered for each in streams),
    )


def _zipped_on_the_way(t: Translator, streams: list[Stream], *, is_strict: bool) -> Stream:
    """`zip` of what may change while it is gone through."""
    makers = [i for i, each in enumerate(streams) if each.at is None and each.row is None]
    if len(makers) > 1 or is_strict:
        raise refuse(t, "zips several generators", "make tuples of them first")

    def ends(i: str, group: list[Stream], loop: Any) -> list[Value]:
        """The items with a number; leaves the loop where one of them is missing."""
        items = []
        for each in group:
            row = each.row
            count = each.count.text if row is None else row.cell()  # type: ignore[union-attr]
            with t.text.block(f"if {i} >= {count}:"):
                t.text.leave(*loop)
            items.append(each.item(i) if row is None else loaded(t, t.forms.item_at(t, row, i)))
        return items

    def by_number(body: Body) -> None:
        with _by_place(t, "-1") as (i, turn):
            body(Items(tuple(ends(i, streams, turn.stop))), turn)

    def by_maker(body: Body) -> None:
        place = makers[0]
        i = t.text.temporary("0", "i")
        with t.text.once() as out:
            ends(i, streams[:place], (out, "break"))

            def one(value: Value, turn: Round) -> None:
                first = ends(i, streams[:place], turn.stop)
                last = ends(i, streams[place + 1 :], turn.stop)
                one_round(t, body, Items((*first, value, *last)), turn.stop)
                t.text.line(f"{i} += 1")
                ends(i, streams[:place], turn.stop)

            run(t, streams[place], one)

    most = min(map(most_of, streams))
    is_ordered = all(each.is_ordered for each in streams)
    return Stream(each=by_maker if makers else by_number, most=most, is_ordered=is_ordered)


def by_number(t: Translator, stream: Stream) -> Stream:
    """A stream whose items can be taken by number."""
    if stream.at is not None:
        return stream
    return items_in_memory(t, t.forms.made_row(t, stream, tuple))


def numbered(t: Translator, stream: Stream) -> tuple[Scalar, Callable[[Scalar], Value]]:
    """How many items there are, and what gives the one of a number."""
    stream = by_number(t, stream)
    assert stream.count is not None
    assert stream.at is not None
    return stream.count, stream.at


def turned_stream(t: Translator, value: Value) -> Stream:
    """`reversed`."""
    stream = ordered_stream(t, value)
    if is_set(value) or (isinstance(value, Stream) and value.is_iterator):
        always_raises(t, TypeError())
    if is_object(value):
        raise refuse(t, f"turns {describe(value)} by reversed", "turn a tuple of it")
    if stream.row is not None:
        return _turned_on_the_way(t, stream.row, stream.most)
    count, at = numbered(t, stream)
    return Stream(
        count=count, at=lambda i: at(Scalar(Int(), f"({count.text} - 1 - {i.text})", 0, i.high))
    )


def _turned_on_the_way(t: Translator, row: Place, most: int) -> Stream:
    """The items of a list that may change on the way, from the last to the first."""
    begin = t.text.temporary(row.cell(), "i")

    def each(body: Body) -> None:
        with _by_place(t, begin, "-= 1") as (i, turn):
            with t.text.block(f"if {i} < 0 or {i} >= {row.cell()}:"):
                t.text.line("break")
            body(loaded(t, t.forms.item_at(t, row, i)), turn)

    return Stream(each=each, most=most)


def mapped(t: Translator, change: Callable[[Value], Value], stream: Stream) -> Stream:
    """`map`, or a generator expression without conditions."""
    if stream.at is not None:
        inner = stream.at
        at = lambda i: change(inner(i))  # noqa: E731
        return stream._replace(at=at, is_iterator=True, known=None)
    return stream._replace(
        is_iterator=True,
        row=None,
        known=None,
        each=lambda body: run(t, stream, lambda value, turn: body(change(value), turn)),
    )


def filtered(t: Translator, test: Callable[[Value], Scalar], stream: Stream) -> Stream:
    """`filter`."""

    def each(body: Body) -> None:
        def tested(value: Value, turn: Round) -> None:
            truth = test(value)
            if known_truth(truth) is False:
                return
            with t.text.block(f"if {truth.text}:"):
                body(value, turn)

        run(t, stream, tested)

    return Stream(each=each, most=most_of(stream), is_ordered=stream.is_ordered)
