"""Dicts that have a value for every key: `collections.Counter` and `collections.defaultdict`."""

from __future__ import annotations

import ast
import functools
from collections import Counter, defaultdict
from typing import Any

from searchkit.translation.builders import MOST_ITEMS
from searchkit.translation.dicts import Dicts, is_changed_later
from searchkit.translation.loops import Body
from searchkit.translation.methods import Bound
from searchkit.translation.types import Int
from searchkit.translation.values import SMALL, Items, Known, Place, Round, Scalar, Stream, Value

NONE, ZERO = Known(None), Known(0)
_PLAIN = (int, bool, str, float, tuple, frozenset, type(None))
_kinds: dict[Any, type] = {}
_COMPARED: dict[str, type[ast.cmpop]] = {"==": ast.Eq, "<=": ast.LtE, ">=": ast.GtE}


class Counting(Counter[Any]):
    """What counters are in the types of values."""


class Defaulting(defaultdict[Any, Any]):
    """What other dicts with defaults are: a class for each way to make one."""

    maker: Any = None
    """`list` or `set`, or None for one that is known."""
    known: Any = None


def _kind_for(maker: Any, known: Any) -> type:
    key = maker, known.__class__, known
    if key not in _kinds:
        _kinds[key] = type("defaultdict", (Defaulting,), {"maker": maker, "known": known})
    return _kinds[key]


