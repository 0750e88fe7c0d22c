"""Names of a rule: those that may have no value where it uses them, and those of two things.

Python finds the first when the rule runs; machine code would take whatever is there. An argument
that is assigned to, and a name that a generator has for something of its own, get names of their
own, as kernels have one scope.
"""

from __future__ import annotations

import ast
from collections import Counter
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
        copy = f"searchkit_own_{name}"
        _Renamed(name, copy).visit(ast.Module(made.body, []))
        first = ast.Assign([ast.Name(copy, ast.Store())], ast.Name(name, ast.Load()))
        firsts.append(ast.fix_missing_locations(ast.copy_location(first, made.body[0])))
    made.body = [*firsts, *made.body]
    return made


def with_own_names(definition: ast.FunctionDef, taken: Collection[str]) -> ast.FunctionDef:
    """The function with other names for what generators bind, where it has these elsewhere, too.

    The first iterable of a generator is asked outside it. New names are none of `taken`. O(length
    of the function x generators).
    """
    made = copied(definition)
    _OwnNames({*taken, *_names_in(made)}).visit(made)
    return made


class _OwnNames(ast.NodeVisitor):
    """Renames what generators bind, the outermost first."""

    def __init__(self, taken: set[str]) -> None:
        self.taken = taken

    def visit_FunctionDef(self, node: ast.FunctionDef) -> None:
        self.names = Counter(_names_in(node))
        self.generic_visit(node)

    def generic_visit(self, node: ast.AST) -> None:
        if isinstance(node, _SCOPES):
            self._scope(node)
        super().generic_visit(node)

    def _scope(self, node: ast.GeneratorExp | ast.ListComp | ast.SetComp | ast.DictComp) -> None:
        outside = node.generators[0].iter
        within = Counter(_names_in(node))
        within.subtract(_names_in(outside))
        for name in sorted(_targets([each.target for each in node.generators])):
            if self.names[name] == within[name]:
                continue
            other = f"{name}_"
            while other in self.taken:
                other += "_"
            self.taken.add(other)
            node.generators[0].iter = ast.Constant(None)
            _Renamed(name, other).visit(node)
            node.generators[0].iter = outside
            self.names[other] = within[name]
            self.names[name] -= within[name]


def _names_in(node: ast.AST) -> list[str]:
    """The names that are used, each as often as it is."""
    return [
        each.id if isinstance(each, ast.Name) else each.arg
        for each in ast.walk(node)
        if isinstance(each, (ast.Name, ast.arg))
    ]


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
