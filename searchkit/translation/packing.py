"""Kernels as text made for a layout, and the line at which one has left a state to Python."""

from __future__ import annotations

import ast
import re
import textwrap
from collections.abc import Callable
from traceback import walk_tb
from types import FrameType, FunctionType
from typing import Any

import numpy as np

from searchkit import bits
from searchkit.errors import Trapped
from searchkit.kernel_language import floats
from searchkit.kernel_language.definition import MADE_FROM
from searchkit.kernel_language.program import TEXT
from searchkit.translation.kernels import numbers, rows, texts
from searchkit.translation.layout import COLUMNS, WIDE_COLUMNS, Layout
from searchkit.translation.text import Handed, Trap
from searchkit.translation.values import FRAME

NAMES = {
    "frame": bits.frame,
    "count_ones": bits.count_ones,
    "lowest_one": bits.lowest_one,
    "Trapped": Trapped,
} | {
    name: each
    for module in (floats, numbers, rows, texts)
    for name, each in vars(module).items()
    if isinstance(each, FunctionType) and (module is not floats or name.startswith("float_"))
}
"""What the texts of kernels may call by name."""


def trap_at(kernel: Callable[[Any], Any], state: Any) -> Trap | None:
    """Where a kernel leaves a packed state to Python, as it is run in plain Python here.

    None where that cannot be told. What is said gives the values of expressions in braces.
    """
    traps: dict[int, Trap] = getattr(kernel, TRAPS, {})
    own: Any = getattr(kernel, "__func__", None)
    try:
        with np.errstate(all="ignore"):
            # Tables have numbers of numpy, which do not know how many bits they have.
            names = {**own.__globals__, "lowest_one": lambda word: bits.lowest_one(int(word))}
            found = FunctionType(own.__code__, names)(kernel.__self__, state)  # type: ignore[attr-defined]
            if hasattr(found, "__next__"):
                list(found)
    except Trapped as error:
        frame, line = list(walk_tb(error.__traceback__))[-1]
        trap = traps.get(line)
        return None if trap is None else _with_values(trap, frame)
    except Exception:  # plain Python is asked for a message alone
        return None
    return None


def _with_values(trap: Trap, frame: FrameType) -> Trap:
    if isinstance(trap, Handed):  # its values are gone
        reason = trap.reasons[int(frame.f_locals[FRAME][trap.at]) - 1]
        return Trap(reason.place, re.sub(r"\{.+?\}, ", "", reason.what), reason.instead)

    def value(found: re.Match[str]) -> str:
        return str(eval(found[1], frame.f_globals, frame.f_locals))

    return Trap(trap.place, re.sub(r"\{(.+?)\}", value, trap.what), trap.instead)


PARTS = "searchkit_parts"
"""The attribute of a kernel with the functions that it calls, by their names."""
TRAPS = "searchkit_traps"
"""The attribute of a function with the lines that leave a state to Python, by their numbers."""


def packing_kernels(layout: Layout) -> dict[str, FunctionType]:
    """The kernels `unpack`, `misfits` and `packed`, for an object whose `tables` have the layout's.

    `unpack(state, cells)` fills `cells` from 0 on; `misfits(cells, at)` says whether one of those
    from `at` on does not fit its field; `packed(cells, at)` is their state. O(cells).
    """
    return {name: function_of(text, {}) for name, text in _texts(layout).items()}


def function_of(text: str, names: dict[str, Any]) -> Any:
    """The function that a text defines, which machine code is made of by the same tree."""
    tree = ast.parse(textwrap.dedent(text) if text[:1].isspace() else text)
    made = tree.body[0]
    assert isinstance(made, ast.FunctionDef)
    space = dict(names)
    exec(compile(tree, f"<made: {made.name}>", "exec"), space)
    function = space[made.name]
    setattr(function, MADE_FROM, made)
    setattr(function, TEXT, text)
    return function


def _columns(layout: Layout) -> Callable[[str, object], str]:
    """How a kernel reads a number of a column of the tables, by its index."""
    begins = dict(zip(COLUMNS, layout.tables.places(), strict=True))
    return lambda name, index: f"self.tables.whole[{begins[name]} + {index}]"


