"""Makes instructions of expressions, once their types are known."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from numba import types
from numba.core import cgutils

from searchkit.compiled.specialise.direct.inference import Inferred, Place
from searchkit.compiled.specialise.direct.signatures import each_of, takes_rest


class Values(ast.NodeVisitor):
    """Makes the instructions of expressions, with numba's own for each operation and call.

    A visit gives the value, which is of the type that was found.
    """

    def __init__(self, context: Any, builder: Any, found: Inferred, loc: Any) -> None:
        self.context, self.builder, self.found, self.loc = context, builder, found, loc
        self._variables: dict[Place, Any] = {}

    def block(self) -> Any:
        """A new block of instructions."""
        return self.builder.function.append_basic_block()

    def variable(self, place: Place) -> Any:
        """Where a variable is kept."""
        if place not in self._variables:
            kind = self.context.get_value_type(self.found.variables[place])
            made = cgutils.alloca_once(self.builder, kind, name=place[0], zfill=True)
            self._variables[place] = made
        return self._variables[place]

    def store(self, node: ast.AST, value: Any, kind: Any) -> None:
        """Let the variable of a name be a value of that type."""
        place = self.found.places[node]
        made = self._cast(value, kind, self.found.variables[place])
        self.builder.store(made, self.variable(place))

    def load(self, node: ast.AST) -> tuple[Any, Any]:
        """The value of the variable of a name, and its type."""
        place = self.found.places[node]
        return self.builder.load(self.variable(place)), self.found.variables[place]

    def of(self, node: ast.expr) -> tuple[Any, Any]:
        """What an expression gives, and its type."""
        kind = self.found.kinds[node]
        if node not in self.found.constants:
            return self.visit(node), kind
        constant = self.found.constants[node]
        return self.context.get_constant_generic(self.builder, kind, constant), kind

    def visit_Name(self, node: ast.Name) -> Any:
        return self.load(node)[0]

    def visit_Tuple(self, node: ast.Tuple) -> Any:
        values = [self.of(each)[0] for each in node.elts]
        return self.context.make_tuple(self.builder, self.found.kinds[node], values)

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        return self.called(node, map(self.of, (node.left, node.right)))

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        if isinstance(node.op, ast.Not):
            return self._decided(node)
        return self.called(node, [self.of(node.operand)])

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        return self._decided(node)

    def visit_Compare(self, node: ast.Compare) -> Any:
        if len(node.ops) > 1:
            return self._decided(node)
        return self.called((node, 0), map(self.of, (node.left, node.comparators[0])))

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        ways = (lambda: self.of(node.body)[0]), (lambda: self.of(node.orelse)[0])
        return self._chosen(node.test, self.found.kinds[node], *ways)

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        whole, kind = self.of(node.value)
        get = self.context.get_getattr(kind, node.attr)
        return get(self.context, self.builder, kind, whole, node.attr)

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        whole, kind = self.of(node.value)
        if (node, 0) in self.found.calls:
            return self.called((node, 0), [(whole, kind), self.of(node.slice)])
        return self.builder.extract_value(whole, self.found.constants[node.slice] % len(kind))

    def visit_Slice(self, node: ast.Slice) -> Any:
        nothing = self.context.get_dummy_value(), types.none
        ends = (node.lower, node.upper)
        return self.called(node, [nothing if each is None else self.of(each) for each in ends])

    def visit_Call(self, node: ast.Call) -> Any:
        return self.called(node, map(self.of, node.args))

    def called(self, node: Any, given: Any) -> Any:
        """What an operator or a function gives for values with their types."""
        return self._result(*self.found.calls[node], list(given))

    def _result(self, function: Any, signature: Any, given: Sequence[tuple[Any, Any]]) -> Any:
        make = self.context.get_function(function, signature)
        values = [
            self._cast(value, kind, wanted)
            for (value, kind), wanted in zip(given, each_of(signature), strict=True)
        ]
        if takes_rest(signature):
            *first, rest = signature.args
            values[len(first) :] = [
                self.context.make_tuple(self.builder, rest, values[len(first) :])
            ]
        return make(self.builder, values, self.loc)

    def _cast(self, value: Any, kind: Any, wanted: Any) -> Any:
        return value if kind == wanted else self.context.cast(self.builder, value, kind, wanted)

    def _decided(self, node: ast.expr) -> Any:
        """A condition as a truth value."""
        constant = self.context.get_constant
        ways = (lambda: constant(types.boolean, 1)), (lambda: constant(types.boolean, 0))
        return self._chosen(node, types.boolean, *ways)

    def _chosen(self, test: ast.expr, kind: Any, one: Any, other: Any) -> Any:
        """What one of two functions gives, as a condition says."""
        place = cgutils.alloca_once(self.builder, self.context.get_value_type(kind))
        ways, after = (self.block(), self.block()), self.block()
        self.branch(test, *ways)
        for block, value in zip(ways, (one, other), strict=True):
            self.builder.position_at_end(block)
            self.builder.store(value(), place)
            self.builder.branch(after)
        self.builder.position_at_end(after)
        return self.builder.load(place)

    def branch(self, node: ast.expr, yes: Any, no: Any) -> None:
        """Go on at one of two blocks, as a condition says."""
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            self.branch(node.operand, no, yes)
        elif isinstance(node, ast.BoolOp):
            *first, last = node.values
            for each in first:
                further = self.block()
                ways = (further, no) if isinstance(node.op, ast.And) else (yes, further)
                self.branch(each, *ways)
                self.builder.position_at_end(further)
            self.branch(last, yes, no)
        elif isinstance(node, ast.Compare) and len(node.ops) > 1:
            self._branch_by_chain(node, yes, no)
        else:
            value = self.of(node)
            truth = self.found.truths.get(node)
            held = value[0] if truth is None else self._result(*truth, [value])
            self.builder.cbranch(held, yes, no)

    def _branch_by_chain(self, node: ast.Compare, yes: Any, no: Any) -> None:
        """Go on as a chain of comparisons says: each side is found out once, if at all."""
        left = self.of(node.left)
        for place, each in enumerate(node.comparators):
            right = self.of(each)
            is_last = each is node.comparators[-1]
            further = yes if is_last else self.block()
            self.builder.cbranch(self.called((node, place), [left, right]), further, no)
            if not is_last:
                self.builder.position_at_end(further)
            left = right
