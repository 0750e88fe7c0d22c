"""Sets made from those of states with members that no state has: bits, and a row of the others."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import attrs

from searchkit.translation.sets import MEMBERS, Sets
from searchkit.translation.types import Bits, Open, Seq, Type
from searchkit.translation.values import Items, Known, Place, Round, Scalar, Stream, Value
from searchkit.translation.variables import Variable


def _of_kind(kind: Bits | Open, own: type) -> Any:
    """The type of the same members in a set of another class."""
    if isinstance(kind, Bits):
        return attrs.evolve(kind, kind=own)
    return Open(_of_kind(kind.bits, own), attrs.evolve(kind.rest, kind=own))


class OpenSets(Sets):
    """What can be done with sets that have room for members outside of their universe."""

    # Of classes further down

    or_else: Callable[[Scalar, Callable[[], Scalar]], Scalar]

    has_open_sets = True
    """Whether sets may get members that no state has: those of declared fields may not."""

    def _halves(self, place: Place) -> tuple[Place, Place]:
        """The bits, and the row of the others."""
        kind: Open = place.type
        rest = place._replace(type=kind.rest, shift=place.shift + kind.bits.cells)
        return place._replace(type=kind.bits), rest

    def _is_inside(self, kind: Bits, member: Value) -> bool:
        """Whether a member is in the universe, whatever the state is."""
        with self.text.aside():
            found = self.member_place(kind, member)
        return found is not None and found[1] == "True"

    def may_be_outside(self, kind: Any, members: list[Value] | None) -> bool:
        """Whether a set of bits may get other members than it has room for."""
        if not self.has_open_sets or not isinstance(kind, Bits):
            return False
        return members is None or not all(self._is_inside(kind, each) for each in members)

    def opened(self, kind: Bits, item: Type) -> Open:
        """The type of a set with room for items outside of its universe."""
        return Open(kind, Seq(item, 0, self.facts.capacity, kind.kind))

    def with_room(self, row: Place, item: Value) -> None:
        """Make sure that a set that is changed has room for an item."""
        if isinstance(row.root, Variable) and self.may_be_outside(row.type, [item]):
            made = self.opened(row.type, self.type_of(item))
            row.root.type = self.with_part(row.root.type, row.path, lambda _: made)
            self.again(row.root)

    def combined_sets(self, op: ast.operator, left: Value, right: Value) -> Value:
        """`|`, `&`, `-` and `^` of sets."""
        pair = [left, right]
        for one, other in ((left, right), (right, left)):
            kind = one.type if isinstance(one, Place) else None
            members: list[Value] | None = None
            if isinstance(other, Known) and self.is_set(other):
                members = [Known(each) for each in other.value]
            elif isinstance(other, Items):
                members = list(other.items)
            elif not isinstance(other, Place) or not isinstance(other.type, Seq):
                continue
            grows = isinstance(op, (ast.BitOr, ast.BitXor)) and self.may_be_outside(kind, members)
            if isinstance(kind, Bits) and grows:
                with self.text.aside():
                    item = self.row_of(other).type.item
                made = self.slot(self.opened(kind, item))
                self.store(one, made)
                made = made._replace(is_stable=True, is_fresh=True)
                pair = [made if each is one else each for each in pair]
                break
        return super().combined_sets(op, *pair)

    def combined_bits(self, op: ast.operator, one: Place, other: Place, kind: type) -> Value:
        """`|`, `&`, `-` and `^` of sets of which one is bits."""
        is_open = isinstance(one.type, Open)
        if isinstance(op, (ast.Sub, ast.BitAnd)) and isinstance(other.type, Open):
            bits, _ = self._halves(other)
            other = bits if self._alike(one, bits) else other  # it has no others
        if not is_open and (isinstance(op, ast.Sub) or not isinstance(other.type, Open)):
            return super().combined_bits(op, one, other, kind)
        if not is_open:
            one, other = other, one
        made = self._zeros(_of_kind(one.type, kind))
        if isinstance(op, ast.BitAnd):

            def keep(item: Value, _: Round) -> None:
                with self.text.block(f"if {self.contains(other, item).text}:"):
                    self._with_bit(made, item, "|", must=True)

            self.run(self.stream(one), keep)
            return made._replace(is_stable=True)
        self.store(one._replace(type=made.type), made)
        sign = {ast.BitOr: "|", ast.BitXor: "^"}.get(type(op), "&")
        must = not isinstance(op, ast.Sub)
        self.run(self.stream(other), lambda item, _: self._with_bit(made, item, sign, must=must))
        return made._replace(is_stable=True)

    def in_set(self, value: Value, item: Value) -> Scalar:
        """Whether something is in a set."""
        if not isinstance(value, Place) or not isinstance(value.type, Open):
            return super().in_set(value, item)
        bits, rest = self._halves(value)
        item = self.settled(item)
        return self.or_else(super().in_set(bits, item), lambda: self.in_row(rest, item))

    def _with_bit(self, place: Place, item: Value, sign: str, *, must: bool) -> None:
        if not isinstance(place.type, Open):
            super()._with_bit(place, item, sign, must=must)
            return
        bits, rest = self._halves(place)
        item = self.settled(item)
        found = self.member_place(bits.type, item)
        test = "False" if found is None else found[1]
        if test != "False":
            with self.text.block(f"if {test}:"):
                super()._with_bit(bits, item, sign, must=False)
        if test != "True":
            with self.text.block(f"if not ({test}):"):
                if sign == "|":
                    self.add_member(rest, item)
                elif sign == "&":
                    self.without(rest, self.place_in_row(rest, item))
                else:
                    there = self.place_in_row(rest, item)
                    before = self.text.temporary(rest.cell(), "n")
                    self.without(rest, there)
                    with self.text.block(f"if {rest.cell()} == {before}:"):
                        self.add_member(rest, item)

    def members(self, value: Place) -> Stream:
        """The members of a set."""
        if not isinstance(value.type, Open):
            return super().members(value)
        bits, rest = self._halves(value)
        found = self.one_after_another([super().members(bits), self._row(rest)])
        return found._replace(is_ordered=False)

    def length_of_set(self, value: Value) -> Scalar:
        """`len` of a set."""
        if not isinstance(value, Place) or not isinstance(value.type, Open):
            return super().length_of_set(value)
        bits, rest = self._halves(value)
        one, other = super().length_of_set(bits), self.length(rest)
        return one._replace(text=f"({one.text} + {other.text})", high=one.high + other.high)

    def all_zero(self, place: Place) -> Scalar:
        """Whether a set is empty."""
        if not isinstance(place.type, Open):
            return super().all_zero(place)
        bits, rest = self._halves(place)
        return self.both(super().all_zero(bits), self.negated(self.truth(rest)))

    def _copy(self, source: Place, place: Place) -> None:
        if not isinstance(source.type, Open):
            super()._copy(source, place)
            return
        for one, other in zip(self._halves(source), self._halves(place), strict=True):
            super()._copy(one, other)

    def _clear_set(self, place: Place) -> None:
        if not isinstance(place.type, Open):
            super()._clear_set(place)
            return
        bits, rest = self._halves(place)
        super()._clear_set(bits)
        self.text.line(f"{rest.cell()} = 0")

    def _store_set(self, value: Value, place: Place) -> None:
        if isinstance(value, Place) and isinstance(value.type, Open):
            bits, rest = self._halves(value)
            if isinstance(place.type, Bits):
                item = self.loaded(self.item_at(rest, "0"))
                self.trap(f"{rest.cell()} != 0", what=self._outside(bits.type, item),
                          instead=MEMBERS)  # fmt: skip
                self.store(bits, place)
                return
        elif isinstance(place.type, Open) and isinstance(value, Place):
            bits, rest = self._halves(place)
            if value.type == bits.type:
                self.store(value, bits)
                self.text.line(f"{rest.cell()} = 0")
                return
        super()._store_set(value, place)

    def collected(self, value: Value, kind: type) -> Value:
        """`tuple(value)`, `list(value)`, `set(value)`, `frozenset(value)`."""
        is_open = isinstance(value, Place) and isinstance(value.type, Open)
        if not is_open or kind not in (set, frozenset):
            return super().collected(value, kind)
        assert isinstance(value, Place)
        same = value._replace(type=_of_kind(value.type, kind))
        return same if kind is frozenset and value.is_stable else self.copied(same)
