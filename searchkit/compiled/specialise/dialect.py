"""Kernels as machine code takes them: arithmetic that wraps, and all that is read as signed words.

Found out by experiments: of two numbers of 32 bits without a sign, as operators are in some
engines, the compiler makes a difference without a sign, and of such a difference and a word a
float. Sums of signed numbers it takes for sums that never overflow. `~` of a truth value is `not`.
"""

from __future__ import annotations

import ast
from typing import Any

from searchkit.compiled.specialise.kernels.children import TRAPPED
from searchkit.kernel_language.collector import Collected
from searchkit.kernel_language.constants import signed
from searchkit.kernel_language.marks import EITHER, TRAPPED_IN_KERNEL, is_marked, range_of
from searchkit.kernel_language.syntax import assigned
from searchkit.kernel_language.trees import StatementTransformer, Transformer, copied
from searchkit.kernel_language.uses import SEVERAL

NARROW = ("control", "operator", "mask", "image", "group", "choice")
"""Arguments that engines may keep in less than 64 bits."""
CHILDREN, MADE = "searchkit_children", "searchkit_made"
"""What a kernel that lists children gets behind its arguments: see the file `successors`."""
_WRAPPING: dict[type[ast.operator], str] = {
    ast.Add: "wrapping_add",
    ast.Sub: "wrapping_subtract",
    ast.Mult: "wrapping_multiply",
}


def machine_dialect(name: str, collected: Collected) -> ast.FunctionDef:
    """The function as it goes into the text of a module."""
    definition = _Machine(collected).visit(copied(collected.definition))
    assert isinstance(definition, ast.FunctionDef)
    if collected.gives == "steps":
        definition.args.args += [ast.arg(CHILDREN), ast.arg(MADE)]
        definition = _Listing().visit(definition)
        assert isinstance(definition, ast.FunctionDef)
        definition.body.append(ast.copy_location(ast.Return(_made()), definition.body[-1]))
    else:
        declared = zip(definition.args.args, collected.declared, strict=False)
        states = [argument.arg for argument, name in declared if name == "state"]
        definition = _Trapping(states[0] if states else None).visit(definition)
        assert isinstance(definition, ast.FunctionDef)
    arguments = zip(definition.args.args, collected.declared, strict=False)
    definition.body[:0] = [
        _as_word(argument.arg, definition)
        for argument, declared in arguments
        if declared in NARROW and collected.uses(argument.arg)
    ]
    return definition


class _Listing(StatementTransformer):
    """Makes of a kernel that yields steps one that puts children behind `made` others.

    It returns how many there are then, or why they cannot be put there.
    """

    def visit_Expr(self, node: ast.Expr) -> Any:
        step: Any = node.value.value if isinstance(node.value, ast.Yield) else None
        if step is None:
            return node
        operator, child, *costs = step.elts
        cost = _called("as_word", [costs[0] if costs else ast.Constant(1)], node)
        operator = _called("as_word", [operator], node)
        child = _called("as_state", [child], node)
        room = ast.Name(CHILDREN, ast.Load())
        put = _called("put_child", [room, _made(), operator, child, cost], node)
        full = ast.Compare(_made(), [ast.Lt()], [ast.Constant(0)])
        statements = [
            ast.Assign([ast.Name(MADE, ast.Store())], put),
            ast.If(full, [ast.copy_location(ast.Return(_made()), node)], []),
        ]
        return [ast.copy_location(each, node) for each in statements]

    def visit_Return(self, node: ast.Return) -> ast.AST:
        return ast.copy_location(ast.Return(_made()), node)

    def visit_Raise(self, node: ast.Raise) -> ast.AST:
        return ast.copy_location(ast.Return(ast.Constant(TRAPPED)), node)


