"""Fields as places in the words of a state: what is read there, and what is put there."""

from __future__ import annotations

import ast
from collections.abc import Callable
from functools import partial
from typing import Any

from searchkit.fields.declared import Array, Set
from searchkit.fields.layout import Layout, Slot
from searchkit.fields.lowered import CHANGED, FIELDS, SWAPPED, WITHIN, WORDS, cells_of
from searchkit.fields.statics import SELF, Statics
from searchkit.fields.tables import NUMBERS, Instance, Static
from searchkit.kernel_language import trees
from searchkit.kernel_language.trees import copied
from searchkit.translation.effects import may_change
from searchkit.translation.methods import Bound
from searchkit.translation.naming import written
from searchkit.translation.objects import numbers_type, object_type
from searchkit.translation.refusals import Again
from searchkit.translation.types import Bool, Int, Object, Type
from searchkit.translation.values import SMALL, Known, Place, Scalar, Value
from searchkit.translation.variables import Variable

MOST = 1 << 62
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


class Places(Statics):
    """Fields are places in words."""

    def __init__(self, work: Any, name: str, site: Any, facts: Any) -> None:
        super().__init__(work, name, site, facts)
        self.layout = work.layout
        self.places: dict[str, tuple[str, str]] = {}
        """Words and shifts, by names for indices that the move decides."""
        self.indices: dict[str, Static] = {}
        self.guards = work.guards.begun(self)
        first = 0
        self.firsts: dict[int, Slot] = {}
        for slot in self.layout.slots.values():
            self.firsts[first] = slot
            first += cells_of(slot)

    def within(self, value: Scalar, low: int, high: int, what: str = "a number") -> Scalar:
        """The number, which is compared with these bounds."""
        if low <= value.low and value.high <= high:
            return value
        line = getattr(self.node, "lineno", 0)
        text = f"{WITHIN}({value.text}, {what!r}, {low}, {high}, {line})"
        return Scalar(Int(), text, max(low, value.low), min(high, value.high))

    def change(self, place: Place, *, whole: bool = False, by_item: bool = False) -> None:
        """Note that something is changed in place."""
        if place.memory == FIELDS:
            if place.is_stable:  # it is not, in this rule
                self.facts.changes_state = True
                raise Again
            slot = self.slot_of_place(place)
            if slot is not None:
                known = self.known_of(slot.name)
                if known.is_shared:
                    raise self._of_sharing(known)
                known.is_changed = True
            return
        if place.memory.startswith(f"{SELF}.tables."):
            raise self.wrong("changes self; rules change the fields of a state")
        super().change(place, whole=whole, by_item=by_item)

    def check_own(self, owner: Known, node: ast.expr) -> None:
        """Refuse to change what the puzzle has, or the module."""
        raise self.wrong(
            f"assigns to {written(node):.40}; rules change fields of a state, and names"
        )

    def known_of(self, name: str) -> Variable:
        """What is known of a field, or of the whole state, and kept from one round to the next."""
        key = ("state",), name
        return self.facts.variables.setdefault(key, Variable(key))

    def _check_sharing(self, value: Value, target: Variable | None = None) -> None:
        slot = self.slot_of_place(value)
        if slot is not None and isinstance(value, Place):
            value = value._replace(root=self.known_of(slot.name))
        super()._check_sharing(value, target)

    def _copy(self, source: Place, place: Place) -> None:
        if not isinstance(source.type, Object):
            super()._copy(source, place)
            return
        for i in range(len(source.type.items)):  # one loop would go from field to field
            self._copy(self.field_of(source, i), self.field_of(place, i))

    def slot_of_place(self, place: Any) -> Slot | None:
        """The field that a place is."""
        if not isinstance(place, Place) or place.memory != FIELDS or place.base:
            return None
        if isinstance(place.type, Object):
            return None
        return self.firsts.get(place.shift)

    def name_of_field(self, place: Place) -> str:
        """The name of the field that a place is in."""
        return self.firsts[max(each for each in self.firsts if each <= place.shift)].name

    def _place_of(self, target: ast.Subscript) -> Place | None:
        if self.row_of_place(self.value(target.value)) is not None:
            raise self.wrong(
                f"assigns to {written(target):.40}; rules change fields of a state, and names"
            )
        return super()._place_of(target)

    def place_of_item(self, value: Value, index: Value) -> Place | Known:
        """Where `value[index]` is."""
        if isinstance(value, Scalar) and isinstance(value.type, Int):
            name = written(getattr(self.node, "value", self.node)).rpartition(".")[2]
            raise self.wrong(f"{name} is one number; it has no items")
        return super().place_of_item(value, index)

    def item_at(self, place: Place, index: str) -> Place:
        """The item of a sequence, by its number, which is in range."""
        slot = self.slot_of_place(place)
        if slot is None or index.isdigit():
            return super().item_at(place, index)
        static = self.of_texts.get(index)
        if static is not None and self.are_items(static, slot):
            name = f"{WORDS}place_{len(self.places)}"
            self.places[name] = self._parts_of_places(slot, static)
            self.indices[name] = static
        else:
            name = self.text.temporary(index, "at")
        return self.part(place, place.type.item, 0)._replace(base=name)

    def are_items(self, static: Static, slot: Slot) -> bool:
        """Whether the values of an expression are indices of a field."""
        is_number = self.tables.sort(static) == NUMBERS
        return is_number and self.tables.ask(static.within(slot.field.length))

    def _parts_of_places(self, slot: Slot, static: Static) -> tuple[str, str]:
        words, shifts = (partial(_part_of_places, slot, static, part) for part in (0, 1))
        word = self.tables.ask(lambda instance: _only(words(instance)))
        text = str(word)
        if word is None:
            text = self.from_tables(static, words, ("word", slot.name))
        return text, self.from_tables(static, shifts, ("shift", slot.name))

    def _fitting(self, place: Place, value: Value) -> Scalar:
        """A number that fits a field, with which it is compared."""
        if place.memory != FIELDS:
            return super()._fitting(place, value)
        found = super()._fitting(place._replace(bounds=(-MOST, MOST)), value)
        return self.within(found, *place.bounds, self.name_of_field(place))

    def _equal_words(self, slot: Slot, place: Place, other: Value) -> Scalar | None:
        static = self.static_of(other)
        if static is None:
            return None
        for each in static.values(self.tables.of) or ():
            if not hasattr(each, "__len__") or len(each) != slot.field.length:
                raise self.wrong(
                    f"compares {slot.name}, {slot.field.length} numbers, with {each!r:.60}"
                )
        if not self.tables.ask(lambda instance: all(
            fits(each, slot) for each in static.values(instance) or ())):  # fmt: skip
            return None
        tests = []
        for part in range(slot.words):
            word, whole = f"{WORDS}[{slot.word + part}]", slot.whole(part)
            numbers = partial(_whole_words, static, slot, part)
            text = self.from_tables(static, numbers, ("whole", slot.name, part))
            tests.append(f"{word} & {whole} == {text}")
        joined = " and ".join(f"({each})" for each in tests)
        return Scalar(Bool(), self._now(place, f"({joined})"), 0, 1)

    def method(self, owner: Value, name: str) -> Bound | None:
        """A method of a value."""
        slot = self.slot_of_place(owner)
        is_plain = slot is not None and not slot.is_wide and slot.field.bits > 1
        if slot is not None and isinstance(slot.field, Array) and name == "index" and is_plain:
            return Bound(owner, lambda one, value: self._first_index(slot, one, value))
        found: Bound | None = super().method(owner, name)
        return found

    def _first_index(self, slot: Slot, place: Any, value: Value) -> Value:
        """The first index of a number in an array, which must be there."""
        field = slot.field
        ones = sum(1 << i * field.bits for i in range(field.length))
        alone = sum(1 for each in self.layout.slots.values() if each.word == slot.word) == 1
        word = f"{WORDS}[{slot.word}]"
        if slot.shift or not alone:
            mask = slot.whole() >> slot.shift
            word = f"{word} >> {slot.shift} & {mask}" if slot.shift else f"{word} & {mask}"
        number = self.number(value, "looks for")
        text = f"({number.text} - {field.low})" if field.low else number.text
        highs = ones << field.bits - 1
        found = f"self.first_field({word} ^ {text} * {ones}, {ones}, {highs}) // {field.bits}"
        if number.text == "0" and not field.low:
            found = f"self.first_field({word}, {ones}, {highs}) // {field.bits}"
        return Scalar(Int(), self._now(place, f"({found})"), 0, field.length - 1)

    def _do_augassign(self, node: ast.AugAssign) -> None:
        target, sign = node.target, _SIGNS.get(type(node.op))
        place: Any = None
        if any(map(may_change, trees.nodes(node.value))):
            pass  # what is there now is to be read before
        elif isinstance(target, ast.Attribute):
            place = self._field_to_change(target)
        elif isinstance(target, ast.Subscript) and not isinstance(target.slice, ast.Slice):
            owner = self.value(target.value)
            if self.slot_of_place(owner) is not None:
                place = self._place_of(target)
        if place is None or place.memory != FIELDS or not isinstance(place.type, Int):
            super()._do_augassign(node)
            return
        if sign is None or (sign in "^|" and place.bounds[0]):
            self._put(
                place,
                self.combined(node.op, self.settled(self.loaded(place)), self.value(node.value)),
            )
            return
        value = self.number(self.value(node.value), "adds")
        before: Any = self.loaded(place._replace(is_stable=True))
        before = self.guards.narrowed(_loaded(target), before)
        full: Any = self.combined(node.op, before, value)
        known = self.guards.narrowed(
            ast.copy_location(ast.BinOp(_loaded(target), node.op, node.value), node), full
        )
        low, high = place.bounds
        fitting = self.within(known, low, high, self.name_of_field(place))
        amount = self._amount(place, value)
        self.text.line(
            f"{CHANGED}({place.cell()}, {sign!r}, {value.text}, {fitting.text}, {amount})"
        )

    def _amount(self, place: Place, value: Scalar) -> str | None:
        """What is added, at its place, where the move alone decides it."""
        by, where = self.of_texts.get(value.text), self.indices.get(place.base)
        constant = value.low if value.low == value.high else 0
        if (by is None and value.low < value.high) or (place.base and where is None):
            return None
        slot = self.firsts[max(each for each in self.firsts if each <= place.shift)]
        which = next((e for e in (by, where) if e is not None and e.by_move), None)
        if which is None or slot.is_wide:
            return None
        at = place.shift - next(each for each, one in self.firsts.items() if one is slot)

        def amounts(instance: Instance) -> list[int]:
            numbers = [constant] if by is None else by.numbers(instance)
            places = [at] if where is None else where.numbers(instance)
            count = max(len(numbers), len(places))
            numbers, places = numbers * (count // len(numbers)), places * (count // len(places))
            return [n << slot.place(p)[1] for n, p in zip(numbers, places, strict=True)]

        if self.tables.ask(lambda instance: any(abs(each) >> 63 for each in amounts(instance))):
            return None
        return self.from_tables(which, amounts, ("moved", by, constant, where, at, slot.name))

    def _do_assign(self, node: ast.Assign) -> None:
        places = self._exchanged(node)
        if places is not None:
            self.text.line(f"{SWAPPED}({places[0].cell()}, {places[1].cell()})")
            return
        super()._do_assign(node)

    def _exchanged(self, node: ast.Assign) -> list[Place] | None:
        """The two numbers of a field that change places; None for all else."""
        match node:
            case ast.Assign([ast.Tuple([a, b])], ast.Tuple([c, d])) if (
                isinstance(a, ast.Subscript) and isinstance(b, ast.Subscript)
                and [ast.unparse(a), ast.unparse(b)] == [ast.unparse(d), ast.unparse(c)]
            ):  # fmt: skip
                owners = [self.slot_of_place(self.value(each.value)) for each in (a, b)]
            case _:
                return None
        if owners[0] is None or owners[0] is not owners[1] or owners[0].is_wide:
            return None
        if not isinstance(owners[0].field, Array):
            return None
        found = [self._place_of(each) for each in (a, b)]
        return None if None in found else found  # type: ignore[return-value]

    def _do_delete(self, node: ast.Delete) -> None:
        for each in node.targets:
            owner = self.value(each.value) if isinstance(each, ast.Subscript) else None
            slot = self.slot_of_place(owner)
            if slot is not None:
                raise self.wrong(f"deletes from {slot.name}, which keeps its length; assign to it")
        super()._do_delete(node)


def fits(value: Any, slot: Slot) -> bool:
    """Whether a list holds what an array can."""
    low, below = slot.field.low, slot.field.below
    try:
        is_list = isinstance(value, list) and len(value) == slot.field.length
        return is_list and all(low <= each < below for each in value)
    except TypeError:
        return False


def _loaded(target: Any) -> Any:
    found = copied(target)
    found.ctx = ast.Load()
    return found


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
