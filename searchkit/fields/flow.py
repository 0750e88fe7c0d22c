"""Names of a rule: those that may have no value where it uses them, and arguments it assigns to.

Python finds the first when the rule runs; machine code would take whatever is there.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterable

from searchkit.kernel_language.copies import copied

_SCOPES = (ast.GeneratorExp, ast.ListComp, ast.SetComp, ast.DictComp)


def without_value(definition: ast.FunctionDef) -> ast.Name | None:
    """The first use of a local name that some way through a function has given no value.

    Loops may end at once, so that what they assign counts within them only. Linear in the length
    of the function times its names.
    """
    flow = _Flow(_targets(definition.body))
    flow.block(definition.body, {each.arg for each in definition.args.args})
    return flow.found[0] if flow.found else None


def with_own_copies(definition: ast.FunctionDef, names: Collection[str]) -> ast.FunctionDef:
    """The function with a copy, by another name, of each of its arguments to which it assigns.

    Only those that `names` has; a move is looked up wherever its arguments stand.
    """
    assigned = _targets(definition.body) & set(names)
    if not assigned:
        return definition
    made = copied(definition)
    firsts: list[ast.stmt] = []
    for name in sorted(assigned):
        copy = f"searchkit_{name}"
        _Renamed(name, copy).visit(ast.Module(made.body, []))
        first = ast.Assign([ast.Name(copy, ast.Store())], ast.Name(name, ast.Load()))
        firsts.append(ast.fix_missing_locations(ast.copy_location(first, made.body[0])))
    made.body = [*firsts, *made.body]
    return made


class _Renamed(ast.NodeTransformer):
    """Gives a name another one."""

    def __init__(self, name: str, other: str) -> None:
        self.name, self.other = name, other

    def visit_Name(self, node: ast.Name) -> ast.Name:
        if node.id == self.name:
            node.id = self.other
        return node

    def visit_arg(self, node: ast.arg) -> ast.arg:
        if node.arg == self.name:
            node.arg = self.other
        return node


def _targets(nodes: Iterable[ast.AST]) -> set[str]:
    """The names that statements assign to, but for those of comprehensions."""
    names: set[str] = set()
    for node in nodes:
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            names.add(node.id)
        if isinstance(node, _SCOPES):
            within = [each for each in ast.walk(node) if isinstance(each, ast.NamedExpr)]
            names |= {each.target.id for each in within}
        else:
            names |= _targets(ast.iter_child_nodes(node))
    return names


class _Flow:
    """Goes through statements with the names that have a value for sure."""

    def __init__(self, local: set[str]) -> None:
        self.local = local
        self.found: list[ast.Name] = []

    def block(self, statements: Iterable[ast.stmt], known: set[str]) -> bool:
        """Whether the end of a block can be reached; `known` gains names with a value there."""
        return all(self.statement(each, known) for each in statements)

    def statement(self, node: ast.stmt, known: set[str]) -> bool:
        if isinstance(node, ast.If):
            self.expression(node.test, known)
            return self._either(node, known)
        if isinstance(node, ast.For):
            self.expression(node.iter, known)
            self.block(node.body, known | _targets([node.target]))
            self.block(node.orelse, set(known))
        elif isinstance(node, ast.While):
            self.expression(node.test, known)
            self.block(node.body, set(known))
            self.block(node.orelse, set(known))
        elif isinstance(node, ast.AugAssign) and isinstance(node.target, ast.Name):
            self.expression(ast.copy_location(ast.Name(node.target.id, ast.Load()), node), known)
            self.expression(node.value, known)
        else:
            for child in ast.iter_child_nodes(node):
                self.expression(child, known)
            if isinstance(node, (ast.Assign, ast.AnnAssign)):
                known |= _targets(node.targets if isinstance(node, ast.Assign) else [node.target])
        return not isinstance(node, (ast.Return, ast.Raise, ast.Break, ast.Continue))

    def _either(self, node: ast.If, known: set[str]) -> bool:
        ways = [(block, set(known)) for block in (node.body, node.orelse)]
        reached = [names for block, names in ways if self.block(block, names)]
        if reached:
            known |= set.intersection(*reached)
        return bool(reached)

    def expression(self, node: ast.AST, known: set[str]) -> None:
        """Note names without a value; `known` gains those that the expression assigns."""
        if isinstance(node, ast.Name):
            unsure = node.id in self.local and node.id not in known
            if unsure and isinstance(node.ctx, ast.Load):
                self.found.append(node)
            return
        if isinstance(node, ast.NamedExpr):
            self.expression(node.value, known)
            known.add(node.target.id)
            return
        if isinstance(node, ast.BoolOp):
            first, *rest = node.values
            self.expression(first, known)
            perhaps = set(known)
            for each in rest:
                self.expression(each, perhaps)
            return
        if isinstance(node, ast.IfExp):
            self.expression(node.test, known)
            self.expression(node.body, set(known))
            self.expression(node.orelse, set(known))
            return
        if isinstance(node, _SCOPES):
            known = known | {name for each in node.generators for name in _targets([each.target])}
        for child in ast.iter_child_nodes(node):
            self.expression(child, known)
