"""Sets in rules, as the bits of words: joined, compared, and asked for members."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import attrs

from searchkit.errors import CompilationError
from searchkit.fields.declared import Set
from searchkit.fields.expressions import Expressions, Row
from searchkit.fields.layout import Slot
from searchkit.fields.tables import LISTS, MOST_MASK, Instance, NotListedError, Static
from searchkit.kernel_language.constants import constant, number_of
from searchkit.kernel_language.copies import copied

_SET_SIGNS = (ast.BitOr, ast.BitAnd, ast.Sub, ast.BitXor)


@attrs.define
class Sets(Expressions):
    """Expressions that are sets."""

    def is_set(self, node: ast.expr) -> bool:
        """Whether an expression is a set that a state decides."""
        found = self.field(node) if isinstance(node, ast.Attribute) else None
        if found is not None:
            return isinstance(found[0].field, Set)
        if isinstance(node, ast.BinOp) and isinstance(node.op, _SET_SIGNS):
            return self.is_set(node.left) or self.is_set(node.right)
        return False

    def set_slot(self, node: ast.expr) -> Slot:
        """The first field of sets in an expression."""
        for each in ast.walk(node):
            if isinstance(each, ast.Attribute):
                found = self.field(each)
                if found is not None and isinstance(found[0].field, Set):
                    return found[0]
        raise self.error(node, "uses a set without a field that is one")

    def bits(self, node: ast.expr, like: Slot) -> list[tuple[ast.expr, bool]]:
        """The words of a set where those of the field `like` are.

        Each with whether all bits outside of that field are 0.
        """
        if isinstance(node, ast.Attribute) and (found := self.field(node)) is not None:
            slot, _ = found
            if not isinstance(slot.field, Set):
                raise self.wrong(node, f"{slot.name} is not a Set")
            if slot is not like and (slot.words, slot.field.length > like.field.length) != (
                like.words,
                False,
            ):
                raise self.error(node, f"{slot.name} is larger than {like.name}")
            return [self._part(slot, like, part, node) for part in range(slot.words)]
        if isinstance(node, ast.BinOp) and isinstance(node.op, _SET_SIGNS) and self.is_set(node):
            pairs = zip(self.bits(node.left, like), self.bits(node.right, like), strict=True)
            return [self._joined(node, *pair) for pair in pairs]
        static = self.static(node)
        if static is not None and self.tables.sort(static) == LISTS:
            return self._static_bits(node, static, like)
        row = self.row(node, sure=not _shows_filler(like))
        if row is not None:
            return [(each, True) for each in self._row_bits(row, like, node, is_sum=False)]
        if isinstance(node, (ast.Set, ast.Tuple, ast.List)):
            members = [self.bit(like, each, each) for each in node.elts]
            return [(self._together(members, like.word + i, node), True) for i in range(like.words)]
        raise self.error(
            node,
            f"joins {like.name} with {ast.unparse(node):.40}, which is not a set of self, of "
            "fields or of members that are listed; add or remove members in a loop",
        )

    def _together(self, members: list[tuple[Any, ast.expr]], word: int, node: ast.AST) -> ast.expr:
        """Those of some bits that are in a word, as a mask."""
        whole: ast.expr | None = None
        for of, bit in members:
            one = bit
            if not isinstance(of, int):
                one = self.made("b if i == n else 0", node, b=bit, i=of, n=constant(word, node))
            elif of != word:
                continue
            whole = one if whole is None else self.made("a | b", node, a=whole, b=one)
        return constant(0, node) if whole is None else whole

    def _part(self, slot: Slot, like: Slot, part: int, node: ast.AST) -> tuple[ast.expr, bool]:
        word = self.word(slot.word + part, node)
        places = like.shift - slot.shift
        if places == 0:
            return word, self.layout.words > 0 and self._is_alone(slot)
        mask = constant(slot.whole(part), node)
        text = "(w & m) << n" if places > 0 else "(w & m) >> n"
        if places < 0:
            mask = constant(slot.whole(part) >> -places, node)
            text = "w >> n & m"
        return self.made(text, node, w=word, m=mask, n=constant(abs(places), node)), True

    def _is_alone(self, slot: Slot) -> bool:
        """Whether no other field is in the words of a field."""
        words = range(slot.word, slot.word + slot.words)
        return all(
            other is slot or not {*range(other.word, other.word + other.words)} & {*words}
            for other in self.layout.slots.values()
        )

    def _joined(
        self, node: ast.BinOp, left: tuple[ast.expr, bool], right: tuple[ast.expr, bool]
    ) -> tuple[ast.expr, bool]:
        if isinstance(node.op, ast.Sub):
            return self.made("a & ~b", node, a=left[0], b=right[0]), left[1]
        exact = left[1] or right[1] if isinstance(node.op, ast.BitAnd) else left[1] and right[1]
        joined = ast.BinOp(left[0], node.op, right[0])
        return ast.copy_location(joined, node), exact

    def _static_bits(
        self, node: ast.expr, static: Static, like: Slot, *, is_sum: bool = False
    ) -> list[tuple[ast.expr, bool]]:
        try:
            depth = self.tables.lists(static, "").depth
        except NotListedError as error:
            raise self.error(node, f"uses a set of {error}") from None
        if depth > 1 + static.by_move:
            raise self.error(node, "is a list of lists, not of numbers")
        self._check_members(static, like, node)
        found = []
        for part in range(like.words):
            masks = partial(_masks, static, like.shift, part, is_sum)
            key = self.made("x", node, x=node)
            kind = "mask", like.name, part, is_sum
            found.append((self.looked_up(key, static, masks, kind), True))
        return found

    def _check_members(self, static: Static, like: Slot, node: ast.expr) -> None:
        length = like.field.length

        def beyond(instance: Instance) -> int | None:
            numbers = static.nested(instance).numbers()
            return next((each for each in numbers if not 0 <= each < length), None)

        wrong = self.tables.ask(beyond)
        if wrong is not None:
            raise self.error(
                node,
                f"uses a list with {wrong}; {like.name} holds numbers from 0 to {length - 1}",
            )

    def _row_bits(self, row: Row, like: Slot, node: ast.expr, *, is_sum: bool) -> list[ast.expr]:
        if row.nested.depth != row.level + 1:
            raise self.error(node, "is a list of lists, not of numbers")
        self._check_members(row.nested.static, like, node)
        found = []
        for part in range(like.words):
            name = self.tables.masks(row.nested, like.shift, part, is_sum=is_sum)
            mask = self.table(name, node)
            for index in row.index:
                mask = self.item(mask, copied(index))
            found.append(self.there(row, mask, like.whole(part)))
        return found

    def sum_of_bits(self, node: ast.expr, like: Slot) -> list[ast.expr] | None:
        """The bits of the numbers of a list, added up (exclusive or); None for what is no list."""
        static = self.static(node)
        try:
            if static is not None and self.tables.sort(static) == LISTS:
                found = self._static_bits(node, static, like, is_sum=True)
                return [each for each, _ in found]
            row = self.row(node, sure=not _shows_filler(like))
            return None if row is None else self._row_bits(row, like, node, is_sum=True)
        except CompilationError:
            return None

    def bit(self, slot: Slot, member: ast.expr, node: ast.AST) -> tuple[Any, ast.expr]:
        """The word of a member of a set, and its bit."""
        word, shift = self.place(slot, member, node)
        static = self.static(member)
        value = number_of(shift)
        if value is not None:
            return word, constant(1 << value, node)
        if static is not None and self.are_items(static, slot):
            key = self.made("1 << x", member, x=member)
            return word, self.looked_up(key, static, _ones(static, slot), ("bit", slot.name))
        return word, self.made("1 << k", node, k=shift)

    def exact(self, node: ast.expr, like: Slot) -> list[ast.expr]:
        """The words of a set with no bits but its own."""
        return [
            word
            if is_exact
            else self.made("w & m", node, w=word, m=constant(like.whole(part), node))
            for part, (word, is_exact) in enumerate(self.bits(node, like))
        ]

    def all_of(self, tests: Sequence[ast.expr], node: ast.AST, *, some: bool = False) -> ast.expr:
        """Whether all tests hold, or some of them."""
        if len(tests) == 1:
            return tests[0]
        joined = ast.BoolOp(ast.Or() if some else ast.And(), list(tests))
        return self.placed(joined, node)

    def compared_sets(self, node: ast.expr, op: ast.cmpop, left: Any, right: Any) -> ast.expr:
        """The comparison of two sets."""
        like = self.set_slot(left if self.is_set(left) else right)
        if isinstance(op, (ast.GtE, ast.Gt)):
            turned: ast.cmpop = ast.LtE() if isinstance(op, ast.GtE) else ast.Lt()
            return self.compared_sets(node, turned, right, left)
        first = self.exact(left, like)
        second = [each for each, _ in self.bits(right, like)]
        if isinstance(op, (ast.Eq, ast.NotEq)):
            second = self.exact(right, like)
            text, some = ("a == b", False) if isinstance(op, ast.Eq) else ("a != b", True)
        elif isinstance(op, ast.LtE):
            text, some = "a & ~b == 0", False
        else:
            raise self.error(node, "compares sets by <; use <= and !=")
        tests = [self.made(text, node, a=a, b=b) for a, b in zip(first, second, strict=True)]
        return self.all_of(tests, node, some=some)

    def any_bit(self, node: ast.expr, *, negated: bool = False) -> ast.expr:
        """Whether a set has members, or none."""
        like = self.set_slot(node)
        text = "w == 0" if negated else "w != 0"
        tests = [self.made(text, node, w=word) for word in self.exact(node, like)]
        return self.all_of(tests, node, some=not negated)


def _shows_filler(like: Slot) -> bool:
    """Whether the words of a set are told from what fills up tables of them."""
    return all(like.whole(part) < MOST_MASK for part in range(like.words))


def _masks(static: Static, shift: int, word: int, is_sum: bool, instance: Instance) -> list[int]:
    """The words of the sets that an expression gives."""
    masks = static.nested(instance).masks(shift, word, is_sum=is_sum)
    return list(masks) if static.by_move else [masks]


def _ones(static: Static, slot: Slot) -> Callable[[Instance], list[int]]:
    """The bits of the members of a field that an expression gives."""
    return lambda instance: [1 << slot.place(each)[1] for each in static.numbers(instance)]
