"""Names of a function, told apart by what they hold: `state = list(state)` makes another name.

A name is split into *webs*: the assignments that reach a common use belong together (S. Muchnick,
Advanced Compiler Design and Implementation, 1997, 16.3.3). Each web has one type. Where some way
through the function reaches a use without an assignment, a flag says whether there was one.
"""

from __future__ import annotations

import ast
from collections import ChainMap, Counter
from collections.abc import Callable, Iterable
from typing import Any

from searchkit.kernel_language import trees

COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)
UNDEFINED = -1
NO_VALUE = "may have no value here"
_Reach = dict[str, frozenset[int]]
_NOTHING: frozenset[int] = frozenset()


class NotSplit(Exception):  # noqa: N818  (a signal)
    """What the names of a function cannot be followed through."""

    def __init__(self, node: ast.AST, what: str, instead: str) -> None:
        super().__init__(what)
        self.node, self.what, self.instead = node, what, instead


def flag_of(name: str) -> str:
    """The name that says whether a name was given a value."""
    return f"{name}.set"


def split(definition: ast.FunctionDef | ast.Lambda) -> Any:
    """A copy of a function whose names are webs: `name`, `name~2`, and so on.

    Names of comprehensions and of inner functions are renamed besides, so that no two scopes share
    one. Quadratic in the length of the function at worst.
    """
    made = with_names_of_scopes(definition, "{}.{}".format)
    webs = Webs(made)
    webs.finish()
    return made


def with_names_of_scopes(definition: Any, own_name: Callable[[str, int], str]) -> Any:
    """A copy of a function in which the names of comprehensions and inner functions are others.

    `own_name` gives them, by the name that it was and a number for each scope, the outer first.
    """
    made = trees.copied(definition)
    _Renamed(own_name).function(made)
    return made


_DECIDING = (
    ast.Yield, ast.YieldFrom, ast.Import, ast.ImportFrom, ast.Global, ast.Nonlocal,
)  # fmt: skip
"""What decides what a function is, or what its names are, even where it never runs."""


def stored_in(nodes: Iterable[ast.AST]) -> set[str]:
    """The names that statements or targets assign to, but for those of inner scopes."""
    names: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
            names.add(node.id)
        elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
            names.add(node.name)
        elif isinstance(node, COMPREHENSIONS):
            inner = (each for each in trees.nodes(node) if isinstance(each, ast.NamedExpr))
            names |= {each.target.id for each in inner}
        elif not isinstance(node, ast.Lambda):
            names |= stored_in(trees.children(node))
    return names


def arguments_of(definition: ast.FunctionDef | ast.Lambda) -> list[ast.arg]:
    """All arguments of a function."""
    given = definition.args
    stars = [each for each in (given.vararg, given.kwarg) if each is not None]
    return [*given.posonlyargs, *given.args, *given.kwonlyargs, *stars]


def made_by(comprehension: Any) -> list[Any]:
    """The expressions of a comprehension's items: one, or a key and a value."""
    names = ("key", "value", "elt")
    return [getattr(comprehension, name) for name in names if hasattr(comprehension, name)]


def body_of(definition: Any) -> list[Any]:
    """The statements of a function, or the expression of a lambda."""
    return definition.body if isinstance(definition.body, list) else [definition.body]


def own_names(definition: Any) -> set[str]:
    """The names of a function's own: its arguments, and what it assigns to."""
    return stored_in(body_of(definition)) | {each.arg for each in arguments_of(definition)}


