"""Sets of rules on fields, as the bits of words: joined, compared, and asked for members."""

from __future__ import annotations

import ast
from functools import partial
from typing import Any

import attrs

from searchkit.fields.declared import Array, Set
from searchkit.fields.layout import Slot
from searchkit.fields.lowered import FIELDS, WORDS
from searchkit.fields.places import Places
from searchkit.fields.statics import SELF
from searchkit.fields.tables import Instance, Static
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


class Sets(Places):
    """Sets whose cells are words."""

    def _is_words(self, value: Any) -> bool:
        return isinstance(value, Place) and isinstance(value.type, WordBits)

    def _chosen_set(self, value: Value, other: Value | None = None) -> Value:
        is_row = self._is_words(other) and self.row_of_place(value) is not None
        return super()._chosen_set(self._masks_of(value, other) if is_row else value, other)

    def _masks_of(self, value: Any, like: Any) -> Masks:
        """Numbers that no state decides, a list of the object's say, as a set like a field."""
        slot, row = self._slot_like(like.type), self.row_of_place(value)
        assert slot is not None
        if row is not None and row.lists.depth != row.level + 1:
            raise self.refuse("is a list of lists, not of numbers")
        static = self.static_of(value) if row is None else row.lists.static
        assert static is not None
        self._check_members(static, slot)
        texts = [self._mask_text(value, 0, part, is_sum=False) for part in range(slot.words)]
        return Masks(attrs.evolve(like.type), "\n".join(texts), "", 0, is_stable=True)

    def _slot_like(self, kind: Any) -> Slot | None:
        return next(
            (s for s in self.layout.slots.values()
             if isinstance(s.field, Set) and isinstance(kind, WordBits)
             and s.field.length == kind.universe.size), None,
        )  # fmt: skip

    def _check_members(self, static: Static, like: Slot) -> None:
        length = like.field.length

        def beyond(instance: Instance) -> int | None:
            numbers = static.nested(instance).numbers()
            return next((each for each in numbers if not 0 <= each < length), None)

        wrong = self.tables.ask(beyond)
        if wrong is not None:
            raise self.refuse(
                f"uses a list with {wrong}; {like.name} holds numbers from 0 to {length - 1}"
            )

    def _bits_of(self, value: Value, like: Place) -> Place:
        if self._is_words(value):
            wide: Any = value
            if (
                wide.type.universe.size <= like.type.universe.size
                and wide.type.cells == like.type.cells
            ):
                return wide._replace(type=like.type)  # type: ignore[no-any-return]
        is_known = isinstance(value, Known) and hasattr(value.value, "__iter__")
        if self._is_words(like) and (is_known or self.row_of_place(value) is not None):
            return self._masks_of(value, like)
        if isinstance(value, Items) and value.kind in (tuple, list, set):
            bits = [self._one_bit(each, like) for each in value.items]
            texts = [
                f"({' | '.join(f'({one[i]})' for one in bits) or 0})"
                for i in range(like.type.cells)
            ]
            return Masks(like.type, "\n".join(texts), "", 0)
        return super()._bits_of(value, like)

    def _one_bit(self, value: Value, like: Place) -> list[str]:
        """The words of a set of one member."""
        found = self.member_place(like.type, value)
        if found is None:
            self.fail()
            return ["0"] * like.type.cells
        number, _ = found
        if number.isdigit():
            word, bit = divmod(int(number), 64)
            return [str(1 << bit) if i == word else "0" for i in range(like.type.cells)]
        if like.type.cells == 1:
            return [f"1 << {number}"]
        return [
            f"1 << ({number} & 63) if {number} >> 6 == {i} else 0" for i in range(like.type.cells)
        ]

    def member_place(self, kind: Bits, member: Value) -> tuple[str, str] | None:
        """The number of a member; that it has one is compared."""
        if not isinstance(kind, WordBits):
            return super().member_place(kind, member)
        number = self.within(
            self.number(member, "looks in a set for"), 0, kind.universe.size - 1, "a member"
        )
        if number.text.startswith("("):
            return (
                (number.text[1:-1], "True") if isinstance(member, Known) else (number.text, "True")
            )
        return number.text, "True"

    def in_set(self, value: Value, item: Value) -> Scalar:
        """Whether something is in a set."""
        if not self._is_words(value):
            return super().in_set(value, item)
        place: Any = value
        found = self.member_place(place.type, item)
        assert found is not None
        number, slot = found[0], self.slot_of_place(place)
        if slot is not None:
            word, bit = self._bit_in_word(slot, place.type, item)
            text = f"({WORDS}[{word}] & {bit} != 0)"
        elif number.isdigit():
            text = f"({place.cell(int(number) // 64)} >> {int(number) % 64} & 1 != 0)"
        elif place.type.cells == 1:
            text = f"({place.cell()} >> {number} & 1 != 0)"
        else:
            return super().in_set(self._in_frame(place), item)
        return Scalar(Bool(), self._now(place, text), 0, 1)

    def _in_frame(self, place: Place) -> Place:
        made = self.slot(place.type)
        for i in range(place.type.cells):
            self.text.line(f"{made.cell(i)} = {place.cell(i)}")
        return made._replace(is_stable=True, is_fresh=True)

    def members(self, value: Place) -> Stream:
        """The members of a set, in their order: those that it has now."""
        if self._is_words(value) and value.type.cells > 1:
            value = self._in_frame(value)._replace(is_field=True)
        elif isinstance(value, Masks):
            value = value._replace(is_field=True)
        return super().members(value)

    # Loops

    def _do_for(self, node: ast.For) -> None:
        if not self._is_joined(node):
            super()._do_for(node)

    def _is_joined(self, node: ast.For) -> bool:
        """A loop that only changes the member of a set, or a flag, that it goes over: one step."""
        if len(node.body) != 1 or node.orelse or not isinstance(node.target, ast.Name):
            return False
        field, sign = self._change_of_one(node.body[0], node.target.id) or (None, "")
        names = (each for each in ast.walk(self.scope.definition) if isinstance(each, ast.Name))
        if field is None or sum(each.id == node.target.id for each in names) != 2:
            return False
        slot, value = self.slot_of_place(self.value(field)), self.value(node.iter)
        row = self.row_of_place(value)
        if slot is None or row is None or row.lists.depth != row.level + 1:
            return False
        is_set = isinstance(slot.field, Set)
        is_flags = isinstance(slot.field, Array) and (slot.field.low, slot.field.below) == (0, 2)
        if not (is_set or is_flags):
            return False
        self._check_members(row.lists.static, slot)
        for part in range(slot.words):
            mask = self._mask_text(value, slot.shift, part, is_sum=sign == "^")
            change = f"& ~{mask}" if sign == "&" else f"{sign} {mask}"
            word = f"{WORDS}[{slot.word + part}]"
            self.text.line(f"{word} = {word} {change}")
        return True

    @staticmethod
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

    def _mask_text(self, value: Value, shift: int, part: int, *, is_sum: bool) -> str:
        """The text of a row of numbers as a set, in a word, from a bit on."""
        row, static = self.row_of_place(value), self.static_of(value)
        if static is None:
            assert row is not None
            name = self.tables.masks(row.lists, shift, part, is_sum=is_sum)
            return f"{SELF}.tables.{name}{row.suffix}"
        masks = partial(_masks, static, shift, part, is_sum)
        return self.from_tables(static, masks, ("mask", shift, part, is_sum))

    def _with_bit(self, place: Place, item: Value, sign: str, *, must: bool) -> None:
        if not self._is_words(place):
            super()._with_bit(place, item, sign, must=must)
            return
        slot = self.slot_of_place(place)
        if slot is not None:
            word, bit = self._bit_in_word(slot, place.type, item)
            change = f"& ~({bit})" if sign == "&" else f"{sign} ({bit})"
            self.text.line(f"{WORDS}[{word}] = {WORDS}[{word}] {change}")
            return
        for i, bit in enumerate(self._one_bit(item, place)):
            change = f"& ~({bit})" if sign == "&" else f"{sign} ({bit})"
            self.text.line(f"{place.cell(i)} = {place.cell(i)} {change}")

    def _bit_in_word(self, slot: Slot, kind: Any, item: Value) -> tuple[str, str]:
        """The word of a member of a field, and its bit there."""
        found = self.member_place(kind, item)
        assert found is not None
        number, static = found[0], self.static_of(item)
        if number.isdigit():
            word, shift = slot.place(int(number))
            return str(word), str(1 << shift)
        if static is not None and self.are_items(static, slot):
            word, _ = self._parts_of_places(slot, static)  # type: ignore[assignment]
            bits = partial(_ones, slot, static)
            return str(word), self.from_tables(static, bits, ("bit", slot.name))
        if not slot.is_wide:
            return str(
                slot.word
            ), f"1 << {number} + {slot.shift}" if slot.shift else f"1 << {number}"
        name = self.text.temporary(number, "member")
        return f"({name} >> 6) + {slot.word}", f"1 << ({name} & 63)"

    def combined_bits(self, op: ast.operator, one: Place, other: Place, kind: type) -> Value:
        """`|`, `&`, `-` and `^` of sets of which one is bits."""
        if self._is_words(one) and self._is_words(other):
            form, cells = _JOINED[type(op)], max(one.type.cells, other.type.cells)
            one, other = (_with_cells(each, cells) for each in (one, other))
            texts = [form.format(a=one.cell(i), b=other.cell(i)) for i in range(cells)]
            largest = max(one.type, other.type, key=lambda each: each.universe.size)
            is_stable = one.is_stable and other.is_stable
            kind_of_set = attrs.evolve(largest, kind=kind)
            return self.settled(Masks(kind_of_set, "\n".join(texts), "", 0, is_stable=is_stable))
        return super().combined_bits(op, one, other, kind)

    def _unbound(self, owner: Value, other: Value) -> Value:
        """Operators on a field ask whether it may have the members of the other; methods do not."""
        are_words = self._is_words(owner) and self._is_words(other)
        if are_words and isinstance(owner, Place) and not self._has_room(other, owner):
            return owner._replace(is_field=False)
        return super()._unbound(owner, other)

    def settled(self, value: Value) -> Value:
        """A value that later changes do not touch."""
        if isinstance(value, Masks) and not value.is_stable:
            texts = [self.text.temporary(value.cell(i), "bits") for i in range(value.type.cells)]
            return value._replace(memory="\n".join(texts), is_stable=True, is_fresh=True)
        return super().settled(value)

    def _alike(self, one: Value, other: Value) -> bool:
        return (self._is_words(one) and self._is_words(other)) or super()._alike(one, other)

    def _has_room(self, value: Value, target: Place) -> bool:
        if self._is_words(value) and self._is_words(target):
            kind: Any = value.type  # type: ignore[union-attr]
            is_small: bool = kind.universe.size <= target.type.universe.size
            return is_small and kind.cells == target.type.cells
        return super()._has_room(value, target)

    def _cells_hold(self, left: Place, right: Place, form: str) -> Scalar:
        """Whether something holds of all words of two sets; what one lacks is without members."""
        cells = max(left.type.cells, right.type.cells)
        left, right = (_with_cells(each, cells) for each in (left, right))
        return super()._cells_hold(left, right, form)

    def equal(self, left: Value, right: Value) -> Scalar:
        """Whether two values are equal; arrays by their words."""
        for one, other in ((left, right), (right, left)):
            slot = self.slot_of_place(one)
            if slot is not None and isinstance(slot.field, Array):
                whole = self._equal_words(slot, one, other)  # type: ignore[arg-type]
                if whole is not None:
                    return whole
        return super().equal(left, right)

    def _as_set(self, value: Value) -> Value:
        return value if self.row_of_place(value) is not None else super()._as_set(value)

    def ordered_sets(self, sign: str, left: Value, right: Value) -> Scalar:
        """Whether a set is part of another."""
        left, right = self._chosen_set(left, right), self._chosen_set(right, left)
        return super().ordered_sets(sign, left, right)

    def _put_field(self, place: Place, value: Value) -> None:
        if place.memory != FIELDS or not isinstance(place.type, Bits):
            super()._put_field(place, value)
            return
        found = self._bits_of(value, place)
        texts = [found.cell(i) for i in range(place.type.cells)]
        if len(texts) == 1 and isinstance(found, Masks) and self.text.lines:
            name, sign, made = str(self.text.lines[-1]).partition(" = ")
            if sign and [name] == texts:  # it was made for this alone
                self.text.lines.pop()
                texts = [made]
        if len(texts) > 1 and not found.is_stable:
            texts = [self.text.temporary(each, "bits") for each in texts]
        for i, each in enumerate(texts):
            self.text.line(f"{place.cell(i)} = {each}")


def _masks(static: Static, shift: int, word: int, is_sum: bool, instance: Instance) -> list[int]:
    """The words of the sets that an expression gives."""
    masks = static.nested(instance).masks(shift, word, is_sum=is_sum)
    return list(masks) if static.by_move else [masks]


def _ones(slot: Slot, static: Static, instance: Instance) -> list[int]:
    """The bits of the members of a field that an expression gives, in their words."""
    return [1 << slot.place(each)[1] for each in static.numbers(instance)]
