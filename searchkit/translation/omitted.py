"""What machine code does without: counters of statistics, as `self.expanded += 1`, and memos."""

from __future__ import annotations

import ast
import inspect
import re
import types
import warnings
from collections.abc import Iterable
from contextlib import suppress
from typing import Any, NamedTuple

from searchkit.authors.named import read_by
from searchkit.authors.reach import function_in, names_in
from searchkit.errors import CompilationError, SearchkitWarning
from searchkit.kernel_language import trees
from searchkit.kernel_language.definition import source_of
from searchkit.kernel_language.site import Site
from searchkit.translation.scopes import arguments_of

_EMPTY = ("{}", "dict()")


class Memo(NamedTuple):
    """A dict in which one function keeps what it returns, and the function without it."""

    shown: str
    """The dict as it is written: `self.memo`."""
    name: str
    is_attribute: bool
    """Whether it belongs to what the function is called with first."""
    is_argument: bool
    """Whether it is the default of an argument."""
    line: ast.stmt
    """Where it is changed."""
    definition: ast.FunctionDef


def without_memo(definition: ast.FunctionDef) -> Memo | None:
    """The memo of a function, by its text alone; None if it has none.

    Such a dict has, for a key that is all the function is given, what was returned, so that it
    makes no difference whether a key is found. O(nodes) for each item that is set.
    """
    nodes = trees.nodes(definition)
    if any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in nodes):
        return None
    items = ((each, each.targets[0]) for each in nodes if isinstance(each, ast.Assign))
    stores = ((line, item) for line, item in items if isinstance(item, ast.Subscript))
    found = (_without(definition, line, item) for line, item in stores)
    return next(filter(None, found), None)


def _without(definition: Any, line: ast.stmt, item: ast.Subscript) -> Memo | None:
    owner, key = item.value, item.slice
    given = [each.arg for each in arguments_of(definition)]
    base = owner.value if isinstance(owner, ast.Attribute) else owner
    is_attribute = base is not owner
    stored = [each.id for each in trees.nodes(definition)
              if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]  # fmt: skip
    if not isinstance(base, ast.Name) or base.id in stored:
        return None
    is_argument = not is_attribute and base.id in given
    begins = rf"\b{base.id}=({{}}|dict\(\))"
    if (is_attribute and [base.id] != given[:1]) or (
        is_argument and not re.search(begins, _text(definition.args))
    ):
        return None
    whole = key
    if isinstance(key, ast.Name) and stored.count(key.id) == 1:
        named = (each.value for each in definition.body if _text(each).startswith(f"{key.id} = "))
        whole = next(named, key)
    parts = whole.elts if isinstance(whole, ast.Tuple) else [whole]
    names = {getattr(each, "id", "") for each in parts}
    own = set(given) - set(stored)
    for each in definition.body:  # who has all parts of something has that
        match each:
            case ast.Assign([ast.Tuple(elts)], ast.Name(one)) if one in own:
                inner = {getattr(e, "id", "") for e in elts}
                if inner <= names and all(stored.count(e) == 1 for e in inner):
                    own, names = own | inner, names | {one}
    made = trees.copied(definition)
    made.body = _Forgetting(item).block(made.body)
    left = [each for part in made.body for each in trees.nodes(part)]
    if any(_text(each) == _text(owner) for each in left if isinstance(each, type(owner))):
        return None
    read = {each.id for each in left if isinstance(each, ast.Name)} - {base.id}
    # Who it belongs to is the same each time; all else that is given has to be in the key.
    if not read.intersection(given) <= names <= own:
        return None
    name = getattr(owner, "attr", base.id)
    return Memo(_text(owner), name, is_attribute, is_argument, line, trees.located(made))


def _text(node: Any) -> str:
    """A node, or some statements, as they are written; of what is not there, an empty text."""
    if isinstance(node, list):
        return "\n".join(map(ast.unparse, node))
    return "" if node is None else ast.unparse(node)


