"""Numbers of states: their fields as the digits of a number of mixed radix."""

from __future__ import annotations

import ast
import math

from searchkit.errors import ProblemError
from searchkit.fields.layout import Layout, Slot

MOST_RANKS = 1 << 62


def ranks_of(layout: Layout, name: str) -> int:
    """How many states there are, reachable or not; `ProblemError` for too many to be numbered."""
    slots = layout.slots.values()
    count: int = math.prod(each.field.values**each.field.length for each in slots)
    if count > MOST_RANKS:
        raise ProblemError(
            f"{name}: ranked is true, but its fields have some 2**{count.bit_length() - 1} states"
        )
    return count


def rank_kernels(layout: Layout) -> tuple[ast.FunctionDef, ast.FunctionDef]:
    """The kernels `rank` and `unrank`. They take O(numbers), or O(fields) for powers of two."""
    parts = [(slot, part) for slot in layout.slots.values() for part in range(slot.words)]
    several = layout.words > 1
    rank, unrank = ["index = 0"], [f"word{i} = 0" for i in range(layout.words)]
    for slot, part in parts:
        word = f"state[{slot.word + part}]" if several else "state"
        rank += _digits_in(slot, part, word)
    for slot, part in reversed(parts):
        unrank += _digits_out(slot, part, f"word{slot.word + part}")
    rank.append("return index")
    words = ", ".join(f"word{i}" for i in range(layout.words))
    unrank.append(f"return ({words})" if several else "return word0")
    return written("rank(self, state)", *rank), written("unrank(self, index)", *unrank)


def _size(slot: Slot, part: int) -> tuple[int, int, bool]:
    """How many numbers a part of a field has, its bits, and whether all their values are used."""
    count = min(slot.per, slot.field.length - part * slot.per)
    return count, slot.field.bits, slot.field.values == 1 << slot.field.bits


def _digits_in(slot: Slot, part: int, word: str) -> list[str]:
    count, bits, whole = _size(slot, part)
    if whole:
        digits = f"{word} >> {slot.shift} & {(1 << bits * count) - 1}"
        return [f"index = index << {bits * count} | {digits}"]
    digit = f"({word} >> {slot.shift} + {bits} * i & {slot.mask})"
    return [f"for i in range({count}):", f"    index = index * {slot.field.values} + {digit}"]


def _digits_out(slot: Slot, part: int, word: str) -> list[str]:
    count, bits, whole = _size(slot, part)
    if whole:
        return [
            f"{word} |= (index & {(1 << bits * count) - 1}) << {slot.shift}",
            f"index = index >> {bits * count}",
        ]
    last = slot.shift + bits * (count - 1)
    return [
        f"for i in range({count}):",
        f"    {word} |= index % {slot.field.values} << {last} - {bits} * i",
        f"    index = index // {slot.field.values}",
    ]


def written(head: str, *lines: str) -> ast.FunctionDef:
    """The function of these lines."""
    made = ast.parse("\n    ".join([f"def {head}:", *lines])).body[0]
    assert isinstance(made, ast.FunctionDef)
    return made
