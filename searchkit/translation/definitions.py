"""What a definition says of the names and nodes in it; `match` and defaults said in another way."""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Mapping, Sequence
from functools import lru_cache
from types import MappingProxyType
from typing import Any

from searchkit.kernel_language import trees
from searchkit.translation.effects import may_change
from searchkit.translation.scopes import COMPREHENSIONS, arguments_of, body_of, made_by, stored_in

_GOING_THROUGH = {
    "map", "filter", "sorted", "sum", "any", "all", "min", "max", "list", "tuple", "set"
}  # fmt: skip
"""Functions of Python that may call others, or ask generators."""


def is_used_once(definition: Any, name: str) -> bool:
    """Whether a function uses a name in one place at most, which is in no loop."""
    return _is_used_once_in(body_of(definition), name, least=0)


@lru_cache(maxsize=1 << 10)
def own_nodes(definition: Any) -> tuple[ast.AST, ...]:
    """The nodes of a function without those of functions within it."""
    found: list[ast.AST] = []
    todo: list[ast.AST] = list(definition.body)
    while todo:
        node = todo.pop()
        found.append(node)
        if not isinstance(node, (ast.FunctionDef, ast.Lambda, ast.GeneratorExp)):
            todo += trees.children(node)
    return tuple(found)


@lru_cache(maxsize=1 << 10)
def is_generator(definition: Any) -> bool:
    """Whether a function yields."""
    return any(isinstance(each, (ast.Yield, ast.YieldFrom)) for each in own_nodes(definition))


@lru_cache(maxsize=1 << 10)
def defined_in(definition: Any) -> Mapping[str, int]:
    """How often each name is assigned to."""
    names = [each.arg for each in arguments_of(definition)]
    names += getattr(definition, "unsure", ())  # what may have no value is no value that is known
    todo = list(body_of(definition))
    while todo:
        node = todo.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, (ast.Store, ast.Del)):
            names.append(node.id)
        if isinstance(node, ast.FunctionDef):
            names.append(node.name)
        if not isinstance(node, (ast.FunctionDef, ast.Lambda)):
            todo += trees.children(node)
    return MappingProxyType(Counter(names))


@lru_cache(maxsize=1 << 10)
def assigned_within(definition: Any) -> frozenset[str]:
    """The names that := assigns to."""
    every = (each for each in trees.nodes(definition) if isinstance(each, ast.NamedExpr))
    return frozenset(each.target.id for each in every)


@lru_cache(maxsize=1 << 10)
def returned_name(definition: Any) -> str | None:
    """The name that a function returns, or a call, perhaps of itself; None if it is another."""
    returns = [each.value for each in own_nodes(definition) if isinstance(each, ast.Return)]
    names = {each.id for each in returns if isinstance(each, ast.Name)}
    if len(names) != 1 or not all(isinstance(each, (ast.Name, ast.Call)) for each in returns):
        return None
    return names.pop()


@lru_cache(maxsize=1 << 10)
def returns_nothing(definition: Any) -> bool:
    """Whether a function returns None at each return."""
    returns = [each.value for each in own_nodes(definition) if isinstance(each, ast.Return)]
    return all(e is None or (isinstance(e, ast.Constant) and e.value is None) for e in returns)


@lru_cache(maxsize=1 << 10)
def calls_its_own_name(definition: Any) -> bool:
    """Whether a function calls one of its own name, which most often is itself."""
    calls = (each.func for each in trees.nodes(definition) if isinstance(each, ast.Call))
    names = {getattr(each, "attr", getattr(each, "id", None)) for each in calls}
    return getattr(definition, "name", None) in names


def with_plain_defaults(definition: ast.FunctionDef) -> ast.FunctionDef:
    """The function where `if x is None: x = y` is said as `x = y if x is None else x`.

    So an argument and what takes its place are told apart.
    """
    if not any(map(_replaces_none, trees.nodes(definition))):
        return definition
    made = _Defaults().visit(trees.copied(definition))
    assert isinstance(made, ast.FunctionDef)
    return trees.located(made)


def _replaces_none(node: Any) -> bool:
    match node:
        case ast.If(
            ast.Compare(ast.Name(name), [ast.Is()], [ast.Constant(None)]),
            [ast.Assign([ast.Name(other)])],
            [],
        ):
            return bool(name == other)
    return False