class _Renamed(trees.Visitor):
    """Renames what each inner scope has."""

    def __init__(self, own_name: Callable[[str, int], str]) -> None:
        self.count, self.own_name = 0, own_name
        self.inside: ChainMap[str, str] = ChainMap()

    def function(self, node: Any) -> None:
        for each in body_of(node):
            self.visit(each)

    def visit_Name(self, node: ast.Name) -> None:
        node.id = self.inside.get(node.id, node.id)

    def _scope(self, names: Iterable[str]) -> None:
        self.count += 1
        own = {name: self.own_name(name, self.count) for name in names}
        self.inside = self.inside.new_child(own)

    def _comprehension(self, node: Any) -> None:
        if any(isinstance(each, ast.NamedExpr) for each in trees.nodes(node)):
            raise NotSplit(node, "assigns by := in a comprehension", "use a loop")
        self.visit(node.generators[0].iter)
        self._scope({n for each in node.generators for n in stored_in([each.target])})
        for i, each in enumerate(node.generators):
            if i:
                self.visit(each.iter)
            self.visit(each.target)
            for test in each.ifs:
                self.visit(test)
        for each in made_by(node):
            self.visit(each)
        self.inside = self.inside.parents

    visit_ListComp = _comprehension
    visit_SetComp = _comprehension
    visit_DictComp = _comprehension
    visit_GeneratorExp = _comprehension

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        node.name = self.inside.get(node.name, node.name)
        self._inner(node)

    def _inner(self, node: Any) -> None:
        if _assigns_outside(node):
            raise NotSplit(node, "changes names of the function around it", "use arguments")
        for each in [*node.args.defaults, *(one for one in node.args.kw_defaults if one)]:
            self.visit(each)
        self._scope(own_names(node))
        for each in arguments_of(node):
            each.arg = self.inside[each.arg]
        self.function(node)
        self.inside = self.inside.parents

    visit_Lambda = _inner


