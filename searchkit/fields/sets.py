"""Sets of rules on fields, as the bits of words: joined, compared, and asked for members."""

from __future__ import annotations

import ast
from functools import partial
from typing import Any

import attrs

from searchkit.fields.declared import Array, Set
from searchkit.fields.layout import Slot
from searchkit.fields.lowered import FIELDS, WORDS
from searchkit.fields.places import are_items, equal_words, parts_of_places, slot_of_place
from searchkit.fields.statics import SELF, FieldsTranslator, from_tables, row_of_place, static_of
from searchkit.fields.tables import Instance, Static
from searchkit.translation import methods, objects, sets, variables
from searchkit.translation.memory import now
from searchkit.translation.refusals import refuse
from searchkit.translation.translator import Rows
from searchkit.translation.types import Bits, Bool, Grid
from searchkit.translation.values import Items, Known, Place, Scalar, Stream, Value

_JOINED = {ast.BitOr: "({a} | {b})", ast.BitAnd: "({a} & {b})", ast.BitXor: "({a} ^ {b})",
           ast.Sub: "({a} & ~{b})"}  # fmt: skip


class Masks(Place):
    """A set by the texts of its words, which `memory` has."""

    def cell(self, offset: int | str = 0) -> str:
        """The text of a word."""
        return self.memory.split("\n")[int(offset)]


@attrs.frozen(repr=False)
class WordBits(Bits):
    """A set whose cells are words."""

    width = 64


def _with_cells(place: Place, cells: int) -> Place:
    """A set with further words, without members."""
    if place.type.cells == cells:
        return place
    texts = [place.cell(i) if i < place.type.cells else "0" for i in range(cells)]
    universe = Grid((0,), (64 * cells,), is_bare=True)
    kind = attrs.evolve(place.type, universe=universe)
    return Masks(kind, "\n".join(texts), "", 0, is_stable=place.is_stable)


def members_type(below: int) -> WordBits:
    """The type of a set of numbers from 0 on."""
    return WordBits(Grid((0,), (below,), is_bare=True), set)


def _is_words(value: Any) -> bool:
    return isinstance(value, Place) and isinstance(value.type, WordBits)


def chosen_set(t: FieldsTranslator, value: Value, other: Value | None = None) -> Value:
    """One of several sets, or a row of numbers, as a set like that which it is joined with."""
    is_row = _is_words(other) and row_of_place(t, value) is not None
    return objects.chosen_set(t, _masks_of(t, value, other) if is_row else value, other)


def _masks_of(t: FieldsTranslator, value: Any, like: Any) -> Masks:
    """Numbers that no state decides, a list of the object's say, as a set like a field."""
    slot, row = _slot_like(t, like.type), row_of_place(t, value)
    assert slot is not None
    if row is not None and row.lists.depth != row.level + 1:
        raise refuse(t, "is a list of lists, not of numbers")
    static = static_of(t, value) if row is None else row.lists.static
    assert static is not None
    _check_members(t, static, slot)
    texts = [_mask_text(t, value, 0, part, is_sum=False) for part in range(slot.words)]
    return Masks(attrs.evolve(like.type), "\n".join(texts), "", 0, is_stable=True)


def _slot_like(t: FieldsTranslator, kind: Any) -> Slot | None:
    return next(
        (s for s in t.layout.slots.values()
         if isinstance(s.field, Set) and isinstance(kind, WordBits)
         and s.field.length == kind.universe.size), None,
    )  # fmt: skip


def _check_members(t: FieldsTranslator, static: Static, like: Slot) -> None:
    length = like.field.length

    def beyond(instance: Instance) -> int | None:
        numbers = static.nested(instance).numbers()
        return next((each for each in numbers if not 0 <= each < length), None)

    wrong = t.tables.ask(beyond)
    if wrong is not None:
        raise refuse(
            t, f"uses a list with {wrong}; {like.name} holds numbers from 0 to {length - 1}"
        )


