"""What machine code does without: counters of statistics, as `self.expanded += 1`, and memos."""

from __future__ import annotations

import ast
import inspect
import types
import warnings
from collections.abc import Iterable
from typing import Any, NamedTuple

from searchkit.authors.named import read_by
from searchkit.authors.reach import names_in
from searchkit.errors import CompilationError, SearchkitWarning
from searchkit.kernel_language import trees
from searchkit.kernel_language.definition import source_of
from searchkit.kernel_language.site import Site
from searchkit.translation.memos import Memo, other_user, without_memo


class Note(NamedTuple):
    """What a user is told of a line that is left out."""

    place: str
    what: str
    file: str
    line: int


_told: dict[Any, Any] = {}
"""What was told: of each line once, unless filters of warnings have it otherwise."""


def tell(notes: Iterable[Note]) -> None:
    """Warn of what machine code does without."""
    for note in notes:
        text = f"{note.place}: {note.what}"
        warnings.warn_explicit(text, SearchkitWarning, note.file, note.line, registry=_told)


def counted_by(node: ast.stmt) -> tuple[ast.Attribute, ast.expr] | None:
    """The attribute that a statement adds to, and what it adds; None of any other statement."""
    match node:
        case ast.AugAssign(ast.Attribute(ast.Name()) as target, ast.Add(), amount):
            return target, amount
        case ast.Assign(
            [ast.Attribute(ast.Name()) as target], ast.BinOp(before, ast.Add(), amount)
        ) if ast.unparse(before) == ast.unparse(target):
            return target, amount
    return None


class Counted:
    """The counters that the rules of some objects keep, and what is said of those left out."""

    def __init__(self, *owners: Any) -> None:
        self.owners = owners
        self.notes: dict[str, Note] = {}
        """By the names of attributes."""
        self.met: set[str] = set()
        """The attributes of the objects that rules were seen to ask for."""
        self._read: dict[Any, str] | None = None

    def is_owner(self, value: Any) -> bool:
        """Whether a value is one of the objects."""
        return any(value is each for each in self.owners)

    def is_number(self, owner: Any, name: str) -> bool:
        """Whether an attribute of an owner is a plain number, which any rule may set."""
        kind: Any = type(owner)
        static = inspect.getattr_static(kind, name, 0)
        is_plain = isinstance(static, (int, float, types.MemberDescriptorType))
        return (
            is_plain
            and self.is_owner(owner)
            and kind.__setattr__ is object.__setattr__
            and type(getattr(owner, name, None)) in (int, float, bool)
        )

    def reader(self, name: Any) -> str | None:
        """What reads an attribute, other than to add to it; None if nothing does."""
        if self._read is None:
            memos: dict[str, types.FunctionType] = {}

            def names_of(function: types.FunctionType) -> set[str]:
                names, memo = _names_in(function)
                is_another = memo is not None and memos.setdefault(memo, function) is not function
                return {*names, memo} if is_another else names  # type: ignore[arg-type]

            self._read = dict(read_by(self.owners, names_of))
        return self._read.get(name) or self._read.get("")

    def other_user(self, memo: Memo, function: types.FunctionType, owner: Any) -> str | None:
        """What may read a dict, or have filled it, but the function whose memo it is."""
        kept: Any = getattr(owner, memo.name, None)
        if memo.is_argument:
            values = [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]
            kept = next((each for each in values if isinstance(each, dict)), None)
        elif not memo.is_attribute:
            kept = function.__globals__.get(memo.name)
        static = inspect.getattr_static(type(owner), memo.name, ...)
        is_plain = static is ... or isinstance(static, types.MemberDescriptorType)
        is_own = self.is_owner(owner) and is_plain
        if type(kept) is not dict or (memo.is_attribute and not is_own):
            return "its class"
        reader = None if memo.is_argument else self.reader(memo.name)
        return reader or other_user(memo, function, owner) or self.reader(id(kept))


def _names_in(function: types.FunctionType) -> tuple[set[str], str | None]:
    """The names and short texts in a function, but those of attributes that it only adds to.

    And the name of the dict in which it keeps what it returns, which the names are without.
    """
    try:
        tree = source_of(function, Site.of(function))
    except CompilationError:  # it was made of a text, as methods of dataclasses are
        named = names_in(function.__code__)
        return {"str.format" if each == "format" else each for each in named}, None
    memo = without_memo(tree)
    names: set[str] = set()
    todo: list[Any] = [tree if memo is None else memo.definition]
    for node in todo:  # grows as it goes
        step = counted_by(node)
        if step is not None:
            todo += [step[0].value, step[1]]
            continue
        todo += trees.children(node)
        if isinstance(node, ast.Attribute):
            text: Any = getattr(node.value, "value", None)
            is_of_text = node.attr == "format" and not (isinstance(text, str) and "." not in text)
            names.add("str.format" if is_of_text else node.attr)
        elif isinstance(node, ast.Name):
            names.add(node.id)
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            names.add(node.value)
    return names, None if memo is None else memo.name
