"""Sets: rows of members that differ, and bits of a small universe.

A set that a rule makes from that of a state may get members that no state has: it is `Open`, bits
and a row of the members that these have no room for.
"""

from __future__ import annotations

import ast
from collections.abc import Callable
from contextlib import nullcontext
from typing import Any

import attrs

from searchkit.translation import builders, memory
from searchkit.translation.arithmetic import always_raises, known_binary
from searchkit.translation.builders import add_member, any_or_all, made_set, without
from searchkit.translation.comparison import FALSE, TRUE, and_then, fixed_items, negated, or_else
from searchkit.translation.facts import Variable
from searchkit.translation.loops import is_set, items_in_memory, mapped, one_after_another, run
from searchkit.translation.memory import (
    cannot,
    constant,
    copied,
    empty_row,
    joined_type,
    kind_of,
    loaded,
    now,
    store,
    type_of,
)
from searchkit.translation.refusals import describe, members_of, refuse, trap
from searchkit.translation.sequences import as_row, place_in_row, row_of_like
from searchkit.translation.translator import Translator
from searchkit.translation.types import Atom, Bits, Grid, Int, Listed, Never, Open, Seq, Unfit
from searchkit.translation.values import Chosen, Items, Known, Place, Round, Scalar, Stream, Value
from searchkit.translation.variables import again, kept

MEMBERS = "put no others into it, or use a sorted tuple"
_SIGNS: dict[type[ast.operator], str] = {ast.BitOr: "|", ast.BitAnd: "&", ast.BitXor: "^"}

# Rows of members


def row_of(t: Translator, value: Value) -> Place:
    """A set as a row of members."""
    if isinstance(value, Known):
        kind = set if isinstance(value.value, set) else frozenset
        value = Items(tuple(Known(each) for each in value.value), kind)
    if isinstance(value, Items):
        if all(isinstance(each, Known) for each in value.items):
            unique = tuple(dict.fromkeys(each.value for each in value.items))
            row = as_row(t, Known(unique))
            if isinstance(row, Place) and isinstance(row.type, Seq):
                return row._replace(type=attrs.evolve(row.type, kind=value.kind))
            none = t.forms.slot(t, Seq(Never(), 0, 0, value.kind))
            return none.made()
        return made_set(t, t.forms.stream(t, Items(value.items, tuple)), value.kind)
    if isinstance(value, Place) and isinstance(value.type, Seq):
        return value
    raise refuse(t, f"uses {describe(value)} as a set", "use sets of one kind")


def combined_sets(t: Translator, op: ast.operator, left: Value, right: Value) -> Value:
    """`|`, `&`, `-` and `^` of sets: one of the author's as bits, where all of it has room."""
    kind_of_right = right.type if isinstance(right, Place) else None
    if isinstance(kind_of_right, Open):
        kind_of_right = kind_of_right.bits
    if isinstance(left, Known) and is_set(left) and isinstance(kind_of_right, Bits):
        members: Any = left.value
        if all(_is_in(t, kind_of_right, each) for each in members):
            left = constant(t, members, attrs.evolve(kind_of_right, kind=members.__class__))
    if isinstance(left, Known) and isinstance(right, Known):
        return known_binary(t, op, left.value, right.value)
    if isinstance(op, (ast.BitOr, ast.BitXor)):
        left, right = _with_room_for(t, left, right), _with_room_for(t, right, left)
    is_in = {ast.BitOr: None, ast.BitAnd: True, ast.Sub: False, ast.BitXor: False}
    if not (is_any_set(left) and is_any_set(right)) or type(op) not in is_in:
        return always_raises(t, TypeError())
    kind = kind_of(left)
    assert kind is not None
    one = left if isinstance(left, Place) else t.forms.row_of(t, left)
    other = right if isinstance(right, Place) else t.forms.row_of(t, right)
    if any(isinstance(each.type, (Bits, Open)) for each in (one, other)):
        return t.forms.combined_bits(t, op, one, other, kind)
    # A set of the author's may be large: it is looked up at once, and not gone through.
    looked_up = other if isinstance(right, Items) else right
    if isinstance(op, ast.BitAnd) and isinstance(left, Known):
        one, looked_up = other, left
    item, wanted = joined_type(t, one.type.item, other.type.item), is_in[type(op)]
    most = one.type.most + (other.type.most if isinstance(op, (ast.BitOr, ast.BitXor)) else 0)
    place = empty_row(t, item, most, kind)
    _put_members(t, place, one, looked_up, wanted)
    if isinstance(op, (ast.BitOr, ast.BitXor)):
        _put_members(t, place, other, one, wanted)
    return place.made()