class Webs:
    """Follows assignments to their uses."""

    def __init__(self, definition: Any) -> None:
        self.definition = definition
        self.unsure: dict[int, ast.Name] = {}
        """Uses that some way reaches without an assignment."""
        self.parents: list[int] = []
        self.uses: dict[int, tuple[Any, str, int]] = {}
        """By node: it, the attribute that has the name, and an assignment that reaches it."""
        self.numbers: dict[int, int] = {}
        self.ends: list[list[_Reach]] = []
        self.starts: list[list[_Reach]] = []
        nodes = [each for part in body_of(definition) for each in trees.nodes(part)]
        self.local = own_names(definition)
        self.captured = self._captured(nodes)
        self.functions = self._functions(nodes)
        self.whole: dict[str, int] = {}
        self.followed: set[int] = set()
        self.last: dict[int, Any] = {}
        """Uses of names, by node, behind which the value is not used again by that name."""
        reach: _Reach = dict.fromkeys(self.local, frozenset({UNDEFINED}))
        for each in arguments_of(definition):
            self._define(each, "arg", reach)
        if isinstance(definition.body, list):
            self._block(definition.body, reach)
        else:
            self._expression(definition.body, reach)

    def finish(self) -> None:
        """Rename the uses."""
        numbers: dict[str, dict[int, int]] = {}
        for node, attribute, one in self.uses.values():
            name = getattr(node, attribute)
            known = numbers.setdefault(name, {})
            number = known.setdefault(self._root(one), len(known) + 1)
            if number > 1:
                setattr(node, attribute, f"{name}~{number}")
        for node in self.last.values():
            node.is_last = True
        unsure: dict[str, ast.Name] = {each.id: each for each in self.unsure.values()}
        for node in self.unsure.values():
            node.is_unsure = True  # type: ignore[attr-defined]
        if unsure:
            body = self.definition.body
            flags = [_flag(name, body[0], value=False) for name in sorted(unsure)]
            self.definition.body = [*flags, *_with_flags(body, unsure)]
            self.definition.unsure = frozenset(unsure)

    def _captured(self, nodes: list[Any]) -> set[str]:
        """Names that inner functions use: those have one web."""
        inner = [each for each in nodes if isinstance(each, (ast.Lambda, ast.FunctionDef))]
        within = (each for node in inner for each in trees.nodes(node))
        return {each.id for each in within if isinstance(each, ast.Name)} & self.local

    def _functions(self, nodes: list[Any]) -> set[str]:
        """Names of inner functions that are nothing else: others may call those defined later."""
        count = Counter(each.name for each in nodes if isinstance(each, ast.FunctionDef))
        return {name for name, often in count.items() if often == 1} - assigned(nodes)

    def _root(self, one: int) -> int:
        while self.parents[one] != one:
            self.parents[one] = self.parents[self.parents[one]]
            one = self.parents[one]
        return one

    def _join(self, ones: Iterable[int]) -> int:
        first, *rest = (self._root(each) for each in ones)
        for each in rest:
            self.parents[self._root(each)] = first
        return self._root(first)

    def _define(self, node: Any, attribute: str, reach: _Reach) -> int:
        name = getattr(node, attribute)
        one = self.numbers.setdefault(id(node), len(self.parents))
        if one == len(self.parents):
            self.parents.append(one)
        if name in self.captured:
            self._join([self.whole.setdefault(name, one), one])
        self.uses[id(node)] = node, attribute, one
        reach[name] = frozenset({one})
        reach[_used(name)] = _NOTHING
        return one

    def _use(self, node: ast.Name, reach: _Reach) -> None:
        ones = reach.get(node.id)
        if ones is None:
            return
        if UNDEFINED in ones:
            is_flagged = len(ones) > 1 and isinstance(node.ctx, ast.Load)
            if (
                not is_flagged
                or node.id in self.captured
                or isinstance(self.definition, ast.Lambda)
            ):
                raise _unset(node)
            self.unsure[id(node)] = node
            ones -= {UNDEFINED}
        self.uses[id(node)] = node, "id", self._join(ones)
        self._use_again(node.id, reach)
        if node.id not in self.captured and id(node) not in self.followed:
            self.last[id(node)] = node
        reach[_used(node.id)] = frozenset({id(node)})

    def _use_again(self, name: str, reach: _Reach) -> None:
        """Note that the uses before this one are not the last."""
        for one in reach.get(_used(name), _NOTHING):
            self.followed.add(one)
            self.last.pop(one, None)

    # Statements; each gives what reaches its end, None where that is never reached

    def _block(self, body: list[Any], reach: _Reach | None) -> _Reach | None:
        for number, each in enumerate(body):
            if reach is None:
                self._leave_out(body, number)
                return None
            reach = self._statement(each, reach)
        return reach

    @staticmethod
    def _leave_out(body: list[Any], number: int) -> None:
        """Take out what never runs, unless it makes names local, or the function a generator."""
        rest = body[number:]
        nodes = [node for each in rest for node in trees.nodes(each)]
        if stored_in(rest) or any(isinstance(node, _DECIDING) for node in nodes):
            raise NotSplit(rest[0], "can never run", "remove it")
        del body[number:]

    def _statement(self, node: Any, reach: _Reach) -> _Reach | None:
        if isinstance(node, ast.If):
            tested = self._condition(node.test, reach)
            blocks = zip((node.body, node.orelse), tested, strict=True)
            return _joined([self._block(block, way) for block, way in blocks])
        if isinstance(node, (ast.For, ast.While)):
            return self._loop(node, reach)
        if isinstance(node, ast.Break):
            self.ends[-1].append(reach)
            return None
        if isinstance(node, ast.Continue):
            self.starts[-1].append(reach)
            return None
        if isinstance(node, ast.FunctionDef):
            for each in [*node.args.defaults, *(one for one in node.args.kw_defaults if one)]:
                self._expression(each, reach)
            self._define(node, "name", reach)  # before, as it may call itself
            self._inner(node, reach)
            return reach
        if isinstance(node, ast.AugAssign):
            self._expression(node.value, reach)
            target = node.target
            if isinstance(target, ast.Name):
                # A list stays the same list, so that the name keeps its web.
                before = reach.get(target.id, _NOTHING)
                self._use_again(target.id, reach)
                if UNDEFINED in before:
                    self._use(target, reach)
                self._join([*before, self._define(target, "id", reach)])
            else:
                self._expression(target, reach)
            return reach
        if isinstance(node, (ast.Assign, ast.AnnAssign)):
            if node.value is not None:
                self._expression(node.value, reach)
                for each in node.targets if isinstance(node, ast.Assign) else [node.target]:
                    self._expression(each, reach)
            return reach
        if isinstance(node, ast.Assert):
            holds, fails = self._condition(node.test, reach)
            if node.msg is not None:
                self._expression(node.msg, fails)
            return holds
        if isinstance(node, (ast.Expr, ast.Return, ast.Raise, ast.Pass, ast.Delete)):
            for child in trees.children(node):
                self._expression(child, reach)
            return None if isinstance(node, (ast.Return, ast.Raise)) else reach
        if isinstance(node, ast.Try):
            return self._try(node, reach)
        if isinstance(node, (ast.Global, ast.Nonlocal)):
            if self.local & set(node.names):
                raise NotSplit(node, "changes names of the module", "use arguments")
            return reach
        if isinstance(node, (ast.Import, ast.ImportFrom)):
            raise NotSplit(node, "imports a module", "import it at the top of the file")
        if isinstance(node, ast.Match):
            raise NotSplit(
                node, "matches more than values, names and tuples written as such", "use if"
            )
        kind = type(node).__name__.lower()
        raise NotSplit(node, f"uses {kind}", "use if, for, while and assignments")

    def _try(self, node: ast.Try, reach: _Reach) -> _Reach | None:
        """Any part of the body may have been done when it goes on with a handler."""
        amid = dict(reach)
        end = self._block(node.body, reach)
        for each in (inner for part in node.body for inner in trees.nodes(part)):
            if isinstance(each, ast.Name) and each.id in amid:
                one = self.numbers.get(id(each))
                if one is not None:
                    amid[each.id] |= {one}
                used = _used(each.id)
                amid[used] = amid.get(used, _NOTHING) | {id(each)}
        ways = [self._block(each.body, dict(amid)) for each in node.handlers]
        if node.orelse and end is not None:
            end = self._block(node.orelse, end)
        if node.finalbody:
            raise NotSplit(node, "uses finally", "write what it does behind each way out")
        return _joined([end, *ways])

    def _loop(self, node: Any, reach: _Reach) -> _Reach | None:
        if isinstance(node, ast.For):
            self._expression(node.iter, reach)
        before = dict(reach)
        while True:
            head = dict(before)
            self.ends.append([])
            self.starts.append([])
            end = dict(head)
            if isinstance(node, ast.While):
                head, end = self._condition(node.test, head)
            if isinstance(node, ast.For):
                self._expression(node.target, head)
            body = self._block(node.body, head)
            around = _joined([reach, body, *self.starts.pop()])
            left = self.ends.pop()
            assert around is not None
            if around == before:
                break
            before = around
        last = self._block(node.orelse, end) if node.orelse else end
        test = node.test if isinstance(node, ast.While) else None
        endless = isinstance(test, ast.Constant) and bool(test.value)
        return _joined([None if endless else last, *left])

    # Expressions

    def _expression(self, node: Any, reach: _Reach) -> None:
        if isinstance(node, ast.Name):
            if isinstance(node.ctx, ast.Store):
                self._define(node, "id", reach)
            else:
                self._use(node, reach)
        elif isinstance(node, ast.NamedExpr):
            self._expression(node.value, reach)
            self._expression(node.target, reach)
        elif isinstance(node, (ast.BoolOp, ast.Compare)):
            reach.update(_joined(self._condition(node, reach)) or {})
        elif isinstance(node, ast.IfExp):
            ways = self._condition(node.test, reach)
            for each, way in zip((node.body, node.orelse), ways, strict=True):
                self._expression(each, way)
            reach.update(_joined(ways) or {})
        elif isinstance(node, COMPREHENSIONS):
            self._comprehension(node, reach)
        elif isinstance(node, ast.Lambda):
            self._inner(node, reach)
        else:
            for child in trees.children(node):
                self._expression(child, reach)

    def _condition(self, node: Any, reach: _Reach) -> tuple[_Reach, _Reach]:
        """What reaches the places behind a test: where it holds, and where it does not."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            holds, fails = self._condition(node.operand, reach)
            return fails, holds
        if isinstance(node, ast.Compare):
            self._expression(node.left, reach)
            on, left = dict(reach), []
            for each in node.comparators:
                self._expression(each, on)
                left.append(dict(on))
            return on, _joined(left) or {}
        if not isinstance(node, ast.BoolOp):
            self._expression(node, reach)
            return reach, dict(reach)
        is_and = isinstance(node.op, ast.And)
        on, left = reach, []
        for each in node.values:
            holds, fails = self._condition(each, dict(on))
            on = holds if is_and else fails
            left.append(fails if is_and else holds)
        other = _joined(left) or {}
        return (on, other) if is_and else (other, on)

    def _comprehension(self, node: Any, reach: _Reach) -> None:
        inner = dict(reach)
        self._expression(node.generators[0].iter, inner)
        for _ in range(2):  # once more, as what is used there is used in each round
            for i, each in enumerate(node.generators):
                if i:  # of a target in front of it, which may have the name of its own
                    self._expression(each.iter, inner)
                self._expression(each.target, inner)
                for test in each.ifs:
                    self._expression(test, inner)
            for each in made_by(node):
                self._expression(each, inner)
        used = {name: ones for name, ones in inner.items() if name[:1] == "="}
        reach.update({name: ones | reach.get(name, _NOTHING) for name, ones in used.items()})

    def _inner(self, node: Any, reach: _Reach) -> None:
        """An inner function uses what reaches its definition; its own names keep one web."""
        try:
            unsure = Webs(node).unsure
        except NotSplit as error:
            unsure = {}
            if NO_VALUE in error.what:
                raise
        for one in unsure.values():
            raise _unset(one)
        used = self.local - own_names(node) - self.functions
        for inner in (each for part in body_of(node) for each in trees.nodes(part)):
            if isinstance(inner, ast.Name) and inner.id in used:
                self._use(inner, reach)


def _unset(node: ast.Name) -> NotSplit:
    shown = node.id.partition(".")[0]
    return NotSplit(node, f"uses {shown}, which {NO_VALUE}", "give it one before")


def _flag(name: str, node: ast.stmt, *, value: bool) -> ast.stmt:
    made = ast.Assign([ast.Name(flag_of(name), ast.Store())], ast.Constant(value))
    return ast.fix_missing_locations(ast.copy_location(made, node))


def _with_flags(body: list[Any], unsure: dict[str, ast.Name]) -> list[Any]:
    """Statements, each followed by what says which of some names it has given values."""
    made: list[Any] = []
    for node in body:
        is_loop = isinstance(node, ast.For)
        blocks = [getattr(node, field, None) for field in ("body", "orelse")]
        is_plain = not isinstance(blocks[0], list)
        targets = getattr(node, "targets", [getattr(node, "target", None)])
        if isinstance(node, ast.AnnAssign) and node.value is None:
            targets = []
        given = stored_in([each for each in targets if each is not None]) & unsure.keys()
        heads = [node] if is_plain else [getattr(node, field, None) for field in ("test", "iter")]
        within = [each for head in heads if head is not None for each in trees.nodes(head)]
        hidden = {each.target.id for each in within if isinstance(each, ast.NamedExpr)}
        hidden |= {node.name} if isinstance(node, ast.FunctionDef) else set()
        for name in hidden & unsure.keys():  # which may be evaluated or not
            raise _unset(unsure[name])
        flags = [_flag(name, node, value=True) for name in sorted(given)]
        if not isinstance(node, ast.FunctionDef):
            for field, block in zip(("body", "orelse"), blocks, strict=True):
                if isinstance(block, list):
                    setattr(node, field, _with_flags(block, unsure))
            for handler in getattr(node, "handlers", ()):
                handler.body = _with_flags(handler.body, unsure)
        if is_loop:
            node.body = [*flags, *node.body]
        made += [node] if is_loop else [node, *flags]
    return made


def _used(name: str) -> str:
    """Under which key uses of a name are."""
    return f"={name}"


def _joined(ways: Iterable[_Reach | None]) -> _Reach | None:
    met = [each for each in ways if each is not None]
    if not met:
        return None
    return {name: frozenset().union(*(each[name] for each in met if name in each)) for name in
            {name for each in met for name in each}}  # fmt: skip


def _assigns_outside(definition: Any) -> bool:
    """Whether an inner function assigns to names of what is around it."""
    nodes = [each for part in body_of(definition) for each in trees.nodes(part)]
    named = (each for each in nodes if isinstance(each, (ast.Nonlocal, ast.Global)))
    return not assigned(nodes).isdisjoint(name for each in named for name in each.names)


def assigned(nodes: Iterable[Any]) -> set[str]:
    """The names among nodes that are given values, or deleted."""
    return {e.id for e in nodes if isinstance(e, ast.Name) and not isinstance(e.ctx, ast.Load)}
