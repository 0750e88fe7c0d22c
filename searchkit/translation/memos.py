"""Functions that remember in a dict what they returned, as machine code does without."""

from __future__ import annotations

import ast
import inspect
import re
import types
from contextlib import suppress
from typing import Any, NamedTuple

from searchkit.authors.reach import function_in, names_in
from searchkit.errors import CompilationError
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