def _put_members(
    t: Translator, place: Place, own: Place, other: Value, wanted: bool | None
) -> None:
    """Put members of a set into a new one: those that are in another, or are not, or all."""

    def put(value: Value, _: Round) -> None:
        value = t.forms.settled(t, value)
        test = "True" if wanted is None else t.forms.contains(t, other, value).text
        head = f"if {'' if wanted else 'not '}{test}:"
        with nullcontext() if wanted is None else t.text.block(head):
            if isinstance(place.type, Seq):
                add_member(t, place, value, is_bounded=True)
            else:
                t.forms.with_bit(t, place, value, "|", must=True)

    run(t, t.forms.stream(t, own), put)


# Where members are


def member_place(t: Translator, kind: Bits, member: Value) -> tuple[str, str] | None:
    """The number of a member, and the test that it has one; None if it has none for sure."""
    universe = kind.universe
    if isinstance(member, Known):
        try:
            place = universe.place(member.value, t.atoms)
        except (Unfit, TypeError):
            return None
        return str(place), "True"
    if isinstance(universe, Grid):
        return grid_place(t, universe, member)
    if isinstance(member, Scalar) and isinstance(member.type, Atom):
        text = kept(t, member).text
        return text, f"{text} < {universe.size}"
    values = tuple(t.atoms.values[: universe.size])
    row = row_of_like(t, Known(values), "looks in a set of unlike members", "use like members")
    found = place_in_row(t, row, member)
    return None if found is None else (found, f"{found} >= 0")


def grid_place(t: Translator, grid: Grid, member: Value) -> tuple[str, str]:
    """The text of a member's number in a grid, and the test that it is there."""
    parts = [member] if grid.is_bare else fixed_items(t, t.forms.held(t, member))
    is_tuple = grid.is_bare or kind_of(member) is tuple
    if parts is None or not is_tuple or len(parts) != len(grid.sizes):
        raise refuse(t, f"looks for {describe(member)} in a set", "look for like members")
    place, tests = "", []
    for part, low, size in zip(parts, grid.lows, grid.sizes, strict=True):
        number = kept(t, t.forms.number(t, part, "looks in a set for"))
        text = number.text if not low else f"({number.text} - {low})" if low > 0 else (
            f"({number.text} + {-low})"
        )  # fmt: skip
        if number.low < low:
            tests.append(f"{number.text} >= {low}")
        if number.high >= low + size:
            tests.append(f"{number.text} < {low + size}")
        place = f"({place} * {size} + {text})" if place else text
    return place, " and ".join(tests) or "True"


def _outside(t: Translator, kind: Bits, member: Value) -> str:
    """What is said of a member that a set has no room for, with its value there."""
    parts = fixed_items(t, member) if isinstance(member, Items) else [member]
    texts = [each.text for each in parts or () if isinstance(each, Scalar)]
    is_told = isinstance(kind.universe, Grid) and bool(texts)
    told = ", ".join(f"{{{each}}}" for each in texts) if is_told else describe(member)
    told = f"({told})" if is_told and len(texts) > 1 else told
    return f"puts {told} into a set; states had none but {members_of(kind.universe)} there"