class _Defaults(trees.Transformer):
    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        names = {each.arg for each in arguments_of(node)}
        for i, each in enumerate(node.body):
            if _replaces_none(each) and each.test.left.id in names:  # type: ignore[attr-defined]
                test, then = each.test, each.body[0]  # type: ignore[attr-defined]
                other = ast.Name(test.left.id, ast.Load())
                value = ast.copy_location(ast.IfExp(test, then.value, other), then)
                node.body[i] = ast.copy_location(ast.Assign(then.targets, value), then)
        self.generic_visit(node)
        return node


@lru_cache(maxsize=1 << 10)
def frames_of(definition: Any) -> int:
    """How many frames Python has at most while a function calls another, generators included."""

    def depth(node: ast.AST) -> int:
        most = max(map(depth, trees.children(node)), default=0)
        return most + isinstance(node, (*COMPREHENSIONS, ast.Lambda))

    if definition is None or isinstance(definition, ast.Lambda):
        return 0 if definition is None else 1 + 2 * depth(definition.body)
    nodes = own_nodes(definition)
    names = {each.id for each in nodes if isinstance(each, ast.Name)}
    called = is_generator(definition) + bool(names & _GOING_THROUGH)
    return 1 + called + 2 * max(map(depth, definition.body))


_COUNTS = {"append": 1, "appendleft": 1, "popleft": 0, "pop": 0, "extend": 1, "clear": 0,
           "remove": 1, "count": 1, "rotate": 1}  # fmt: skip
"""The methods that are translated, each with how many arguments it has."""
_CHANGING = frozenset(_COUNTS) - {"count"}
_READ_BY = _GOING_THROUGH - {"map", "filter"} | {"len", "frozenset", "bool"}


def refusal_of_queue(definition: Any, call: ast.Call) -> str | None:
    """Why the deque that a call makes is no list; None if it can be one.

    It must have a name, which is used as a queue is. A loop over it must not change it.
    """
    parents = {
        id(child): node for node in trees.nodes(definition) for child in trees.children(node)
    }
    pairs = _assigned_alone(definition)
    name = next((target.id for target, value in pairs if value is call), None)
    if name is None or len(call.args) > 1 or call.keywords:
        return "in one place with something else"
    made = {id(target) for target, value in pairs if isinstance(value, ast.Call)
            and ast.dump(value.func) == ast.dump(call.func)}  # fmt: skip
    for node in trees.nodes(definition):
        if isinstance(node, ast.Name) and node.id == name:
            parent = parents[id(node)]
            if not isinstance(node.ctx, ast.Load):
                if id(node) not in made:
                    return "and something else by one name"
            elif not _is_use(node, parent, parents):
                return f"in `{ast.unparse(parent):.40}`"
    return None


def _assigned_alone(definition: Any) -> list[tuple[ast.Name, ast.expr]]:
    """The names that are given values, each with its own, also as items of tuples."""
    found: list[tuple[Any, Any]] = []
    for node in trees.nodes(definition):
        match node:
            case ast.Assign([ast.Tuple(names)], ast.Tuple(values)):
                if not any(isinstance(each, ast.Starred) for each in (*names, *values)):
                    found += zip(names, values, strict=False)
            case ast.Assign([target], value) | ast.AnnAssign(target, value=value):
                found.append((target, value))
    return [(target, value) for target, value in found if isinstance(target, ast.Name)]


