"""States with declared fields, which rules copy and change in place: records within bounds.

They are read as what `searchkit.fields.states` shows rules in Python: indices count from 0,
members of sets come in their order, and a number out of bounds is an error, so that the state is
left to Python where there may be one.
"""

from __future__ import annotations

import ast
import enum
from collections.abc import Callable
from typing import Any

import attrs

from searchkit.errors import ProblemError
from searchkit.kernel_language import trees
from searchkit.problem import Step
from searchkit.translation.comparison import FALSE
from searchkit.translation.effects import may_change
from searchkit.translation.memory import class_of_atom
from searchkit.translation.methods import Bound
from searchkit.translation.naming import describe, written
from searchkit.translation.statements import Statements
from searchkit.translation.types import (
    Bits,
    Bool,
    Grid,
    Int,
    Maybe,
    Object,
    Record,
    Seq,
    Type,
)
from searchkit.translation.values import (
    FRAME,
    SMALL,
    Chosen,
    Items,
    Joined,
    Known,
    Place,
    Scalar,
    Stream,
    Value,
)
from searchkit.translation.variables import Variable

NONE = Known(None)
_SET_SIGNS = (ast.BitOr, ast.BitAnd, ast.Sub, ast.BitXor)
_UPDATES: dict[str, type[ast.operator]] = {
    "update": ast.BitOr,
    "difference_update": ast.Sub,
    "intersection_update": ast.BitAnd,
    "symmetric_difference_update": ast.BitXor,
}