def bits_of(t: FieldsTranslator, value: Value, like: Place) -> Place:
    """Any numbers as the words of a set like a field."""
    if _is_words(value):
        wide: Any = value
        if (
            wide.type.universe.size <= like.type.universe.size
            and wide.type.cells == like.type.cells
        ):
            return wide._replace(type=like.type)  # type: ignore[no-any-return]
    is_known = isinstance(value, Known) and hasattr(value.value, "__iter__")
    if _is_words(like) and (is_known or row_of_place(t, value) is not None):
        return _masks_of(t, value, like)
    if isinstance(value, Items) and value.kind in (tuple, list, set):
        bits = [_one_bit(t, each, like) for each in value.items]
        texts = [
            f"({' | '.join(f'({one[i]})' for one in bits) or 0})" for i in range(like.type.cells)
        ]
        return Masks(like.type, "\n".join(texts), "", 0)
    return objects.bits_of(t, value, like)


def _one_bit(t: FieldsTranslator, value: Value, like: Place) -> list[str]:
    """The words of a set of one member."""
    number = _number_of(t, like.type, value)
    if number.isdigit():
        word, bit = divmod(int(number), 64)
        return [str(1 << bit) if i == word else "0" for i in range(like.type.cells)]
    if like.type.cells == 1:
        return [f"1 << {number}"]
    return [f"1 << ({number} & 63) if {number} >> 6 == {i} else 0" for i in range(like.type.cells)]


def member_place(t: FieldsTranslator, kind: Bits, member: Value) -> tuple[str, str] | None:
    """The number of a member, and the test that it has one; in words, it has."""
    if not isinstance(kind, WordBits):
        return sets.member_place(t, kind, member)
    return _number_of(t, kind, member), "True"


def _number_of(t: FieldsTranslator, kind: Bits, member: Value) -> str:
    """The number of a member; that it has one is compared."""
    number = t.forms.number(t, member, "looks in a set for")
    return t.forms.within(t, number, 0, kind.universe.size - 1, "a member").text


def in_set(t: FieldsTranslator, value: Value, item: Value) -> Scalar:
    """Whether something is in a set."""
    if not _is_words(value):
        return objects.in_set(t, value, item)
    place: Any = value
    number, slot = _number_of(t, place.type, item), slot_of_place(t, place)
    if slot is not None:
        word, bit = _bit_in_word(t, slot, place.type, item)
        text = f"({WORDS}[{word}] & {bit} != 0)"
    elif number.isdigit():
        text = f"({place.cell(int(number) // 64)} >> {int(number) % 64} & 1 != 0)"
    elif place.type.cells == 1:
        text = f"({place.cell()} >> {number} & 1 != 0)"
    else:
        return objects.in_set(t, _in_frame(t, place), item)
    return Scalar(Bool(), now(t, place, text), 0, 1)


def _in_frame(t: FieldsTranslator, place: Place) -> Place:
    made = t.forms.slot(t, place.type)
    for i in range(place.type.cells):
        t.text.line(f"{made.cell(i)} = {place.cell(i)}")
    return made._replace(is_stable=True, is_fresh=True)


def members_in(t: FieldsTranslator, value: Place) -> Stream:
    """The members of a set, in their order: those that it has now."""
    if _is_words(value) and value.type.cells > 1:
        value = _in_frame(t, value)._replace(is_field=True)
    elif isinstance(value, Masks):
        value = value._replace(is_field=True)
    return objects.members_in(t, value)


# Loops


def do_for(t: FieldsTranslator, node: ast.For) -> None:
    """A loop; one that only joins members to a field changes all of them at once."""
    if not _is_joined(t, node):
        objects.do_for(t, node)


def _is_joined(t: FieldsTranslator, node: ast.For) -> bool:
    """A loop that only changes the member of a set, or a flag, that it goes over: one step."""
    if len(node.body) != 1 or node.orelse or not isinstance(node.target, ast.Name):
        return False
    field, sign = _change_of_one(node.body[0], node.target.id) or (None, "")
    names = (each for each in ast.walk(t.scope.definition) if isinstance(each, ast.Name))
    if field is None or sum(each.id == node.target.id for each in names) != 2:
        return False
    slot, value = slot_of_place(t, t.forms.value(t, field)), t.forms.value(t, node.iter)
    row = row_of_place(t, value)
    if slot is None or row is None or row.lists.depth != row.level + 1:
        return False
    is_set = isinstance(slot.field, Set)
    is_flags = isinstance(slot.field, Array) and (slot.field.low, slot.field.below) == (0, 2)
    if not (is_set or is_flags):
        return False
    _check_members(t, row.lists.static, slot)
    for part in range(slot.words):
        mask = _mask_text(t, value, slot.shift, part, is_sum=sign == "^")
        change = f"& ~{mask}" if sign == "&" else f"{sign} {mask}"
        word = f"{WORDS}[{slot.word + part}]"
        t.text.line(f"{word} = {word} {change}")
    return True