class _Forgetting:
    """A function's body without a dict: as if no key were found, and none kept.

    What is said in another way stays, and so does the name of the dict.
    """

    def __init__(self, item: ast.Subscript) -> None:
        self.item, shown, key = map(_text, (item, item.value, item.slice))
        self.found, self.missed = f"{key} in {shown}", f"{key} not in {shown}"
        self.got = (f"{shown}.get({key})", f"{shown}.get({key}, None)")

    def block(self, body: list[Any]) -> list[Any]:
        """The statements without the dict."""
        made: list[Any] = []
        todo = list(body)
        while todo:
            node, after = todo.pop(0), [*todo[:1], None][0]
            instead = self._looked_up(node, after) or self._stored(node, after)
            if instead is not None:
                todo[: instead[0]] = instead[1]
                continue
            for name in ("body", "orelse", "finalbody"):
                inner = getattr(node, name, None)
                if isinstance(inner, list) and inner and not isinstance(node, ast.FunctionDef):
                    setattr(node, name, self.block(inner))
            for each in getattr(node, "handlers", ()):
                each.body = self.block(each.body)
            made.append(node)
        return made or [ast.copy_location(ast.Pass(), body[0])]

    def _stored(self, node: Any, after: Any) -> tuple[int, list[Any]] | None:
        """What a line becomes that keeps a value, and the next one, which returns it."""
        if not isinstance(node, ast.Assign) or _text(node.targets[0]) != self.item:
            return None
        others = [each for each in node.targets[1:] if isinstance(each, ast.Name)]
        known = [self.item, *map(_text, others)]
        if isinstance(node.value, (ast.Name, ast.Constant)):
            known.append(_text(node.value))
        is_back = isinstance(after, ast.Return) and _text(after.value) in known
        if not is_back or len(others) < len(node.targets) - 1:
            return None
        return 1, [ast.copy_location(ast.Return(node.value), node)]

    def _looked_up(self, node: Any, after: Any) -> tuple[int, list[Any]] | None:
        """How many of the next statements go with one that looks a key up, and what is left."""
        test, back = _text(getattr(node, "test", None)), f"return {self.item}"
        if isinstance(node, ast.If):
            counters = node.body[:-1]  # which are left out, or refused, wherever they stand
            are_counters = all(isinstance(getattr(e, "target", 0), ast.Attribute) for e in counters)
            if test == self.found and _text(node.body[-1]) == back and are_counters:
                return 0, [*counters, *node.orelse]
            if test == self.missed and _text(node.orelse) in ("", back):
                return 0, node.body
        elif isinstance(node, ast.Try):
            caught = [_text(each).partition("\n")[0] for each in node.handlers]
            if _text(node.body) == back and caught in (["except KeyError:"], ["except:"]):
                return None if node.finalbody else (0, node.handlers[0].body)
        elif isinstance(node, ast.Assign) and _text(node.value) in self.got:
            name = _text(node.targets)
            test, then = _text(getattr(after, "test", None)), getattr(after, "body", None)
            if test in (f"{name} is not None", name) and _text(then) == f"return {name}":
                return 1, after.orelse
            if test == f"{name} is None" and not after.orelse:
                return 1, after.body
        return None


def other_user(memo: Memo, function: types.FunctionType, owner: Any) -> str | None:
    """What else in the text of the class, or of the module, uses a memo, which begins empty."""
    if memo.is_argument:
        return None
    own = source_of(function, Site.of(function))
    if not memo.is_attribute:
        try:
            text = inspect.getsource(inspect.getmodule(function))  # type: ignore[arg-type]
        except (OSError, TypeError):
            text = ""
        with suppress(_OtherUseError):
            return None if _made_in(ast.parse(text), memo, own.lineno) == 1 else "the module"
        return "another line of the module"
    every = 0
    for one in {function_in(each) for kind in type(owner).__mro__ for each in vars(kind).values()}:
        if one is not None and memo.name in names_in(one.__code__):
            try:
                tree = source_of(one, Site.of(one))
                every += _made_in(tree, memo, own.lineno if one is function else 0)
            except (CompilationError, _OtherUseError):
                return one.__qualname__
    return None if every else "what makes it"


class _OtherUseError(Exception):
    """A memo is used elsewhere."""


def _made_in(tree: Any, memo: Memo, line: int) -> int:
    """How often a memo is made, as `{}`, if it is only used in the function at a line."""
    own: set[int] = set()
    made = 0
    for node in trees.nodes(tree):  # what stands in another comes after it
        if isinstance(node, ast.FunctionDef) and node.lineno == line:
            own |= {id(each) for each in trees.nodes(node)}
        is_empty_one = isinstance(node, (ast.Assign, ast.AnnAssign)) and _text(node.value) in _EMPTY
        targets = getattr(node, "targets", None) or [getattr(node, "target", None)]
        if is_empty_one and _text(targets) == memo.shown:
            made += 1
            own |= {id(each) for each in trees.nodes(targets[0])}
        names = [getattr(node, each, None) for each in ("id", "attr", "value", "name")]
        if id(node) not in own and any(isinstance(e, str) and e == memo.name for e in names):
            raise _OtherUseError
    return made


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
