"""Numbers of rules that differ between problems of a class, looked up instead of compiled.

The rules of two levels of Sokoban often have the same text but for some numbers: how wide the board
is, and where a table begins. The first problem is compiled with its numbers. Those that are others
in a second become a table, so that all further ones share machine code. Which these are is kept on
disk under a hash of the text without them: whatever it says, each problem gets its own numbers.
"""

from __future__ import annotations

import ast
import copy
import json
from collections.abc import Mapping
from typing import Any

from searchkit.compiled.specialise.code_files import PREFIX, CodeFiles
from searchkit.compiled.specialise.links import prints_of
from searchkit.compiled.specialise.toolchain import compiler_parts, digest
from searchkit.kernel_language.collector import Collector
from searchkit.kernel_language.trees import Transformer, copied
from searchkit.kernel_language.uses import TABLES

NUMBERS = "searchkit_numbers"
"""The table of those that differ."""
MOST = (1 << 31) - 1
"""The largest of them: machine code then knows that what they are an index of has no end to be
counted from."""
_LISTS = f"{PREFIX}numbers."
"""How the names of files begin that say which numbers differ."""
_IN_TEXT = ("frame", "IndexError", "trapped_at", "range")
"""What is given numbers of the text: they make room, say the line of an error, and unroll loops."""


class _Replaced(Transformer):
    """Looks up those numbers of functions, counted through all, that have `places` in a table.

    Without places, all numbers go. `found` has what there were.
    """

    def __init__(self, places: Mapping[int, int] | None) -> None:
        self.places = places
        self.found: list[int] = []

    def visit_Constant(self, node: ast.Constant) -> Any:
        if type(node.value) is not int or not 0 <= node.value <= MOST:
            return node
        number = len(self.found)
        self.found.append(node.value)
        if self.places is None:
            return ast.copy_location(ast.Constant(None), node)
        if number not in self.places:
            return node
        table = ast.Attribute(ast.Name(TABLES, ast.Load()), NUMBERS, ast.Load())
        place = ast.Constant(self.places[number])
        item = ast.Subscript(table, place, ast.Load())
        call = ast.Call(ast.Name("natural", ast.Load()), [item], [])
        return ast.fix_missing_locations(ast.copy_location(call, node))

    def visit_Call(self, node: ast.Call) -> Any:
        """See `_IN_TEXT`."""
        is_kept = isinstance(node.func, ast.Name) and node.func.id in _IN_TEXT
        return node if is_kept else self.generic_visit(node)

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        """A number is an index of the text, unless it is one of the table of constants."""
        is_looked_up = isinstance(node.value, ast.Attribute) and node.value.attr == "constants"
        if is_looked_up or not isinstance(node.slice, ast.Constant):
            return self.generic_visit(node)
        node.value = self.visit(node.value)
        return node

    def visit_Return(self, node: ast.Return) -> Any:
        """A number alone says why there is no result."""
        return node if isinstance(node.value, ast.Constant) else self.generic_visit(node)


def with_numbers_apart(collector: Collector) -> tuple[Collector, tuple[int, ...]]:
    """The same kernels, but that numbers which differ between such problems are looked up.

    And these numbers of the problem, in the order of their table; none for the first such problem,
    which is compiled with its numbers.
    """
    masked = _Replaced(None)
    name = _LISTS + digest(*compiler_parts(), prints_of(_with(masked, collector)))
    known = _known(name, len(masked.found))
    first, differing = known or (masked.found, [])
    more = {number for number, value in enumerate(masked.found) if value != first[number]}
    every = sorted(more.union(differing))
    if known is None or every != differing:
        CodeFiles.write(name, json.dumps([first, every]).encode())
    if masked.found == first:  # its machine code is there, and faster
        return collector, ()
    apart = _with(_Replaced({number: place for place, number in enumerate(every)}), collector)
    return apart, tuple(masked.found[number] for number in every)


def _with(replacing: _Replaced, collector: Collector) -> Collector:
    """What was collected, but that the kernels which take tables are changed."""
    changed = copy.copy(collector)
    changed.made = {
        name: replacing.visit(copied(made)) if _takes_tables(made) else made
        for name, made in collector.made.items()
    }
    return changed


def _takes_tables(definition: ast.FunctionDef) -> bool:
    arguments = definition.args.args
    return bool(arguments) and arguments[0].arg == TABLES


def _known(name: str, count: int) -> tuple[list[int], list[int]] | None:
    """The numbers of the first of such problems, and which differ; None for the first itself."""
    content = CodeFiles.read(name)
    try:
        first, differing = json.loads(content or b"")
        whole = [*first, *differing]
    except (ValueError, TypeError):
        return None
    is_right = len(first) == count and all(type(each) is int for each in whole)
    return (first, differing) if is_right and set(differing) <= set(range(count)) else None
