"""Kernels that put the cells of a state into its words and back, as text made for a layout."""

from __future__ import annotations

import ast
import textwrap
from types import FunctionType
from typing import Any

from searchkit.kernel_language.definition import MADE_FROM
from searchkit.translation.layout import WIDE_COLUMNS, Layout

TEXT = "searchkit_text"
"""The attribute of a function with the text that it was made of."""


def packing_kernels(layout: Layout) -> dict[str, FunctionType]:
    """The kernels `unpack`, `misfits` and `packed`, for an object whose `tables` have the layout's.

    `unpack(state, cells)` fills `cells` from 0 on; `misfits(cells, at)` says whether one of those
    from `at` on does not fit its field; `packed(cells, at)` is their state. O(cells).
    """
    return {name: function_of(text, {}) for name, text in _texts(layout).items()}


def function_of(text: str, names: dict[str, Any], definition: ast.FunctionDef | None = None) -> Any:
    """The function that a text defines, which machine code is made of by the same tree.

    Of another tree if one is given, which has the lines of an author's file.
    """
    tree = ast.parse(textwrap.dedent(text))
    made = tree.body[0]
    assert isinstance(made, ast.FunctionDef)
    space = dict(names)
    exec(compile(tree, f"<made: {made.name}>", "exec"), space)
    function = space[made.name]
    setattr(function, MADE_FROM, made if definition is None else definition)
    setattr(function, TEXT, text)
    return function


def _texts(layout: Layout) -> dict[str, str]:
    firsts = layout.firsts()
    unpack = ["def unpack(self, state, cells):"]
    packed = ["def packed(self, cells, at):"]
    piece = [
        f"    cell = self.tables.wide[{WIDE_COLUMNS} * row]",
        f"    shift = self.tables.wide[{WIDE_COLUMNS} * row + 1]",
        f"    above = self.tables.wide[{WIDE_COLUMNS} * row + 2]",
        f"    mask = self.tables.wide[{WIDE_COLUMNS} * row + 3]",
    ]
    for w in range(layout.words):
        word = "state" if layout.words == 1 else f"state[{w}]"
        fields = f"for i in range({firsts[w]}, {firsts[w + 1]}):"
        pieces = f"for row in range(self.tables.ends[{w}], self.tables.ends[{w + 1}]):"
        unpack += [
            f"    {fields}",
            f"        field = {word} >> self.tables.shifts[i] & self.tables.masks[i]",
            "        cells[i] = self.tables.lows[i] + field",
        ]
        packed += [
            f"    word{w} = 0",
            f"    {fields}",
            "        field = cells[at + i] - self.tables.lows[i] & self.tables.masks[i]",
            f"        word{w} |= field << self.tables.shifts[i]",
            f"    {pieces}",
            *(f"    {line}" for line in piece),
            "        field = cells[at + cell] - self.tables.lows[cell] >> above & mask",
            f"        word{w} |= field << shift",
        ]
    for w in range(layout.words):
        word = "state" if layout.words == 1 else f"state[{w}]"
        pieces = f"for row in range(self.tables.ends[{w}], self.tables.ends[{w + 1}]):"
        unpack += [
            f"    {pieces}",
            *(f"    {line}" for line in piece),
            f"        cells[cell] = cells[cell] + (({word} >> shift & mask) << above)",
        ]
    unpack += [
        f"    for row in range(self.tables.ends[{layout.words}]):",
        f"        cell = self.tables.wide[{WIDE_COLUMNS} * row]",
        "        if cells[cell] > self.tables.least[cell] + self.tables.fulls[cell]:",
        "            cells[cell] = cells[cell] - self.tables.fulls[cell] - 1",
        "    return 0",
    ]
    words = [f"word{w}" for w in range(layout.words)]
    packed.append(f"    return {', '.join(words)}")
    misfits = f"""\
def misfits(self, cells, at):
    outside = 0
    for i in range({firsts[-1]}):
        outside |= cells[at + i] - self.tables.least[i] & ~self.tables.fulls[i]
    return outside != 0
"""
    return {"unpack": "\n".join(unpack), "packed": "\n".join(packed), "misfits": misfits}
