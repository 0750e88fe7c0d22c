"""Stores to the fields of a state, which make a new state."""

from __future__ import annotations

import ast
from collections import Counter
from typing import Any

import attrs

from searchkit.bits import WORD_BITS
from searchkit.fields.bounds import Bounds, changed, combined, interval_of
from searchkit.fields.declared import Set
from searchkit.fields.layout import Slot
from searchkit.fields.numbers import Numbers
from searchkit.fields.tables import NUMBERS, Instance
from searchkit.kernel_language.constants import constant, number_of
from searchkit.kernel_language.copies import copied
from searchkit.kernel_language.marks import either

CHANGES = {
    "add": "w | b", "remove": "w & ~b", "discard": "w & ~b",
    "update": "w | b", "difference_update": "w & ~b", "symmetric_difference_update": "w ^ b",
    "intersection_update": "w & (b | r)",
}  # fmt: skip
JOINED = {
    ast.BitOr: "update", ast.Sub: "difference_update", ast.BitXor: "symmetric_difference_update",
    ast.BitAnd: "intersection_update",
}  # fmt: skip
OF_ONE = ("add", "remove", "discard")


@attrs.define
class Stores(Numbers):
    """What a function stores, and the names that it makes."""

    gives_value: bool = True
    """Whether it returns a value."""
    is_test: bool = False
    """Whether what it returns is true or false."""
    stored: Counter[str] = attrs.field(factory=Counter)
    """How often each name is assigned to."""
    made_names: int = 0
    """How many names were made, those of the function around a generator included: it may have
    been given them."""
    fixed: set[str] = attrs.field(factory=set)
    """Names that keep their value as long as what is bound to it has a name."""
    numbers: set[str] = attrs.field(factory=set)
    """Names that were given numbers."""

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        """What a statement becomes; see `searchkit.fields.statements`."""
        raise NotImplementedError

    def new_name(self) -> str:
        """A name that no author has."""
        self.made_names += 1
        name = f"searchkit_{self.made_names}"
        self.local.add(name)
        self.fixed.add(name)
        return name

    def _kept(self, value: ast.expr, node: ast.AST) -> tuple[list[ast.stmt], ast.expr]:
        """A value that is used more than once: it gets a name unless it is simple."""
        plain = value
        while isinstance(plain, (ast.Subscript, ast.Attribute)):
            plain = plain.value
        if isinstance(plain, (ast.Name, ast.Constant)):
            return [], value
        name = self.new_name()
        return [self._set(name, value, node)], self.named(name, node)

    def _kept_place(
        self, slot: Slot, index: ast.expr | None, node: ast.AST
    ) -> tuple[list[ast.stmt], Any, ast.expr]:
        """Where a number of a field is, by expressions that are used more than once."""
        word, shift = self.place(slot, index, node)
        before, shift = self._kept(shift, node)
        if not isinstance(word, int):
            more, word = self._kept(word, node)
            before += more
        return before, word, shift

    def _set(self, name: str, value: ast.expr, node: ast.AST) -> ast.stmt:
        return self.placed(ast.Assign([ast.Name(name, ast.Store())], value), node)

    # Stores

    def put_word(self, word: Any, value: ast.expr, node: ast.AST) -> ast.stmt:
        """The statement that gives the state another word."""
        assert self.state is not None
        count = self.layout.words
        if count == 1:
            return self._set(self.state, value, node)
        if isinstance(word, int):
            words = [value if i == word else self.word(i, node) for i in range(count)]
        else:
            words = [
                self.made("a if i == n else b", node, a=value, i=word, n=constant(i, node),
                          b=self.word(i, node))
                for i in range(count)
            ]  # fmt: skip
        return self._set(self.state, self.placed(ast.Tuple(words, ast.Load()), node), node)

    def store(
        self,
        slot: Slot,
        index: ast.expr | None,
        value: ast.expr,
        node: ast.AST,
        known: Bounds | None = None,
    ) -> list[ast.stmt]:
        """Give a number of a field a value, an expression of kernels of which bounds are known."""
        before, word, shift = self._kept_place(slot, index, node)
        value = self._fitting(slot, value, known)
        return [*before, self._stored(slot, word, shift, value, node)]

    def _stored(
        self, slot: Slot, word: Any, shift: ast.expr, value: ast.expr, node: ast.AST
    ) -> ast.stmt:
        if slot.field.low:
            value = self.made("v - n", node, v=value, n=constant(slot.field.low, node))
        place = number_of(shift)
        if place is not None:
            cleared = self.made("w & n", node, w=self.word(word, node),
                                n=constant(_outside(slot.mask << place), node))  # fmt: skip
        else:
            cleared = self.made("w & ~(m << k)", node, w=self.word(word, node), k=shift,
                                m=constant(slot.mask, node))  # fmt: skip
        text = "c | v" if place == 0 else "c | v << k"
        return self.put_word(word, self.made(text, node, c=cleared, v=value, k=shift), node)

    def _fitting(self, slot: Slot, value: ast.expr, known: Bounds | None) -> ast.expr:
        return self.within(value, slot.name, (slot.field.low, slot.field.below - 1), known)

    def _whole_store(self, slot: Slot, value: ast.expr, node: ast.AST) -> list[ast.stmt]:
        if not isinstance(slot.field, Set):
            raise self.error(node, f"assigns to all of {slot.name}; assign to its items")
        found = []
        for part, (bits, is_exact) in enumerate(self.bits(value, slot)):
            whole = slot.whole(part)
            if not is_exact:
                bits = self.made("b & m", node, b=bits, m=constant(whole, node))  # noqa: PLW2901
            if not self._is_alone(slot):
                word = self.word(slot.word + part, node)
                rest = constant(_outside(whole), node)
                bits = self.made("w & m | b", node, w=word, b=bits, m=rest)  # noqa: PLW2901
            found.append(self.put_word(slot.word + part, bits, node))
        return found

    def _changed(self, slot: Slot, index: ast.expr | None, node: ast.AugAssign) -> list[ast.stmt]:
        before, word, shift = self._kept_place(slot, index, node)
        own = slot.field.low, slot.field.below - 1
        old: Any = copied(node.target)
        old.ctx = ast.Load()
        known = interval_of(self, ast.BinOp(old, node.op, node.value)) if self.guards else None
        known = combined(
            lambda whole, by: whole or changed(own, node.op, by),
            known, interval_of(self, node.value),
        )  # fmt: skip
        value = self.number(node.value)
        more, value = self._kept(value, node)
        before += more
        read = self.loaded(slot, word, shift, node)
        whole = ast.copy_location(ast.BinOp(read, node.op, copied(value)), node)
        full = self._fitting(slot, whole, known)
        slow = self._stored(slot, word, copied(shift), copied(full), node)
        texts: dict[type[ast.operator], str] = {ast.Add: "w + (v << k)", ast.Sub: "w - (v << k)"}
        if slot.field.low == 0:
            texts |= {ast.BitXor: "w ^ v << k", ast.BitOr: "w | v << k"}
        text = texts.get(type(node.op))
        if text is None:
            return [*before, slow]
        if number_of(shift) == 0:
            text = text.replace("v << k", "v")
        amount = self._moved_amount(slot, index, node, text)
        if amount is not None:
            text, value = text.partition(" ")[0] + text[1:4] + "v", amount
        fast = self.made(text, node, w=self.word(word, node), v=copied(value), k=copied(shift))
        assert isinstance(slow, ast.Assign)
        new = slow.value
        if self.layout.words > 1:
            quick = self.put_word(word, fast, node)
            assert isinstance(quick, ast.Assign)
            fast = quick.value
        assert self.state is not None
        return [*before, self._set(self.state, either(fast, new, full), node)]

    def _moved_amount(
        self, slot: Slot, index: ast.expr | None, node: ast.AugAssign, text: str
    ) -> ast.expr | None:
        """What is added, at its place, where the move alone decides it."""
        value = self.static(node.value)
        place = None if index is None else self.static(index)
        if value is None or slot.is_wide or (index is not None and place is None):
            return None
        if not value.by_move and not (place is not None and place.by_move):
            return None
        if self.tables.sort(value) != NUMBERS or not (place is None or self.are_items(place, slot)):
            return None

        def amounts(instance: Instance) -> list[int]:
            numbers = value.numbers(instance)
            places = [0] if place is None else place.numbers(instance)
            count = max(len(numbers), len(places))
            numbers, places = numbers * (count // len(numbers)), places * (count // len(places))
            return [n << slot.place(p)[1] for n, p in zip(numbers, places, strict=True)]

        if self.tables.ask(lambda instance: any(abs(each) >> 63 for each in amounts(instance))):
            return None
        which = value if value.by_move else place
        assert which is not None
        key = self.made("x + y", node, x=node.value, y=index or constant(0, node))
        return self.looked_up(key, which, amounts, ("moved", value, place, slot.name))

    # Sets

    def change_set(
        self, slot: Slot, method: str, value: ast.expr, node: ast.AST, *, is_sum: bool = False
    ) -> list[ast.stmt]:
        """Change a field that is a set by another set, or by one member."""
        text = CHANGES[method]
        if method in OF_ONE:
            word, one = self.bit(slot, value, node)
            before: list[ast.stmt] = []
            if not isinstance(word, int):
                before, word = self._kept(word, node)
            made = self.made(text, node, w=self.word(word, node), b=one)
            return [*before, self.put_word(word, made, node)]
        masks = self.sum_of_bits(value, slot) if is_sum else self.exact(value, slot)
        assert masks is not None
        found = []
        for part, mask in enumerate(masks):
            word = self.word(slot.word + part, node)
            rest = constant(_outside(slot.whole(part)), node)
            made = self.made(text, node, w=word, b=mask, r=rest)
            found.append(self.put_word(slot.word + part, made, node))
        return found


def _outside(mask: int) -> int:
    """The bits of a word that are not in a mask: a number below 0 where a word has it."""
    return ~mask if mask < 1 << WORD_BITS - 1 else ~mask & (1 << WORD_BITS) - 1