class Objects(Statements):
    """What can be done with objects and their fields."""

    has_open_sets = False

    kind: Any
    """The type of states: an `Object`."""

    def wrong(self, what: str) -> ProblemError:
        """The error for what no engine could do."""
        return ProblemError(str(self.refuse(what)))

    @staticmethod
    def _is_field_set(value: Value) -> bool:
        return isinstance(value, Place) and value.is_field and isinstance(value.type, Bits)

    # Reading

    def field_of(self, place: Place, number: int) -> Place:
        """An item of a record; of an object, with its bounds."""
        found = super().field_of(place, number)
        if isinstance(place.type, Object):
            return found._replace(bounds=place.type.bounds[number], is_field=True)
        return found

    def attribute(self, value: Value, name: str) -> Value:
        """`value.name`; a field of an object must be there."""
        kind = value.type if isinstance(value, Place) else None
        kind = kind.item if isinstance(kind, Maybe) else kind
        if isinstance(kind, Object) and name not in kind.names:
            known = ", ".join(kind.names)
            raise self.wrong(f"there is no field {name!r}; the fields are {known}")
        return super().attribute(value, name)

    def is_mutable(self, kind: Type) -> bool:
        """Whether values of a type can be changed in place."""
        return isinstance(kind, Object) or super().is_mutable(kind)

    def method(self, owner: Value, name: str) -> Bound | None:
        """A method: of an object, `copy`."""
        owner = self._chosen_set(owner)
        owner = self.there(owner)
        if isinstance(owner, Place) and isinstance(owner.type, Object):
            return Bound(owner, self.copied) if name == "copy" else None
        if self._is_field_set(owner):
            if name in _UPDATES:
                return Bound(owner, lambda one, *more: self._updated(one, _UPDATES[name], more))
            if name == "clear":
                return Bound(owner, self._cleared)
        found: Bound | None = super().method(owner, name)
        return found

    def place_of_item(self, value: Value, index: Value) -> Place | Known:
        """Where `value[index]` is; indices of fields are not negative."""
        if isinstance(value, Place) and value.is_field and isinstance(value.type, Seq):
            number = self.number(index, "indexes by")
            if number.high < 0 or number.low >= value.type.most:
                self.fail()
                return Known(0)
            # No IndexError, which rules may take: Python raises an error of another class.
            return self.item_at(value, self.within(number, 0, value.type.most - 1).text)
        return super().place_of_item(value, index)

    def collected(self, value: Value, kind: type) -> Value:
        """`list(value)` and the like, of which machine code knows no bounds."""
        found = super().collected(value, kind)
        if isinstance(found, Place) and found.is_field:
            return found._replace(is_field=False, bounds=(1 - SMALL, SMALL - 1))
        return found

    # Changes

    def change(self, place: Place, *, whole: bool = False, by_item: bool = False) -> None:
        """Note that something is changed in place: never the state that rules were given."""
        is_given = place.root is None and not place.is_fresh and place.memory == FRAME
        if is_given and (place.is_field or isinstance(place.type, Object)):
            raise self.wrong(
                "changes the state that it was given; change a copy, as in t = s.copy()"
            )
        super().change(place, whole=whole, by_item=by_item)

    def assign_target(self, target: ast.expr, value: Value) -> None:
        """Give names, or places, a value; fields of objects among them."""
        if isinstance(target, ast.Attribute):
            field = self._field_to_change(target)
            if field is not None:
                self._put_field(field, value)
                return
        super().assign_target(target, value)

    def _field_to_change(self, target: ast.Attribute) -> Place | None:
        """The field that a store changes; None if it is no field."""
        owner = self.value(target.value)
        owner = self.there(owner)
        if not isinstance(owner, Place) or not isinstance(owner.type, Object):
            return None
        found = self.attribute(owner, target.attr)  # whether there is one
        self.change(owner)
        if isinstance(found, Place):
            self._note_replaced(owner)
        return self.field_of(owner, owner.type.names.index(target.attr))

    def _note_replaced(self, owner: Place) -> None:
        """Another name for the field would show what is put there, which in Python it does not."""
        variable = owner.root
        if variable is not None and not variable.is_replaced:
            variable.is_replaced = True
            self.again(variable)

    def _put_field(self, place: Place, value: Value) -> None:
        kind = place.type
        if isinstance(kind, Int):
            self._put(place, value)
        elif isinstance(kind, Bits):
            made = self._bits_of(value, place)
            self._copy(made._replace(type=kind), place)
        else:
            self._put_items(place, value)

    def _put_items(self, place: Place, value: Value) -> None:
        kind: Seq = place.type
        if isinstance(value, Stream) or self.is_set(value):
            value = self.collected(value, list)
        if isinstance(value, (Known, Items)):
            parts = self.parts_of(value)
            if len(parts) != kind.most:
                self.fail()
                return
            numbers = [self.kept(self._fitting(place, each)) for each in parts]
            for i, number in enumerate(numbers):
                self.store(number, self.item_at(place, str(i)))
            return
        row = self.in_memory(value) if isinstance(value, Joined) else value
        if not isinstance(row, Place) or not isinstance(row.type, Seq):
            raise self.refuse(f"assigns {describe(value)} to an Array", "assign a list")
        count = self.length(row)
        if not count.low == count.high == kind.most:
            self.trap(f"{count.text} != {kind.most}")
        if row.type.item != kind.item:
            if isinstance(row.type.item, (Int, Bool)):
                raise self.refuse("assigns a list of truth values", "assign numbers")
            raise self.refuse("assigns a list of no numbers to an Array", "assign numbers")
        full = Scalar.whole(kind.most)

        def put(i: str) -> None:
            number = self._fitting(place, self.loaded(self.item_at(row, i)))
            self.store(number, self.item_at(place, i))

        self.repeat(full, put)

    def _fitting(self, place: Place, value: Value) -> Scalar:
        """A number that fits a field; leaves the state to Python where it does not."""
        if isinstance(value, Known) and isinstance(value.value, enum.Enum):
            value = Known(value.value.value)
        if isinstance(class_of_atom(value), enum.EnumMeta):
            value = self.attribute(value, "value")
        return self.within(self.number(value, "gives a field"), *place.bounds)

    def _put(self, place: Place, value: Value) -> None:
        """Write to an item of a list, or to a field, which has bounds."""
        if place.is_field and isinstance(place.type, Int):
            self.store(self._fitting(place, value), place)
            return
        super()._put(place, value)

    def _do_augassign(self, node: ast.AugAssign) -> None:
        target = node.target
        if isinstance(target, ast.Name):
            before = self.looked_up(target.id)
            if isinstance(before, Place) and before.is_field:
                # Python gives the name a new set.
                self._check_set(before, node)
                self.assign(target.id, self.combined(node.op, before, self.value(node.value)))
                return
        field = self._field_to_change(target) if isinstance(target, ast.Attribute) else None
        if field is None:
            super()._do_augassign(node)
        elif isinstance(field.type, Int):
            before = self.settled(self.loaded(field))
            self._put(field, self.combined(node.op, before, self.value(node.value)))
        else:
            self._check_set(field, node)
            self._put_field(field, self.combined(node.op, field, self.value(node.value)))

    def _check_set(self, field: Place, node: ast.AugAssign) -> None:
        if not isinstance(field.type, Bits) or not isinstance(node.op, _SET_SIGNS):
            raise self.refuse(f"changes `{written(node.target)}` by this operator", "assign a list")
        base = node.target
        while isinstance(base, ast.Attribute):
            base = base.value  # type: ignore[assignment]
        name = base.id if isinstance(base, ast.Name) else ""
        parts = list(trees.nodes(node.value))
        is_used = any(isinstance(each, ast.Name) and each.id == name for each in parts)
        if is_used and any(map(may_change, parts)):
            raise self.refuse(
                f"calls what may change {written(base)} while a field of it is changed",
                "give what it returns a name before",
            )

    def _do_for(self, node: ast.For) -> None:
        kinds = dict(zip(self.kind.names, self.kind.items, strict=True))
        through = [node.iter, *getattr(node.iter, "args", ())]
        names = {each.attr for each in through if isinstance(each, ast.Attribute)}
        fields = [each for each in trees.nodes(node) if isinstance(each, ast.Attribute)]
        for name in names & {each.attr for each in fields if isinstance(each.ctx, ast.Store)}:
            if isinstance(kinds.get(name), Seq):  # Python goes on through what was there
                what = f"gives {name} another value while it goes through it"
                raise self.refuse(what, "go through a copy: list(...)")
        super()._do_for(node)

    def _store_slice(self, target: ast.Subscript, part: ast.Slice, value: Value) -> None:
        owner = self.value(target.value)
        if isinstance(owner, Place) and owner.is_field:
            raise self.refuse("changes a slice of a field", "change its items")
        super()._store_slice(target, part, value)

    def _list(self, owner: Value, *, whole: bool = False) -> Place:
        """A list that is going to be changed in place."""
        found = super()._list(owner, whole=whole)
        if found.is_field and isinstance(self.node, ast.Call):
            name = getattr(self.node.func, "attr", "")
            if name not in ("reverse", "sort"):
                raise self.refuse(f"calls {name} of an Array", "its length stays: change items")
        return found

    def _of_sharing(self, variable: Variable) -> Exception:
        return self.refuse(
            "changes a state, list or set that has two names, or is part of another",
            "copy it: t.copy(), list(...), set(...)",
        )

    # Types of objects never change

    def with_part(
        self, kind: Type, path: tuple[int | None, ...], change: Callable[[Type], Type]
    ) -> Type:
        """A type with another type of one of its parts: an object has none."""
        if isinstance(kind, Object) and path:
            raise self.refuse("puts another type into a field", "put numbers there")
        return super().with_part(kind, path, change)

    def enlarge(self, place: Place, item: Type) -> Place:
        """Make sure that a list may have items of a type; a field keeps its length."""
        if place.is_field:
            raise self.refuse("makes a field longer, or shorter", "its length stays")
        return super().enlarge(place, item)

    def _roomy(self, before: Type, after: Type) -> Type:
        return after if isinstance(after, Object) else super()._roomy(before, after)

    # Sets

    def type_of_known(self, value: Any) -> Any:
        """The type of an object of Python; sets have the members of a field where that has all."""
        return self._like_fields(super().type_of_known(value))

    def _chosen_set(self, value: Value, other: Value | None = None) -> Value:
        """One of several sets of the author's as bits; any other value as it is.

        `other` is what it is joined or compared with.
        """
        if not isinstance(value, Chosen) or not self.is_any_set(value):
            return value
        values = tuple(map(set, value.values))
        kind = self.type_of_known(values)
        if not isinstance(kind, Seq) or not isinstance(kind.item, Bits):
            return value
        return self.loaded(self.item_at(self.constant(values, kind), value.place))

    def _like_fields(self, kind: Type) -> Type:
        if isinstance(kind, Bits) and isinstance(kind.universe, Grid) and kind.universe.is_bare:
            (low,), (size,) = kind.universe.lows, kind.universe.sizes
            sets = [each for each in self.kind.items if isinstance(each, Bits) and low >= 0]
            enough = [each for each in sets if low + size <= each.universe.size]
            least = min(enough, key=lambda each: each.universe.size, default=kind)
            return attrs.evolve(least, kind=kind.kind)
        if isinstance(kind, Seq):
            return attrs.evolve(kind, item=self._like_fields(kind.item))
        if isinstance(kind, Record):
            return attrs.evolve(kind, items=tuple(map(self._like_fields, kind.items)))
        return Maybe(self._like_fields(kind.item)) if isinstance(kind, Maybe) else kind

    def _as_set(self, value: Value) -> Value:
        return super()._as_set(self._chosen_set(value))

    def _set_isdisjoint(self, owner: Value, other: Value) -> Value:
        other = self._chosen_set(other, owner)
        if isinstance(owner, Place) and self._alike(owner, other):
            return self._cells_hold(owner, other, "{a} & {b} == 0")  # type: ignore[arg-type]
        return super()._set_isdisjoint(owner, other)

    def members(self, value: Place) -> Stream:
        """The members of a set; those of a field in their order."""
        found = super().members(value)
        return found._replace(is_ordered=True) if value.is_field else found

    def in_set(self, value: Value, item: Value) -> Scalar:
        """Whether something is in a set; in a field only what may be."""
        if not isinstance(value, Place) or not value.is_field:
            return super().in_set(value, item)
        found = self.member_place(value.type, item)
        if found is None:
            self.fail()
            return FALSE
        number, test = found
        if test != "True":
            self.trap(f"not ({test})")
        cell, bit = self._bit(value, number)
        return Scalar(Bool(), self._now(value, f"({cell} >> {bit} & 1 != 0)"), 0, 1)

    def _with_bit(self, place: Place, item: Value, sign: str, *, must: bool) -> None:
        super()._with_bit(place, item, sign, must=must or place.is_field)

    def _bits_of(self, value: Value, like: Place) -> Place:
        """Any numbers as a set like a field; leaves the state to Python where one is outside."""
        kind: Bits = like.type
        value = self._chosen_set(value)
        is_bits = isinstance(value, Place) and isinstance(value.type, Bits)
        if is_bits and value.type.universe == kind.universe:  # type: ignore[union-attr]
            return value  # type: ignore[return-value]
        if not self.is_set(value):
            if isinstance(value, Known):
                if not hasattr(value.value, "__iter__"):
                    raise self.refuse(f"uses {value.value!r:.40} as a set", "use a set")
                value = Known(set(value.value))
            elif isinstance(value, Items):
                value = Items(value.items, set)
            else:
                made = self._zeros(kind)
                self.run(
                    self.stream(value), lambda item, _: self._with_bit(made, item, "|", must=True)
                )
                return made
        made = self.slot(attrs.evolve(kind, kind=self.kind_of(value) or set))
        self.store(value, made)
        return made.made()

    def combined_sets(self, op: ast.operator, left: Value, right: Value) -> Value:
        """`|`, `&`, `-` and `^` of sets; of a field with any numbers that may be its members."""
        if isinstance(left, Place) and left.is_field and isinstance(op, _SET_SIGNS):
            made: Any = super().combined_sets(op, left, self._bits_of(right, left))
            joined: Value = made._replace(is_field=True)
            return joined
        found: Value = super().combined_sets(op, left, right)
        return found

    def combined(self, op: ast.operator, left: Value, right: Value) -> Value:
        """A binary operator on values of any kind."""
        left, right = self._chosen_set(left, right), self._chosen_set(right, left)
        if self._is_field_set(left) and isinstance(op, _SET_SIGNS):
            return self.combined_sets(op, left, right)
        return super().combined(op, left, right)

    def equal(self, left: Value, right: Value) -> Scalar:
        """Whether two values are equal; a field that is a set equals any row of its members."""
        left, right = self._chosen_set(left, right), self._chosen_set(right, left)
        for one, other in ((left, right), (right, left)):
            if self._is_field_set(one):
                return super().equal(one, self._row_as_set(other, (list, tuple, str, range)))
        return super().equal(left, right)

    def _row_as_set(self, value: Value, kinds: tuple[type, ...]) -> Value:
        if isinstance(value, Known) and isinstance(value.value, (list, tuple, range)):
            return Known(set(value.value))
        is_row = isinstance(value, Stream) or self.kind_of(value) in kinds
        return self.collected(value, set) if is_row else value

    def ordered(self, sign: str, left: Value, right: Value) -> Scalar:
        """`<`, `<=`, `>` and `>=`; a field that is a set also with rows of members."""
        left, right = self._chosen_set(left, right), self._chosen_set(right, left)
        if sign in ("<=", ">="):
            if self._is_field_set(left):
                right = self._row_as_set(right, (list, tuple, range))
            elif self._is_field_set(right):
                left = self._row_as_set(left, (list, tuple, range))
        return super().ordered(sign, left, right)

    def _set_discard(self, owner: Value, item: Value, *, is_sure: bool = False) -> Value:
        if is_sure and isinstance(owner, Place) and owner.is_field:
            row = self._members(owner)
            self.trap(f"not {self.in_set(row._replace(is_stable=False), item).text}")
            return super()._set_discard(owner, item)
        return super()._set_discard(owner, item, is_sure=is_sure)

    def _updated(self, owner: Place, op: type[ast.operator], others: tuple[Value, ...]) -> Value:
        """`difference_update` and the like."""
        self.change(owner)
        for each in others:
            self._put_field(owner, self.combined_sets(op(), owner, each))
        return NONE

    def _cleared(self, owner: Place) -> Value:
        self.change(owner)
        self._clear_set(owner)
        return NONE

    # Steps

    def label_left_out(self, node: ast.expr) -> Value | None:
        """What `yield label, child` gives a search, which looks at no label; None for all else."""
        parts: list[ast.expr] = []
        if isinstance(node, ast.Tuple):
            parts = node.elts
        elif isinstance(node, ast.Call) and not node.keywords:
            function = node.func
            known = self._known_name(function.id) if isinstance(function, ast.Name) else None
            parts = node.args if known is Step else []
        if len(parts) not in (2, 3) or any(isinstance(each, ast.Starred) for each in parts):
            return None
        self.check_label(parts[0])
        state = self.value(parts[1])
        cost = self.value(parts[2]) if len(parts) == 3 else Known(1)
        return Items((state, self.number(cost, "takes for a cost")), Step)


def object_type(kind: type, fields: dict[str, tuple[Type, tuple[int, int]]]) -> Object:
    """The type of objects of a class with these fields: types, and bounds on their numbers."""
    items = tuple(each for each, _ in fields.values())
    return Object(items, kind, tuple(fields), tuple(bounds for _, bounds in fields.values()))


def numbers_type(length: int) -> Seq:
    """The type of a list of numbers that keeps its length."""
    return Seq(Int(), length, length, list)


def members_type(below: int) -> Bits:
    """The type of a set of numbers from 0 on."""
    return Bits(Grid((0,), (below,), is_bare=True), set)
