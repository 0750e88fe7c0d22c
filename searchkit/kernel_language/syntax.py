"""What kernels may hold, by construct; `docs/reference/packed.md` has the same list.

Whatever is on the list means the same in plain Python and in machine code as long as numbers fit
their words. What is not is refused before any compiler sees it, with the author's line and advice.
"""

from __future__ import annotations

import ast
from math import inf
from typing import Any, TypeGuard

from searchkit.kernel_language.site import Site
from searchkit.kernel_language.trees import nodes

BUILTINS = frozenset(
    {"abs", "bool", "divmod", "enumerate", "int", "len", "max", "min", "range", "zip"}
)
"""The functions of Python that kernels may call."""
ITERATORS = frozenset({"enumerate", "range", "zip"})
"""Those of them that only a `for` may call."""

TRAPPED = "Trapped"
"""The only exception that kernels may raise."""
_HARMLESS = frozenset({
    ast.Return, ast.AnnAssign, ast.While, ast.If, ast.Pass, ast.Break, ast.Continue, ast.Assert,
    ast.BoolOp, ast.UnaryOp, ast.IfExp, ast.Attribute, ast.Subscript, ast.Tuple, ast.keyword,
})  # fmt: skip
_WITH_OBJECTIONS = frozenset({ast.Constant, ast.Name, ast.Call, ast.Expr, ast.Assign, ast.For})
"""Of these, too, not all are allowed; see `_objection`."""

_NO_STEP = (
    "yields what is not a step; write `yield operator, child` or `yield operator, child, cost` in "
    "a line of its own"
)
_REFUSED: dict[type[ast.AST], str] = {
    ast.Div: "divides by /, which gives a float; use // for whole numbers",
    ast.MatMult: "uses @; kernels calculate with integers",
    ast.Is: "compares by `is`; use ==",
    ast.IsNot: "compares by `is not`; use !=",
    ast.NamedExpr: "assigns by := within an expression; assign in a line of its own",
    ast.Lambda: "holds a lambda; use functions of the module",
    ast.FunctionDef: "holds a function; use functions of the module",
    ast.ClassDef: "holds a class",
    ast.ListComp: "holds a comprehension; use a loop",
    ast.SetComp: "holds a comprehension; use a loop",
    ast.DictComp: "holds a comprehension; use a loop",
    ast.GeneratorExp: "holds a generator expression; use a loop",
    ast.Yield: "holds a yield; kernels return one value",
    ast.YieldFrom: "holds a yield; kernels return one value",
    ast.List: "holds a list; use a tuple, the bits of an int, or a field of self.tables",
    ast.Dict: "holds a dict; use a field of self.tables that is looked up by a number",
    ast.Set: "holds a set; use the bits of an int",
    ast.JoinedStr: "holds a text; kernels calculate with integers",
    ast.FormattedValue: "holds a text; kernels calculate with integers",
    ast.Slice: "holds a slice; take the items one by one",
    ast.Starred: "unpacks by a star; name each item",
    ast.Match: "holds match; use if and elif",
    ast.Try: "holds try; kernels raise and catch nothing",
    ast.TryStar: "holds try; kernels raise and catch nothing",
    ast.Raise: "raises an error; use assert, or engine='checked' to find mistakes",
    ast.Import: "imports; import at the top of the file",
    ast.ImportFrom: "imports; import at the top of the file",
    ast.With: "holds with",
    ast.Delete: "holds del; leave it out, names need no deleting",
    ast.Global: "holds global; kernels change nothing outside of them",
    ast.Nonlocal: "holds nonlocal; kernels change nothing outside of them",
}

_CALLS = {
    "print": "shows other numbers where words are signed; use engine='checked' to find mistakes",
    "sum": "add in a loop",
    "any": "use a loop",
    "all": "use a loop",
    "sorted": "use a field of self.tables",
    "reversed": "use range with a step of -1",
    "bin": "use searchkit.bits.count_ones, or shifts and masks",
    "str": "kernels calculate with integers; use // and % for digits",
    "repr": "kernels calculate with integers",
    "float": "kernels calculate with integers",
    "round": "kernels calculate with integers; use //",
    "pow": "multiply in a loop, or use << for powers of two",
    "list": "use a tuple, the bits of an int, or a field of self.tables",
    "tuple": "write the tuple out, as in (a, b)",
    "dict": "use a field of self.tables that is looked up by a number",
    "set": "use the bits of an int",
    "super": "call the other kernel by a name of its own",
}

_METHODS = {
    "bit_count": "use searchkit.bits.count_ones(word)",
    "bit_length": "use searchkit.bits, or a loop",
    "item": "use int(...)",
    "shape": "use len(...)",
    "size": "use len(...)",
    "append": "kernels have no lists",
}


