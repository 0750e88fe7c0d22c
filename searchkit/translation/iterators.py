"""What `itertools` and `functools.reduce` make of what is gone through."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial, reduce
from itertools import chain
from math import comb, perm, prod
from typing import Any

from searchkit.translation import functions, methods
from searchkit.translation.arithmetic import smallest
from searchkit.translation.builders import cell_of, clear, read, type_of_items, write
from searchkit.translation.comparison import known_truth
from searchkit.translation.functions import ZERO, changing, keyed
from searchkit.translation.lookups import either
from searchkit.translation.loops import (
    Body,
    by_number,
    mapped,
    most_at,
    most_of,
    note_most,
    numbered,
    one_after_another,
    one_round,
    ordered_stream,
    run,
)
from searchkit.translation.memory import (
    in_memory,
    joined_type,
    kind_of,
    loaded,
    repeat,
    store,
    type_of,
)
from searchkit.translation.methods import NONE, ONE, Bound
from searchkit.translation.refusals import refuse, trap
from searchkit.translation.sequences import joined_sequences
from searchkit.translation.strings import parts_of
from searchkit.translation.translator import Rows, Translator
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
from searchkit.translation.variables import kept

MOST_COMBINED = 8
"""How many items a combination has at most."""
MOST_TRIES = 4
"""How often the type of what is reduced may grow."""
PLUS = Known(operator.add)


def _call_combinations(t: Translator, items: Value, r: Value) -> Value:
    """By places that rise, in the order of the least first."""
    row = _pool(t, items)
    size = kept(t, t.forms.number(t, r, "combines by"), "size")
    if min(size.high, row.type.most) > MOST_COMBINED:
        raise refuse(t, "combines more than a few items", "use loops")
    return _picks(t, row, size, comb, "next_combination")


def _call_permutations(t: Translator, items: Value, r: Value = NONE) -> Value:
    """In the order of places."""
    row = _pool(t, items)
    is_whole = isinstance(r, Known) and r.value is None
    size = t.forms.length(t, row) if is_whole else t.forms.number(t, r, "permutes by")
    if row.type.most > MOST_COMBINED:
        raise refuse(t, "permutes more than a few items", "use loops")
    return _picks(t, row, kept(t, size, "size"), perm, "next_permutation")


def _picks(
    t: Translator, row: Place, size: Scalar, many: Callable[[int, int], int], kernel: str
) -> Stream:
    """Tuples of items at places that a kernel of `rows` makes one after another."""
    most, count = min(size.high, row.type.most), t.forms.length(t, row)
    if isinstance(row.type.item, Never) or most < 1:
        raise refuse(t, "picks items out of none", "use loops")
    kind = Seq(row.type.item, min(max(0, size.low), most), most, tuple)
    numbers = Seq(Int(), row.type.most, row.type.most, list)

    def each(body: Body) -> None:
        places = t.forms.slot(t, numbers)._replace(is_stable=False)
        where = f"{places.memory}, {places.at()}"
        trap(t, f"{size.text} < 0")
        with t.text.once() as out, t.text.block(f"if {size.text} <= {count.text}:"):
            repeat(t, count, lambda i: t.text.line(f"{places.cell(i)} = {i}"))
            if many is perm:
                left = t.forms.slot(t, numbers)._replace(is_stable=False)
                start = f"{count.text} -"
                repeat(t, size, lambda i: t.text.line(f"{left.cell(i)} = {start} {i}"))
                where = f"{where}, {left.at()}"
            with t.text.loop("while True:") as loop:
                made = _picked(t, row, places, size, kind)
                one_round(t, body, made, (out, "break"))
                more = f"{kernel}({where}, {size.text}, {count.text})"
                with t.text.block(f"if not {t.text.temporary(more, 'more')}:"):
                    t.text.leave(loop)

    return Stream(each=each, most=max(many(row.type.most, k) for k in range(most + 1)))


def _picked(t: Translator, row: Place, places: Place, size: Scalar, kind: Seq) -> Value:
    """The items at some places, as a tuple."""

    def at(i: Scalar) -> Value:
        return loaded(t, t.forms.item_at(t, row, t.text.temporary(places.cell(i.text), "at")))

    made = t.forms.slot(t, kind)
    count = size._replace(low=kind.least, high=kind.most)
    store(t, Joined((Stream(count=count, at=at),), tuple), made)
    return made._replace(is_stable=True)


def _call_pairwise(t: Translator, items: Value) -> Value:
    stream = ordered_stream(t, items)
    if stream.row is not None:
        raise refuse(t, "pairs the items of what may change on the way", "pair a tuple of it")
    count, at = numbered(t, stream)
    least, most = max(0, count.low - 1), max(0, count.high - 1)
    pairs = kept(t, Scalar(Int(), f"max(0, {count.text} - 1)", least, most), "n")

    def pair(i: Scalar) -> Value:
        behind = Scalar(Int(), f"({i.text} + 1)", i.low + 1, i.high + 1)
        return Items((at(i), at(behind)))

    return Stream(count=pairs, at=pair)


def _call_chain(t: Translator, *args: Value) -> Value:
    return one_after_another(t, [ordered_stream(t, each) for each in args])


def _pool(t: Translator, value: Value) -> Place:
    row = t.forms.made_row(t, by_number(t, ordered_stream(t, value)), tuple)
    if not isinstance(row, Place):
        raise refuse(t, "combines a value that is not a sequence", "use a tuple")
    return row


def _call_product(t: Translator, *args: Value, repeat: Value = ONE) -> Value:
    """Loops within loops."""
    if not isinstance(repeat, Known) or not isinstance(repeat.value, int):
        raise refuse(t, "calls product with a repeat that states decide", "use loops")
    rows = [by_number(t, ordered_stream(t, each)) for each in args] * repeat.value

    def each(body: Body) -> None:
        with t.text.once() as out:

            def level(number: int, items: tuple[Value, ...], turn: Round | None) -> None:
                if number == len(rows):
                    one_round(t, body, Items(items), (out, "break"))
                    return
                run(t, rows[number], lambda item, inner: level(
                    number + 1, (*items, t.forms.settled(t, item)), inner))  # fmt: skip

            level(0, (), None)

    return Stream(each=each, most=min(prod(map(most_of, rows)), SMALL))


def flat(t: Translator, value: Value, kind: type | None = None) -> Stream:
    """What the parts of a value have, one behind the other; all are of a `kind`, if any."""
    rows, place = ordered_stream(t, value), (t.scope.key, t.node)

    def each(body: Body) -> None:
        with t.text.once() as out:

            def part(row: Value, _: Round) -> None:
                if kind is not None and kind_of(row) is not kind:
                    what = "joins sequences of several classes by sum"
                    raise refuse(t, what, "use a loop")
                inner = ordered_stream(t, row)
                note_most(t, place, inner)
                run(t, inner, lambda item, turn: body(item, Round((out, "break"), turn.next)))

            run(t, rows, part)

    most = most_at(t, [place], lambda: each(lambda item, turn: None))
    return Stream(each=each, most=max(1, most_of(rows)) * most)


def method(t: Translator, owner: Value, name: str) -> Bound | None:
    """A method of a list, tuple, text, set or dict; None for all else."""
    if isinstance(owner, Known) and owner.value is chain and name == "from_iterable":
        return Bound(owner, lambda _, rows: flat(t, rows))
    return methods.method(t, owner, name)


def call_sum(t: Translator, items: Value, start: Value = ZERO) -> Value:
    """`sum`, also of rows."""
    kind = kind_of(start)
    if kind not in (tuple, list):
        return functions.call_sum(t, items, start)
    found = t.forms.made_row(t, flat(t, items, kind), kind)
    is_empty = known_truth(t.forms.truth(t, start)) is False
    return found if is_empty else joined_sequences(t, start, found)


def _call_starmap(t: Translator, function: Value, rows: Value) -> Value:
    return mapped(
        t, lambda value: t.forms.call(t, function, parts_of(t, value), {}), t.forms.stream(t, rows)
    )


def _call_islice(t: Translator, items: Value, *ends: Value) -> Value:
    begin, end, *step = ends if len(ends) > 1 else (ZERO, *ends)
    is_plain = all(isinstance(each, Known) and each.value in (1, None) for each in step)
    stream = ordered_stream(t, items)
    if not is_plain or stream.row is not None or stream.at is None:
        raise refuse(t, "takes a part of an iterator", "use a slice")
    first = kept(t, t.forms.number(t, begin, "slices by"))
    count, at = numbered(t, stream)
    last = count if isinstance(end, Known) and end.value is None else (
        t.forms.number(t, smallest(t, [t.forms.number(t, end, "slices by"), count], "min"), "")
    )  # fmt: skip
    trap(t, f"{first.text} < 0 or {last.text} < 0")
    high = max(0, last.high - max(0, first.low))
    size = kept(t, Scalar(Int(), f"max(0, {last.text} - {first.text})", 0, high))
    return Stream(count=size, at=lambda i: at(
        Scalar(Int(), f"({first.text} + {i.text})", 0, max(0, count.high - 1))))  # fmt: skip


def _call_zip_longest(t: Translator, *args: Value, fillvalue: Value = NONE) -> Value:
    rows = [numbered(t, ordered_stream(t, each)) for each in args]
    longest = smallest(t, [own for own, _ in rows], "max")
    count = kept(t, t.forms.number(t, longest, ""))

    def at(i: Scalar) -> Value:
        i = kept(t, i)
        items = []
        for own, item in rows:
            test = t.forms.ordered(t, "<", i, own)
            items.append(either(t, test, partial(item, i), lambda: fillvalue))
        return Items(tuple(items))

    return Stream(count=count, at=at)


def _call_takewhile(t: Translator, predicate: Value, items: Value) -> Value:
    stream, test = ordered_stream(t, items), changing(t, predicate)

    def each(body: Body) -> None:
        def take(value: Value, turn: Round) -> None:
            value = t.forms.settled(t, value)
            with t.text.block(f"if not {t.forms.truth(t, test(value)).text}:"):
                t.text.leave(*turn.stop)
            body(value, turn)

        run(t, stream, take)

    return Stream(each=each, most=most_of(stream))


def _call_repeat(t: Translator, object: Value, times: Value | None = None) -> Value:  # noqa: A002
    if times is None:
        raise refuse(t, "repeats without end", "say how often")
    item, number = t.forms.settled(t, object), t.forms.number(t, times, "repeats by")
    text = number.text if number.low >= 0 else f"max(0, {number.text})"
    size = kept(t, Scalar(Int(), text, max(0, number.low), max(0, number.high)), "n")
    return Stream(count=size, at=lambda i: item)


def _call_accumulate(
    t: Translator, items: Value, func: Value = PLUS, *, initial: Value | None = None
) -> Value:
    """Of whole numbers."""
    if initial is not None:
        raise refuse(t, "accumulates from a number on", "use a loop")
    stream = ordered_stream(t, items)

    def each(body: Body) -> None:
        total = t.text.temporary("0", "total")
        met = t.text.temporary("False", "met")

        def add(value: Value, turn: Round) -> None:
            number = kept(t, t.forms.number(t, value, "accumulates"))
            with t.text.block(f"if {met}:"):
                found = t.forms.call(t, func, [Scalar(number.type, total), number], {})
                t.text.line(
                    f"{total} = {t.forms.small(t, t.forms.number(t, found, 'accumulates'))}"
                )
            with t.text.block("else:"):
                t.text.line(f"{total} = {t.forms.small(t, number)}")
            t.text.line(f"{met} = True")
            body(kept(t, Scalar(number.type, total)), turn)

        run(t, stream, add)

    return Stream(each=each, most=most_of(stream))


def _call_reduce(t: Translator, function: Value, items: Value, begin: Value | None = None) -> Value:
    stream = ordered_stream(t, items)
    kind = type_of_items(t, stream) if begin is None else type_of(t, begin)

    def joined(before: Any, item: Value) -> Value:
        return t.forms.call(t, function, [before, t.forms.settled(t, item)], {})

    def grown(kind: Any) -> Any:
        found: list[Any] = [kind]
        with t.text.aside():
            cell = read(cell_of(t, kind, "total"))
            run(t, stream, lambda item, _: found.append(type_of(t, joined(cell, item))))
        return reduce(partial(joined_type, t), found)

    for _ in range(MOST_TRIES):
        before, kind = kind, grown(kind)
        if kind == before:
            break
    if t.forms.is_mutable(t, kind) or isinstance(kind, Never):
        raise refuse(t, "reduces to a list", "use a loop")
    total = cell_of(t, kind, "total")
    clear(t, total)
    met = t.text.temporary(str(begin is not None), "met")
    if begin is not None:
        write(t, total, begin)

    def add(item: Value, _: Round) -> None:
        item = t.forms.settled(t, item)
        with t.text.block(f"if {met}:"):
            value = joined(read(total), item)
            write(t, total, value if isinstance(value, Scalar) else in_memory(t, value, kind))
        if begin is None:
            with t.text.block("else:"):
                write(t, total, item)
            t.text.line(f"{met} = True")

    if not t.text.is_aside:
        run(t, stream, add)
    if begin is None:
        trap(t, f"not {met}", TypeError)
    return read(total)


def _call_groupby(t: Translator, items: Value, key: Value = NONE) -> Value:
    """A group is gone through before the next is asked for."""
    row, change = _pool(t, items), keyed(t, key) or (lambda each: each)

    def each(body: Body) -> None:
        count = t.forms.length(t, row).text
        begin = t.text.temporary("0", "begin")
        if isinstance(row.type.item, Never):
            return
        with t.text.loop(f"while {begin} < {count}:") as loop:
            own = t.forms.settled(t, change(loaded(t, t.forms.item_at(t, row, begin))))
            end = t.text.temporary(f"{begin} + 1", "end")
            with t.text.loop(f"while {end} < {count}:"):
                same = t.forms.equal(t, own, change(loaded(t, t.forms.item_at(t, row, end))))
                with t.text.block(f"if not {same.text}:"):
                    t.text.line("break")
                t.text.line(f"{end} += 1")
            first = t.text.temporary(begin, "first")
            t.text.line(f"{begin} = {end}")
            size = Scalar(Int(), t.text.temporary(f"{end} - {first}", "n"), 1, row.type.most)

            def at(i: Scalar) -> Value:
                place = t.text.temporary(f"{first} + {i.text}", "at")
                return loaded(t, t.forms.item_at(t, row, place))

            group = Stream(count=size, at=at, is_group=True)
            body(Items((own, group)), Round((loop, "break"), (loop, "continue")))

    return Stream(each=each, most=row.type.most)


CALLS: Rows = {
    "combinations": _call_combinations, "permutations": _call_permutations,
    "pairwise": _call_pairwise, "chain": _call_chain, "product": _call_product, "sum": call_sum,
    "starmap": _call_starmap, "islice": _call_islice, "zip_longest": _call_zip_longest,
    "takewhile": _call_takewhile, "repeat": _call_repeat, "accumulate": _call_accumulate,
    "reduce": _call_reduce, "groupby": _call_groupby,
}  # fmt: skip
