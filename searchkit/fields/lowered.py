"""Fields in the text of a kernel, `W[3 + i]`, as shifts and masks of the words of its state.

The translator of plain rules takes fields for cells. What it says of them becomes here what machine
code does: `W` has the numbers of all fields in a row, sets by their words, `V` the words.
"""

from __future__ import annotations

import ast
from itertools import accumulate
from typing import Any

import attrs

from searchkit.bits import WORD_BITS
from searchkit.fields.declared import Field, Int, Set
from searchkit.fields.layout import Layout, Slot
from searchkit.kernel_language.constants import constant, number_of
from searchkit.kernel_language.marks import SAID, Range, either, ranged
from searchkit.kernel_language.trees import Tree, copied, put_for_names
from searchkit.problem import derived

FIELDS, WORDS = "W", "V"
STATE = "state"
ASKED = "searchkit_asked"
"""The state that a kernel which changes it was given."""
LINE = "searchkit_line"
WITHIN, CHANGED = "searchkit_within", "searchkit_changed"
_BY_SIGN: dict[str, type[ast.operator]] = {
    "+": ast.Add,
    "-": ast.Sub,
    "^": ast.BitXor,
    "|": ast.BitOr,
}


def cells_of(slot: Slot) -> int:
    """How many cells a field has: numbers, or words of a set."""
    return slot.words if isinstance(slot.field, Set) else slot.field.length


def firsts_of(layout: Layout) -> dict[int, Slot]:
    """The fields, by their first cells."""
    slots = layout.slots.values()
    return dict(zip(accumulate(map(cells_of, slots), initial=0), slots, strict=False))


def made(text: str, **parts: Any) -> Any:
    """The expression of a text in which names stand for parts."""
    found = ast.parse(text, mode="eval").body
    return put_for_names(found, {name: copied(each) for name, each in parts.items()})


def outside(mask: int) -> int:
    """The bits of a word that are not in a mask: a number below 0 where a word has it."""
    return ~mask if mask < 1 << WORD_BITS - 1 else ~mask & (1 << WORD_BITS) - 1