def check_syntax(definition: ast.FunctionDef, site: Site, *, yields: bool = False) -> None:
    """Raise `CompilationError` for the first construct that is not on the list.

    `yields` says that it is `expand`, which yields steps and returns nothing.
    """
    arguments = definition.args
    if arguments.vararg or arguments.kwarg or arguments.kwonlyargs:
        raise site.error(definition, "has arguments with stars; name each argument")
    if arguments.defaults:
        raise site.error(definition, "has default arguments; give all arguments in each call")
    every = [node for statement in definition.body for node in nodes(statement)]
    steps = {node.value for node in every if yields and _is_step(node)}
    others = [node for node in every if node.__class__ not in _HARMLESS and _objection(node)]
    refused = [node for node in others if node not in steps and not is_trap(node)]
    if refused:
        node = min(refused, key=_place)  # of those that begin in one place, the outermost
        is_step = yields and isinstance(node, (ast.Yield, ast.YieldFrom))
        raise site.error(node, _NO_STEP if is_step else str(_objection(node)))
    returns = [node for node in every if isinstance(node, ast.Return)]
    if yields:
        for node in returns:
            if node.value is not None:
                raise site.error(node, "returns a value; expand yields steps, and returns nothing")
        return
    if not any(node.value for node in returns):
        raise site.error(definition, "returns nothing")
    for node in returns:
        if node.value is None:
            raise site.error(node, "returns nothing; return a value, as elsewhere in it")
    if _falls_through(definition.body):
        raise site.error(
            definition.body[-1], "can come to its end without a return; return a value there"
        )


def _place(node: Any) -> tuple[float, int]:
    """Where a node begins; what has no place is within a node that has one."""
    return getattr(node, "lineno", inf), getattr(node, "col_offset", 0)


def _is_step(node: ast.AST) -> TypeGuard[ast.Expr]:
    """Whether a statement yields `operator, child` or `operator, child, cost`."""
    step = (
        node.value.value
        if isinstance(node, ast.Expr) and isinstance(node.value, ast.Yield)
        else None
    )
    return isinstance(step, ast.Tuple) and len(step.elts) in (2, 3)


def is_trap(node: ast.AST) -> bool:
    """Whether a statement has the form of `raise Trapped`."""
    if not isinstance(node, ast.Raise) or node.cause is not None:
        return False
    return TRAPPED in (getattr(node.exc, "id", None), getattr(node.exc, "attr", None))


def check_names(definition: ast.FunctionDef, site: Site) -> None:
    """Raise `CompilationError` for names that Python changes within a class."""
    for node in nodes(definition):
        is_name = isinstance(node, ast.Attribute) and not node.attr.endswith("__")
        if is_name and node.attr.startswith("__"):
            message = f"uses .{node.attr}; names begin with one underscore at most"
            raise site.error(node, message)


def refused_builtin(name: str) -> str:
    """What to say of a call of a function of Python that is not on the list."""
    return f"calls {name}; {_CALLS.get(name, 'kernels calculate with integers')}"


def refused_attribute(name: str) -> str:
    """What to say of an attribute of something that is not a table."""
    advice = _METHODS.get(name, "kernels may use the fields of self.tables and other kernels only")
    return f"uses .{name}; {advice}"


def _objection(node: Any) -> str | None:
    """What is wrong with a node, if anything is; of an operator, that is said of what has it."""
    kind = node.__class__
    if kind in (ast.BinOp, ast.AugAssign):
        return _REFUSED.get(type(node.op))
    if kind is ast.Compare:
        return next(filter(None, map(_REFUSED.get, map(type, node.ops))), None)
    if kind not in _WITH_OBJECTIONS:
        known = f"holds {kind.__name__.lower()}; see the list in docs/reference/packed.md"
        return _REFUSED.get(kind, known)
    if isinstance(node, ast.Constant) and type(node.value) not in (int, bool):
        kind = "None" if node.value is None else f"a {type(node.value).__name__}"
        return f"holds {node.value!r:.20}, {kind}; kernels calculate with integers"
    if isinstance(node, ast.Name) and node.id == "super":
        return refused_builtin(node.id)
    if isinstance(node, ast.Call):
        if any(keyword.arg is None for keyword in node.keywords):
            return "unpacks arguments by stars; write each argument"
        if not isinstance(node.func, (ast.Name, ast.Attribute)):
            return (
                "calls what is not a name; kernels call other kernels and functions by their names"
            )
    if isinstance(node, ast.Expr) and not isinstance(node.value, (ast.Call, ast.Yield)):
        return "holds an expression that does nothing; is an assignment or a return missing?"
    if isinstance(node, (ast.Assign, ast.For)):
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        named = (ast.Name, ast.Subscript, ast.Starred)
        if not all(isinstance(name, named) for each in targets for name in assigned(each)):
            return "assigns to what is not a name; assign to names, or to items of memo"
    return None


def assigned(target: ast.expr) -> list[ast.expr]:
    """What a target assigns to, by tuples within tuples, too."""
    if isinstance(target, ast.Tuple):
        return [name for each in target.elts for name in assigned(each)]
    return [target]


def _falls_through(body: list[ast.stmt]) -> bool:
    """Whether the end of the statements may be reached, as far as their form tells."""
    return not any(_leaves(statement) for statement in body)


def _leaves(statement: ast.stmt) -> bool:
    if isinstance(statement, (ast.Return, ast.Raise, ast.Break, ast.Continue)):
        return True
    if isinstance(statement, ast.If):
        return not _falls_through(statement.body) and not _falls_through(statement.orelse)
    if isinstance(statement, ast.While):
        endless = isinstance(statement.test, ast.Constant) and bool(statement.test.value)
        return endless and not any(_breaks(inner) for inner in statement.body)
    return False


def _breaks(statement: ast.stmt) -> bool:
    """Whether a statement of a loop holds a `break` of that loop."""
    if isinstance(statement, ast.Break):
        return True
    if isinstance(statement, (ast.For, ast.While)):
        return any(_breaks(inner) for inner in statement.orelse)
    if isinstance(statement, ast.If):
        return any(_breaks(inner) for inner in (*statement.body, *statement.orelse))
    return False