def _texts(layout: Layout) -> dict[str, str]:
    firsts = layout.firsts()
    of = _columns(layout)
    unpack = ["def unpack(self, state, cells):"]
    packed = ["def packed(self, cells, at):"]
    piece = [
        f"    {name} = {of('wide', f'{WIDE_COLUMNS} * row + {i}')}"
        for i, name in enumerate(("cell", "shift", "above", "mask"))
    ]
    for w in range(layout.words):
        word = "state" if layout.words == 1 else f"state[{w}]"
        fields = f"for i in range({firsts[w]}, {firsts[w + 1]}):"
        pieces = f"for row in range({of('ends', w)}, {of('ends', w + 1)}):"
        unpack += [
            f"    {fields}",
            f"        field = {word} >> {of('shifts', 'i')} & {of('masks', 'i')}",
            f"        cells[i] = {of('lows', 'i')} + field",
        ]
        packed += [
            f"    word{w} = 0",
            f"    {fields}",
            f"        field = cells[at + i] - {of('lows', 'i')} & {of('masks', 'i')}",
            f"        word{w} |= field << {of('shifts', 'i')}",
            f"    {pieces}",
            *(f"    {line}" for line in piece),
            f"        field = cells[at + cell] - {of('lows', 'cell')} >> above & mask",
            f"        word{w} |= field << shift",
        ]
    for w in range(layout.words):
        word = "state" if layout.words == 1 else f"state[{w}]"
        pieces = f"for row in range({of('ends', w)}, {of('ends', w + 1)}):"
        unpack += [
            f"    {pieces}",
            *(f"    {line}" for line in piece),
            f"        cells[cell] = cells[cell] + (({word} >> shift & mask) << above)",
        ]
    unpack += [
        f"    for row in range({of('ends', layout.words)}):",
        f"        cell = {of('wide', f'{WIDE_COLUMNS} * row')}",
        f"        if cells[cell] > {of('least', 'cell')} + {of('fulls', 'cell')}:",
        f"            cells[cell] = cells[cell] - {of('fulls', 'cell')} - 1",
        "    return 0",
    ]
    words = [f"word{w}" for w in range(layout.words)]
    packed.append(f"    return {', '.join(words)}")
    misfits = f"""\
def misfits(self, cells, at):
    outside = 0
    for i in range({firsts[-1]}):
        outside |= cells[at + i] - {of("least", "i")} & ~{of("fulls", "i")}
    return outside != 0
"""
    return {
        "unpack": "\n".join(unpack), "packed": "\n".join(packed), "misfits": misfits,
        **_one_by_one(layout),
    }  # fmt: skip


def _one_by_one(layout: Layout) -> dict[str, str]:
    """Kernels for states that differ in few cells, where no cell has further bits.

    `replaced(state, at, cell)` is the state with another cell, if `misfit(at, cell)` is 0;
    `widened()` is not 0 where some cell has further bits.
    """
    firsts = layout.firsts()
    of = _columns(layout)
    replaced = [
        "def replaced(self, state, at, cell):",
        f"    mask = {of('masks', 'at')} << {of('shifts', 'at')}",
        f"    field = cell - {of('lows', 'at')} << {of('shifts', 'at')}",
    ]
    if layout.words == 1:
        replaced.append("    return state & ~mask | field & mask")
    else:
        words = []
        for w in range(layout.words):
            replaced += [
                f"    mask{w} = mask if {firsts[w]} <= at < {firsts[w + 1]} else 0",
                f"    word{w} = state[{w}] & ~mask{w} | field & mask{w}",
            ]
            words.append(f"word{w}")
        replaced.append(f"    return {', '.join(words)}")
    misfit = f"""\
def misfit(self, at, cell):
    return cell - {of("lows", "at")} & ~{of("masks", "at")}
"""
    widened = f"""\
def widened(self):
    return {of("ends", layout.words)}
"""
    return {"replaced": "\n".join(replaced), "misfit": misfit, "widened": widened}