def _is_use(node: Any, parent: Any, parents: dict[int, Any]) -> bool:
    name = node.id
    above: Any = parents.get(id(parent))
    if isinstance(parent, ast.Attribute):
        is_call = isinstance(above, ast.Call) and above.func is parent and not above.keywords
        return is_call and _COUNTS.get(parent.attr) == len(above.args)
    if isinstance(parent, ast.Call):
        is_read = isinstance(parent.func, ast.Name) and parent.func.id in _READ_BY
        return is_read and parent.args == [node]
    if isinstance(parent, ast.Subscript):
        return parent.value is node and not isinstance(parent.slice, ast.Slice)
    if isinstance(parent, ast.Compare):
        return len(parent.ops) == 1 and isinstance(parent.ops[0], (ast.In, ast.NotIn)) and (
            parent.left is not node
        )  # fmt: skip
    if isinstance(parent, (ast.For, ast.comprehension)):
        whole = parent if isinstance(parent, ast.For) else above
        return parent.iter is node and not any(
            isinstance(each, ast.Attribute)
            and each.attr in _CHANGING
            and getattr(each.value, "id", None) == name
            for each in trees.nodes(whole)
        )
    while isinstance(parent, (ast.BoolOp, ast.UnaryOp)):
        if isinstance(parent, ast.UnaryOp):
            return isinstance(parent.op, ast.Not)
        node, parent = parent, parents.get(id(parent))
    return isinstance(parent, (ast.While, ast.If, ast.IfExp)) and parent.test is node


def used_soon(node: ast.Assign, definition: Any) -> ast.expr | None:
    """The expression that uses the name which an assignment gives a value, and nothing else does.

    None if it is used otherwise, or something may change between the two that the value reads.
    """
    target = node.targets[0]
    if len(node.targets) != 1 or not isinstance(target, ast.Name):
        return None
    uses = [e for e in trees.nodes(definition) if isinstance(e, ast.Name) and e.id == target.id]
    block = _block_of(node, definition)
    if len(uses) != 2 or block is None:
        return None
    use = next(each for each in uses if each is not target)
    read = {plain_name(e.id) for e in trees.nodes(node.value) if isinstance(e, ast.Name)}
    for each in block[block.index(node) + 1 :]:
        if any(inner is use for inner in trees.nodes(each)):
            part = _evaluated_once(each, read)
            return part if part is not None and _is_used_at_once(part, use) else None
        is_plain = isinstance(each, ast.Assign) and all(
            isinstance(inner, (ast.Name, ast.Tuple)) for inner in each.targets
        )
        if not is_plain or any(map(may_change, trees.nodes(each))):
            return None
        if {plain_name(name) for name in stored_in([each])} & read:
            return None
    return None


def plain_name(name: str) -> str:
    """A name as the author has written it."""
    return name.partition("~")[0]


def is_used_once_in_loop(definition: Any, name: str) -> bool:
    """Whether the loop that gives a name its values uses each of them once."""
    for each in trees.nodes(definition):
        loops: list[Any] = each.generators if isinstance(each, COMPREHENSIONS) else [each]
        for i, loop in enumerate(loops):
            target = getattr(loop, "target", None)
            names = [] if target is None else list(trees.nodes(target))
            if not any(isinstance(one, ast.Name) and one.id == name for one in names):
                continue
            if isinstance(each, COMPREHENSIONS):
                if i + 1 < len(loops):
                    return False
                parts = [*made_by(each), *loop.ifs]
            else:
                parts = getattr(each, "body", [])
            return _is_used_once_in(parts, name, least=1)
    return False


def _is_used_once_in(parts: Sequence[ast.AST], name: str, *, least: int) -> bool:
    """Whether parts of a function use a name once, or `least` times, and not again and again."""
    uses = [e for part in parts for e in trees.nodes(part) if getattr(e, "id", None) == name]
    if len(uses) != 1:
        return len(uses) == least
    return any(_is_used_at_once(part, uses[0]) for part in parts)


def _block_of(node: ast.stmt, definition: Any) -> list[ast.stmt] | None:
    """The statements that one of them stands among."""
    for each in trees.nodes(definition):
        for field in ("body", "orelse"):
            block = getattr(each, field, None)
            if isinstance(block, list) and any(one is node for one in block):
                return block
    return None


def _evaluated_once(statement: ast.stmt, read: set[str]) -> ast.expr | None:
    """What a statement evaluates once, unless it changes names of `read` meanwhile."""
    if isinstance(statement, ast.For):
        stored = stored_in([statement.target, *statement.body])
        return None if {plain_name(name) for name in stored} & read else statement.iter
    if isinstance(statement, ast.If):
        return statement.test
    is_plain = isinstance(statement, (ast.Assign, ast.Return, ast.Expr))
    return statement.value if is_plain else None  # type: ignore[attr-defined]


