"""Sets: rows of members that differ, and bits of a small universe; dicts of the author's."""

from __future__ import annotations

import ast
from typing import Any

import attrs

from searchkit.translation.builders import Builders
from searchkit.translation.comparison import FALSE
from searchkit.translation.naming import describe
from searchkit.translation.types import Bits, Bool, Never, Seq
from searchkit.translation.values import Items, Known, Place, Round, Scalar, Value


class Sets(Builders):
    """What can be done with sets and dicts."""

    # Dicts and sets of the author's

    def found_in_dict(self, known: dict[Any, Any], key: Value) -> Value:
        """An item of a dict of the author's; leaves the state to Python if there is none."""
        place = self._key_place(known, key)
        if place is None:
            return self.always_raises(KeyError())
        self.trap(f"{place} < 0", KeyError)
        return self._item_of(known, place)

    def _key_place(self, known: Any, key: Value) -> str | None:
        if not known:
            return None
        with self.text.apart():
            alike = isinstance(self.type_of(Known(tuple(known))), Seq)
        if not alike:
            raise self.refuse("looks up a dict with unlike keys", "use keys of one kind")
        return self.place_in_row(self.as_row(Known(tuple(known))), key)

    def _item_of(self, known: dict[Any, Any], place: str) -> Value:
        values = Known(tuple(known.values()))
        row = self.as_row(values)
        if not isinstance(row, Place) or not isinstance(row.type, Seq):
            raise self.refuse(
                "looks up a dict with unlike values", "use values of one kind, or lists"
            )
        return self.loaded(self.item_at(row, place))

    def got_from_dict(self, known: dict[Any, Any], key: Value, default: Value) -> Value:
        """`dict.get`."""
        raise NotImplementedError

    def either(self, test: Scalar, first: Any, second: Any) -> Value:
        """One of two values, of which only that one is evaluated."""
        raise NotImplementedError

    def in_known_set(self, known: Any, item: Value) -> Scalar:
        """Whether something is in a set, or the key of a dict, of the author's."""
        if not known:
            return FALSE
        if len(known) <= 4:
            ordered = sorted(known, key=repr)  # in every process
            return self._in_items(Items(tuple(Known(each) for each in ordered), tuple), item)
        place = self._key_place(known, item)
        return Scalar(Bool(), f"({place} >= 0)", 0, 1) if place else FALSE

    # Rows of members

    def row_of(self, value: Value) -> Place:
        """A set as a row of members."""
        if isinstance(value, Known):
            kind = set if isinstance(value.value, set) else frozenset
            value = Items(tuple(Known(each) for each in value.value), kind)
        if isinstance(value, Items):
            if all(isinstance(each, Known) for each in value.items):
                unique = tuple(dict.fromkeys(each.value for each in value.items))
                row = self.as_row(Known(unique))
                if isinstance(row, Place) and isinstance(row.type, Seq):
                    return row._replace(type=attrs.evolve(row.type, kind=value.kind))
                return self.slot_for_none(value.kind)
            made = self.made_set(self._repeated_or_row(value), value.kind)
            assert isinstance(made, Place)
            return made
        if isinstance(value, Place) and isinstance(value.type, Seq):
            return value
        raise self.refuse(f"uses {describe(value)} as a set", "use sets of one kind")

    def slot_for_none(self, kind: type) -> Place:
        """An empty set."""
        return self.slot(Seq(Never(), 0, 0, kind))._replace(is_stable=True, is_fresh=True)

    def _repeated_or_row(self, value: Items) -> Any:
        return self.stream(Items(value.items, tuple))

    def length_of_set(self, value: Value) -> Scalar:
        """`len` of a set."""
        return super().length_of_set(value)

    def equals_set(self, left: Value, right: Place) -> Scalar:
        """Whether two sets have the same members."""
        return self.and_then(
            self.ordered_sets("<=", left, right), lambda: self.ordered_sets(">=", left, right)
        )

    def and_then(self, first: Scalar, second: Any) -> Scalar:
        """Whether both hold; the second is evaluated where the first holds."""
        raise NotImplementedError

    def ordered_sets(self, sign: str, left: Value, right: Value) -> Scalar:
        """Whether a set is part of another."""
        if sign in (">", ">="):
            return self.ordered_sets(sign.replace(">", "<"), right, left)
        if sign == "<":
            return self.and_then(
                self.ordered_sets("<=", left, right),
                lambda: self.negated(self.ordered_sets("<=", right, left)),
            )
        result = self.text.temporary("True", "within")

        def look(value: Value, turn: Round) -> None:
            there = self.contains(right, value)
            with self.text.block(f"if not {there.text}:"):
                self.text.line(f"{result} = False")
                self.text.leave(*turn.stop)

        self.run(self.stream(left), look)
        return Scalar(Bool(), result, 0, 1)

    def combined_sets(self, op: ast.operator, left: Value, right: Value) -> Value:
        """`|`, `&`, `-` and `^` of sets."""
        if isinstance(left, Known) and isinstance(right, Known):
            return self.known_binary(op, left.value, right.value)
        if not (self.is_set(left) and self.is_set(right)):
            return self.always_raises(TypeError())
        kind = self.kind_of(left)
        assert kind is not None
        one = left if isinstance(left, Place) else self.row_of(left)
        other = right if isinstance(right, Place) else self.row_of(right)
        if isinstance(one.type, Bits) or isinstance(other.type, Bits):
            return self.combined_bits(op, one, other, kind)
        item = self.joined(one.type.item, other.type.item)
        most = one.type.most + (other.type.most if isinstance(op, (ast.BitOr, ast.BitXor)) else 0)
        place = self.slot(Seq(item, 0, max(1, most), kind))
        self.text.line(f"{place.cell()} = 0")
        is_in = {ast.BitOr: None, ast.BitAnd: True, ast.Sub: False, ast.BitXor: False}

        def add(other: Place, wanted: bool | None) -> Any:
            def one_of(value: Value, _: Round) -> None:
                value = self.settled(value)
                if wanted is None:
                    self.add_member(place, value, is_bounded=True)
                    return
                there = self.contains(other, value)
                with self.text.block(f"if {'' if wanted else 'not '}{there.text}:"):
                    self.add_member(place, value, is_bounded=True)

            return one_of

        self.run(self.stream(one), add(other, is_in[type(op)]))
        if isinstance(op, (ast.BitOr, ast.BitXor)):
            self.run(self.stream(other), add(one, is_in[type(op)]))
        return place._replace(is_stable=True, is_fresh=True)

    def combined_bits(self, op: ast.operator, one: Place, other: Place, kind: type) -> Value:
        """The same of sets of which one is bits."""
        raise self.refuse("joins sets of bits", "use tuples")
