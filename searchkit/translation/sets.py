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

from searchkit.translation.builders import Builders
from searchkit.translation.comparison import FALSE, TRUE
from searchkit.translation.naming import describe, members_of
from searchkit.translation.types import Atom, Bits, Grid, Int, Listed, Never, Open, Seq, Unfit
from searchkit.translation.values import Items, Known, Place, Round, Scalar, Stream, Value
from searchkit.translation.variables import Variable

MEMBERS = "put no others into it, or use a sorted tuple"
_SIGNS: dict[type[ast.operator], str] = {ast.BitOr: "|", ast.BitAnd: "&", ast.BitXor: "^"}


class Sets(Builders):
    """What can be done with sets, as rows of members and as bits."""

    # Of classes further down

    is_any_set: Callable[[Value], bool]
    either: Callable[[Scalar, Any, Any], Value]
    or_else: Callable[[Scalar, Any], Scalar]

    has_open_sets = True
    """Whether sets may get members that no state has: those of declared fields may not."""

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
                none = self.slot(Seq(Never(), 0, 0, value.kind))
                return none.made()
            made = self.made_set(self.stream(Items(value.items, tuple)), value.kind)
            assert isinstance(made, Place)
            return made
        if isinstance(value, Place) and isinstance(value.type, Seq):
            return value
        raise self.refuse(f"uses {describe(value)} as a set", "use sets of one kind")

    def combined_sets(self, op: ast.operator, left: Value, right: Value) -> Value:
        """`|`, `&`, `-` and `^` of sets: one of the author's as bits, where all of it has room."""
        kind_of_right = right.type if isinstance(right, Place) else None
        if isinstance(kind_of_right, Open):
            kind_of_right = kind_of_right.bits
        if isinstance(left, Known) and self.is_set(left) and isinstance(kind_of_right, Bits):
            members: Any = left.value
            if all(self._is_in(kind_of_right, each) for each in members):
                left = self.constant(members, attrs.evolve(kind_of_right, kind=members.__class__))
        if isinstance(left, Known) and isinstance(right, Known):
            return self.known_binary(op, left.value, right.value)
        if isinstance(op, (ast.BitOr, ast.BitXor)):
            left, right = self._with_room_for(left, right), self._with_room_for(right, left)
        is_in = {ast.BitOr: None, ast.BitAnd: True, ast.Sub: False, ast.BitXor: False}
        if not (self.is_any_set(left) and self.is_any_set(right)) or type(op) not in is_in:
            return self.always_raises(TypeError())
        kind = self.kind_of(left)
        assert kind is not None
        one = left if isinstance(left, Place) else self.row_of(left)
        other = right if isinstance(right, Place) else self.row_of(right)
        if any(isinstance(each.type, (Bits, Open)) for each in (one, other)):
            return self.combined_bits(op, one, other, kind)
        # A set of the author's may be large: it is looked up at once, and not gone through.
        looked_up = other if isinstance(right, Items) else right
        if isinstance(op, ast.BitAnd) and isinstance(left, Known):
            one, looked_up = other, left
        item, wanted = self.joined(one.type.item, other.type.item), is_in[type(op)]
        most = one.type.most + (other.type.most if isinstance(op, (ast.BitOr, ast.BitXor)) else 0)
        place = self.empty_row(item, most, kind)
        self._put_members(place, one, looked_up, wanted)
        if isinstance(op, (ast.BitOr, ast.BitXor)):
            self._put_members(place, other, one, wanted)
        return place.made()

    def _put_members(self, place: Place, own: Place, other: Value, wanted: bool | None) -> None:
        """Put members of a set into a new one: those that are in another, or are not, or all."""

        def put(value: Value, _: Round) -> None:
            value = self.settled(value)
            test = "True" if wanted is None else self.contains(other, value).text
            head = f"if {'' if wanted else 'not '}{test}:"
            with nullcontext() if wanted is None else self.text.block(head):
                if isinstance(place.type, Seq):
                    self.add_member(place, value, is_bounded=True)
                else:
                    self._with_bit(place, value, "|", must=True)

        self.run(self.stream(own), put)

    # Where members are

    def member_place(self, kind: Bits, member: Value) -> tuple[str, str] | None:
        """The number of a member, and the test that it has one; None if it has none for sure."""
        universe = kind.universe
        if isinstance(member, Known):
            try:
                place = universe.place(member.value, self.atoms)
            except (Unfit, TypeError):
                return None
            return str(place), "True"
        if isinstance(universe, Grid):
            return self._grid_place(universe, member)
        if isinstance(member, Scalar) and isinstance(member.type, Atom):
            text = self.kept(member).text
            return text, f"{text} < {universe.size}"
        values = tuple(self.atoms.values[: universe.size])
        row = self.row(Known(values), "looks in a set of unlike members", "use like members")
        found = self.place_in_row(row, member)
        return None if found is None else (found, f"{found} >= 0")

    def _grid_place(self, grid: Grid, member: Value) -> tuple[str, str] | None:
        parts = [member] if grid.is_bare else self._parts(self.held(member))
        is_tuple = grid.is_bare or self.kind_of(member) is tuple
        if parts is None or not is_tuple or len(parts) != len(grid.sizes):
            raise self.refuse(f"looks for {describe(member)} in a set", "look for like members")
        place, tests = "", []
        for part, low, size in zip(parts, grid.lows, grid.sizes, strict=True):
            number = self.kept(self.number(part, "looks in a set for"))
            text = number.text if not low else f"({number.text} - {low})" if low > 0 else (
                f"({number.text} + {-low})"
            )  # fmt: skip
            if number.low < low:
                tests.append(f"{number.text} >= {low}")
            if number.high >= low + size:
                tests.append(f"{number.text} < {low + size}")
            place = f"({place} * {size} + {text})" if place else text
        return place, " and ".join(tests) or "True"

    def _outside(self, kind: Bits, member: Value) -> str:
        """What is said of a member that a set has no room for, with its value there."""
        parts = self._parts(member) if isinstance(member, Items) else [member]
        texts = [each.text for each in parts or () if isinstance(each, Scalar)]
        is_told = isinstance(kind.universe, Grid) and bool(texts)
        told = ", ".join(f"{{{each}}}" for each in texts) if is_told else describe(member)
        told = f"({told})" if is_told and len(texts) > 1 else told
        return f"puts {told} into a set; states had none but {members_of(kind.universe)} there"

    def _bit(self, place: Place, number: str) -> tuple[str, str]:
        """The text of the cell with a member's bit, and where it is there."""
        kind: Bits = place.type
        if kind.cells == 1:
            return place.cell(), number
        if number.isdigit():
            return place.cell(int(number) // kind.width), str(int(number) % kind.width)
        name = number if number.isidentifier() else self.text.temporary(number, "place")
        at = self.text.temporary(f"{name} // {kind.width}", "at")
        return place.cell(at), f"{name} % {kind.width}"

    def in_set(self, value: Value, item: Value) -> Scalar:
        """Whether something is in a set."""
        if isinstance(value, Place) and isinstance(value.type, Open):
            (bits, rest), item = self._halves(value), self.settled(item)
            return self.or_else(self.in_set(bits, item), lambda: self.in_row(rest, item))
        if not isinstance(value, Place) or not isinstance(value.type, Bits):
            raise self.refuse(
                f"looks in {describe(value)}", "use a tuple, list, set, dict or range"
            )
        found = self.member_place(value.type, item)
        if found is None:
            return FALSE
        number, test = found

        def there() -> Scalar:
            cell, bit = self._bit(value, number)
            return Scalar.truth(self._now(value, f"({cell} >> {bit} & 1 != 0)"))

        return self.and_then(Scalar.truth(test), there)

    def _with_bit(self, place: Place, item: Value, sign: str, *, must: bool) -> None:
        """Set (|), flip (^) or clear (&) the bit of a member; `must` it have one."""
        if isinstance(place.type, Open):
            self._with_member(place, self.settled(item), sign)
            return
        found = self.member_place(place.type, item)
        if found is None:
            if must:
                self.fail(what=self._outside(place.type, item), instead=MEMBERS)
            return
        number, test = found

        def write() -> None:
            cell, bit = self._bit(place, number)
            change = f"& ~(1 << {bit})" if sign == "&" else f"{sign} 1 << {bit}"
            self.text.line(f"{cell} = {cell} {change}")

        if test == "True":
            write()
        elif must:
            what = self._outside(place.type, item)
            self.trap(f"not ({test})", what=what, instead=MEMBERS)
            write()
        else:
            with self.text.block(f"if {test}:"):
                write()

    # Members that no state has

    def _halves(self, place: Place) -> tuple[Place, Place]:
        """The bits, and the row of the others."""
        kind: Open = place.type
        rest = place._replace(type=kind.rest, shift=place.shift + kind.bits.cells)
        return place._replace(type=kind.bits), rest

    def _with_member(self, place: Place, item: Value, sign: str) -> None:
        """Put a member in, turn it over, or take it out, wherever it belongs."""
        bits, rest = self._halves(place)
        found = self.member_place(bits.type, item)
        test = "False" if found is None else found[1]
        if test != "False":
            with self.text.block(f"if {test}:"):
                self._with_bit(bits, item, sign, must=False)
        if test == "True":
            return
        with self.text.block(f"if not ({test}):"):
            if sign == "|":
                self.add_member(rest, item)
                return
            before = self.text.temporary(rest.cell(), "n")
            self.without(rest, self.place_in_row(rest, item) or "-1")
            if sign == "^":
                with self.text.block(f"if {rest.cell()} == {before}:"):
                    self.add_member(rest, item)

    def _may_be_outside(self, kind: Any, members: list[Value] | None) -> bool:
        """Whether a set of bits may get other members than it has room for."""

        def is_inside(member: Value) -> bool:
            with self.text.aside():
                found = self.member_place(kind, member)
            return found is not None and found[1] == "True"

        is_plain = self.has_open_sets and isinstance(kind, Bits)
        return is_plain and (members is None or not all(map(is_inside, members)))

    def _with_room_for(self, value: Value, other: Value) -> Value:
        """A set of bits with room for the members of another that it has none for."""
        kind = value.type if isinstance(value, Place) else None
        members: list[Value] | None = None
        if isinstance(other, Known) and self.is_set(other):
            members = [Known(each) for each in other.value]
        elif isinstance(other, Items):
            members = list(other.items)
        elif not isinstance(other, Place) or not isinstance(other.type, Seq):
            return value
        if not isinstance(kind, Bits) or not self._may_be_outside(kind, members):
            return value
        with self.text.aside():
            item = self.row_of(other).type.item
        made = self.slot(Open(kind, Seq(item, 0, self.facts.capacity, kind.kind)))
        self.store(value, made)
        return made.made()

    def make_room_for(self, row: Place, item: Value) -> None:
        """Make sure that a set that is changed has room for an item."""
        if isinstance(row.root, Variable) and self._may_be_outside(row.type, [item]):
            rest = Seq(self.type_of(item), 0, self.facts.capacity, row.type.kind)
            made = Open(row.type, rest)
            row.root.type = self.with_part(row.root.type, row.path, lambda _: made)
            self.again(row.root)

    # Members

    def members(self, value: Place) -> Stream:
        """The members of a set of bits, by their numbers, and those that have none."""
        if isinstance(value.type, Open):
            bits, rest = self._halves(value)
            every = self.one_after_another([self.members(bits), self._row(rest)])
            return every._replace(is_ordered=False)
        kind: Bits = value.type

        def of_cell(i: int | str, begin: str, low: int, most: int, out: Any, body: Any) -> None:
            rest = self.text.temporary(value.cell(i), "rest")
            with self.text.loop(f"while {rest} != 0:") as loop:
                bit = self.text.temporary(f"lowest_one({rest}){begin}", "bit")
                self.text.line(f"{rest} = {rest} & {rest} - 1")
                number = Scalar(Int(), bit, low, min(low + most, kind.universe.size) - 1)
                body(self._member(kind, number), Round((out, "break"), (loop, "continue")))

        def each(body: Callable[[Value, Round], None]) -> None:
            width = kind.width
            if kind.cells > 2:
                i = self.text.name("i")
                with self.text.loop(f"for {i} in range({kind.cells}):") as out:
                    of_cell(i, f" + {i} * {width}", 0, width * kind.cells, out, body)
                return
            with self.text.once() as out:
                for k in range(kind.cells):
                    of_cell(k, f" + {k * width}" if k else "", k * width, width, out, body)

        is_mixed = isinstance(kind.universe, Listed) and kind.universe.kind is None
        return Stream(each=each, most=kind.universe.size, is_ordered=False, is_mixed=is_mixed)

    def _member(self, kind: Bits, number: Scalar) -> Value:
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
            name = self.text.temporary(
                f"{text} + {low}" if low >= 0 else f"{text} - {-low}", "part"
            )
            parts.append(Scalar(Int(), name, low, low + size - 1))
        return parts[0] if universe.is_bare else Items(tuple(parts))

    def length_of_set(self, value: Value) -> Scalar:
        """`len` of a set."""
        if isinstance(value, Place) and isinstance(value.type, Bits):
            counts = " + ".join(f"count_ones({value.cell(i)})" for i in range(value.type.cells))
            text = self._now(value, f"({counts or '0'})")
            return Scalar(Int(), text, 0, value.type.universe.size)
        if isinstance(value, Place) and isinstance(value.type, Open):
            bits, rest = self._halves(value)
            one, other = self.length_of_set(bits), self.length(rest)
            return one._replace(text=f"({one.text} + {other.text})", high=one.high + other.high)
        raise self.refuse(f"takes the length of {describe(value)}", "use a list or tuple")

    # Sets made of sets

    def _zeros(self, kind: Bits) -> Place:
        place = self.slot(kind)
        self._clear_set(place)
        return place._replace(is_fresh=True)

    def _clear_set(self, place: Place) -> None:
        kind = place.type
        for i in range(kind.bits.cells + 1 if isinstance(kind, Open) else kind.cells):
            self.text.line(f"{place.cell(i)} = 0")

    def _copy(self, source: Place, place: Place) -> None:
        if not isinstance(source.type, Open):
            super()._copy(source, place)
            return
        for one, other in zip(self._halves(source), self._halves(place), strict=True):
            super()._copy(one, other)

    def _store_set(self, value: Value, place: Place) -> None:
        if self.kind_of(value) is not place.type.kind:
            self._cannot(value, place.type)
        if isinstance(value, Known):
            try:
                self._copy(self.constant(value.value, place.type), place)
            except Exception:  # members that are outside of the universe
                self.fail(what=self._outside(place.type, value), instead=MEMBERS)
            return
        value = value if isinstance(value, Place) else self.row_of(value)
        if isinstance(value.type, Open) and isinstance(place.type, Bits):
            bits, rest = self._halves(value)
            what = self._outside(bits.type, self.loaded(self.item_at(rest, "0")))
            self.trap(f"{rest.cell()} != 0", what=what, instead=MEMBERS)
            value = bits
        self._clear_set(place)
        target = self._halves(place)[0] if isinstance(place.type, Open) else place
        if self._has_room(value, target):
            self._copy(value, target)
            return
        self.run(self.stream(value), lambda item, _: self._with_bit(place, item, "|", must=True))

    def as_bits(self, value: Value, kind: Bits) -> Place | None:
        """A set of the author's as bits, without what is outside of the universe."""
        if isinstance(value, Items) and all(isinstance(each, Known) for each in value.items):
            value = Known(frozenset(each.value for each in value.items))
        if not isinstance(value, Known):
            return None
        return self.constant(
            kind.kind(each for each in value.value if self._is_in(kind, each)), kind
        )

    def _is_in(self, kind: Bits, member: Any) -> bool:
        try:
            kind.universe.place(member, self.atoms)
        except (Unfit, TypeError):
            return False
        return True

    def _alike(self, one: Value, other: Value) -> bool:
        return (
            isinstance(one, Place)
            and isinstance(other, Place)
            and isinstance(one.type, Bits)
            and isinstance(other.type, Bits)
            and one.type.universe == other.type.universe
        )

    def _has_room(self, value: Value, target: Place) -> bool:
        """Whether all cells of a set can be copied as they are."""
        return self._alike(value, target)

    def combined_bits(self, op: ast.operator, one: Place, other: Place, kind: type) -> Value:
        """`|`, `&`, `-` and `^` of sets of which one is bits."""
        if isinstance(other.type, Open) and isinstance(op, (ast.Sub, ast.BitAnd)):
            bits, _ = self._halves(other)
            other = bits if self._alike(one, bits) else other  # it has no others
        elif isinstance(other.type, Open) and not isinstance(one.type, Open):
            one, other = other, one
        if not isinstance(one.type, (Bits, Open)):
            if isinstance(op, ast.Sub):
                made = self.empty_row(one.type.item, one.type.most, kind)
                self._put_members(made, one, other, wanted=False)
                return made.made()
            one, other = other, one
        made = self._zeros(_of_kind(one.type, kind))
        if self._alike(one, other):
            for i in range(made.type.cells):
                right = other.cell(i)
                sign = _SIGNS.get(type(op), "&")
                right = f"~{right}" if isinstance(op, ast.Sub) else right
                self.text.line(f"{made.cell(i)} = {one.cell(i)} {sign} {right}")
            return made._replace(is_stable=True)
        if isinstance(op, ast.BitAnd):
            self._put_members(made, other, one, wanted=True)
            return made._replace(is_stable=True)
        self._copy(one._replace(type=made.type), made)
        sign = "&" if isinstance(op, ast.Sub) else _SIGNS[type(op)]
        must = not isinstance(op, ast.Sub)
        self.run(self.stream(other), lambda item, _: self._with_bit(made, item, sign, must=must))
        return made._replace(is_stable=True)

    def equals_set(self, left: Value, right: Place) -> Scalar:
        """Whether two sets have the same members."""
        if isinstance(right.type, Bits) and isinstance(left, Known):
            if not all(self._is_in(right.type, each) for each in left.value):
                return FALSE
            left = self.as_bits(left, right.type) or left
        if self._alike(left, right):
            return self._cells_hold(left, right, "{a} == {b}")  # type: ignore[arg-type]
        return self.and_then(
            self.ordered_sets("<=", left, right), lambda: self.ordered_sets(">=", left, right)
        )

    def _cells_hold(self, left: Place, right: Place, form: str) -> Scalar:
        tests = [form.format(a=left.cell(i), b=right.cell(i)) for i in range(left.type.cells)]
        text = f"({' and '.join(tests)})" if tests else "True"
        stable = right._replace(is_stable=left.is_stable and right.is_stable)
        return Scalar.truth(self._now(stable, text)) if tests else TRUE

    def ordered_sets(self, sign: str, left: Value, right: Value) -> Scalar:
        """Whether a set is part of another."""
        if sign in (">", ">="):
            return self.ordered_sets(sign.replace(">", "<"), right, left)
        if sign == "<":
            return self.and_then(
                self.ordered_sets("<=", left, right),
                lambda: self.negated(self.ordered_sets("<=", right, left)),
            )
        if isinstance(left, Place) and isinstance(left.type, Bits):
            same = right if self._alike(left, right) else self.as_bits(right, left.type)
            if isinstance(same, Place):
                return self._cells_hold(left, same, "{a} & ~{b} == 0")
        stream = self.mapped(lambda each: self.contains(right, each), self.stream(left))
        return self.any_or_all(stream, is_any=False)

    def collected(self, value: Value, kind: type) -> Value:
        """`tuple(value)`, `list(value)`, `set(value)`, `frozenset(value)`."""
        is_bits = isinstance(value, Place) and isinstance(value.type, (Bits, Open))
        if not is_bits or kind not in (set, frozenset):
            return super().collected(value, kind)
        assert isinstance(value, Place)
        same = value._replace(type=_of_kind(value.type, kind))
        if kind is frozenset and value.is_stable:
            return same
        return self.copied(same)

    def sorted_row(self, value: Value, key: Any, *, down: bool) -> Value:
        """`sorted`: members of a grid have the order of their numbers."""
        is_bits = isinstance(value, Place) and isinstance(value.type, Bits)
        if is_bits and isinstance(value.type.universe, Grid) and key is None and not down:  # type: ignore[union-attr]
            return self.made_row(self.members(value), list)  # type: ignore[arg-type]
        return super().sorted_row(value, key, down=down)


def _of_kind(kind: Bits | Open, own: type) -> Any:
    """The type of the same members in a set of another class."""
    if isinstance(kind, Bits):
        return attrs.evolve(kind, kind=own)
    return Open(_of_kind(kind.bits, own), attrs.evolve(kind.rest, kind=own))
