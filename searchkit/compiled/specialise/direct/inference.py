"""The type of each expression of a function, found in one walk over its text.

numba reads bytecode, makes blocks of it, finds out which assignment reaches which use, and goes
over the types of all variables until none changes. Functions of generated modules need little of
that: each variable has one type, which is known where it is assigned first. What needs more, such
as a variable that is a word here and a float there, is `Unfit`, and left to numba.
"""

from __future__ import annotations

import ast
import operator
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import attrs
from numba import types
from numba.extending import is_jitted

from searchkit.compiled.specialise.direct.known import (
    BINARY,
    COMPARED,
    UNARY,
    Known,
    Unfit,
    done_by,
)
from searchkit.compiled.specialise.direct.signatures import Called, Signatures
from searchkit.kernel_language.constants import fits_word

Place = tuple[str, int]
"""A variable: a name, and which of those that it is for: one that gets another type is another."""
_NUMBERS = (types.Integer, types.Float, types.Boolean)
_OF_A_WORD = frozenset(
    (types.int64, types.int32, types.int16, types.int8, types.uint32, types.uint16, types.uint8)
)


@attrs.define
class Inferred:
    """What is known of a function once its types are found; the keys are nodes of its text."""

    result: Any = None
    answers: list[Any] = attrs.Factory(list)
    """What the functions return that it calls."""
    variables: dict[Place, Any] = attrs.Factory(dict)
    """The types of variables."""
    places: dict[ast.AST, Place] = attrs.Factory(dict)
    """Which variable a name is."""
    kinds: dict[ast.AST, Any] = attrs.Factory(dict)
    """The types of expressions."""
    constants: dict[ast.AST, Any] = attrs.Factory(dict)
    """The values of those that are known, and which error is raised."""
    calls: dict[ast.AST | tuple[ast.AST, int], Called] = attrs.Factory(dict)
    """What is called: of an item, with 0, what reads it; of a chain of comparisons, each."""
    truths: dict[ast.AST, Called] = attrs.Factory(dict)
    """What makes a truth value of a number that stands where one is asked for."""
    taken: dict[ast.stmt, bool] = attrs.Factory(dict)
    """What the condition of a statement gives where that is known."""
    last: set[ast.stmt] = attrs.Factory(set)
    """Statements that nothing follows."""


def inferred(
    signatures: Signatures, function: Any, definition: ast.FunctionDef, arguments: Sequence[Any]
) -> Inferred:
    """What is known of a function given arguments of such types.

    O(length of its text), once more for each nesting of variables that hold numbers of several
    widths.
    """
    given, code = definition.args, function.__code__
    if given.vararg or given.kwarg or given.kwonlyargs or given.posonlyargs or given.defaults:
        raise Unfit("arguments of other kinds")
    known = Known(function.__globals__, frozenset(code.co_varnames + code.co_cellvars))
    words: set[Place] = set()
    while True:
        before = len(words)
        found = Inference(signatures, known, words).infer(definition, arguments)
        if len(words) == before:
            return found


