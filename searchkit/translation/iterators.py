"""What `itertools` and `functools.reduce` make of what is gone through."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial, reduce
from itertools import chain
from math import comb, perm, prod
from typing import Any

from searchkit.translation.comparison import known_truth
from searchkit.translation.functions import ZERO, Functions
from searchkit.translation.loops import Body
from searchkit.translation.methods import NONE, ONE, Bound
from searchkit.translation.types import Int, Never, Seq
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

MOST_COMBINED = 8
"""How many items a combination has at most."""
MOST_TRIES = 4
"""How often the type of what is reduced may grow."""
PLUS = Known(operator.add)


class Iterators(Functions):
    """What functions that make iterators give."""

    def _call_combinations(self, items: Value, r: Value) -> Value:
        """By places that rise, in the order of the least first."""
        row = self._pool(items)
        size = self.kept(self.number(r, "combines by"), "size")
        if min(size.high, row.type.most) > MOST_COMBINED:
            raise self.refuse("combines more than a few items", "use loops")
        return self._picks(row, size, comb, "next_combination")

    def _call_permutations(self, items: Value, r: Value = NONE) -> Value:
        """In the order of places."""
        row = self._pool(items)
        is_whole = isinstance(r, Known) and r.value is None
        size = self.length(row) if is_whole else self.number(r, "permutes by")
        if row.type.most > MOST_COMBINED:
            raise self.refuse("permutes more than a few items", "use loops")
        return self._picks(row, self.kept(size, "size"), perm, "next_permutation")

    def _picks(
        self, row: Place, size: Scalar, many: Callable[[int, int], int], kernel: str
    ) -> Stream:
        """Tuples of items at places that a kernel of `rows` makes one after another."""
        most, count = min(size.high, row.type.most), self.length(row)
        if isinstance(row.type.item, Never) or most < 1:
            raise self.refuse("picks items out of none", "use loops")
        kind = Seq(row.type.item, min(max(0, size.low), most), most, tuple)
        numbers = Seq(Int(), row.type.most, row.type.most, list)

        def each(body: Body) -> None:
            places = self.slot(numbers)._replace(is_stable=False)
            where = f"{places.memory}, {places.at()}"
            self.trap(f"{size.text} < 0")
            with self.text.once() as out, self.text.block(f"if {size.text} <= {count.text}:"):
                self.repeat(count, lambda i: self.text.line(f"{places.cell(i)} = {i}"))
                if many is perm:
                    left = self.slot(numbers)._replace(is_stable=False)
                    start = f"{count.text} -"
                    self.repeat(size, lambda i: self.text.line(f"{left.cell(i)} = {start} {i}"))
                    where = f"{where}, {left.at()}"
                with self.text.loop("while True:") as loop:
                    made = self._picked(row, places, size, kind)
                    self.one_round(body, made, (out, "break"))
                    more = f"{kernel}({where}, {size.text}, {count.text})"
                    with self.text.block(f"if not {self.text.temporary(more, 'more')}:"):
                        self.text.leave(loop)

        return Stream(each=each, most=max(many(row.type.most, k) for k in range(most + 1)))

    def _picked(self, row: Place, places: Place, size: Scalar, kind: Seq) -> Value:
        """The items at some places, as a tuple."""

        def at(i: Scalar) -> Value:
            return self.loaded(self.item_at(row, self.text.temporary(places.cell(i.text), "at")))

        made = self.slot(kind)
        count = size._replace(low=kind.least, high=kind.most)
        self.store(Joined((Stream(count=count, at=at),), tuple), made)
        return made._replace(is_stable=True)

    def _call_pairwise(self, items: Value) -> Value:
        stream = self.ordered_stream(items)
        if stream.row is not None:
            raise self.refuse("pairs the items of what may change on the way", "pair a tuple of it")
        count, at = self.numbered(stream)
        least, most = max(0, count.low - 1), max(0, count.high - 1)
        pairs = self.kept(Scalar(Int(), f"max(0, {count.text} - 1)", least, most), "n")

        def pair(i: Scalar) -> Value:
            behind = Scalar(Int(), f"({i.text} + 1)", i.low + 1, i.high + 1)
            return Items((at(i), at(behind)))

        return Stream(count=pairs, at=pair)

    def _call_chain(self, *args: Value) -> Value:
        return self.one_after_another([self.ordered_stream(each) for each in args])

    def _pool(self, value: Value) -> Place:
        row = self.made_row(self._by_number(self.ordered_stream(value)), tuple)
        if not isinstance(row, Place):
            raise self.refuse("combines a value that is not a sequence", "use a tuple")
        return row

    def _call_product(self, *args: Value, repeat: Value = ONE) -> Value:
        """Loops within loops."""
        if not isinstance(repeat, Known) or not isinstance(repeat.value, int):
            raise self.refuse("calls product with a repeat that states decide", "use loops")
        rows = [self._by_number(self.ordered_stream(each)) for each in args] * repeat.value

        def each(body: Body) -> None:
            with self.text.once() as out:

                def level(number: int, items: tuple[Value, ...], turn: Round | None) -> None:
                    if number == len(rows):
                        self.one_round(body, Items(items), (out, "break"))
                        return
                    self.run(rows[number], lambda item, inner: level(
                        number + 1, (*items, self.settled(item)), inner))  # fmt: skip

                level(0, (), None)

        return Stream(each=each, most=min(prod(map(self.most_of, rows)), SMALL))

    def flat(self, value: Value, kind: type | None = None) -> Stream:
        """What the parts of a value have, one behind the other; all are of a `kind`, if any."""
        rows, place = self.ordered_stream(value), (self.scope.key, self.node)

        def each(body: Body) -> None:
            with self.text.once() as out:

                def part(row: Value, _: Round) -> None:
                    if kind is not None and self.kind_of(row) is not kind:
                        what = "joins sequences of several classes by sum"
                        raise self.refuse(what, "use a loop")
                    inner = self.ordered_stream(row)
                    self.note_most(place, inner)
                    self.run(inner, lambda item, turn: body(item, Round((out, "break"), turn.next)))

                self.run(rows, part)

        most = self.most_at([place], lambda: each(lambda item, turn: None))
        return Stream(each=each, most=max(1, self.most_of(rows)) * most)

    def method(self, owner: Value, name: str) -> Any:
        """A method of a list, tuple, text, set or dict; None for all else."""
        if isinstance(owner, Known) and owner.value is chain and name == "from_iterable":
            return Bound(owner, lambda _, rows: self.flat(rows))
        found: Any = super().method(owner, name)
        return found

    def _call_sum(self, items: Value, start: Value = ZERO) -> Value:
        kind = self.kind_of(start)
        if kind not in (tuple, list):
            return super()._call_sum(items, start)
        found = self.made_row(self.flat(items, kind), kind)
        is_empty = known_truth(self.truth(start)) is False
        return found if is_empty else self.joined_sequences(start, found)

    def _call_starmap(self, function: Value, rows: Value) -> Value:
        return self.mapped(
            lambda value: self.call(function, self.parts_of(value), {}), self.stream(rows)
        )

    def _call_islice(self, items: Value, *ends: Value) -> Value:
        begin, end, *step = ends if len(ends) > 1 else (ZERO, *ends)
        is_plain = all(isinstance(each, Known) and each.value in (1, None) for each in step)
        stream = self.ordered_stream(items)
        if not is_plain or stream.row is not None or stream.at is None:
            raise self.refuse("takes a part of an iterator", "use a slice")
        first = self.kept(self.number(begin, "slices by"))
        count, at = self.numbered(stream)
        last = count if isinstance(end, Known) and end.value is None else (
            self.number(self.smallest([self.number(end, "slices by"), count], "min"), "")
        )  # fmt: skip
        self.trap(f"{first.text} < 0 or {last.text} < 0")
        high = max(0, last.high - max(0, first.low))
        size = self.kept(Scalar(Int(), f"max(0, {last.text} - {first.text})", 0, high))
        return Stream(count=size, at=lambda i: at(
            Scalar(Int(), f"({first.text} + {i.text})", 0, max(0, count.high - 1))))  # fmt: skip

    def _call_zip_longest(self, *args: Value, fillvalue: Value = NONE) -> Value:
        rows = [self.numbered(self.ordered_stream(each)) for each in args]
        longest = self.smallest([own for own, _ in rows], "max")
        count = self.kept(self.number(longest, ""))

        def at(i: Scalar) -> Value:
            i = self.kept(i)
            items = []
            for own, item in rows:
                test = self.ordered("<", i, own)
                items.append(self.either(test, partial(item, i), lambda: fillvalue))
            return Items(tuple(items))

        return Stream(count=count, at=at)

    def _call_takewhile(self, predicate: Value, items: Value) -> Value:
        stream, test = self.ordered_stream(items), self._change(predicate)

        def each(body: Body) -> None:
            def take(value: Value, turn: Round) -> None:
                value = self.settled(value)
                with self.text.block(f"if not {self.truth(test(value)).text}:"):
                    self.text.leave(*turn.stop)
                body(value, turn)

            self.run(stream, take)

        return Stream(each=each, most=self.most_of(stream))

    def _call_repeat(self, object: Value, times: Value | None = None) -> Value:  # noqa: A002
        if times is None:
            raise self.refuse("repeats without end", "say how often")
        item, number = self.settled(object), self.number(times, "repeats by")
        text = number.text if number.low >= 0 else f"max(0, {number.text})"
        size = self.kept(Scalar(Int(), text, max(0, number.low), max(0, number.high)), "n")
        return Stream(count=size, at=lambda i: item)

    def _call_accumulate(
        self, items: Value, func: Value = PLUS, *, initial: Value | None = None
    ) -> Value:
        """Of whole numbers."""
        if initial is not None:
            raise self.refuse("accumulates from a number on", "use a loop")
        stream = self.ordered_stream(items)

        def each(body: Body) -> None:
            total = self.text.temporary("0", "total")
            met = self.text.temporary("False", "met")

            def add(value: Value, turn: Round) -> None:
                number = self.kept(self.number(value, "accumulates"))
                with self.text.block(f"if {met}:"):
                    found = self.call(func, [Scalar(number.type, total), number], {})
                    self.text.line(f"{total} = {self.small(self.number(found, 'accumulates'))}")
                with self.text.block("else:"):
                    self.text.line(f"{total} = {self.small(number)}")
                self.text.line(f"{met} = True")
                body(self.kept(Scalar(number.type, total)), turn)

            self.run(stream, add)

        return Stream(each=each, most=self.most_of(stream))

    def _call_reduce(self, function: Value, items: Value, begin: Value | None = None) -> Value:
        stream = self.ordered_stream(items)
        kind = self._type_of_items(stream) if begin is None else self.type_of(begin)

        def joined(before: Any, item: Value) -> Value:
            return self.call(function, [before, self.settled(item)], {})

        def grown(kind: Any) -> Any:
            found: list[Any] = [kind]
            with self.text.aside():
                cell = self._read(self._cell(kind, "total"))
                self.run(stream, lambda item, _: found.append(self.type_of(joined(cell, item))))
            return reduce(self.joined, found)

        for _ in range(MOST_TRIES):
            before, kind = kind, grown(kind)
            if kind == before:
                break
        if self.is_mutable(kind) or isinstance(kind, Never):
            raise self.refuse("reduces to a list", "use a loop")
        total = self._cell(kind, "total")
        self._clear(total)
        met = self.text.temporary(str(begin is not None), "met")
        if begin is not None:
            self._write(total, begin)

        def add(item: Value, _: Round) -> None:
            item = self.settled(item)
            with self.text.block(f"if {met}:"):
                value = joined(self._read(total), item)
                self._write(
                    total, value if isinstance(value, Scalar) else self.in_memory(value, kind)
                )
            if begin is None:
                with self.text.block("else:"):
                    self._write(total, item)
                self.text.line(f"{met} = True")

        if not self.text.is_aside:
            self.run(stream, add)
        if begin is None:
            self.trap(f"not {met}", TypeError)
        return self._read(total)

    def _call_groupby(self, items: Value, key: Value = NONE) -> Value:
        """A group is gone through before the next is asked for."""
        row, change = self._pool(items), self._keyed(key) or (lambda each: each)

        def each(body: Body) -> None:
            count = self.length(row).text
            begin = self.text.temporary("0", "begin")
            if isinstance(row.type.item, Never):
                return
            with self.text.loop(f"while {begin} < {count}:") as loop:
                own = self.settled(change(self.loaded(self.item_at(row, begin))))
                end = self.text.temporary(f"{begin} + 1", "end")
                with self.text.loop(f"while {end} < {count}:"):
                    same = self.equal(own, change(self.loaded(self.item_at(row, end))))
                    with self.text.block(f"if not {same.text}:"):
                        self.text.line("break")
                    self.text.line(f"{end} += 1")
                first = self.text.temporary(begin, "first")
                self.text.line(f"{begin} = {end}")
                size = Scalar(Int(), self.text.temporary(f"{end} - {first}", "n"), 1, row.type.most)

                def at(i: Scalar) -> Value:
                    place = self.text.temporary(f"{first} + {i.text}", "at")
                    return self.loaded(self.item_at(row, place))

                group = Stream(count=size, at=at, is_group=True)
                body(Items((own, group)), Round((loop, "break"), (loop, "continue")))

        return Stream(each=each, most=row.type.most)
