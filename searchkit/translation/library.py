"""Functions of `itertools`, `functools` and `operator`, and iterators that have a name."""

from __future__ import annotations

import ast
import functools
import itertools
import math
import operator
from collections.abc import Callable
from functools import partial, reduce
from itertools import chain
from math import comb, perm, prod
from typing import Any

from searchkit.kernel_language import trees
from searchkit.kernel_language.constants import COMPARED, SIGNS
from searchkit.translation import calls, functions, methods
from searchkit.translation.arithmetic import OPERATORS, UNARY, smallest
from searchkit.translation.builders import apart, cell_of, clear, read, type_of_items, write
from searchkit.translation.calls import known_name
from searchkit.translation.comparison import known_truth, negated
from searchkit.translation.definitions import used_soon
from searchkit.translation.effects import may_change
from searchkit.translation.functions import ZERO, keyed
from searchkit.translation.loops import (
    Body,
    by_number,
    is_set,
    mapped,
    most_at,
    most_of,
    note_most,
    numbered,
    one_after_another,
    one_round,
    ordered_stream,
    run,
    turned_stream,
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
from searchkit.translation.refusals import describe, of_order, refuse, trap
from searchkit.translation.sequences import joined_sequences
from searchkit.translation.strings import parts_of
from searchkit.translation.translator import Rows, Translator
from searchkit.translation.types import Int, Never, Seq
from searchkit.translation.values import Items, Joined, Known, Place, Round, Scalar, Stream, Value
from searchkit.translation.variables import evaluated, kept

MOST_COMBINED = 8
"""How many items a combination has at most."""
MOST_TRIES = 4
"""How often the type of what is reduced may grow."""
PLUS = Known(operator.add)


def _call_combinations(t: Translator, items: Value, r: Value) -> Value:
    """By places that rise, in the order of the least first."""
    row = t.forms.made_row(t, ordered_stream(t, items), tuple)
    size = kept(t, t.forms.number(t, r, "combines by"), "size")
    if min(size.high, row.type.most) > MOST_COMBINED:
        raise refuse(t, "combines more than a few items", "use loops")
    return _picks(t, row, size, comb, "next_combination")


def _call_permutations(t: Translator, items: Value, r: Value = NONE) -> Value:
    """In the order of places."""
    row = t.forms.made_row(t, ordered_stream(t, items), tuple)
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
        return Items((apart(t, at(i)), at(behind)))

    return Stream(count=pairs, at=pair)


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
                    number + 1, (*items, apart(t, item)), inner))  # fmt: skip

            level(0, (), None)

    return Stream(each=each, most=prod(map(most_of, rows)))


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
    row = t.forms.made_row(t, ordered_stream(t, items), tuple)
    change = keyed(t, key) or (lambda each: each)

    def each(body: Body) -> None:
        count = t.forms.length(t, row).text
        begin = t.text.temporary("0", "begin")
        if isinstance(row.type.item, Never):
            return
        with t.text.loop(f"while {begin} < {count}:") as loop:
            own = apart(t, change(loaded(t, t.forms.item_at(t, row, begin))))
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


_BINARY: dict[Any, ast.operator] = {call: kind() for kind, call in OPERATORS.items()}
_COMPARED: dict[Any, Any] = {COMPARED[sign]: kind() for kind, sign in SIGNS.items()
                             if sign in COMPARED}  # fmt: skip
_UNARY: dict[Any, ast.unaryop] = {call: kind() for kind, call in UNARY.items()}