def _is_used_at_once(node: ast.AST, use: ast.Name) -> bool:
    """Whether a name is used in a part that is evaluated neither again nor later."""
    if node is use or isinstance(node, (ast.While, ast.Lambda, ast.FunctionDef)):
        return node is use
    if isinstance(node, COMPREHENSIONS):
        node = node.generators[0]
    if isinstance(node, (ast.For, ast.comprehension)):
        return _is_used_at_once(node.iter, use)
    return any(_is_used_at_once(each, use) for each in trees.children(node))


@lru_cache(maxsize=1 << 10)
def with_yields(definition: Any) -> Any:
    """A function that makes one list and returns it, as one that yields its items; None of others.

    The list is begun once, and then only made longer, outside of any `try`.
    """
    last: Any = definition.body[-1]
    others = (ast.Return, ast.Try, ast.With, ast.Yield, ast.YieldFrom)
    is_name = isinstance(last, ast.Return) and isinstance(last.value, ast.Name)
    if not is_name or sum(isinstance(each, others) for each in trees.nodes(definition)) > 1:
        return None
    yielding, twin = _Yielding(last.value.id), trees.copied(definition)
    twin.body = [yielding.visit(each) for each in twin.body[:-1]]
    begins = [at for at, each in enumerate(twin.body) if yielding.begins(each)]
    if len(begins) != 1:
        return None
    first: Any = twin.body[begins[0]]
    twin.body[begins[0]] = ast.copy_location(ast.Expr(ast.YieldFrom(first.value)), first)
    is_left = any(map(yielding.is_list, trees.nodes(twin)))
    return None if is_left else trees.located(twin)


class _Yielding(trees.StatementTransformer):
    """Yields what a list is made longer by."""

    def __init__(self, name: str) -> None:
        self.name = name

    def is_list(self, node: ast.AST) -> bool:
        """Whether an expression is its name."""
        return isinstance(node, ast.Name) and node.id == self.name

    def begins(self, node: ast.stmt) -> bool:
        """Whether the list gets its name."""
        is_one = isinstance(node, ast.Assign) and isinstance(node.value, (ast.List, ast.ListComp))
        return is_one and len(node.targets) == 1 and self.is_list(node.targets[0])  # type: ignore[attr-defined]

    def visit_Expr(self, node: ast.Expr) -> ast.Expr:
        call: Any = node.value
        is_method = isinstance(call, ast.Call) and isinstance(call.func, ast.Attribute)
        if is_method and self.is_list(call.func.value) and len(call.args) == 1:
            made = {"append": ast.Yield, "extend": ast.YieldFrom}.get(call.func.attr)
            return node if made is None else ast.copy_location(ast.Expr(made(call.args[0])), node)
        return node

    def visit_AugAssign(self, node: ast.AugAssign) -> ast.stmt:
        is_longer = self.is_list(node.target) and isinstance(node.op, ast.Add)
        longer = ast.Expr(ast.YieldFrom(node.value))
        return ast.copy_location(longer, node) if is_longer else node

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.FunctionDef:
        return node


def order_free(definition: Any, loop: ast.For) -> dict[str, str] | None:
    """The names that a loop leaves the same in whatever order it runs, each with how it does.

    They are sums ("sum") or the least or greatest ("min", "max") of whole numbers, or are given one
    constant ("same"). None if the order may matter otherwise, as of what is yielded, or where a
    name that a round gives a value is read behind the loop, or by a generator that it goes through
    or a function that it may call. O(nodes).
    """
    inside = [each for part in (loop.target, *loop.body) for each in trees.nodes(part)]
    every = trees.nodes(definition)
    kinds = (ast.Yield, ast.YieldFrom, ast.FunctionDef)
    if any(isinstance(each, (ast.Nonlocal, ast.Global)) for each in every) or any(
        isinstance(each, kinds) for each in inside
    ):
        return None
    here, all_of = (Counter(e.id for e in nodes if isinstance(e, ast.Name))
                    for nodes in (inside, every))  # fmt: skip
    own = {name for name in here if here[name] == all_of[name]}
    own -= {each.arg for each in arguments_of(definition)}.union(getattr(definition, "unsure", ()))
    late: list[ast.AST] = [e for e in every if isinstance(e, (ast.FunctionDef, ast.Lambda))]
    late[late.index(definition)] = loop.iter  # a generator's items are made in the loop
    read = {getattr(each, "id", "") for part in late for each in trees.nodes(part)}
    rounds = _Rounds(own)
    stored = {e.id for e in inside if isinstance(e, ast.Name) and isinstance(e.ctx, ast.Store)}
    is_free = rounds.block(loop.body, 0) and stored <= own | rounds.ways.keys()
    is_free &= rounds.ways.keys().isdisjoint(read)
    if any(here[name] != rounds.uses[name] for name in rounds.ways) or len(rounds.ends) > 1:
        return None
    if rounds.ways and any(kind is ast.Break for kind, _ in rounds.ends):
        # Rounds that are left out would have given the same constant, or nothing.
        is_free &= [each for _, each in rounds.ends] == [*rounds.ways.values()]
    return {name: way.partition(" ")[0] for name, way in rounds.ways.items()} if is_free else None