class _Trapping(StatementTransformer):
    """Makes an error of `raise Trapped` in kernels that give numbers or states.

    It holds the state that a kernel was asked of, if it was of one by the name `state`.
    """

    def __init__(self, state: str | None) -> None:
        self.state = state

    def visit_Raise(self, node: ast.Raise) -> Any:
        line = ast.Constant(node.lineno)
        said: list[ast.expr] = [ast.Constant(TRAPPED_IN_KERNEL), line]
        error: ast.stmt = ast.Raise(_called("IndexError", said, node))
        statements = [error]
        if self.state is not None:
            state = ast.Name(self.state, ast.Load())
            statements.insert(0, ast.Expr(_called("trapped_at", [line, state], node)))
        return [ast.copy_location(each, node) for each in statements]


def _made() -> ast.expr:
    return ast.Name(MADE, ast.Load())


class _Machine(Transformer):
    def __init__(self, collected: Collected) -> None:
        self.collected = collected

    def visit_Constant(self, node: ast.Constant) -> ast.AST:
        if type(node.value) is int:
            return ast.copy_location(ast.Constant(signed(node.value)), node)
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        self.generic_visit(node)
        if type(node.op) not in _WRAPPING:
            return node
        return _called(_WRAPPING[type(node.op)], [node.left, node.right], node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        self.generic_visit(node)
        operand: Any = node.operand
        if isinstance(node.op, ast.Not):
            return node
        if isinstance(node.op, ast.USub):
            return _called("wrapping_subtract", [ast.Constant(0), operand], node)
        last = ast.Constant(-1 if isinstance(node.op, ast.Invert) else 0)
        return ast.copy_location(ast.BinOp(operand, ast.BitXor(), last), node)

    def visit_Call(self, node: ast.Call) -> Any:
        if not is_marked(node):
            return self.generic_visit(node)
        found: ast.expr = self.visit(node.args[0])
        bounds = range_of(node)
        if bounds is None:
            return found
        limits = [ast.Constant(each) for each in (bounds.low, bounds.below, node.lineno)]
        rest = [*limits, ast.Name(bounds.state, ast.Load())]
        if not hasattr(node, EITHER):
            return _called("within", [found, *rest], node)
        number: Any = node.args[2]
        return _called("where_within", [found, self.visit(number.args[0]), *rest], node)

    def visit_Subscript(self, node: ast.Subscript) -> ast.AST:
        """What is read becomes a word, unless it is a row that something is read from."""
        node.value = self._unwrapped(self.visit(node.value))
        node.slice = self._index(node.slice)
        if hasattr(node.value, SEVERAL) and not isinstance(node.slice, ast.Constant):
            return _called("one_of", [node.value, node.slice], node)
        if isinstance(node.ctx, ast.Load):
            return _called("as_word", [node], node)
        return node

    def _index(self, node: ast.expr) -> Any:
        """Sums in an index do not wrap: no table is that long.

        Then the compiler knows which of them are not negative and need not count from the end.
        """
        if isinstance(node, ast.Tuple):
            node.elts = [self._index(each) for each in node.elts]
        elif isinstance(node, ast.BinOp) and type(node.op) in _WRAPPING:
            node.left, node.right = self._index(node.left), self._index(node.right)
        else:
            return self.visit(node)
        return node

    @staticmethod
    def _unwrapped(node: Any) -> Any:
        is_word = isinstance(node, ast.Call) and isinstance(node.func, ast.Name)
        return node.args[0] if is_word and node.func.id == "as_word" else node

    def visit_For(self, node: ast.For) -> ast.AST:
        self.generic_visit(node)
        if not (isinstance(node.iter, ast.Call) and getattr(node.iter.func, "id", "") == "range"):
            names = [each.id for each in assigned(node.target) if isinstance(each, ast.Name)]
            node.body[:0] = [_as_word(name, node) for name in names]
        return node

    def visit_Return(self, node: ast.Return) -> ast.AST:
        self.generic_visit(node)
        if node.value is not None and self.collected.gives is not None:
            node.value = _called(f"as_{self.collected.gives}", [node.value], node)
        return node


def _as_word(name: str, node: ast.AST) -> ast.stmt:
    value = _called("as_word", [ast.Name(name, ast.Load())], node)
    return ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], value), node)


def _called(name: str, arguments: list[Any], node: ast.AST) -> ast.expr:
    call = ast.Call(ast.Name(name, ast.Load()), arguments, [])
    return ast.copy_location(call, node)