def _change_of_one(change: ast.stmt, name: str) -> tuple[ast.expr, str] | None:
    """The field of which a statement changes one member or flag, and by which sign."""
    match change:
        case ast.Expr(ast.Call(ast.Attribute(owner, "add" | "discard" as how), [member])):
            sign = "|" if how == "add" else "&"
        case ast.AugAssign(ast.Subscript(owner, member), ast.BitXor(), ast.Constant(1)):
            sign = "^"
        case ast.Assign([ast.Subscript(owner, member)], ast.Constant(0 | 1 as flag)):
            sign = "|" if flag else "&"
        case _:
            return None
    is_it = isinstance(member, ast.Name) and member.id == name
    return (owner, sign) if is_it and isinstance(owner, ast.Attribute) else None


def _mask_text(t: FieldsTranslator, value: Value, shift: int, part: int, *, is_sum: bool) -> str:
    """The text of a row of numbers as a set, in a word, from a bit on."""
    row, static = row_of_place(t, value), static_of(t, value)
    if static is None:
        assert row is not None
        name = t.tables.masks(row.lists, shift, part, is_sum=is_sum)
        return f"{SELF}.tables.{name}{row.suffix}"
    masks = partial(_masks, static, shift, part, is_sum)
    return from_tables(t, static, masks, ("mask", shift, part, is_sum))


def with_bit(t: FieldsTranslator, place: Place, item: Value, sign: str, *, must: bool) -> None:
    """Put a member into a set, or take it out."""
    if not _is_words(place):
        objects.with_bit(t, place, item, sign, must=must)
        return
    slot = slot_of_place(t, place)
    if slot is not None:
        word, bit = _bit_in_word(t, slot, place.type, item)
        change = f"& ~({bit})" if sign == "&" else f"{sign} ({bit})"
        t.text.line(f"{WORDS}[{word}] = {WORDS}[{word}] {change}")
        return
    for i, bit in enumerate(_one_bit(t, item, place)):
        change = f"& ~({bit})" if sign == "&" else f"{sign} ({bit})"
        t.text.line(f"{place.cell(i)} = {place.cell(i)} {change}")


def _bit_in_word(t: FieldsTranslator, slot: Slot, kind: Any, item: Value) -> tuple[str, str]:
    """The word of a member of a field, and its bit there."""
    number, static = _number_of(t, kind, item), static_of(t, item)
    if number.isdigit():
        word, shift = slot.place(int(number))
        return str(word), str(1 << shift)
    if static is not None and are_items(t, static, slot):
        word, _ = parts_of_places(t, slot, static)  # type: ignore[assignment]
        bits = partial(_ones, slot, static)
        return str(word), from_tables(t, static, bits, ("bit", slot.name))
    if not slot.is_wide:
        return str(slot.word), f"1 << {number} + {slot.shift}" if slot.shift else f"1 << {number}"
    name = t.text.temporary(number, "member")
    return f"({name} >> 6) + {slot.word}", f"1 << ({name} & 63)"


def combined_bits(
    t: FieldsTranslator, op: ast.operator, one: Place, other: Place, kind: type
) -> Value:
    """`|`, `&`, `-` and `^` of sets of which one is bits."""
    if _is_words(one) and _is_words(other):
        form, cells = _JOINED[type(op)], max(one.type.cells, other.type.cells)
        one, other = (_with_cells(each, cells) for each in (one, other))
        texts = [form.format(a=one.cell(i), b=other.cell(i)) for i in range(cells)]
        largest = max(one.type, other.type, key=lambda each: each.universe.size)
        is_stable = one.is_stable and other.is_stable
        kind_of_set = attrs.evolve(largest, kind=kind)
        return t.forms.settled(t, Masks(kind_of_set, "\n".join(texts), "", 0, is_stable=is_stable))
    return sets.combined_bits(t, op, one, other, kind)


