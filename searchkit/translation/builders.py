"""What is built or found by going through something: rows, sets, sums, the least, order, texts."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial, reduce

import attrs

from searchkit.translation.arithmetic import HUGE, always_raises, is_float
from searchkit.translation.comparison import known_truth, negated
from searchkit.translation.facts import Variable
from searchkit.translation.loops import check_order, is_set, mapped, most_of, ordered_stream, run
from searchkit.translation.memory import (
    SCALARS,
    as_cell,
    check_copied,
    copied,
    empty_row,
    fields_of,
    in_memory,
    interval,
    is_object,
    joined_type,
    loaded,
    store,
    type_of,
)
from searchkit.translation.refusals import describe, full, refuse, trap
from searchkit.translation.sequences import behind_each_other
from searchkit.translation.text import may_trap
from searchkit.translation.translator import Translator
from searchkit.translation.types import Bits, Bool, Char, Int, Never, Open, Record, Seq, Type
from searchkit.translation.values import (
    ANY_NUMBERS,
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

TIED = "goes by a key that is the same of two members of a set, whose order only Python knows"
UNTIED = "let the key tell them apart: key=lambda m: (..., m)"
MOST_ITEMS = 1024
"""How many items something is made of at most that has no other bound."""

# What is built


def collected(t: Translator, value: Value, kind: type) -> Value:
    """`tuple(value)`, `list(value)`, `set(value)`, `frozenset(value)`."""
    if isinstance(value, Stream) and value.known is not None:
        value = Known(value.known)
    if kind in (set, frozenset):
        return made_set(t, t.forms.stream(t, value), kind)
    if isinstance(value, Items) and not (is_set(value) or is_object(value)):
        return Items(value.items, kind)
    if isinstance(value, Known) and isinstance(value.value, (tuple, list, str, range)):
        items = tuple(Known(each) for each in value.value)
        return Known(tuple(value.value)) if kind is tuple else Items(items, list)
    if isinstance(value, Joined):
        return value._replace(kind=kind)
    if isinstance(value, Place) and value.type.__class__ is Seq and not is_set(value):
        return _of_kind(t, value, kind)
    fields = fields_of(t, value)
    if fields is not None:
        return t.forms.settled(t, Items(tuple(fields), kind))
    return t.forms.made_row(t, ordered_stream(t, value), kind)


def _of_kind(t: Translator, value: Place, kind: type) -> Value:
    """The same items as another kind of sequence."""
    same = value._replace(type=attrs.evolve(value.type, kind=kind))
    if kind is not tuple:  # what may be changed has no bounds
        same = same._replace(bounds=ANY_NUMBERS.bounds, parts=())
    if value.is_fresh and value.root is None:
        return same
    if kind is tuple and _ends_here(t, value):
        return same._replace(root=None, is_stable=True)
    if kind is tuple and value.is_stable:
        return same
    check_items_shared(t, value)
    copy = t.forms.slot(t, same.type)
    store(t, same._replace(is_stable=True), copy)
    copy = copy._replace(is_stable=True, is_fresh=True)
    return t.forms.copied_list(t, value, copy) if kind is list else copy


def copied_list(t: Translator, value: Place, copy: Place) -> Place:
    """A list that was made of another sequence; `copy` has the same cells."""
    return copy


def _ends_here(t: Translator, value: Place) -> bool:
    """Whether a list is not used again, so that a tuple can have its cells.

    A name that is assigned to in one place has no other value before what is made of this one
    is made again.
    """
    root = value.root
    is_last = value.is_fresh and isinstance(root, Variable) and not value.path
    return is_last and not root.is_reset and not t.forms.is_mutable(t, value.type.item)


def check_items_shared(t: Translator, value: Place) -> None:
    """Refuse to copy lists within a list that Python would share."""
    if isinstance(value.type, Seq) and t.forms.is_mutable(t, value.type.item):
        raise refuse(
            t,
            "copies a list of lists, which stay the same lists",
            "copy each: [list(row) for row in ...]",
        )


def made_row(t: Translator, stream: Stream, kind: type) -> Place:
    """A sequence of what is gone through."""
    if stream.at is not None:
        return in_memory(t, Joined((stream,), kind))
    place, most = _begun(t, stream, kind)
    n = t.text.temporary("0", "n")

    def add(value: Value, _: Round) -> None:
        if most_of(stream) > most or not stream.most:
            what = full(most, f"a {kind.__name__}")
            trap(t, f"{n} >= {most}", what=what, instead="use a shorter one")
        store(t, value, t.forms.item_at(t, place, n))
        t.text.line(f"{n} += 1")

    if not t.text.is_aside:
        run(t, stream, add)
    t.text.line(f"{place.cell()} = {n}")
    return place._replace(is_stable=True, is_fresh=True)


def type_of_items(t: Translator, stream: Stream) -> Type:
    """The type of what is gone through."""
    return items_of(t, stream)[0]


def items_of(t: Translator, stream: Stream) -> tuple[Type, int, int]:
    """The type of what is gone through, and bounds on it if it is a number."""
    found: list[Type] = [Never()]
    ends: list[int] = []

    def look(value: Value, _: Round) -> None:
        found.append(type_of(t, value))
        ends.extend(interval(value).bounds)

    with t.text.aside():
        run(t, stream, look)
    return reduce(partial(joined_type, t), found), min(ends, default=0), max(ends, default=0)


def made_set(t: Translator, stream: Stream, kind: type) -> Place:
    """A set of what is gone through: items that differ, in any order."""
    place, most = _begun(t, stream, kind)

    def add(value: Value, _: Round) -> None:
        add_member(t, place, value, is_bounded=most_of(stream) <= most)

    if not t.text.is_aside:
        run(t, stream, add)
    return place._replace(is_stable=True, is_fresh=True)


def _begun(t: Translator, stream: Stream, kind: type) -> tuple[Place, int]:
    """Room for what is gone through, of which there is nothing yet; how many may come."""
    item = type_of_items(t, stream)
    most = min(most_of(stream), MOST_ITEMS)
    return empty_row(t, item, most, kind), most


def add_member(t: Translator, place: Place, value: Value, *, is_bounded: bool = False) -> None:
    """Put something into a row of members unless it is there."""
    value = t.forms.settled(t, value)
    there = t.forms.in_row(t, place._replace(is_stable=False), value)
    with t.text.block(f"if not {there.text}:"):
        put_behind(t, place, value, "" if is_bounded else "a set")


def put_behind(t: Translator, row: Place, value: Value, what: str = "") -> str:
    """Put something behind the last item of a row, unless that is full; its number."""
    n, most = t.text.temporary(row.cell(), "n"), row.type.most
    if what:
        trap(t, f"{n} >= {most}", what=full(most, what), instead="use a smaller one")
    store(t, value, t.forms.item_at(t, row, n))
    t.text.line(f"{row.cell()} = {n} + 1")
    return n


def move(t: Translator, source: Place, place: Place) -> None:
    """Move an item of a list to another place of it."""
    found = loaded(t, source)
    store(t, found._replace(is_fresh=True) if isinstance(found, Place) else found, place)


def without(t: Translator, row: Place, place: str) -> None:
    """Take the member at a place out of a row of members, if there is one."""
    with t.text.block(f"if {place} >= 0:"):
        last = t.text.temporary(f"{row.cell()} - 1", "last")
        move(t, t.forms.item_at(t, row, last), t.forms.item_at(t, row, place))
        t.text.line(f"{row.cell()} = {last}")


# What is found


def any_or_all(t: Translator, stream: Stream, *, is_any: bool) -> Scalar:
    """`any` or `all`."""
    found = t.text.temporary(str(not is_any), "holds")
    leaves = True

    def look(value: Value, turn: Round) -> None:
        truth = t.forms.truth(t, value)
        if not is_any:
            truth = negated(truth)
        if known_truth(truth) is False:
            return
        with t.text.block(f"if {truth.text}:"):
            t.text.line(f"{found} = {is_any}")
            if leaves:
                t.text.leave(*turn.stop)

    if not stream.is_ordered:  # an error may come before or after what is looked for
        with t.text.apart() as lines:
            run(t, stream, look)
        leaves = not may_trap(lines)
    run(t, stream, look)
    return Scalar(Bool(), found, 0, 1)


def summed(t: Translator, stream: Stream, start: Scalar) -> Scalar | None:
    """`sum` of whole numbers; None if one of them is a float."""
    most = most_of(stream)
    is_open = not 0 < most <= MOST_ITEMS
    total = t.text.temporary(start.text, "total")
    ends = [start.low, start.high]
    has_floats = False

    def add(value: Value, _: Round) -> None:
        nonlocal has_floats
        has_floats |= is_float(value)
        if has_floats:
            return
        number = t.forms.number(t, value, "adds")
        ends[0] += min(0, number.low) * most
        ends[1] += max(0, number.high) * most
        t.text.line(f"{total} += {number.text}")
        if not -HUGE < ends[0] <= ends[1] < HUGE or is_open:
            what = f"gets a sum of {{{total}}}, beyond 2**40"
            trap(t, f"{total} <= -{SMALL} or {total} >= {SMALL}", what=what)

    run(t, stream, add)
    if has_floats:
        return None
    if not -HUGE < ends[0] <= ends[1] < HUGE or is_open:
        return Scalar(start.type, total)
    return Scalar(start.type, total, *ends)


def extreme(
    t: Translator,
    stream: Stream,
    name: str,
    key: Callable[[Value], Value] | None,
    default: Value | None,
) -> Value:
    """`min` or `max` of what is gone through: the first of several that are alike."""
    if key is not None and t.handlers:  # the first error of a key is taken
        check_order(t, stream)
    ties = key is not None and not stream.is_ordered
    sign = "<" if name == "min" else ">"
    item, low, high = items_of(t, stream)
    if default is not None:
        item = joined_type(t, item, type_of(t, default))
        ends = interval(default).bounds
        low, high = min(low, *ends), max(high, *ends)
    if isinstance(item, Never):
        return always_raises(t, ValueError())
    met, tied = (t.text.temporary("False", hint) for hint in ("met", "tied"))
    best, best_key = cell_of(t, item, "best"), None

    def look(value: Value, _: Round) -> None:
        nonlocal best_key
        if isinstance(value, Scalar):
            value = kept(t, value)
        ranked = value if key is None else t.forms.settled(t, key(value))
        if key is not None:
            best_key = best_key or cell_of(t, type_of(t, ranked), "rank")
        before = best if best_key is None else best_key
        better = t.text.temporary(f"not {met}", "better")
        with t.text.block(f"if {met}:"):
            t.text.line(f"{better} = {t.forms.ordered(t, sign, ranked, read(before)).text}")
            if ties:
                same = t.forms.equal(t, ranked, read(before)).text
                t.text.line(f"{tied} = {same} or ({tied} and not {better})")
        with t.text.block(f"if {better}:"):
            write(t, best, value)
            if best_key is not None:
                write(t, best_key, ranked)
            t.text.line(f"{met} = True")

    clear(t, best)
    if not t.text.is_aside:
        with t.text.apart() as ahead:
            run(t, stream, look)
        if best_key is not None:
            clear(t, best_key)
        t.text.lines += ahead
    if ties:
        trap(t, tied, what=TIED, instead=UNTIED)
    if default is None:
        trap(t, f"not {met}", ValueError)
    else:
        with t.text.block(f"if not {met}:"):
            write(t, best, default)
    return bounded(read(best), low, high)


def bounded(value: Value, low: int, high: int) -> Value:
    """A number with bounds that are known of it; any other value as it is."""
    if isinstance(value, Scalar) and isinstance(value.type, Int):
        return value._replace(low=max(low, 1 - SMALL), high=min(high, SMALL - 1))
    return value


def cell_of(t: Translator, kind: Type, hint: str) -> Place | Scalar:
    """Room for one value: a name, or a place."""
    if isinstance(kind, SCALARS):
        return Scalar(kind, t.text.name(hint))
    return t.forms.slot(t, kind)


def clear(t: Translator, cell: Place | Scalar) -> None:
    """Give a name a value: machine code wants one whatever happens."""
    if isinstance(cell, Scalar):
        t.text.line(f"{cell.text} = {'False' if isinstance(cell.type, Bool) else '0'}")


def write(t: Translator, cell: Place | Scalar, value: Value) -> None:
    """Write a value to a cell or a name."""
    if isinstance(cell, Place):
        check_copied(t, value)
        store(t, value, cell)
    elif isinstance(cell.type, Bool):
        t.text.line(f"{cell.text} = {t.forms.truth(t, value).text}")
    else:
        text = as_cell(t, value, cell.type)
        if text is None:
            raise refuse(t, f"has {describe(value)} among others", "use like values")
        t.text.line(f"{cell.text} = {text}")


def read(cell: Place | Scalar) -> Value:
    """The value of a cell or a name."""
    return cell._replace(is_stable=True) if isinstance(cell, Place) else cell


def in_stream(t: Translator, value: Stream, item: Value) -> Scalar:
    """Whether something is among what is gone through."""
    item = t.forms.settled(t, item)
    return any_or_all(t, mapped(t, lambda each: t.forms.equal(t, item, each), value), is_any=True)


# Order


def sorted_row(
    t: Translator, value: Value, key: Callable[[Value], Value] | None, *, down: bool
) -> Value:
    """`sorted`: by insertion, as rows are short."""
    stream = t.forms.stream(t, value)
    row = t.forms.made_row(t, stream, list)
    sort_in_place(t, row, key, down=down, is_set=not stream.is_ordered)
    return row


def apart(t: Translator, value: Value) -> Value:
    """A value that stays when what has returned it is called again at this place."""
    if isinstance(value, Items):
        return Items(tuple(apart(t, each) for each in value.items), value.kind)
    return copied(t, value) if isinstance(value, Place) else t.forms.settled(t, value)


def _holds_sets(kind: Type) -> bool:
    """Whether there are sets in a value of a type."""
    if isinstance(kind, Record):
        return any(map(_holds_sets, kind.items))
    is_row_of_sets = isinstance(kind, Seq) and (
        kind.kind in (set, frozenset) or _holds_sets(kind.item)
    )
    return is_row_of_sets or isinstance(kind, (Bits, Open))


def sort_in_place(
    t: Translator,
    row: Place,
    key: Callable[[Value], Value] | None,
    *,
    down: bool = False,
    is_set: bool = False,
) -> None:
    """Sort a list: stable, O(n**2); of a set, members of one key are left to Python."""
    kind = row.type
    if isinstance(kind.item, Never):
        return
    if t.forms.is_mutable(t, kind.item):
        raise refuse(t, "sorts a list of lists", "use tuples")
    row = row._replace(is_stable=False)
    count = t.forms.length(t, row)
    i, j = t.text.name("i"), t.text.name("j")
    with t.text.loop(f"for {i} in range(1, {count.text}):"):
        moved = cell_of(t, kind.item, "moved")
        write(t, moved, loaded(t, t.forms.item_at(t, row, i)))
        held = read(moved)
        ranked = held if key is None else apart(t, key(held))
        if _holds_sets(type_of(t, ranked)):  # neither of two may be the less
            raise refuse(t, "sorts by sets", "sort by tuples: key=sorted, or what has an order")
        t.text.line(f"{j} = {i}")
        with t.text.loop(f"while {j} > 0:"):
            before = loaded(t, t.forms.item_at(t, row, t.text.temporary(f"{j} - 1", "k")))
            other = before if key is None else key(before)
            less = t.forms.ordered(t, ">" if down else "<", ranked, other)
            if known_truth(less) is False:
                t.text.line("break")
            with t.text.block(f"if not {less.text}:"):
                if is_set and key is not None:
                    trap(t, t.forms.equal(t, ranked, other).text, what=TIED, instead=UNTIED)
                t.text.line("break")
            store(t, before, t.forms.item_at(t, row, j))
            t.text.line(f"{j} -= 1")
        store(t, held, t.forms.item_at(t, row, j))


def joined_text(t: Translator, separator: Value, value: Value) -> Value:
    """`separator.join(value)`."""
    if not (isinstance(separator, Known) and isinstance(separator.value, str)):
        raise refuse(t, "joins by a text that states decide", "write the text out")
    if isinstance(value, Items):
        parts: list[Value] = []
        for i, each in enumerate(value.items):
            parts += [separator] if i and separator.value else []
            parts.append(each)
        return behind_each_other(t, parts, str) if parts else Known("")
    stream = ordered_stream(t, value)
    item = type_of_items(t, stream)
    if isinstance(item, Char) and not separator.value:
        return t.forms.made_row(t, stream, str)
    return _text_of_parts(t, separator.value, stream, item)


def _text_of_parts(t: Translator, separator: str, stream: Stream, item: Type) -> Value:
    """Texts one behind the other, with a separator between them."""
    longest = 1 if isinstance(item, Char) else getattr(item, "most", None)
    if longest is None or (isinstance(item, Seq) and item.kind is not str):
        raise refuse(t, "joins values that are not texts", "use texts of characters")
    most = min(most_of(stream) * (longest + len(separator)), MOST_ITEMS)
    place = t.forms.slot(t, Seq(Char(), 0, most, str))
    n, first = t.text.temporary("0", "n"), t.text.temporary("True", "first")

    def add(value: Value, _: Round) -> None:
        for_one = Seq(Char(), 1, 1, str)
        part = in_memory(t, value, for_one if isinstance(item, Char) else None)
        count = t.forms.length(t, part)
        room = f"{n} + {count.text} + {len(separator)} > {most}"
        trap(t, room, what=full(most, "a text"), instead="make a shorter one")
        if separator:
            with t.text.block(f"if not {first}:"):
                for each in separator:
                    store(t, Known(each), t.forms.item_at(t, place, n))
                    t.text.line(f"{n} += 1")
        t.text.line(f"{first} = False")
        i = t.text.name("i")
        with t.text.loop(f"for {i} in range({count.text}):"):
            store(t, loaded(t, t.forms.item_at(t, part, i)), t.forms.item_at(t, place, n))
            t.text.line(f"{n} += 1")

    run(t, stream, add)
    t.text.line(f"{place.cell()} = {n}")
    return place._replace(is_stable=True, is_fresh=True)
