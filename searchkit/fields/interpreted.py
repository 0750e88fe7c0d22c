"""Kernels that are made of rules as Python runs them."""

from __future__ import annotations

import ast
from typing import Any

from searchkit.fields.expressions import ASKED, OPERATOR, SELF
from searchkit.fields.flow import moved_to
from searchkit.fields.tables import BY_MOVE
from searchkit.kernel_language.copies import copied
from searchkit.kernel_language.marks import EITHER, SAID, is_marked, range_of

MOVE = "searchkit_move"
NUMBER = "searchkit_number"
_ROW = f"{SELF}.tables.{BY_MOVE}[{OPERATOR}]"


def for_python(definition: ast.FunctionDef) -> ast.FunctionDef:
    """The function as Python runs it: it compares with bounds, and a row is looked up once."""
    found: ast.FunctionDef = ast.fix_missing_locations(_Compared().visit(copied(definition)))
    rows = [
        each
        for each in ast.walk(found)
        if isinstance(each, ast.Subscript) and ast.unparse(each) == _ROW
    ]
    if len(rows) > 1:
        row = copied(rows[0])
        for each in rows:
            each.__class__ = ast.Name  # type: ignore[assignment]
            each.__dict__ = {"id": MOVE, "ctx": ast.Load(), "lineno": row.lineno, "col_offset": 0}
        first = ast.Assign([ast.Name(MOVE, ast.Store())], row)
        found.body.insert(0, ast.fix_missing_locations(ast.copy_location(first, row)))
    return found


def with_asked(definition: ast.FunctionDef) -> ast.FunctionDef:
    """A copy that keeps the state that it is given, if errors show it."""
    found: ast.FunctionDef = copied(definition)
    marked = (each for each in ast.walk(found) if isinstance(each, ast.Call) and is_marked(each))
    ranges = [range_of(each) for each in marked]
    given = (isinstance(each, ast.Name) and each.id == ASKED for each in ast.walk(found))
    if any(given) or any(each is not None and each.state == ASKED for each in ranges):
        first = ast.parse(f"{ASKED} = {found.args.args[1].arg}").body[0]
        found.body.insert(0, moved_to(first, found.body[0]))
    return found


class _Compared(ast.NodeTransformer):
    """Numbers that are marked are compared with their bounds."""

    def visit_Assert(self, node: ast.Assert) -> ast.AST:
        """What an author's assertion says is shown."""
        said = getattr(node, SAID, None)
        self.generic_visit(node)
        node.msg = said if isinstance(said, ast.Constant) else None
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        if not is_marked(node):
            return self.generic_visit(node)
        bounds = range_of(node)
        found: ast.expr = self.visit(node.args[0])
        if bounds is None:
            return found
        number = self.visit(node.args[2].args[0]) if hasattr(node, EITHER) else found  # type: ignore[attr-defined]
        name = number.id if isinstance(number, ast.Name) else NUMBER
        low, below = bounds.low, bounds.below
        error = f"self.out_of_range({name}, {low}, {below}, {node.lineno}, {bounds.state})"
        text = f"0 if {low} <= (x) < {below} else {error}"
        made: Any = moved_to(ast.parse(text, mode="eval").body, node)
        made.test.comparators[0] = number
        if name == NUMBER:
            made.test.comparators[0] = ast.NamedExpr(ast.Name(NUMBER, ast.Store()), number)
        made.body = found if hasattr(node, EITHER) else ast.Name(name, ast.Load())
        replaced: ast.expr = ast.copy_location(made, node)
        return replaced