def call(t: Translator, function: Value, args: list[Value], named: dict[str, Value]) -> Value:
    """What a call returns."""
    called = function.value if isinstance(function, Known) else None
    if called is functools.partial and all(isinstance(each, Known) for each in args):
        known = {name: each.value for name, each in named.items() if isinstance(each, Known)}
        if len(known) == len(named):
            first, *rest = (each.value for each in args if isinstance(each, Known))
            return Known(functools.partial(first, *rest, **known))
    if isinstance(called, functools.partial):
        own = {name: Known(each) for name, each in called.keywords.items()}
        return t.forms.call(t, Known(called.func), [*map(Known, called.args), *args], own | named)
    if isinstance(called, operator.itemgetter) and len(args) == 1:
        items = [t.forms.indexed(t, args[0], Known(each)) for each in called.__reduce__()[1]]
        return items[0] if len(items) == 1 else Items(tuple(items))
    if isinstance(called, operator.attrgetter) and len(args) == 1:
        names = called.__reduce__()[1]
        one = lambda value, name: apart(t, t.forms.attribute(t, value, name))  # noqa: E731
        found = [functools.reduce(one, name.split("."), args[0]) for name in names]
        return found[0] if len(found) == 1 else Items(tuple(found))
    is_open = not named and not all(isinstance(each, Known) for each in args)
    if is_open and getattr(called, "__module__", "") == "_operator":
        made = _by_operator(t, called, args)
        if made is not None:
            return made
    return calls.call(t, function, args, named)


def only_member(t: Translator, value: Value, raises: type[Exception] | None) -> Value:
    """The member of a set that has one; another leaves the state to Python, or is an error."""
    count = t.forms.number(t, t.forms.length_of(t, value), "")
    trap(t, f"{count.text} != 1", raises)
    row = t.forms.made_row(t, t.forms.stream(t, value), tuple)
    return t.forms.indexed(t, row, Known(0))


def of_call(t: Translator, node: ast.Call) -> Value:
    """A call; `next(iter(x))` gives the first item of a row, or the only one of a set."""
    if _is_call_of(node, "next") and _is_call_of(node.args[0], "iter"):
        own = [known_name(t, name) for name in ("next", "iter")]
        if own == [next, iter]:
            value = t.forms.value(t, node.args[0].args[0])  # type: ignore[attr-defined]
            if is_set(value) and not isinstance(value, Known):
                return only_member(t, value, None)
            if kind_of(value) in (tuple, list, str) and not isinstance(value, Known):
                trap(t, f"not {t.forms.truth(t, value).text}", StopIteration)
                return t.forms.indexed(t, value, Known(0))
    is_turned = _is_call_of(node, "zip") and isinstance(node.args[0], ast.Starred)
    if is_turned and known_name(t, "zip") is zip:
        rows: Any = node.args[0].value  # type: ignore[attr-defined]
        is_back = ast.unparse(getattr(rows, "slice", node)) == "::-1"
        value = t.forms.value(t, rows.value if is_back else rows)
        if is_back and kind_of(value) not in (tuple, list, str):
            raise refuse(t, f"takes a slice of {describe(value)}", "use a tuple or list")
        found = _turned_rows(t, value, is_back=is_back)
        if found is not None:
            return found
        args = parts_of(t, evaluated(t, value))[:: -1 if is_back else 1]
        t.node = node
        return t.forms.call(t, Known(zip), args, {})
    return calls.of_call(t, node)


def _turned_rows(t: Translator, value: Value, *, is_back: bool) -> Value | None:
    """`zip(*rows)` of as many rows as there are, or back; None if these can be told apart."""
    if isinstance(value, Joined) and isinstance(type_of(t, value), Seq):
        value = in_memory(t, value)
    kind = getattr(value, "type", None)
    if not isinstance(kind, Seq) or not isinstance(kind.item, Seq) or kind.is_fixed:
        return None
    if kind.item.kind in (set, frozenset):
        raise of_order(t, "turns sets")
    if not t.forms.is_mutable(t, kind.item):
        value = turned_stream(t, value) if is_back else value
        return _columns(t, in_memory(t, t.forms.collected(t, value, tuple)))
    root = getattr(value, "root", None)
    if t.forms.is_mutable(t, kind.item.item) or (root is not None and t.running):
        raise refuse(t, "turns rows that may change", "make tuples of them")
    stream = turned_stream(t, value) if is_back else ordered_stream(t, value)
    tuples = mapped(t, lambda row: t.forms.collected(t, row, tuple), stream)

    def each(body: Any) -> None:
        before, t.turned = t.turned, (*t.turned, root)
        run(t, _columns(t, in_memory(t, t.forms.made_row(t, tuples, tuple))), body)
        t.turned = before

    return Stream(each=each, most=kind.item.most)