def bit_of(t: Translator, place: Place, number: str) -> tuple[str, str]:
    """The text of the cell with a member's bit, and where it is there."""
    kind: Bits = place.type
    if kind.cells == 1:
        return place.cell(), number
    if number.isdigit():
        return place.cell(int(number) // kind.width), str(int(number) % kind.width)
    name = number if number.isidentifier() else t.text.temporary(number, "place")
    at = t.text.temporary(f"{name} // {kind.width}", "at")
    return place.cell(at), f"{name} % {kind.width}"


def in_set(t: Translator, value: Value, item: Value) -> Scalar:
    """Whether something is in a set."""
    if isinstance(value, Place) and isinstance(value.type, Open):
        (bits, rest), item = _halves(value), t.forms.settled(t, item)
        return or_else(t, t.forms.in_set(t, bits, item), lambda: t.forms.in_row(t, rest, item))
    if not isinstance(value, Place) or not isinstance(value.type, Bits):
        raise refuse(t, f"looks in {describe(value)}", "use a tuple, list, set, dict or range")
    found = t.forms.member_place(t, value.type, item)
    if found is None:
        return FALSE
    number, test = found

    def there() -> Scalar:
        cell, bit = bit_of(t, value, number)
        return Scalar.truth(now(t, value, f"({cell} >> {bit} & 1 != 0)"))

    return and_then(t, Scalar.truth(test), there)


def with_bit(t: Translator, place: Place, item: Value, sign: str, *, must: bool) -> None:
    """Set (|), flip (^) or clear (&) the bit of a member; `must` it have one."""
    if isinstance(place.type, Open):
        _with_member(t, place, t.forms.settled(t, item), sign)
        return
    found = t.forms.member_place(t, place.type, item)
    if found is None:
        if must:
            t.forms.fail(t, what=_outside(t, place.type, item), instead=MEMBERS)
        return
    number, test = found

    def write() -> None:
        cell, bit = bit_of(t, place, number)
        change = f"& ~(1 << {bit})" if sign == "&" else f"{sign} 1 << {bit}"
        t.text.line(f"{cell} = {cell} {change}")

    if test == "True":
        write()
    elif must:
        what = _outside(t, place.type, item)
        trap(t, f"not ({test})", what=what, instead=MEMBERS)
        write()
    else:
        with t.text.block(f"if {test}:"):
            write()


# Members that no state has


def _halves(place: Place) -> tuple[Place, Place]:
    """The bits, and the row of the others."""
    kind: Open = place.type
    rest = place._replace(type=kind.rest, shift=place.shift + kind.bits.cells)
    return place._replace(type=kind.bits), rest


def _with_member(t: Translator, place: Place, item: Value, sign: str) -> None:
    """Put a member in, turn it over, or take it out, wherever it belongs."""
    bits, rest = _halves(place)
    found = t.forms.member_place(t, bits.type, item)
    test = "False" if found is None else found[1]
    if test != "False":
        with t.text.block(f"if {test}:"):
            t.forms.with_bit(t, bits, item, sign, must=False)
    if test == "True":
        return
    with t.text.block(f"if not ({test}):"):
        if sign == "|":
            add_member(t, rest, item)
            return
        before = t.text.temporary(rest.cell(), "n")
        without(t, rest, place_in_row(t, rest, item) or "-1")
        if sign == "^":
            with t.text.block(f"if {rest.cell()} == {before}:"):
                add_member(t, rest, item)


def _may_be_outside(t: Translator, kind: Any, members: list[Value] | None) -> bool:
    """Whether a set of bits may get other members than it has room for."""

    def is_inside(member: Value) -> bool:
        with t.text.aside():
            found = t.forms.member_place(t, kind, member)
        return found is not None and found[1] == "True"

    is_plain = t.forms.has_open_sets and isinstance(kind, Bits)
    return is_plain and (members is None or not all(map(is_inside, members)))


def _with_room_for(t: Translator, value: Value, other: Value) -> Value:
    """A set of bits with room for the members of another that it has none for."""
    kind = value.type if isinstance(value, Place) else None
    members: list[Value] | None = None
    if isinstance(other, Known) and is_set(other):
        members = [Known(each) for each in other.value]
    elif isinstance(other, Items):
        members = list(other.items)
    elif not isinstance(other, Place) or not isinstance(other.type, Seq):
        return value
    if not isinstance(kind, Bits) or not _may_be_outside(t, kind, members):
        return value
    with t.text.aside():
        item = t.forms.row_of(t, other).type.item
    made = t.forms.slot(t, Open(kind, Seq(item, 0, t.facts.capacity, kind.kind)))
    store(t, value, made)
    return made.made()


def make_room_for(t: Translator, row: Place, item: Value) -> None:
    """Make sure that a set that is changed has room for an item."""
    if isinstance(row.root, Variable) and _may_be_outside(t, row.type, [item]):
        rest = Seq(type_of(t, item), 0, t.facts.capacity, row.type.kind)
        made = Open(row.type, rest)
        row.root.type = t.forms.with_part(t, row.root.type, row.path, lambda _: made)
        again(t, row.root)


# Members


def members_in(t: Translator, value: Place) -> Stream:
    """The members of a set of bits, by their numbers, and those that have none."""
    if isinstance(value.type, Open):
        bits, rest = _halves(value)
        every = one_after_another(t, [t.forms.members_in(t, bits), items_in_memory(t, rest)])
        return every._replace(is_ordered=False)
    kind: Bits = value.type

    def of_cell(i: int | str, begin: str, low: int, most: int, out: Any, body: Any) -> None:
        rest = t.text.temporary(value.cell(i), "rest")
        with t.text.loop(f"while {rest} != 0:") as loop:
            bit = t.text.temporary(f"lowest_one({rest}){begin}", "bit")
            t.text.line(f"{rest} = {rest} & {rest} - 1")
            number = Scalar(Int(), bit, low, min(low + most, kind.universe.size) - 1)
            body(_member(t, kind, number), Round((out, "break"), (loop, "continue")))

    def each(body: Callable[[Value, Round], None]) -> None:
        width = kind.width
        if kind.cells > 2:
            i = t.text.name("i")
            with t.text.loop(f"for {i} in range({kind.cells}):") as out:
                of_cell(i, f" + {i} * {width}", 0, width * kind.cells, out, body)
            return
        with t.text.once() as out:
            for k in range(kind.cells):
                of_cell(k, f" + {k * width}" if k else "", k * width, width, out, body)

    is_mixed = isinstance(kind.universe, Listed) and kind.universe.kind is None
    return Stream(each=each, most=kind.universe.size, is_ordered=False, is_mixed=is_mixed)


def _member(t: Translator, kind: Bits, number: Scalar) -> Value:
    universe = kind.universe
    if not isinstance(universe, Grid):
        return Scalar(Atom(universe.kind), number.text, 0, universe.size - 1)
    parts: list[Value] = []
    rest = number.text
    for i, (low, size) in enumerate(zip(universe.lows, universe.sizes, strict=True)):
        behind = 1
        for each in universe.sizes[i + 1 :]:
            behind *= each
        text = rest if behind == 1 else f"{rest} // {behind}"
        if i:
            text = f"{text} % {size}"
        name = t.text.temporary(f"{text} + {low}" if low >= 0 else f"{text} - {-low}", "part")
        parts.append(Scalar(Int(), name, low, low + size - 1))
    return parts[0] if universe.is_bare else Items(tuple(parts))


def length_of_set(t: Translator, value: Value) -> Scalar:
    """`len` of a set."""
    if isinstance(value, Place) and isinstance(value.type, Bits):
        counts = " + ".join(f"count_ones({value.cell(i)})" for i in range(value.type.cells))
        text = now(t, value, f"({counts or '0'})")
        return Scalar(Int(), text, 0, value.type.universe.size)
    if isinstance(value, Place) and isinstance(value.type, Open):
        bits, rest = _halves(value)
        one, other = t.forms.length_of_set(t, bits), t.forms.length(t, rest)
        return one._replace(text=f"({one.text} + {other.text})", high=one.high + other.high)
    raise refuse(t, f"takes the length of {describe(value)}", "use a list or tuple")


# Sets made of sets


def zeros(t: Translator, kind: Bits) -> Place:
    """Room for a set, without members."""
    place = t.forms.slot(t, kind)
    clear_set(t, place)
    return place._replace(is_fresh=True)


def clear_set(t: Translator, place: Place) -> None:
    """Take all members out of a set."""
    kind = place.type
    for i in range(kind.bits.cells + 1 if isinstance(kind, Open) else kind.cells):
        t.text.line(f"{place.cell(i)} = 0")


def copy(t: Translator, source: Place, place: Place) -> None:
    """Copy a value; of a set with other members those as well."""
    if not isinstance(source.type, Open):
        memory.copy(t, source, place)
        return
    for one, other in zip(_halves(source), _halves(place), strict=True):
        memory.copy(t, one, other)


def store_set(t: Translator, value: Value, place: Place) -> None:
    """Write a value as a set to a place."""
    if kind_of(value) is not place.type.kind:
        cannot(t, value, place.type)
    if isinstance(value, Known):
        try:
            t.forms.copy(t, constant(t, value.value, place.type), place)
        except Exception:  # members that are outside of the universe
            t.forms.fail(t, what=_outside(t, place.type, value), instead=MEMBERS)
        return
    value = value if isinstance(value, Place) else t.forms.row_of(t, value)
    if isinstance(value.type, Open) and isinstance(place.type, Bits):
        bits, rest = _halves(value)
        what = _outside(t, bits.type, loaded(t, t.forms.item_at(t, rest, "0")))
        trap(t, f"{rest.cell()} != 0", what=what, instead=MEMBERS)
        value = bits
    clear_set(t, place)
    target = _halves(place)[0] if isinstance(place.type, Open) else place
    if t.forms.has_room(t, value, target):
        t.forms.copy(t, value, target)
        return
    put_all(t, place, value)


def put_all(t: Translator, place: Place, source: Value, sign: str = "|") -> None:
    """Put all that is gone through into a set, turn it over, or take it out."""
    stream, must = t.forms.stream(t, source), sign != "&"
    run(t, stream, lambda item, _: t.forms.with_bit(t, place, item, sign, must=must))


def as_bits(t: Translator, value: Value, kind: Bits) -> Place | None:
    """A set of the author's as bits, without what is outside of the universe."""
    if isinstance(value, Items) and all(isinstance(each, Known) for each in value.items):
        value = Known(frozenset(each.value for each in value.items))
    if not isinstance(value, Known):
        return None
    return constant(t, kind.kind(each for each in value.value if _is_in(t, kind, each)), kind)


def _is_in(t: Translator, kind: Bits, member: Any) -> bool:
    try:
        kind.universe.place(member, t.atoms)
    except (Unfit, TypeError):
        return False
    return True


def alike(t: Translator, one: Value, other: Value) -> bool:
    """Whether sets are joined cell by cell."""
    return (
        isinstance(one, Place)
        and isinstance(other, Place)
        and isinstance(one.type, Bits)
        and isinstance(other.type, Bits)
        and one.type.universe == other.type.universe
    )


def has_room(t: Translator, value: Value, target: Place) -> bool:
    """Whether all cells of a set can be copied as they are."""
    return t.forms.alike(t, value, target)


def combined_bits(t: Translator, op: ast.operator, one: Place, other: Place, kind: type) -> Value:
    """`|`, `&`, `-` and `^` of sets of which one is bits."""
    if isinstance(other.type, Open) and isinstance(op, (ast.Sub, ast.BitAnd)):
        bits, _ = _halves(other)
        other = bits if t.forms.alike(t, one, bits) else other  # it has no others
    elif isinstance(other.type, Open) and not isinstance(one.type, Open):
        one, other = other, one
    if not isinstance(one.type, (Bits, Open)):
        if isinstance(op, ast.Sub):
            made = empty_row(t, one.type.item, one.type.most, kind)
            _put_members(t, made, one, other, wanted=False)
            return made.made()
        one, other = other, one
    made = zeros(t, _of_kind(one.type, kind))
    if t.forms.alike(t, one, other):
        for i in range(made.type.cells):
            right = other.cell(i)
            sign = _SIGNS.get(type(op), "&")
            right = f"~{right}" if isinstance(op, ast.Sub) else right
            t.text.line(f"{made.cell(i)} = {one.cell(i)} {sign} {right}")
        return made._replace(is_stable=True)
    if isinstance(op, ast.BitAnd):
        _put_members(t, made, other, one, wanted=True)
        return made._replace(is_stable=True)
    t.forms.copy(t, one._replace(type=made.type), made)
    put_all(t, made, other, "&" if isinstance(op, ast.Sub) else _SIGNS[type(op)])
    return made._replace(is_stable=True)


def equals_set(t: Translator, left: Value, right: Place) -> Scalar:
    """Whether two sets have the same members."""
    if isinstance(right.type, Bits) and isinstance(left, Known):
        if not all(_is_in(t, right.type, each) for each in left.value):
            return FALSE
        left = as_bits(t, left, right.type) or left
    if t.forms.alike(t, left, right):
        return t.forms.cells_hold(t, left, right, "{a} == {b}")  # type: ignore[arg-type]
    return and_then(
        t,
        t.forms.ordered_sets(t, "<=", left, right),
        lambda: t.forms.ordered_sets(t, ">=", left, right),
    )


def cells_hold(t: Translator, left: Place, right: Place, form: str) -> Scalar:
    """Whether something holds of all cells of two sets."""
    tests = [form.format(a=left.cell(i), b=right.cell(i)) for i in range(left.type.cells)]
    text = f"({' and '.join(tests)})" if tests else "True"
    stable = right._replace(is_stable=left.is_stable and right.is_stable)
    return Scalar.truth(now(t, stable, text)) if tests else TRUE


def ordered_sets(t: Translator, sign: str, left: Value, right: Value) -> Scalar:
    """Whether a set is part of another."""
    if sign in (">", ">="):
        return t.forms.ordered_sets(t, sign.replace(">", "<"), right, left)
    if sign == "<":
        return and_then(
            t,
            t.forms.ordered_sets(t, "<=", left, right),
            lambda: negated(t.forms.ordered_sets(t, "<=", right, left)),
        )
    if isinstance(left, Place) and isinstance(left.type, Bits):
        same = right if t.forms.alike(t, left, right) else as_bits(t, right, left.type)
        if isinstance(same, Place):
            return t.forms.cells_hold(t, left, same, "{a} & ~{b} == 0")
    stream = mapped(t, lambda each: t.forms.contains(t, right, each), t.forms.stream(t, left))
    return any_or_all(t, stream, is_any=False)


def collected(t: Translator, value: Value, kind: type) -> Value:
    """`tuple(value)`, `list(value)`, `set(value)`, `frozenset(value)`."""
    is_bits = isinstance(value, Place) and isinstance(value.type, (Bits, Open))
    if not isinstance(value, Place) or not is_bits or kind not in (set, frozenset):
        return builders.collected(t, value, kind)
    same = value._replace(type=_of_kind(value.type, kind))
    if kind is frozenset and value.is_stable:
        return same
    return copied(t, same)


def sorted_row(t: Translator, value: Value, key: Any, *, down: bool) -> Value:
    """`sorted`: members of a grid have the order of their numbers."""
    is_bits = isinstance(value, Place) and isinstance(value.type, Bits)
    if is_bits and isinstance(value.type.universe, Grid) and key is None and not down:  # type: ignore[union-attr]
        return t.forms.made_row(t, t.forms.members_in(t, value), list)  # type: ignore[arg-type]
    return builders.sorted_row(t, value, key, down=down)


def is_any_set(value: Value) -> bool:
    """Whether a value is a set, wherever it is kept."""
    if isinstance(value, Chosen):
        return all(isinstance(each, (set, frozenset)) for each in value.values)
    return is_set(value)


def _of_kind(kind: Bits | Open, own: type) -> Any:
    """The type of the same members in a set of another class."""
    if isinstance(kind, Bits):
        return attrs.evolve(kind, kind=own)
    return Open(_of_kind(kind.bits, own), attrs.evolve(kind.rest, kind=own))
