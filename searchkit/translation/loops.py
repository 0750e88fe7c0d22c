"""What is gone through: loops over sequences, and what is built or found by them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from enum import EnumType
from math import prod
from typing import Any

from searchkit.translation.comparison import known_truth
from searchkit.translation.naming import describe
from searchkit.translation.refusals import Again, Untranslatable
from searchkit.translation.sequences import Sequences
from searchkit.translation.text import Leave, Loop
from searchkit.translation.types import Bits, Int, Never, Open, Seq
from searchkit.translation.values import (
    SMALL,
    Items,
    Joined,
    Known,
    Place,
    Round,
    Scalar,
    Stream,
    Value,
)
from searchkit.translation.variables import Scope

MOST_REPEATED = 24
"""Of how many unlike items a loop is written out, once for each."""
Body = Callable[[Value, Round], None]


class Loops(Sequences):
    """Loops that the author's program has, openly or within a call."""

    # Of classes further down

    members: Callable[[Place], Stream]
    made_row: Callable[[Stream, type], Value]

    @contextmanager
    def inside(self, scope: Scope) -> Iterator[None]:
        """Translate as a part of another function."""
        before, self.scope = self.scope, scope
        site, self.site = self.site, scope.site
        try:
            yield
        finally:
            self.scope, self.site = before, site

    def is_set(self, value: Value) -> bool:
        """Whether a value is a set."""
        return self.kind_of(value) in (set, frozenset)

    def stream(self, value: Value) -> Stream:
        """What going through a value gives."""
        if isinstance(value, Stream):
            if value.known is not None:
                return self._stream_of_known(value.known)._replace(is_iterator=True)
            return value
        if isinstance(value, Joined) and self.items_of_joined(value)[0] is None:
            return self._of_unlike_parts(value)
        value = self.held(value)
        if isinstance(value, Known):
            return self._stream_of_known(value.value)
        if isinstance(value, Items):
            if value.kind in (set, frozenset):
                return self._row(self.in_memory(value))
            return self._alike_or_repeated(value, list(value.items))
        if isinstance(value, Place) and isinstance(value.type, Seq):
            return self._row(value)
        fields = self.fields_of(value)
        if fields is not None:
            return self._repeated(fields)
        if isinstance(value, Place) and isinstance(value.type, (Bits, Open)):
            return self.members(value)
        raise self.refuse(f"goes through {describe(value)}", "use a tuple, list or range")

    def _of_unlike_parts(self, value: Joined) -> Stream:
        """Sequences of unlike items one after another, made before the first is gone through."""
        rows = []
        for each in value.parts:
            part: Value = Joined((each,), value.kind) if isinstance(each, Stream) else each
            rows.append(self.stream(self.settled(part)))
        return self.one_after_another(rows)

    def one_after_another(self, streams: list[Stream]) -> Stream:
        """`itertools.chain`."""

        def each(body: Body) -> None:
            with self.text.once() as out:
                for stream in streams:
                    self.run(
                        stream, lambda value, turn: body(value, Round((out, "break"), turn.next))
                    )

        return Stream(each=each, most=sum(map(self.most_of, streams)))

    def _stream_of_known(self, value: Any) -> Stream:
        if isinstance(value, range):
            count = Scalar(Int(), str(len(value)), len(value), len(value))
            at = lambda i: self._of_range(value, i)  # noqa: E731
            return Stream(count=count, at=at, is_iterator=False)
        if isinstance(value, (set, frozenset, dict, EnumType)) or type(value).__name__ in (
            "dict_items", "dict_keys", "dict_values",
        ):  # fmt: skip
            value = tuple(value)  # in this process Python has this order
        if not isinstance(value, (tuple, list, str)):
            raise self.refuse(f"goes through {value!r:.40}", "use a tuple, list or range")
        if isinstance(value, str):
            return self._row(self.as_row(Known(value)))  # type: ignore[arg-type]
        return self._alike_or_repeated(Known(tuple(value)), [Known(each) for each in value])

    def _alike_or_repeated(self, value: Value, items: list[Value]) -> Stream:
        """The items of a sequence as a row; unlike ones, and functions, one by one."""
        kind = None
        if len(items) > 1:
            with self.text.apart(), suppress(Untranslatable):
                kind = self.type_of(value)
        if not isinstance(kind, Seq):
            return self._repeated(items)
        row = self.as_row(value)
        assert isinstance(row, Place)
        if not isinstance(row.type, Seq):  # known whole numbers among floats stay what they are
            return self._repeated(items)
        return self._row(row)

    def _row(self, place: Place) -> Stream:
        """The items of a sequence in memory."""
        is_ordered = place.type.kind not in (set, frozenset)
        count = self.length(place)
        if isinstance(place.type.item, Never):
            none = Scalar(Int(), "0", 0, 0)
            return Stream(each=lambda body: None, count=none, at=lambda i: Known(0))
        if place.is_stable or place.type.is_fixed:
            return Stream(
                count=count,
                at=lambda i: self.loaded(self.item_at(place, i.text)),
                is_ordered=is_ordered,
            )

        def each(body: Body) -> None:
            # The list may grow or shrink on the way: its length is asked for each time.
            with self._by_place("-1") as (i, turn):
                with self.text.block(f"if {i} >= {place.cell()}:"):
                    self.text.line("break")
                body(self.loaded(self.item_at(place, i)), turn)

        return Stream(each=each, most=count.high, is_ordered=is_ordered, row=place)

    def _repeated(self, items: list[Value]) -> Stream:
        """A loop that is written out, once for each item."""
        if len(items) > MOST_REPEATED:
            raise self.refuse(f"goes through {len(items)} unlike items", "use tuples of like items")

        def each(body: Body) -> None:
            with self.text.once() as out:
                for item in items:
                    self.one_round(body, item, (out, "break"))

        return Stream(each=each, most=len(items))

    def one_round(self, body: Body, item: Value, stop: tuple[Loop, Leave]) -> None:
        """What is done with an item, in a loop of the author's that is none of the text."""
        with self.text.once() as one:
            body(item, Round(stop, (one, "break")))

    @contextmanager
    def _by_place(self, before: str, step: str = "+= 1") -> Iterator[tuple[str, Round]]:
        """A loop over places from the one after `before` on, which says itself where to end."""
        i = self.text.temporary(before, "i")
        with self.text.loop("while True:") as loop:
            self.text.line(f"{i} {step}")
            yield i, Round((loop, "break"), (loop, "continue"))

    def run(self, stream: Stream, body: Body) -> None:
        """Make the loop over a stream."""
        before = self.unordered
        if not stream.is_ordered:
            self.unordered = (*before, self.scope.key)
        try:
            if stream.each is not None:
                stream.each(body)
                return
            assert stream.count is not None
            assert stream.at is not None
            i = self.text.name("i")
            with self.text.loop(f"for {i} in range({stream.count.text}):") as loop:
                item = stream.at(Scalar(Int(), i, 0, max(0, stream.count.high - 1)))
                body(item, Round((loop, "break"), (loop, "continue")))
        finally:
            self.unordered = before

    def note_most(self, place: Any, stream: Stream) -> None:
        """Note how many items there may be at a place of the program.

        Begins again where room was made in this round for fewer.
        """
        most = max(1, self.most_of(stream))
        if most > self.facts.sizes.get(place, 0):
            self.facts.sizes[place] = most
            if place in self.sized:
                self.facts.rounds += 1
                raise Again

    def most_at(self, places: list[Any], look: Callable[[], None]) -> int:
        """How many items there may be at all of some places, once they are noted by `look`."""
        if not self.sized.issuperset(places):
            with self.text.aside():
                look()
            self.sized.update(places)
        return prod(self.facts.sizes.get(each, 1) for each in places)

    @staticmethod
    def most_of(stream: Stream) -> int:
        """A bound on how many items there are."""
        return stream.most if stream.count is None else stream.count.high

    def ordered_stream(self, value: Value) -> Stream:
        """What going through a value gives, where the order matters."""
        found = self.stream(value)
        self.check_order(found)
        return found

    def check_order(self, stream: Stream) -> None:
        """Refuse to go through a set where the order matters."""
        if not stream.is_ordered:
            raise self.refuse(
                f"goes through a set{self.here()}, whose order machine code does not know",
                "use a tuple, as its members are of several kinds that have no order"
                if stream.is_mixed
                else "go through sorted(...) of it, or use tuples",
            )

    # Streams made of streams

    def counted(self, start: Scalar, stop: Scalar, step: int) -> Stream:
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
        count = self.kept(Scalar(Int(), text, low, high), "n")
        begin = self.kept(start, "start")

        def at(i: Scalar) -> Value:
            scaled = i.text if step == 1 else f"{i.text} * {step}"
            text = scaled if begin.text == "0" else f"({begin.text} + {scaled})"
            if step > 0:
                return Scalar(Int(), text, begin.low, max(begin.low, stop.high - 1))
            return Scalar(Int(), text, min(begin.high, stop.low + 1), begin.high)

        return Stream(count=count, at=at, is_iterator=False)

    def enumerated(self, stream: Stream, start: Scalar) -> Stream:
        """`enumerate`; of a set, a member's number depends on the order."""
        self.check_order(stream)
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
            n = self.text.temporary(f"{start.text} - 1", "n")
            high = SMALL - 1  # as it may be a function that yields

            def numbered(value: Value, turn: Round) -> None:
                self.text.line(f"{n} += 1")
                body(Items((Scalar(Int(), n, start.low, high), value)), turn)

            self.run(stream, numbered)

        return stream._replace(each=each, is_iterator=True, row=None, known=None)

    def zipped(self, streams: list[Stream], *, is_strict: bool) -> Stream:
        """`zip`; which member of a set meets which item depends on the order."""
        for stream in streams if len(streams) > 1 else ():
            self.check_order(stream)
        if any(each.at is None for each in streams):
            return self._zipped_on_the_way(streams, is_strict=is_strict)
        rows = streams
        counts = [each.count for each in rows if each.count is not None]
        count = counts[0]
        for each in counts[1:]:
            if is_strict and (each.text != count.text or each.low != each.high):
                if each.low == each.high == count.low == count.high:
                    self.fail()  # Python finds out at the end
                else:
                    self.trap(f"{count.text} != {each.text}")
            elif not (each.low == each.high == count.low == count.high):
                text = f"min({count.text}, {each.text})"
                count = Scalar(Int(), text, min(count.low, each.low), min(count.high, each.high))
        count = self.kept(count, "n")
        return Stream(
            count=count,
            at=lambda i: Items(tuple(each.at(i) for each in rows)),  # type: ignore[misc]
            is_ordered=all(each.is_ordered for each in streams),
        )

    def _zipped_on_the_way(self, streams: list[Stream], *, is_strict: bool) -> Stream:
        """`zip` of what may change while it is gone through."""
        makers = [i for i, each in enumerate(streams) if each.at is None and each.row is None]
        if len(makers) > 1 or is_strict:
            raise self.refuse("zips several generators", "make tuples of them first")

        def ends(i: str, group: list[Stream], loop: Any) -> list[Value]:
            """The items with a number; leaves the loop where one of them is missing."""
            items = []
            for each in group:
                row = each.row
                count = each.count.text if row is None else row.cell()  # type: ignore[union-attr]
                with self.text.block(f"if {i} >= {count}:"):
                    self.text.leave(*loop)
                number = Scalar(Int(), i, 0, max(0, self.most_of(each) - 1))
                if row is None:
                    assert each.at is not None
                    items.append(each.at(number))
                else:
                    items.append(self.loaded(self.item_at(row, i)))
            return items

        def by_number(body: Body) -> None:
            with self._by_place("-1") as (i, turn):
                body(Items(tuple(ends(i, streams, turn.stop))), turn)

        def by_maker(body: Body) -> None:
            place = makers[0]
            i = self.text.temporary("0", "i")
            with self.text.once() as out:
                ends(i, streams[:place], (out, "break"))

                def one(value: Value, turn: Round) -> None:
                    first = ends(i, streams[:place], turn.stop)
                    last = ends(i, streams[place + 1 :], turn.stop)
                    self.one_round(body, Items((*first, value, *last)), turn.stop)
                    self.text.line(f"{i} += 1")
                    ends(i, streams[:place], turn.stop)

                self.run(streams[place], one)

        most = min(map(self.most_of, streams))
        is_ordered = all(each.is_ordered for each in streams)
        return Stream(each=by_maker if makers else by_number, most=most, is_ordered=is_ordered)

    def _by_number(self, stream: Stream) -> Stream:
        """A stream whose items can be taken by number."""
        if stream.at is not None:
            return stream
        row = self.made_row(stream, tuple)
        assert isinstance(row, Place)
        return self._row(row)

    def numbered(self, stream: Stream) -> tuple[Scalar, Callable[[Scalar], Value]]:
        """How many items there are, and what gives the one of a number."""
        stream = self._by_number(stream)
        assert stream.count is not None
        assert stream.at is not None
        return stream.count, stream.at

    def turned_stream(self, value: Value) -> Stream:
        """`reversed`."""
        stream = self.ordered_stream(value)
        if self.is_set(value) or (isinstance(value, Stream) and value.is_iterator):
            self.always_raises(TypeError())
        if stream.row is not None:
            return self._turned_on_the_way(stream.row, stream.most)
        count, at = self.numbered(stream)
        return Stream(
            count=count, at=lambda i: at(Scalar(Int(), f"({count.text} - 1 - {i.text})", 0, i.high))
        )

    def _turned_on_the_way(self, row: Place, most: int) -> Stream:
        """The items of a list that may change on the way, from the last to the first."""
        begin = self.text.temporary(row.cell(), "i")

        def each(body: Body) -> None:
            with self._by_place(begin, "-= 1") as (i, turn):
                with self.text.block(f"if {i} < 0 or {i} >= {row.cell()}:"):
                    self.text.line("break")
                body(self.loaded(self.item_at(row, i)), turn)

        return Stream(each=each, most=most)

    def mapped(self, change: Callable[[Value], Value], stream: Stream) -> Stream:
        """`map`, or a generator expression without conditions."""
        if stream.at is not None:
            inner = stream.at
            at = lambda i: change(inner(i))  # noqa: E731
            return stream._replace(at=at, is_iterator=True, known=None)
        return stream._replace(
            is_iterator=True,
            row=None,
            known=None,
            each=lambda body: self.run(stream, lambda value, turn: body(change(value), turn)),
        )

    def filtered(self, test: Callable[[Value], Scalar], stream: Stream) -> Stream:
        """`filter`."""

        def each(body: Body) -> None:
            def tested(value: Value, turn: Round) -> None:
                truth = test(value)
                if known_truth(truth) is False:
                    return
                with self.text.block(f"if {truth.text}:"):
                    body(value, turn)

            self.run(stream, tested)

        return Stream(each=each, most=self.most_of(stream), is_ordered=stream.is_ordered)