class Counters(Dicts):
    """What can be done with dicts that have a value for every key."""

    # Made

    def _call_Counter(self, *args: Value, **named: Value) -> Value:  # noqa: N802
        parts = self.with_named(args, named)
        known = [each.value for each in parts if isinstance(each, Known)]
        if len(known) == len(parts) and not is_changed_later(self.scope.definition, self.node):
            return self.asked(Counter, *known)
        made = self.empty_dict(Counting)
        for each in parts:
            made = self._with_counts(made, each)
        return made

    def _with_counts(self, before: Place, other: Value) -> Place:
        """A new counter with the counts of one, and those of another or of what is gone through."""
        stream = self._counts_of(other)
        first = self.pairs_of(before)
        found: list[Any] = [self._keys(before).type.item]
        with self.text.aside():
            self.run(stream, lambda pair, _: found.append(self.type_of(self._pair(pair)[0])))
        key = functools.reduce(self.joined, found)
        most = max(1, min(self.most_of(first) + self.most_of(stream), MOST_ITEMS))
        made = self.empty_dict(Counting, key, Int(), most)
        if not self.text.is_aside:
            self._count_all(made, first)
            self._count_all(made, stream)
        return made

    def _count_all(self, owner: Place, pairs: Stream, sign: int = 1) -> None:
        """Add to the counts of keys, or take away from them."""

        def add(pair: Value, _: Round) -> None:
            key, count = self._pair(pair)
            self._count(owner, key, count if sign > 0 else self.negative(count))

        self.run(pairs, add)

    def _counts_of(self, value: Value) -> Stream:
        """Pairs of what is counted, and how often it counts."""
        if self.is_any_dict(value):
            return self.pairs_of(value)
        return self.mapped(lambda each: Items((each, Known(1))), self.ordered_stream(value))

    def _count(self, owner: Place, key: Value, count: Value) -> None:
        """Add to the count of a key."""
        place = (self.place_with if owner.root is not None else self._place_with)(owner, key, ZERO)
        total = self.number(self.binary(ast.Add(), self.loaded(place), count), "counts by")
        self.store(self.reduced(total), place)

    def _call_defaultdict(self, *args: Value, **named: Value) -> Value:
        if named or len(args) > 2:
            raise self.refuse("makes a defaultdict of names", "write {...}")
        make = args[0] if args else NONE
        maker = make.value if isinstance(make, Known) else make
        if maker is None:
            kind: type = dict
        elif maker in (list, set):
            kind = _kind_for(maker, None)
        else:
            known: Any = self.call(make, [], {})
            if not isinstance(known, Known) or not isinstance(known.value, _PLAIN):
                raise self.refuse(
                    "makes a defaultdict of values that are not plain",
                    "use defaultdict(int), defaultdict(list), or dict.setdefault",
                )
            kind = _kind_for(None, known.value)
        if len(args) < 2:
            return self.empty_dict(kind)
        return self.joined_dicts([*args[1:]], kind)

    # Looked up

    def _default_of(self, kind: type) -> Value | None:
        """What a missing key stands for; None if that is an error."""
        if issubclass(kind, Counting):
            return ZERO
        if not issubclass(kind, Defaulting):
            return None
        return Known(kind.known) if kind.maker is None else Items((), kind.maker)

    def indexed(self, value: Value, index: Value) -> Value:
        """`value[index]`."""
        if isinstance(value, Known) and isinstance(value.value, (Counter, defaultdict)):
            made = self._default_of_known(value.value)
            if made is not None:
                return self.value_or(value, index, made)
        elif self.is_counter(value):
            return self.value_or(value, index, ZERO)
        return super().indexed(value, index)

    @staticmethod
    def _default_of_known(known: Any) -> Value | None:
        if isinstance(known, Counter):
            return ZERO
        made = None if known.default_factory is None else known.default_factory()
        # What Python adds to it is left out: it would be the same however often it is asked.
        return Known(made) if made is not None and isinstance(made, _PLAIN) else None

    def place_of_value(self, owner: Place, key: Value) -> Place | Known:
        """Where the value of a key is: put there if it was missing."""
        default = self._default_of(owner.type.kind)
        if default is None:
            return super().place_of_value(owner, key)
        return self.place_with(owner, key, default)

    # Methods

    def method(self, owner: Value, name: str) -> Any:
        """A method of a list, tuple, text, set or dict; None for all else."""
        if self.is_counter(owner):
            run = {
                "elements": self._elements,
                "most_common": self._most_common,
                "total": lambda own: self._call_sum(self._counts(own)),
                "update": lambda own, *args, **named: self._add(own, args, named, 1),
                "subtract": lambda own, *args, **named: self._add(own, args, named, -1),
                "copy": lambda own: self._with_counts(self.empty_dict(Counting), own),
            }.get(name)
            if run and not (isinstance(owner, Known) and name in ("update", "subtract")):
                return Bound(owner, run)
        return super().method(owner, name)

    def _counts(self, owner: Value) -> Stream:
        return self.mapped(lambda pair: self._pair(pair)[1], self.pairs_of(owner))

    def _elements(self, owner: Value) -> Value:
        pairs = self.pairs_of(owner)

        def each(body: Body) -> None:
            with self.text.once() as out:

                def times(pair: Value, _: Round) -> None:
                    key, count = self._pair(pair)
                    number = self.kept(self.number(count, "counts by"))
                    i = self.text.name("i")
                    with self.text.loop(f"for {i} in range({number.text}):") as loop:
                        body(key, Round((out, "break"), (loop, "continue")))

                self.run(pairs, times)

        return Stream(each=each, most=MOST_ITEMS + 1)

    def _most_common(self, owner: Value, count: Value = NONE) -> Value:
        last = lambda pair: self._pair(pair)[1]  # noqa: E731
        row = self.made_row(self.pairs_of(owner), list)
        ordered = self.sorted_row(row, last, down=True)
        if isinstance(count, Known) and count.value is None:
            return ordered
        most = self.smallest([self.number(count, "takes"), Known(0)], "max")
        return self.in_memory(self.sliced(ordered, (NONE, most, NONE)))

    def _add(
        self, owner: Place, args: tuple[Value, ...], named: dict[str, Value], sign: int
    ) -> Value:
        for other in self.with_named(args, named):
            self.check_other(owner, other, "adds a counter to itself", "copy it first")
            self._count_all(owner, self._counts_of(other), sign)
        return NONE

    # Operators

    def is_counter(self, value: Value) -> bool:
        """Whether a value is a counter, in memory or of the author's."""
        if isinstance(value, Known):
            return isinstance(value.value, Counter)
        return self.is_dict(value) and value.type.kind is Counting  # type: ignore[union-attr]

    def combined(self, op: ast.operator, left: Value, right: Value) -> Value:
        """A binary operator: `+`, `-`, `|` and `&` of counters keep what counts above 0."""
        if isinstance(left, Known) and isinstance(right, Known):
            return super().combined(op, left, right)
        if not (self.is_counter(left) and self.is_counter(right)):
            return super().combined(op, left, right)
        if not isinstance(op, (ast.Add, ast.Sub, ast.BitOr, ast.BitAnd)):
            return self.always_raises(TypeError())
        own, other = (self._with_counts(self.empty_dict(Counting), each) for each in (left, right))
        key = self.joined(self._keys(own).type.item, self._keys(other).type.item)
        most = max(1, self._keys(own).type.most + self._keys(other).type.most)
        made = self.empty_dict(Counting, key, Int(), most)

        def keep(pair: Value, _: Round) -> None:
            one, count = self._pair(pair)
            second = self.value_or(other, one, ZERO)
            self._keep(made, one, self._counted(op, count, second))

        def keep_other(pair: Value, _: Round) -> None:
            one, count = self._pair(pair)
            there = self.contains(own, one)
            with self.text.block(f"if not {there.text}:"):
                self._keep(made, one, self._counted(op, ZERO, count))

        self.run(self.pairs_of(own), keep)
        if not isinstance(op, ast.BitAnd):
            self.run(self.pairs_of(other), keep_other)
        return made

    def _counted(self, op: ast.operator, one: Value, other: Value) -> Value:
        if isinstance(op, (ast.BitOr, ast.BitAnd)):
            return self.smallest([one, other], "max" if isinstance(op, ast.BitOr) else "min")
        return self.binary(op, one, other)

    def _keep(self, made: Place, key: Value, count: Value) -> None:
        number = self.kept(self.within(self.number(count, "counts by"), 1 - SMALL, SMALL - 1))
        with self.text.block(f"if {number.text} > 0:"):
            self._put_pair(made, key, number)

    def equal(self, left: Value, right: Value) -> Scalar:
        """Whether two values are equal: a counter has 0 of what it does not have."""
        if not (self.is_counter(left) and self.is_counter(right)) or (
            isinstance(left, Known) and isinstance(right, Known)
        ):
            return super().equal(left, right)
        return self._all_counts("==", left, right)

    def ordered(self, sign: str, left: Value, right: Value) -> Scalar:
        """`<`, `<=`, `>` and `>=`; of counters, whether each count is."""
        if not (self.is_counter(left) and self.is_counter(right)):
            return super().ordered(sign, left, right)
        found = self._all_counts(f"{sign[0]}=", left, right)
        if len(sign) == 2:
            return found
        same = self._all_counts("==", left, right)
        return self.both(found, self.negated(same))

    def _all_counts(self, sign: str, left: Value, right: Value) -> Scalar:
        """Whether the count of each thing in one is so to that in the other."""

        def all_of(one: Value, other: Value, sign: str) -> Scalar:
            def holds(pair: Value) -> Value:
                key, count = self._pair(pair)
                second = self.value_or(other, key, ZERO)
                return self.compared(_COMPARED[sign](), count, second)

            return self.any_or_all(self.mapped(holds, self.pairs_of(one)), is_any=False)

        turned = sign.translate(str.maketrans("<>", "><"))
        return self.both(all_of(left, right, sign), all_of(right, left, turned))