def unbound(t: FieldsTranslator, owner: Value, other: Value) -> Value:
    """Operators on a field ask whether it may have the members of the other; methods do not."""
    are_words = _is_words(owner) and _is_words(other)
    if are_words and isinstance(owner, Place) and not t.forms.has_room(t, other, owner):
        return owner._replace(is_field=False)
    return methods.unbound(t, owner, other)


def settled(t: FieldsTranslator, value: Value) -> Value:
    """A value that later changes do not touch."""
    if isinstance(value, Masks) and not value.is_stable:
        texts = [t.text.temporary(value.cell(i), "bits") for i in range(value.type.cells)]
        return value._replace(memory="\n".join(texts), is_stable=True, is_fresh=True)
    return variables.settled(t, value)


def alike(t: FieldsTranslator, one: Value, other: Value) -> bool:
    """Whether sets are joined cell by cell."""
    return (_is_words(one) and _is_words(other)) or sets.alike(t, one, other)


def has_room(t: FieldsTranslator, value: Value, target: Place) -> bool:
    """Whether a set has room for the members of another."""
    if _is_words(value) and _is_words(target):
        kind: Any = value.type  # type: ignore[union-attr]
        is_small: bool = kind.universe.size <= target.type.universe.size
        return is_small and kind.cells == target.type.cells
    return sets.has_room(t, value, target)


def cells_hold(t: FieldsTranslator, left: Place, right: Place, form: str) -> Scalar:
    """Whether something holds of all words of two sets; what one lacks is without members."""
    cells = max(left.type.cells, right.type.cells)
    left, right = (_with_cells(each, cells) for each in (left, right))
    return sets.cells_hold(t, left, right, form)


def equal(t: FieldsTranslator, left: Value, right: Value) -> Scalar:
    """Whether two values are equal; arrays by their words."""
    for one, other in ((left, right), (right, left)):
        slot = slot_of_place(t, one)
        if slot is not None and isinstance(slot.field, Array):
            whole = equal_words(t, slot, one, other)  # type: ignore[arg-type]
            if whole is not None:
                return whole
    return objects.equal(t, left, right)


def as_set(t: FieldsTranslator, value: Value) -> Value:
    """A value as a set; rows that no state changes become words where they are used."""
    return value if row_of_place(t, value) is not None else objects.as_set(t, value)


def ordered_sets(t: FieldsTranslator, sign: str, left: Value, right: Value) -> Scalar:
    """Whether a set is part of another."""
    left, right = t.forms.chosen_set(t, left, right), t.forms.chosen_set(t, right, left)
    return sets.ordered_sets(t, sign, left, right)


def put_field(t: FieldsTranslator, place: Place, value: Value) -> None:
    """Write a value to a field; to a set, word by word."""
    if place.memory != FIELDS or not isinstance(place.type, Bits):
        objects.put_field(t, place, value)
        return
    found = t.forms.bits_of(t, value, place)
    texts = [found.cell(i) for i in range(place.type.cells)]
    if len(texts) == 1 and isinstance(found, Masks) and t.text.lines:
        name, sign, made = str(t.text.lines[-1]).partition(" = ")
        if sign and [name] == texts:  # it was made for this alone
            t.text.lines.pop()
            texts = [made]
    if len(texts) > 1 and not found.is_stable:
        texts = [t.text.temporary(each, "bits") for each in texts]
    for i, each in enumerate(texts):
        t.text.line(f"{place.cell(i)} = {each}")


def _masks(static: Static, shift: int, word: int, is_sum: bool, instance: Instance) -> list[int]:
    """The words of the sets that an expression gives."""
    masks = static.nested(instance).masks(shift, word, is_sum=is_sum)
    return list(masks) if static.by_move else [masks]


def _ones(slot: Slot, static: Static, instance: Instance) -> list[int]:
    """The bits of the members of a field that an expression gives, in their words."""
    return [1 << slot.place(each)[1] for each in static.numbers(instance)]


STATEMENTS: Rows = {ast.For: do_for}
