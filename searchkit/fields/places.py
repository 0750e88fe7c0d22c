"""Fields as places in the words of a state: what is read there, and what is put there."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial
from typing import Any

from searchkit.fields import statics
from searchkit.fields.declared import Array, Set
from searchkit.fields.layout import Layout, Slot
from searchkit.fields.lowered import CHANGED, FIELDS, WITHIN, WORDS
from searchkit.fields.statics import SELF, FieldsTranslator, from_tables, row_of_place, static_of
from searchkit.fields.tables import NUMBERS, Instance, Static
from searchkit.kernel_language import trees
from searchkit.translation import objects, statements, variables
from searchkit.translation.effects import may_change
from searchkit.translation.facts import FULL, Variable
from searchkit.translation.memory import loaded, now, part
from searchkit.translation.methods import Bound
from searchkit.translation.objects import field_to_change, numbers_type, object_type
from searchkit.translation.refusals import Again, written
from searchkit.translation.translator import Rows
from searchkit.translation.types import Bool, Int, Object, Type
from searchkit.translation.values import SMALL, Known, Place, Scalar, Value

MOST = 1 << 62
LONGEST = 1 << 12
"""How long lists that rules make may grow, where fields have as many values."""
_SIGNS = {ast.Add: "+", ast.Sub: "-", ast.BitXor: "^", ast.BitOr: "|"}


def type_of_state(layout: Layout, members: Callable[[int], Type]) -> Object:
    """The type of states: objects with the fields; `members` gives that of a set."""
    fields: dict[str, tuple[Type, tuple[int, int]]] = {}
    for name, slot in layout.slots.items():
        field = slot.field
        bounds = field.low, field.below - 1
        kind: Type = Int()
        if isinstance(field, Set):
            kind, bounds = members(field.length), (1 - SMALL, SMALL - 1)
        elif isinstance(field, Array):
            kind = numbers_type(field.length)
        fields[name] = kind, bounds
    return object_type(layout.state, fields)


def capacity_of(layout: Layout) -> int:
    """How long lists of rules may grow: as a field may have members, items or values, mostly."""
    sizes = [max(each.length, each.values) for each in layout.fields.values()]
    return min(LONGEST, max(FULL, *sizes))


def within(
    t: FieldsTranslator, value: Scalar, low: int, high: int, what: str = "a number"
) -> Scalar:
    """The number, which is compared with these bounds."""
    if low <= value.low and value.high <= high:
        return value
    line = getattr(t.node, "lineno", 0)
    text = f"{WITHIN}({value.text}, {what!r}, {low}, {high}, {line})"
    return Scalar(Int(), text, max(low, value.low), min(high, value.high))


def change(
    t: FieldsTranslator, place: Place, *, whole: bool = False, by_item: bool = False
) -> None:
    """Note that something is changed in place."""
    if place.memory == FIELDS:
        if place.is_stable:  # it is not, in this rule
            t.facts.changes_state = True
            raise Again
        slot = slot_of_place(t, place)
        if slot is not None:
            known = known_of(t, slot.name)
            if known.is_shared:
                raise t.forms.of_sharing(t, known)
            known.is_changed = True
        return
    if place.memory.startswith(f"{SELF}.tables."):
        raise t.forms.wrong(t, "changes self; rules change the fields of a state")
    objects.change(t, place, whole=whole, by_item=by_item)


def check_own(t: FieldsTranslator, owner: Known, node: ast.expr) -> None:
    """Refuse to change what the puzzle has, or the module."""
    raise t.forms.wrong(
        t, f"assigns to {written(node):.40}; rules change fields of a state, and names"
    )


def known_of(t: FieldsTranslator, name: str) -> Variable:
    """What is known of a field, or of the whole state, and kept from one round to the next."""
    key = ("state",), name
    return t.facts.variables.setdefault(key, Variable(key))


def check_sharing(t: FieldsTranslator, value: Value, target: Variable | None = None) -> None:
    """Refuse a list that has two names and may be changed; a field has its own."""
    slot = slot_of_place(t, value)
    if slot is not None and isinstance(value, Place):
        value = value._replace(root=known_of(t, slot.name))
    variables.check_sharing(t, value, target)


def copy(t: FieldsTranslator, source: Place, place: Place) -> None:
    """Copy a value; the fields of a state to those of another."""
    if not isinstance(source.type, Object):
        statics.copy(t, source, place)
        return
    for i in range(len(source.type.items)):  # one loop would go from field to field
        t.forms.copy(t, t.forms.field_of(t, source, i), t.forms.field_of(t, place, i))


def slot_of_place(t: FieldsTranslator, place: Any) -> Slot | None:
    """The field that a place is."""
    if not isinstance(place, Place) or place.memory != FIELDS or place.base:
        return None
    if isinstance(place.type, Object):
        return None
    return t.firsts.get(place.shift)


def slot_around(t: FieldsTranslator, place: Place) -> Slot:
    """The field that a place is in."""
    return t.firsts[max(each for each in t.firsts if each <= place.shift)]


def place_of(t: FieldsTranslator, target: ast.Subscript) -> Place | None:
    """Where an item is that is assigned to; of a table, which no rule changes, there is none."""
    if row_of_place(t, t.forms.value(t, target.value)) is not None:
        raise t.forms.wrong(
            t, f"assigns to {written(target):.40}; rules change fields of a state, and names"
        )
    return statements.place_of(t, target)


def place_of_item(t: FieldsTranslator, value: Value, index: Value) -> Place | Known:
    """Where `value[index]` is."""
    if isinstance(value, Scalar) and isinstance(value.type, Int):
        name = written(getattr(t.node, "value", t.node)).rpartition(".")[2]
        raise t.forms.wrong(t, f"{name} is one number; it has no items")
    return objects.place_of_item(t, value, index)


def item_at(t: FieldsTranslator, place: Place, index: str) -> Place:
    """The item of a sequence, by its number, which is in range."""
    slot = slot_of_place(t, place)
    if slot is None or index.isdigit():
        return statics.item_at(t, place, index)
    static = t.of_texts.get(index)
    if static is not None and are_items(t, static, slot):
        name = f"{WORDS}place_{len(t.places)}"
        t.places[name] = parts_of_places(t, slot, static)
        t.indices[name] = static
    else:
        name = t.text.temporary(index, "at")
    return part(place, place.type.item, 0)._replace(base=name)


def are_items(t: FieldsTranslator, static: Static, slot: Slot) -> bool:
    """Whether the values of an expression are indices of a field."""
    is_number = t.tables.sort(static) == NUMBERS
    return is_number and t.tables.ask(static.within(slot.field.length))


def parts_of_places(t: FieldsTranslator, slot: Slot, static: Static) -> tuple[str, str]:
    """The texts of the word and the shift of an index that the move decides."""
    words, shifts = (partial(_part_of_places, slot, static, part) for part in (0, 1))
    word = t.tables.ask(lambda instance: _only(words(instance)))
    text = str(word)
    if word is None:
        text = from_tables(t, static, words, ("word", slot.name))
    return text, from_tables(t, static, shifts, ("shift", slot.name))


def fitting(t: FieldsTranslator, place: Place, value: Value) -> Scalar:
    """A number that fits a field, with which it is compared."""
    if place.memory != FIELDS:
        return objects.fitting(t, place, value)
    found = objects.fitting(t, place._replace(bounds=(-MOST, MOST)), value)
    return t.forms.within(t, found, *place.bounds, slot_around(t, place).name)


def equal_words(t: FieldsTranslator, slot: Slot, place: Place, other: Value) -> Scalar | None:
    """Whether an array is a row of numbers that no state changes, word by word."""
    static = static_of(t, other)
    if static is None:
        return None
    for each in static.values(t.tables.of) or ():
        if not hasattr(each, "__len__") or len(each) != slot.field.length:
            raise t.forms.wrong(
                t, f"compares {slot.name}, {slot.field.length} numbers, with {each!r:.60}"
            )
    if not t.tables.ask(lambda instance: all(
        fits(each, slot) for each in static.values(instance) or ())):  # fmt: skip
        return None
    tests = []
    for i in range(slot.words):
        word, whole = f"{WORDS}[{slot.word + i}]", slot.whole(i)
        numbers = partial(_whole_words, static, slot, i)
        text = from_tables(t, static, numbers, ("whole", slot.name, i))
        tests.append(f"{word} & {whole} == {text}")
    joined = " and ".join(f"({each})" for each in tests)
    return Scalar(Bool(), now(t, place, f"({joined})"), 0, 1)


def method(t: FieldsTranslator, owner: Value, name: str) -> Bound | None:
    """A method of a value."""
    slot = slot_of_place(t, owner)
    is_plain = slot is not None and not slot.is_wide and slot.field.bits > 1
    if slot is not None and isinstance(slot.field, Array) and name == "index" and is_plain:
        return Bound(owner, lambda one, value: _first_index(t, slot, one, value))
    return objects.method(t, owner, name)


def _first_index(t: FieldsTranslator, slot: Slot, place: Any, value: Value) -> Value:
    """The first index of a number in an array, which must be there."""
    field = slot.field
    ones = sum(1 << i * field.bits for i in range(field.length))
    alone = sum(1 for each in t.layout.slots.values() if each.word == slot.word) == 1
    word = f"{WORDS}[{slot.word}]"
    if slot.shift or not alone:
        mask = slot.whole() >> slot.shift
        word = f"{word} >> {slot.shift} & {mask}" if slot.shift else f"{word} & {mask}"
    number = t.forms.number(t, value, "looks for")
    text = f"({number.text} - {field.low})" if field.low else number.text
    highs = ones << field.bits - 1
    found = f"self.first_field({word} ^ {text} * {ones}, {ones}, {highs}) // {field.bits}"
    if number.text == "0" and not field.low:
        found = f"self.first_field({word}, {ones}, {highs}) // {field.bits}"
    return Scalar(Int(), now(t, place, f"({found})"), 0, field.length - 1)


def do_augassign(t: FieldsTranslator, node: ast.AugAssign) -> None:
    """An assignment that adds: to a number of a field, in its word."""
    target, sign = node.target, _SIGNS.get(type(node.op))
    place: Any = None
    if any(map(may_change, trees.nodes(node.value))):
        pass  # what is there now is to be read before
    elif isinstance(target, ast.Attribute):
        place = field_to_change(t, target)
    elif isinstance(target, ast.Subscript) and not isinstance(target.slice, ast.Slice):
        owner = t.forms.value(t, target.value)
        if slot_of_place(t, owner) is not None:
            place = t.forms.place_of(t, target)
    if place is None or place.memory != FIELDS or not isinstance(place.type, Int):
        objects.do_augassign(t, node)
        return
    if sign is None or (sign in "^|" and place.bounds[0]):
        old = t.forms.settled(t, loaded(t, place))
        t.forms.put(t, place, t.forms.combined(t, node.op, old, t.forms.value(t, node.value)))
        return
    value = t.forms.number(t, t.forms.value(t, node.value), "adds")
    before: Any = loaded(t, place._replace(is_stable=True))
    full: Any = t.forms.combined(t, node.op, before, value)
    fitting = t.forms.within(t, full, *place.bounds, slot_around(t, place).name)
    amount = _amount(t, place, value)
    t.text.line(f"{CHANGED}({place.cell()}, {sign!r}, {value.text}, {fitting.text}, {amount})")


def _amount(t: FieldsTranslator, place: Place, value: Scalar) -> str | None:
    """What is added, at its place, where the move alone decides it."""
    by, where = t.of_texts.get(value.text), t.indices.get(place.base)
    constant = value.low if value.low == value.high else 0
    if (by is None and value.low < value.high) or (place.base and where is None):
        return None
    slot = slot_around(t, place)
    which = next((e for e in (by, where) if e is not None and e.by_move), None)
    if which is None or slot.is_wide:
        return None
    at = place.shift - next(each for each, one in t.firsts.items() if one is slot)

    def amounts(instance: Instance) -> list[int]:
        numbers = [constant] if by is None else by.numbers(instance)
        places = [at] if where is None else where.numbers(instance)
        count = max(len(numbers), len(places))
        numbers, places = numbers * (count // len(numbers)), places * (count // len(places))
        return [n << slot.place(p)[1] for n, p in zip(numbers, places, strict=True)]

    if t.tables.ask(lambda instance: any(abs(each) >> 63 for each in amounts(instance))):
        return None
    return from_tables(t, which, amounts, ("moved", by, constant, where, at, slot.name))


def do_delete(t: FieldsTranslator, node: ast.Delete) -> None:
    """Takes something out; fields stay."""
    for each in node.targets:
        owner = t.forms.value(t, each.value) if isinstance(each, ast.Subscript) else None
        slot = slot_of_place(t, owner)
        if slot is not None:
            raise t.forms.wrong(
                t, f"deletes from {slot.name}, which keeps its length; assign to it"
            )
    statements.do_delete(t, node)


def fits(value: Any, slot: Slot) -> bool:
    """Whether a list holds what an array can."""
    low, below = slot.field.low, slot.field.below
    try:
        is_list = isinstance(value, list) and len(value) == slot.field.length
        return is_list and all(low <= each < below for each in value)
    except TypeError:
        return False


def _part_of_places(slot: Slot, static: Static, part: int, instance: Instance) -> list[int]:
    """The words of the numbers of a field, or their shifts, that an expression has as indices."""
    numbers = static.numbers(instance)
    places = {each: slot.place(each)[part] for each in {*numbers}}
    return [places[each] for each in numbers]


def _only(numbers: list[int]) -> int | None:
    """The one number that all are; None where they differ."""
    return numbers[0] if len({*numbers}) == 1 else None


def _whole_words(static: Static, slot: Slot, part: int, instance: Instance) -> list[int]:
    """What a word of a field is where it holds the numbers of a list."""
    found = []
    for row in static.values(instance) or ():
        number = 0
        for i, each in enumerate(list(row)[part * slot.per : (part + 1) * slot.per]):
            number |= int(each) - slot.field.low << slot.shift + i * slot.field.bits
        found.append(number)
    return found


STATEMENTS: Rows = {ast.AugAssign: do_augassign, ast.Delete: do_delete}