class _Rounds:
    """What the rounds of a loop do to names that are not a round's own."""

    def __init__(self, own: set[str]) -> None:
        self.own = own
        self.ways: dict[str, str] = {}
        self.uses: Counter[str] = Counter()
        self.ends: set[tuple[type, str]] = set()
        """How rounds end the loop, with what is returned, or done right before."""

    def block(self, body: list[Any], depth: int) -> bool:
        """Whether the order of rounds makes no difference to some statements."""
        return all(self._is_free(each, body[:i], depth) for i, each in enumerate(body))

    def _is_free(self, node: Any, before: list[Any], depth: int) -> bool:
        match node:
            case ast.Pass() | ast.Continue():
                return True
            case ast.Break():
                last = self._constant(before[-1]) if before else None
                self.ends |= set() if depth else {(ast.Break, last or "")}
                return True
            case ast.Return(None | ast.Constant()):
                self.ends.add((ast.Return, ast.unparse(node)))
                return True
            case ast.If(test, [ast.Assign([ast.Name(name)], value)], []) if (
                name not in self.own and (way := _least(test, name, value))
            ):
                return self._note(name, way, 2 + isinstance(test, ast.BoolOp))
            case ast.If():
                return self.block(node.body, depth) and self.block(node.orelse, depth)
            case ast.For() | ast.While():
                return self.block(node.body, depth + 1) and self.block(node.orelse, depth)
            case ast.Assign([target]) | ast.AugAssign(target) if all(
                isinstance(e, ast.Tuple) or getattr(e, "id", None) in self.own
                for e in trees.nodes(target)
            ):
                return True
            case ast.AugAssign(ast.Name(name), ast.Add() | ast.Sub()):
                return self._note(name, "sum", 1)
            case ast.Assign([ast.Name(name)], ast.BinOp(ast.Name(same), ast.Add())):
                return name == same and self._note(name, "sum", 2)
            case ast.Assign([ast.Name(name)], ast.Call(ast.Name(way), [ast.Name(same), _], [])):
                return name == same and way in ("min", "max") and self._note(name, way, 2)
            case ast.Assign([ast.Name(name)], ast.Constant()):
                return self._note(name, self._constant(node) or "", 1)
        return False

    @staticmethod
    def _constant(node: Any) -> str | None:
        """How a name is given a constant; None of all else."""
        is_plain = isinstance(node, ast.Assign) and isinstance(node.value, ast.Constant)
        return f"same {ast.unparse(node)}" if is_plain else None

    def _note(self, name: str, way: str, uses: int) -> bool:
        self.uses[name] += uses
        return self.ways.setdefault(name, way) == way


def _least(test: ast.expr, name: str, value: ast.expr) -> str | None:
    """What `if test: name = value` makes of a name: the least, the greatest, or something else."""
    text = ast.unparse(value)
    ways = {f"{text} < {name}": "min", f"{text} > {name}": "max",
            f"{name} > {text}": "min", f"{name} < {text}": "max"}  # fmt: skip
    return ways.get(ast.unparse(test).removeprefix(f"{name} is None or "))


Found = tuple[list[ast.expr], list[tuple[str, ast.expr]]]
"""The tests of a pattern, and the names that it gives values."""


