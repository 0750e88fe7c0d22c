"""Numbers of the text as sums of others: how long sequences are together, if no part is known."""

from __future__ import annotations

import ast
from collections import Counter

Sum = Counter[str]
"""How often each name counts; that of the empty name is a number by itself."""


class Sums:
    """The sums that some names stand for, and which names stay as they are until when.

    A name of the text that may be given another number later is one name for each `moment`.
    """

    moment = 0

    def __init__(self) -> None:
        self._known: dict[str, Sum] = {}

    def note(self, name: str, text: str) -> None:
        """Note what a name that is assigned to once is given now, if it is a sum."""
        found = self.of(text)
        if found is not None and name.isidentifier():
            self._known[name] = found

    def of(self, text: str) -> Sum | None:
        """An expression as a sum, by what its names stand for now; None if it is something else."""
        try:
            return self._sum(ast.parse(text, mode="eval").body)
        except SyntaxError:
            return None

    def _sum(self, node: ast.expr) -> Sum | None:
        if isinstance(node, ast.Constant) and type(node.value) is int:
            return Counter({"": node.value})
        if isinstance(node, ast.Name):
            return self._known.get(node.id) or Counter({f"{node.id} {self.moment}": 1})
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
            one, other = self._sum(node.left), self._sum(node.right)
            if one is None or other is None:
                return None
            found = Counter(one)
            (found.update if isinstance(node.op, ast.Add) else found.subtract)(other)
            return found
        return None

    def is_total(self, texts: list[str], whole: str) -> bool:
        """Whether some numbers are together what an expression is, whatever their names are."""
        found = self.of(whole)
        if found is None:
            return False
        found = Counter(found)
        for text in texts:
            one = Counter({"": int(text)}) if text.isdigit() else self._known.get(text)
            if one is None:
                return False
            found.subtract(one)
        return not any(found.values())

    def total(self, texts: list[str]) -> int | None:
        """What some numbers are together, if that is the same whatever their names are."""
        found: Sum = Counter()
        for text in texts:
            one = Counter({"": int(text)}) if text.isdigit() else self._known.get(text)
            if one is None:
                return None
            found.update(one)
        return None if any(many for name, many in found.items() if name) else found[""]