@attrs.define
class Lowered(ast.NodeTransformer):
    """Puts words for fields in one kernel."""

    layout: Layout
    places: dict[str, tuple[str, str]]
    """Words and shifts, by names that stand for indices which the move decides."""
    shown: str
    """The name of the state that errors show."""
    names: int = 0
    _firsts: dict[int, Slot] = derived(lambda self: firsts_of(self.layout))

    # Where

    def _place(self, index: ast.expr) -> tuple[Slot, Any, ast.expr]:
        """The field of a cell, its word (a number, or an expression) and its shift."""
        base: Any = None
        at = 0
        match index:
            case ast.Constant(int() as at):
                pass
            case ast.BinOp(base, ast.Add(), ast.Constant(int() as at)):
                pass
            case ast.BinOp(ast.Constant(int() as at), ast.Add(), base):
                pass
            case _:
                base = index
        first = max(each for each in self._firsts if each <= at)
        slot = self._firsts[first]
        at -= first
        if base is None:
            if isinstance(slot.field, Set):
                return slot, slot.word + at, constant(slot.shift, index)
            word, shift = slot.place(at)
            return slot, word, constant(shift, index)
        if isinstance(base, ast.Name) and base.id in self.places:
            word, shift = (made(each) for each in self.places[base.id])
            number = number_of(word)
            return slot, word if number is None else number, shift
        base = self.visit(base)
        if at:  # from an item on
            base = made("i + n", i=base, n=constant(at, index))
        if isinstance(slot.field, Set):
            return slot, made("w + n", w=base, n=constant(slot.word, index)), constant(0, index)
        word, bits = slot.word, slot.field.bits
        if slot.is_wide:
            even = slot.per & (slot.per - 1) == 0
            by, of = ("i >> n", "i & n") if even else ("i // n", "i % n")
            count = slot.per.bit_length() - 1 if even else slot.per
            word = made(by, i=base, n=constant(count, index))
            if slot.word:
                word = made("w + n", w=word, n=constant(slot.word, index))
            base = made(of, i=base, n=constant(slot.per - 1 if even else slot.per, index))
        if bits > 1:
            base = made("i * n", i=base, n=constant(bits, index))
        if slot.shift:
            base = made("i + n", i=base, n=constant(slot.shift, index))
        return slot, word, base

    def word(self, word: Any) -> ast.expr:
        """A word of the state."""
        if self.layout.words == 1:
            return ast.Name(STATE, ast.Load())
        index = ast.Constant(word) if isinstance(word, int) else copied(word)
        return ast.Subscript(ast.Name(STATE, ast.Load()), index, ast.Load())

    def is_alone(self, slot: Slot) -> bool:
        """Whether no other field is in the words of a field."""
        words = range(slot.word, slot.word + slot.words)
        return all(
            other is slot or not {*range(other.word, other.word + other.words)} & {*words}
            for other in self._firsts.values()
        )

    def _mask(self, slot: Slot, word: Any) -> int:
        if isinstance(slot.field, Set):
            part = word - slot.word if isinstance(word, int) else 0
            return slot.whole(part) >> slot.shift
        return slot.mask

    # Reads

    def _read(self, slot: Slot, word: Any, shift: ast.expr) -> Any:
        if isinstance(slot.field, Set) and self.is_alone(slot):
            return self.word(word)
        text = "w & m" if number_of(shift) == 0 else "w >> k & m"
        mask = ast.Constant(self._mask(slot, word))
        found = made(text, w=self.word(word), k=shift, m=mask)
        if slot.field.low and not isinstance(slot.field, Set):
            found = made("x + n", x=found, n=constant(slot.field.low, found))
        return found

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        """A number of a field, or a word."""
        name = node.value.id if isinstance(node.value, ast.Name) else ""
        if name == FIELDS:
            return self._read(*self._place(node.slice))
        if name == WORDS:
            index = self.visit(node.slice)
            number = number_of(index)
            return self.word(index if number is None else number)
        return self.generic_visit(node)

    # Writes

    def _whole(self, word: Any, value: ast.expr) -> ast.expr:
        """The state with another word."""
        count = self.layout.words
        if count == 1:
            return value
        if isinstance(word, int):
            words = [value if i == word else self.word(i) for i in range(count)]
        else:
            words = [
                made("a if i == n else b", a=value, i=word, n=ast.Constant(i), b=self.word(i))
                for i in range(count)
            ]
        return ast.Tuple(words, ast.Load())

    def _put(self, word: Any, value: ast.expr) -> ast.stmt:
        return ast.Assign([ast.Name(STATE, ast.Store())], self._whole(word, value))

    def _with(self, slot: Slot, word: Any, shift: ast.expr, value: ast.expr) -> Any:
        """The word in which a number, or set, is another."""
        if isinstance(slot.field, Set) and self.is_alone(slot):
            return value
        if slot.field.low and not isinstance(slot.field, Set):
            value = made("v - n", v=value, n=ast.Constant(slot.field.low))
        place, mask = number_of(shift), self._mask(slot, word)
        if place is not None:
            left = made("w & n", w=self.word(word), n=ast.Constant(outside(mask << place)))
        else:
            left = made("w & ~(m << k)", w=self.word(word), k=shift, m=ast.Constant(mask))
        return made("c | v" if place == 0 else "c | v << k", c=left, v=value, k=shift)

    def _kept(self, value: Any, before: list[ast.stmt]) -> Any:
        """A value that is used more than once: it gets a name unless it is simple."""
        plain = value
        while isinstance(plain, (ast.Subscript, ast.Attribute)):
            plain = plain.value
        if isinstance(value, int) or isinstance(plain, (ast.Name, ast.Constant)):
            return value
        self.names += 1
        name = f"searchkit_{self.names}"
        before.append(ast.Assign([ast.Name(name, ast.Store())], value))
        return ast.Name(name, ast.Load())

    def visit_Assign(self, node: ast.Assign) -> Any:
        """A number of a field, or a word, becomes another."""
        (target,) = node.targets
        name = getattr(target.value, "id", "") if isinstance(target, ast.Subscript) else ""
        if name not in (FIELDS, WORDS):
            return self.generic_visit(node)
        assert isinstance(target, ast.Subscript)
        plain, value = copied(node), self.visit(node.value)
        if name == WORDS:
            number = number_of(target.slice)
            return self._put(self.visit(target.slice) if number is None else number, value)
        before: list[ast.stmt] = []
        slot, word, shift = self._place(target.slice)
        word, shift = self._kept(word, before), self._kept(shift, before)
        changed = self._set_changed(slot, plain, word, shift)
        if changed is not None:
            return self._put(word, changed)
        return [*before, self._put(word, self._with(slot, word, shift, value))]

    def _set_changed(self, slot: Slot, node: Any, word: Any, shift: ast.expr) -> ast.expr | None:
        """The word of a set that is changed by another, where neither has other bits."""
        if not isinstance(slot.field, Set) or self.is_alone(slot):
            return None
        own, places = ast.dump(node.targets[0].slice), number_of(shift)
        match node.value:
            case ast.BinOp(ast.Subscript(ast.Name("W"), at), op, by) if ast.dump(at) == own:
                pass
            case _:
                return None
        match op, by:
            case ast.BitAnd(), ast.UnaryOp(ast.Invert(), operand):
                text, value = "w & ~(v << k)", operand
            case ast.BitOr() | ast.BitXor(), _:
                text, value = "w | v << k" if isinstance(op, ast.BitOr) else "w ^ v << k", by
            case _:
                return None
        text = text if places else text.replace("v << k", "v")
        return made(text, w=self.word(word), v=self.visit(copied(value)), k=shift)  # type: ignore[no-any-return]

    def visit_Expr(self, node: ast.Expr) -> Any:
        """What changes the state otherwise."""
        call: Any = node.value
        name = getattr(call.func, "id", "") if isinstance(call, ast.Call) else ""
        if name == CHANGED:
            return self._changed(*call.args)
        return self.generic_visit(node)

    def _changed(
        self, target: Any, sign: Any, value: ast.expr, full: ast.expr, amount: ast.expr
    ) -> list[ast.stmt]:
        """A number is added to a field, which needs not be cleared for that.

        `full` is the new number, and `amount` what is added at its place, if that is known.
        """
        before: list[ast.stmt] = []
        slot, word, shift = self._place(target.slice)
        word, shift = self._kept(word, before), self._kept(shift, before)
        value, full = self.visit(value), self.visit(full)
        if not isinstance(amount, ast.Constant) or amount.value is not None:
            moved = self.visit(amount)
        else:
            moved = value if number_of(shift) == 0 else made("v << k", v=value, k=shift)
        fast = ast.BinOp(self.word(word), _BY_SIGN[sign.value](), moved)
        slow = self._with(slot, word, shift, copied(full))
        new = either(self._whole(word, fast), self._whole(word, slow), full)
        return [*before, ast.Assign([ast.Name(STATE, ast.Store())], new)]

    def visit_Assert(self, node: ast.Assert) -> Any:
        """What an author's assertion says is shown by Python alone."""
        if node.msg is not None:
            setattr(node, SAID, node.msg)
            node.msg = None
        return self.generic_visit(node)

    def visit_Call(self, node: ast.Call) -> Any:
        """A number that is compared with bounds."""
        self.generic_visit(node)
        if getattr(node.func, "id", "") != WITHIN:
            return node
        value, what, low, high, line = node.args
        bounds = Range(what.value, ast.literal_eval(low), ast.literal_eval(high) + 1, self.shown)  # type: ignore[attr-defined]
        found = ranged(value, bounds)
        setattr(found, LINE, line.value)  # type: ignore[attr-defined]
        return found