def without_matches(definition: ast.FunctionDef) -> ast.FunctionDef:
    """The function with each `match` that can be said by `if` said so; the others stay.

    Those are of values, names, `|`, and of tuples where the subject is written as one.
    """
    if not any(isinstance(each, ast.Match) for each in trees.nodes(definition)):
        return definition
    made = trees.copied(definition)
    made = _Rewritten(made).visit(made)
    assert isinstance(made, ast.FunctionDef)
    return trees.located(made)


class _Rewritten(trees.Transformer):
    def __init__(self, definition: ast.FunctionDef) -> None:
        self.definition = definition
        self.count = 0

    def visit_Match(self, node: ast.Match) -> Any:
        self.generic_visit(node)
        parts = node.subject.elts if isinstance(node.subject, ast.Tuple) else [node.subject]
        if any(isinstance(each, ast.Starred) for each in parts):
            return node
        self.count += 1
        names = [f"matched.{self.count}.{i}" for i in range(len(parts))]
        subjects: list[ast.expr] = [ast.Name(name, ast.Load()) for name in names]
        is_tuple = isinstance(node.subject, ast.Tuple)
        chain: list[ast.stmt] = []
        for case in reversed(node.cases):
            found = (
                _of_tuple(case.pattern, subjects) if is_tuple else _of(case.pattern, subjects[0])
            )
            if found is None:
                return node
            tests, given = found
            if case.guard is not None:
                if given and self._are_used_outside({name for name, _ in given}, case):
                    return node  # they have these values, too, where the guard fails
                tests = [*tests, trees.substituted(case.guard, dict(given))]
            body = [_assigned(name, value) for name, value in given] + case.body
            if tests:
                test = tests[0] if len(tests) == 1 else ast.BoolOp(ast.And(), tests)
                chain = [ast.If(test, body, chain)]
            else:
                chain = body
        begin = [_assigned(name, part) for name, part in zip(names, parts, strict=True)]
        return [ast.copy_location(each, node) for each in (*begin, *chain)]

    def _are_used_outside(self, names: set[str], case: ast.match_case) -> bool:
        inside = {id(each) for each in trees.nodes(case)}
        return any(
            isinstance(each, ast.Name) and each.id in names and id(each) not in inside
            for each in trees.nodes(self.definition)
        )


def _assigned(name: str, value: ast.expr) -> ast.stmt:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _of_tuple(pattern: ast.pattern, subjects: list[ast.expr]) -> Found | None:
    """The same for a subject that is a tuple of these; None for a pattern that is not said here."""
    if isinstance(pattern, ast.MatchAs) and pattern.pattern is None and pattern.name is None:
        return [], []
    if isinstance(pattern, ast.MatchOr):
        return _either([_of_tuple(each, subjects) for each in pattern.patterns])
    if not isinstance(pattern, ast.MatchSequence) or len(pattern.patterns) != len(subjects):
        return None
    tests, given = [], []
    for each, subject in zip(pattern.patterns, subjects, strict=True):
        found = _of(each, subject)
        if found is None:
            return None
        tests += found[0]
        given += found[1]
    return tests, given


def _of(pattern: ast.pattern, subject: ast.expr) -> Found | None:
    if isinstance(pattern, ast.MatchValue):
        return [ast.Compare(subject, [ast.Eq()], [pattern.value])], []
    if isinstance(pattern, ast.MatchSingleton):
        return [ast.Compare(subject, [ast.Is()], [ast.Constant(pattern.value)])], []
    if isinstance(pattern, ast.MatchOr):
        return _either([_of(each, subject) for each in pattern.patterns])
    if isinstance(pattern, ast.MatchAs):
        inner: Found | None = ([], [])
        if pattern.pattern is not None:
            inner = _of(pattern.pattern, subject)
        if inner is None or pattern.name is None:
            return inner
        return inner[0], [*inner[1], (pattern.name, subject)]
    return None


def _either(found: list[Found | None]) -> Found | None:
    """The test whether one of several patterns holds, of which none gives a name a value."""
    tests: list[ast.expr] = []
    for each in found:
        if each is None or each[1]:
            return None
        if not each[0]:
            return [], []
        tests.append(each[0][0] if len(each[0]) == 1 else ast.BoolOp(ast.And(), each[0]))
    return [ast.BoolOp(ast.Or(), tests)], []