class Inference(ast.NodeVisitor):
    """Finds the types of one function with arguments of some types.

    Of variables that are numbers of several widths, those in `words` are words throughout; what
    is found to be such is added. Visits of statements say whether the next is reached, those of
    expressions give their types.
    """

    def __init__(self, signatures: Signatures, known: Known, words: set[Place]) -> None:
        self.signatures, self.known, self.words = signatures, known, words
        self.found = Inferred()
        self._now: dict[str, Place] = {}
        self._depth = 0
        self._breaks: list[bool] = []
        self._returned: list[Any] = []

    def infer(self, definition: ast.FunctionDef, arguments: Sequence[Any]) -> Inferred:
        """The types, where the function is given these."""
        for each, kind in zip(definition.args.args, arguments, strict=True):
            self._assign(each, each.arg, types.unliteral(kind))
        if self._goes_on(definition.body):
            self._returned.append(types.none)
        result, *others = self._returned or [types.none]
        if any(each != result for each in others):
            raise Unfit("results of several types")
        self.found.result = result
        return self.found

    def generic_visit(self, node: ast.AST) -> Any:
        """All else is left to numba."""
        raise Unfit(type(node).__name__)

    def _goes_on(self, statements: Sequence[ast.stmt]) -> bool:
        """Whether what stands behind these statements is reached; their types are found."""
        for each in statements:
            if not self.visit(each):
                self.found.last.add(each)
                return False
        return True

    @contextmanager
    def _deeper(self) -> Iterator[None]:
        """Within, statements may be left out or repeated: the types of variables stay."""
        self._depth += 1
        yield
        self._depth -= 1

    def visit_Pass(self, node: ast.Pass) -> bool:
        return True

    def visit_Expr(self, node: ast.Expr) -> bool:
        if not isinstance(node.value, ast.Constant):
            self.kind_of(node.value)
        return True

    def visit_Return(self, node: ast.Return) -> bool:
        self._returned.append(types.none if node.value is None else self.kind_of(node.value))
        return False

    def visit_Raise(self, node: ast.Raise) -> bool:
        call: Any = node.exc
        if not isinstance(call, ast.Call) or node.cause is not None or call.keywords:
            raise Unfit("an error")
        error = self.found.constants[node] = self.known.value(call.func)
        if not isinstance(error, type) or not issubclass(error, BaseException):
            raise Unfit("an error that is none")
        for each in call.args:
            if not isinstance(each, ast.Constant):
                self.kind_of(each)
        return False

    def visit_Break(self, node: ast.Break) -> bool:
        self._breaks[-1] = True
        return False

    def visit_Continue(self, node: ast.Continue) -> bool:
        return False

    def visit_Assign(self, node: ast.Assign) -> bool:
        kind = self.kind_of(node.value)
        for target in node.targets:
            self._bind(target, kind)
        return True

    def visit_AugAssign(self, node: ast.AugAssign) -> bool:
        target: Any = node.target
        before = self.visit(target)
        if isinstance(target, ast.Name):
            self.found.places[node] = self.found.places[target]
        right = self.kind_of(node.value)
        if not isinstance(before, _NUMBERS) or not isinstance(right, _NUMBERS):
            raise Unfit("a change in place of what is no number")
        self._bind(target, self._called(node, done_by(BINARY, node.op), (before, right)))
        return True

    def visit_If(self, node: ast.If) -> bool:
        known = self.known.truth(node.test)
        if known is not None:
            self.found.taken[node] = known
            return self._goes_on(node.body if known else node.orelse)
        self._condition(node.test)
        with self._deeper():
            ends = [self._goes_on(each) for each in (node.body, node.orelse)]
        return any(ends)

    def visit_While(self, node: ast.While) -> bool:
        if self.known.truth(node.test):
            self.found.taken[node] = True
        else:
            self._condition(node.test)
        return self._loop(node)

    def visit_For(self, node: ast.For) -> bool:
        call: Any = node.iter
        if not isinstance(call, ast.Call) or self.known.value(call.func) is not range:
            raise Unfit("a loop over something")
        if call.keywords or not 1 <= len(call.args) <= 3 or not isinstance(node.target, ast.Name):
            raise Unfit("a loop")
        if any(self.kind_of(each) != types.int64 for each in call.args):
            raise Unfit("a range of other numbers than words")
        if len(call.args) == 3 and not self.found.constants.get(call.args[2]):
            raise Unfit("a step that is not known")
        with self._deeper():
            self._bind(node.target, types.int64)
        return self._loop(node)

    def _loop(self, node: ast.For | ast.While) -> bool:
        """Whether what stands behind a loop is reached."""
        self._breaks.append(False)
        with self._deeper():
            self._goes_on(node.body)
            is_left = self._breaks.pop()
            return (node not in self.found.taken and self._goes_on(node.orelse)) or is_left

    def _bind(self, target: Any, kind: Any) -> None:
        """Let a name, names, or an item be of that type from now on."""
        if isinstance(target, ast.Name):
            self._assign(target, target.id, kind)
        elif isinstance(target, ast.Subscript):
            given = self.kind_of(target.value), self.kind_of(target.slice), kind
            self._called(target, operator.setitem, given)
        elif isinstance(target, ast.Tuple) and isinstance(kind, types.BaseTuple):
            if len(target.elts) != len(kind):
                raise Unfit("another number of names")
            for each, inner in zip(target.elts, kind, strict=True):
                self._bind(each, inner)
        else:
            raise Unfit("a target")

    def _assign(self, node: ast.AST, name: str, kind: Any) -> None:
        variables = self.found.variables
        place = self._now.get(name)
        if place is not None and variables[place] != kind and place not in self.words:
            if not self._depth:
                place = None
            elif {variables[place], kind} <= _OF_A_WORD:
                self.words.add(place)
        if place is None:
            place = name, sum(each == name for each, _ in variables)
            self._now[name] = place
            variables[place] = types.int64 if place in self.words else kind
        if variables[place] != kind and not (place in self.words and kind in _OF_A_WORD):
            raise Unfit("a variable of two types")
        self.found.places[node] = place

    def kind_of(self, node: ast.expr) -> Any:
        """The type of an expression, and of all in it."""
        kinds = self.found.kinds
        if node not in kinds:
            known = self.known.has(node)
            kind = self._constant(node, self.known.value(node)) if known else self.visit(node)
            kinds[node] = types.unliteral(kind)
        return kinds[node]

    def _constant(self, node: ast.expr, value: Any) -> Any:
        """The type of what is known before the function runs."""
        is_number = isinstance(value, (bool, float)) or (type(value) is int and fits_word(value))
        if not is_number and not is_jitted(value):
            raise Unfit("a constant")
        self.found.constants[node] = value
        return self.signatures.context.resolve_value_type(value)

    def visit_Name(self, node: ast.Name) -> Any:
        place = self._now.get(node.id)
        if place is None:
            raise Unfit("a name without a value")
        self.found.places[node] = place
        return self.found.variables[place]

    def visit_Tuple(self, node: ast.Tuple) -> Any:
        return types.BaseTuple.from_types(tuple(map(self.kind_of, node.elts)))

    def visit_BinOp(self, node: ast.BinOp) -> Any:
        given = self.kind_of(node.left), self.kind_of(node.right)
        return self._called(node, done_by(BINARY, node.op), given)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        if isinstance(node.op, ast.Not):
            self._condition(node.operand)
            return types.boolean
        return self._called(node, done_by(UNARY, node.op), (self.kind_of(node.operand),))

    def visit_BoolOp(self, node: ast.BoolOp) -> Any:
        if any(self.kind_of(each) != types.boolean for each in node.values):
            raise Unfit("`and` or `or` of other than truth values")
        return types.boolean

    def visit_Compare(self, node: ast.Compare) -> Any:
        sides = [self.kind_of(each) for each in (node.left, *node.comparators)]
        for place, each in enumerate(node.ops):
            given = sides[place], sides[place + 1]
            if self._called((node, place), done_by(COMPARED, each), given) != types.boolean:
                raise Unfit("a comparison")
        return types.boolean

    def visit_IfExp(self, node: ast.IfExp) -> Any:
        self._condition(node.test)
        kind = self.kind_of(node.body)
        if self.kind_of(node.orelse) != kind:
            raise Unfit("values of two types")
        return kind

    def visit_Attribute(self, node: ast.Attribute) -> Any:
        kind = self.signatures.context.resolve_getattr(self.kind_of(node.value), node.attr)
        if kind is None or isinstance(kind, types.BoundFunction):
            raise Unfit("an attribute")
        return kind

    def visit_Subscript(self, node: ast.Subscript) -> Any:
        """The type of an item that is read."""
        whole, index = self.kind_of(node.value), self.kind_of(node.slice)
        at = self.found.constants.get(node.slice)
        if isinstance(whole, types.BaseTuple) and isinstance(at, int):
            if not -len(whole) <= at < len(whole):
                raise Unfit("no such item")
            return whole.types[at]
        return self._called((node, 0), operator.getitem, (whole, index))

    def visit_Slice(self, node: ast.Slice) -> Any:
        if node.step is not None:
            raise Unfit("a slice by a step")
        ends = (node.lower, node.upper)
        given = tuple(types.none if each is None else self.kind_of(each) for each in ends)
        return self._called(node, slice, given)

    def visit_Call(self, node: ast.Call) -> Any:
        if node.keywords:
            raise Unfit("arguments by name")
        given = tuple(map(self.kind_of, node.args))
        constants = map(self.found.constants.get, node.args)
        numbers = (each if isinstance(each, int) else None for each in constants)
        return self._called(node, self.known.value(node.func), given, tuple(numbers))

    def _condition(self, node: ast.expr) -> None:
        """Find the types of what is asked whether it is true."""
        if isinstance(node, ast.BoolOp):
            for each in node.values:
                self._condition(each)
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            self._condition(node.operand)
        else:
            kind = self.kind_of(node)
            if isinstance(kind, types.Integer):
                self.found.truths[node] = self.signatures.of(bool, (kind,))
            elif kind != types.boolean:
                raise Unfit("a condition of what is no number")

    def _called(
        self, node: Any, function: Any, given: tuple[Any, ...], numbers: tuple[Any, ...] = ()
    ) -> Any:
        """The type that a call of a function with arguments of some types has."""
        kind, signature = self.found.calls[node] = self.signatures.of(function, given, numbers)
        if isinstance(signature.return_type, types.Optional):
            raise Unfit("None or something")
        if isinstance(kind, types.Dispatcher):
            self.found.answers.append(signature.return_type)
        return signature.return_type