def reads_of(layout: Layout) -> dict[str, Field]:
    """The fields that are one number from 0 on, by the texts of what reads them."""
    lowered = Lowered(layout, {}, STATE)
    return {
        ast.unparse(lowered.visit(made(f"{FIELDS}[{first}]"))): slot.field
        for first, slot in firsts_of(layout).items()
        if isinstance(slot.field, Int) and slot.field.low == 0
    }


def placed(tree: Tree, line: int) -> Tree:
    """The tree, whose nodes have the line of what was made for them; else the first."""
    for each in ast.walk(tree):
        if "lineno" in each._attributes:
            found = getattr(each, LINE, line)
            each.lineno = each.end_lineno = found  # type: ignore[attr-defined]
            each.col_offset = each.end_col_offset = 0  # type: ignore[attr-defined]
    return tree


def moved_to(tree: Tree, node: ast.AST) -> Tree:
    """The tree, in which all nodes now have the place in the text that `node` has."""
    for each in ast.walk(tree):
        if "lineno" in each._attributes:
            ast.copy_location(each, node)
    return tree


def names_of(node: ast.AST, *, stored: bool = False) -> list[str]:
    """The names that a node uses, or only those that it assigns to, each as often as it does."""
    names = (each for each in ast.walk(node) if isinstance(each, ast.Name))
    return [each.id for each in names if not stored or isinstance(each.ctx, ast.Store)]
