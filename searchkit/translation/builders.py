"""What is built or found by going through something: rows, sets, sums, the least, order, texts."""

from __future__ import annotations

from collections.abc import Callable
from functools import reduce

import attrs

from searchkit.translation.arithmetic import HUGE
from searchkit.translation.comparison import known_truth
from searchkit.translation.loops import Loops
from searchkit.translation.memory import SCALARS
from searchkit.translation.naming import describe, full
from searchkit.translation.text import may_trap
from searchkit.translation.types import Bool, Char, Int, Never, Seq, Type
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
from searchkit.translation.variables import Variable

TIED = "goes by a key that is the same of two members of a set, whose order only Python knows"
UNTIED = "let the key tell them apart: key=lambda m: (..., m)"
MOST_ITEMS = 1024
"""How many items something is made of at most that has no other bound."""


class Builders(Loops):
    """What is done with all that is gone through."""

    # What is built

    def collected(self, value: Value, kind: type) -> Value:
        """`tuple(value)`, `list(value)`, `set(value)`, `frozenset(value)`."""
        if isinstance(value, Stream) and value.known is not None:
            value = Known(value.known)
        if kind in (set, frozenset):
            return self.made_set(self.stream(value), kind)
        if isinstance(value, Items) and value.kind not in (set, frozenset):
            return Items(value.items, kind)
        if isinstance(value, Known) and isinstance(value.value, (tuple, list, str, range)):
            items = tuple(Known(each) for each in value.value)
            return Known(tuple(value.value)) if kind is tuple else Items(items, list)
        if isinstance(value, Joined):
            return value._replace(kind=kind)
        if isinstance(value, Place) and value.type.__class__ is Seq and not self.is_set(value):
            return self._of_kind(value, kind)
        fields = self.fields_of(value)
        if fields is not None:
            return self.settled(Items(tuple(fields), kind))
        return self.made_row(self.ordered_stream(value), kind)

    def _of_kind(self, value: Place, kind: type) -> Value:
        """The same items as another kind of sequence."""
        same = value._replace(type=attrs.evolve(value.type, kind=kind))
        if kind is not tuple:  # what may be changed has no bounds
            same = same._replace(bounds=ANY_NUMBERS.bounds, parts=())
        if value.is_fresh and value.root is None:
            return same
        if kind is tuple and self._ends_here(value):
            return same._replace(root=None, is_stable=True)
        if kind is tuple and value.is_stable:
            return same
        self.check_items_shared(value)
        copy = self.slot(same.type)
        self.store(same._replace(is_stable=True), copy)
        copy = copy._replace(is_stable=True, is_fresh=True)
        return self.copied_list(value, copy) if kind is list else copy

    def copied_list(self, value: Place, copy: Place) -> Place:
        """A list that was made of another sequence; `copy` has the same cells."""
        return copy

    def _ends_here(self, value: Place) -> bool:
        """Whether a list is not used again, so that a tuple can have its cells.

        A name that is assigned to in one place has no other value before what is made of this one
        is made again.
        """
        root = value.root
        is_last = value.is_fresh and isinstance(root, Variable) and not value.path
        return is_last and not root.is_reset and not self.is_mutable(value.type.item)

    def check_items_shared(self, value: Place) -> None:
        """Refuse to copy lists within a list that Python would share."""
        if isinstance(value.type, Seq) and self.is_mutable(value.type.item):
            raise self.refuse(
                "copies a list of lists, which stay the same lists",
                "copy each: [list(row) for row in ...]",
            )

    def made_row(self, stream: Stream, kind: type) -> Value:
        """A sequence of what is gone through."""
        if stream.at is not None:
            return self.in_memory(Joined((stream,), kind))
        place, most = self._begun(stream, kind)
        n = self.text.temporary("0", "n")

        def add(value: Value, _: Round) -> None:
            if self.most_of(stream) > most or not stream.most:
                what = full(most, f"a {kind.__name__}")
                self.trap(f"{n} >= {most}", what=what, instead="use a shorter one")
            self.store(value, self.item_at(place, n))
            self.text.line(f"{n} += 1")

        if not self.text.is_aside:
            self.run(stream, add)
        self.text.line(f"{place.cell()} = {n}")
        return place._replace(is_stable=True, is_fresh=True)

    def _type_of_items(self, stream: Stream) -> Type:
        """The type of what is gone through."""
        return self._items_of(stream)[0]

    def _items_of(self, stream: Stream) -> tuple[Type, int, int]:
        """The type of what is gone through, and bounds on it if it is a number."""
        found: list[Type] = [Never()]
        ends: list[int] = []

        def look(value: Value, _: Round) -> None:
            found.append(self.type_of(value))
            ends.extend(self.interval(value).bounds)

        with self.text.aside():
            self.run(stream, look)
        return reduce(self.joined, found), min(ends, default=0), max(ends, default=0)

    def made_set(self, stream: Stream, kind: type) -> Value:
        """A set of what is gone through: items that differ, in any order."""
        place, most = self._begun(stream, kind)

        def add(value: Value, _: Round) -> None:
            self.add_member(place, value, is_bounded=self.most_of(stream) <= most)

        if not self.text.is_aside:
            self.run(stream, add)
        return place._replace(is_stable=True, is_fresh=True)

    def _begun(self, stream: Stream, kind: type) -> tuple[Place, int]:
        """Room for what is gone through, of which there is nothing yet; how many may come."""
        item = self._type_of_items(stream)
        most = min(self.most_of(stream), MOST_ITEMS)
        place = self.slot(Seq(item, 0, max(1, most), kind))
        self.text.line(f"{place.cell()} = 0")
        return place, most

    def add_member(self, place: Place, value: Value, *, is_bounded: bool = False) -> None:
        """Put something into a row of members unless it is there."""
        value = self.settled(value)
        there = self.in_row(place._replace(is_stable=False), value)
        with self.text.block(f"if not {there.text}:"):
            n = self.text.temporary(place.cell(), "n")
            if not is_bounded:
                most = place.type.most
                self.trap(f"{n} >= {most}", what=full(most, "a set"), instead="use a smaller one")
            self.store(value, self.item_at(place, n))
            self.text.line(f"{place.cell()} = {n} + 1")

    def move(self, source: Place, place: Place) -> None:
        """Move an item of a list to another place of it."""
        found = self.loaded(source)
        self.store(found._replace(is_fresh=True) if isinstance(found, Place) else found, place)

    def without(self, row: Place, place: str) -> None:
        """Take the member at a place out of a row of members, if there is one."""
        with self.text.block(f"if {place} >= 0:"):
            last = self.text.temporary(f"{row.cell()} - 1", "last")
            self.move(self.item_at(row, last), self.item_at(row, place))
            self.text.line(f"{row.cell()} = {last}")

    # What is found

    def any_or_all(self, stream: Stream, *, is_any: bool) -> Scalar:
        """`any` or `all`."""
        found = self.text.temporary(str(not is_any), "holds")
        leaves = True

        def look(value: Value, turn: Round) -> None:
            truth = self.truth(value)
            if not is_any:
                truth = self.negated(truth)
            if known_truth(truth) is False:
                return
            with self.text.block(f"if {truth.text}:"):
                self.text.line(f"{found} = {is_any}")
                if leaves:
                    self.text.leave(*turn.stop)

        if not stream.is_ordered:  # an error may come before or after what is looked for
            with self.text.apart() as lines:
                self.run(stream, look)
            leaves = not may_trap(lines)
        self.run(stream, look)
        return Scalar(Bool(), found, 0, 1)

    def summed(self, stream: Stream, start: Scalar) -> Scalar | None:
        """`sum` of whole numbers; None if one of them is a float."""
        most = self.most_of(stream)
        is_open = not 0 < most <= MOST_ITEMS
        total = self.text.temporary(start.text, "total")
        ends = [start.low, start.high]
        has_floats = False

        def add(value: Value, _: Round) -> None:
            nonlocal has_floats
            has_floats |= self.is_float(value)
            if has_floats:
                return
            number = self.number(value, "adds")
            ends[0] += min(0, number.low) * most
            ends[1] += max(0, number.high) * most
            self.text.line(f"{total} += {number.text}")
            if not -HUGE < ends[0] <= ends[1] < HUGE or is_open:
                what = f"gets a sum of {{{total}}}, beyond 2**40"
                self.trap(f"{total} <= -{SMALL} or {total} >= {SMALL}", what=what)

        self.run(stream, add)
        if has_floats:
            return None
        if not -HUGE < ends[0] <= ends[1] < HUGE or is_open:
            return Scalar(start.type, total)
        return Scalar(start.type, total, *ends)

    def extreme(
        self, stream: Stream, name: str, key: Callable[[Value], Value] | None, default: Value | None
    ) -> Value:
        """`min` or `max` of what is gone through: the first of several that are alike."""
        if key is not None and self.handlers:  # the first error of a key is taken
            self.check_order(stream)
        ties = key is not None and not stream.is_ordered
        sign = "<" if name == "min" else ">"
        item, low, high = self._items_of(stream)
        if default is not None:
            item = self.joined(item, self.type_of(default))
            ends = self.interval(default).bounds
            low, high = min(low, *ends), max(high, *ends)
        if isinstance(item, Never):
            return self.always_raises(ValueError())
        met, tied = (self.text.temporary("False", hint) for hint in ("met", "tied"))
        best, best_key = self._cell(item, "best"), None

        def look(value: Value, _: Round) -> None:
            nonlocal best_key
            if isinstance(value, Scalar):
                value = self.kept(value)
            ranked = value if key is None else self.settled(key(value))
            if key is not None:
                best_key = best_key or self._cell(self.type_of(ranked), "rank")
            before = best if best_key is None else best_key
            better = self.text.temporary(f"not {met}", "better")
            with self.text.block(f"if {met}:"):
                self.text.line(f"{better} = {self.ordered(sign, ranked, self._read(before)).text}")
                if ties:
                    same = self.equal(ranked, self._read(before)).text
                    self.text.line(f"{tied} = {same} or ({tied} and not {better})")
            with self.text.block(f"if {better}:"):
                self._write(best, value)
                if best_key is not None:
                    self._write(best_key, ranked)
                self.text.line(f"{met} = True")

        self._clear(best)
        if not self.text.is_aside:
            with self.text.apart() as ahead:
                self.run(stream, look)
            if best_key is not None:
                self._clear(best_key)
            self.text.lines += ahead
        if ties:
            self.trap(tied, what=TIED, instead=UNTIED)
        if default is None:
            self.trap(f"not {met}", ValueError)
        else:
            with self.text.block(f"if not {met}:"):
                self._write(best, default)
        return self._bounded(self._read(best), low, high)

    def _bounded(self, value: Value, low: int, high: int) -> Value:
        """A number with bounds that are known of it; any other value as it is."""
        if isinstance(value, Scalar) and isinstance(value.type, Int):
            return value._replace(low=max(low, 1 - SMALL), high=min(high, SMALL - 1))
        return value

    def _cell(self, kind: Type, hint: str) -> Place | Scalar:
        """Room for one value: a name, or a place."""
        if isinstance(kind, SCALARS):
            return Scalar(kind, self.text.name(hint))
        return self.slot(kind)

    def _clear(self, cell: Place | Scalar) -> None:
        """Give a name a value: machine code wants one whatever happens."""
        if isinstance(cell, Scalar):
            self.text.line(f"{cell.text} = {'False' if isinstance(cell.type, Bool) else '0'}")

    def _write(self, cell: Place | Scalar, value: Value) -> None:
        if isinstance(cell, Place):
            self.check_copied(value)
            self.store(value, cell)
        elif isinstance(cell.type, Bool):
            self.text.line(f"{cell.text} = {self.truth(value).text}")
        else:
            text = self.as_cell(value, cell.type)
            if text is None:
                raise self.refuse(f"has {describe(value)} among others", "use like values")
            self.text.line(f"{cell.text} = {text}")

    def _read(self, cell: Place | Scalar) -> Value:
        return cell._replace(is_stable=True) if isinstance(cell, Place) else cell

    def in_stream(self, value: Stream, item: Value) -> Scalar:
        """Whether something is among what is gone through."""
        item = self.settled(item)
        return self.any_or_all(self.mapped(lambda each: self.equal(item, each), value), is_any=True)

    # Order

    def sorted_row(
        self, value: Value, key: Callable[[Value], Value] | None, *, down: bool
    ) -> Value:
        """`sorted`: by insertion, as rows are short."""
        stream = self.stream(value)
        row = self.made_row(self._by_number(stream), list)
        if isinstance(row, Place) and isinstance(row.type, Seq):
            self.sort_in_place(row, key, down=down, is_set=not stream.is_ordered)
            return row
        raise self.refuse(f"sorts {describe(row)}", "sort like items")

    def sort_in_place(
        self,
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
        if self.is_mutable(kind.item):
            raise self.refuse("sorts a list of lists", "use tuples")
        row = row._replace(is_stable=False)
        count = self.length(row)
        i, j = self.text.name("i"), self.text.name("j")
        with self.text.loop(f"for {i} in range(1, {count.text}):"):
            moved = self._cell(kind.item, "moved")
            self._write(moved, self.loaded(self.item_at(row, i)))
            held = self._read(moved)
            ranked = held if key is None else self.settled(key(held))
            self.text.line(f"{j} = {i}")
            with self.text.loop(f"while {j} > 0:"):
                before = self.loaded(self.item_at(row, self.text.temporary(f"{j} - 1", "k")))
                other = before if key is None else key(before)
                less = self.ordered(">" if down else "<", ranked, other)
                if known_truth(less) is False:
                    self.text.line("break")
                with self.text.block(f"if not {less.text}:"):
                    if is_set and key is not None:
                        self.trap(self.equal(ranked, other).text, what=TIED, instead=UNTIED)
                    self.text.line("break")
                self.store(before, self.item_at(row, j))
                self.text.line(f"{j} -= 1")
            self.store(held, self.item_at(row, j))

    def joined_text(self, separator: Value, value: Value) -> Value:
        """`separator.join(value)`."""
        if not (isinstance(separator, Known) and isinstance(separator.value, str)):
            raise self.refuse("joins by a text that states decide", "write the text out")
        if isinstance(value, Known):
            return Known(separator.value.join(value.value))
        if isinstance(value, Items):
            parts: list[Value] = []
            for i, each in enumerate(value.items):
                parts += [separator] if i and separator.value else []
                parts.append(each)
            return self.behind_each_other(parts, str) if parts else Known("")
        stream = self.ordered_stream(value)
        item = self._type_of_items(stream)
        if isinstance(item, Char) and not separator.value:
            return self.made_row(stream, str)
        return self._text_of_parts(separator.value, stream, item)

    def _text_of_parts(self, separator: str, stream: Stream, item: Type) -> Value:
        """Texts one behind the other, with a separator between them."""
        longest = 1 if isinstance(item, Char) else getattr(item, "most", None)
        if longest is None or (isinstance(item, Seq) and item.kind is not str):
            raise self.refuse("joins values that are not texts", "use texts of characters")
        most = min(self.most_of(stream) * (longest + len(separator)), MOST_ITEMS)
        place = self.slot(Seq(Char(), 0, most, str))
        n, first = self.text.temporary("0", "n"), self.text.temporary("True", "first")

        def add(value: Value, _: Round) -> None:
            for_one = Seq(Char(), 1, 1, str)
            part = self.in_memory(value, for_one if isinstance(item, Char) else None)
            count = self.length(part)
            room = f"{n} + {count.text} + {len(separator)} > {most}"
            self.trap(room, what=full(most, "a text"), instead="make a shorter one")
            if separator:
                with self.text.block(f"if not {first}:"):
                    for each in separator:
                        self.store(Known(each), self.item_at(place, n))
                        self.text.line(f"{n} += 1")
            self.text.line(f"{first} = False")
            i = self.text.name("i")
            with self.text.loop(f"for {i} in range({count.text}):"):
                self.store(self.loaded(self.item_at(part, i)), self.item_at(place, n))
                self.text.line(f"{n} += 1")

        self.run(stream, add)
        self.text.line(f"{place.cell()} = {n}")
        return place._replace(is_stable=True, is_fresh=True)