def _columns(t: Translator, rows: Place) -> Stream:
    """The first items of some tuples, then the second ones, ..., as many as the shortest has."""
    count = t.forms.length(t, rows)
    least, i = t.text.temporary("0", "least"), t.text.name("i")
    most = rows.type.item.most
    with t.text.loop(f"for {i} in range({count.text}):"):
        own = t.forms.length(t, t.forms.item_at(t, rows, i))
        t.text.line(f"{least} = min({least}, {own.text}) if {i} != 0 else {own.text}")

    def column(at: Scalar) -> Value:
        def item(row: Scalar) -> Value:
            inner = t.forms.item_at(t, rows, t.text.temporary(row.text, "row"))
            return loaded(t, t.forms.item_at(t, inner, t.text.temporary(at.text, "at")))

        return in_memory(t, Joined((Stream(count=count, at=item),), tuple))

    return Stream(count=Scalar(Int(), least, 0, most), at=column)


def _by_operator(t: Translator, called: Any, args: list[Value]) -> Value | None:
    if called in _BINARY and len(args) == 2:
        return t.forms.combined(t, _BINARY[called], *args)
    if called in _COMPARED and len(args) == 2:
        return t.forms.compared(t, _COMPARED[called], *args)
    if called in _UNARY and len(args) == 1:
        return t.forms.unary(t, _UNARY[called], *args)
    if called is operator.not_:
        return negated(t.forms.truth(t, args[0]))
    if called is operator.contains and len(args) == 2:
        return t.forms.contains(t, *args)
    return t.forms.indexed(t, *args) if called is operator.getitem and len(args) == 2 else None


# Iterators with names


def may_be_named(t: Translator, node: ast.Assign) -> bool:
    """Whether an iterator can have a name: it may as well be made where it is used."""
    part = None if t.scope.definition is None else used_soon(node, t.scope.definition)
    changing = [] if part is None else filter(may_change, trees.nodes(part))
    return part is not None and all(_is_of_library(t, each) for each in changing)


def _is_of_library(t: Translator, node: ast.AST) -> bool:
    """Whether an expression calls a function of Python's, which changes no list."""
    function = node.func if isinstance(node, ast.Call) else None
    base = function.value if isinstance(function, ast.Attribute) else function
    known = known_name(t, base.id) if isinstance(base, ast.Name) else None
    if isinstance(function, ast.Attribute):
        return known in (itertools, functools, math)
    module = getattr(known, "__module__", None)
    return module in ("builtins", "itertools", "_functools", "collections")


def _is_call_of(node: ast.expr, name: str) -> bool:
    """Whether an expression calls a function with that name, and gives it one argument."""
    match node:
        case ast.Call(ast.Name(called), [_], []):
            return bool(called == name)
    return False


EXPRESSIONS: Rows = {ast.Call: of_call}

CALLS: Rows = {
    "combinations": _call_combinations, "permutations": _call_permutations,
    "pairwise": _call_pairwise, "product": _call_product, "sum": call_sum,
    "chain": lambda t, *args: one_after_another(t, [ordered_stream(t, each) for each in args]),
    "islice": _call_islice, "repeat": _call_repeat, "accumulate": _call_accumulate,
    "reduce": _call_reduce, "groupby": _call_groupby,
    "iter": lambda t, items: t.forms.stream(t, items)._replace(is_iterator=True),
}  # fmt: skip
