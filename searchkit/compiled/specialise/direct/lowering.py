"""Makes instructions of the statements of a function, once its types are known."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any

from llvmlite import ir
from numba import types
from numba.core import cgutils
from numba.core.ir import Loc
from numba.core.lowering import BaseLower

from searchkit.compiled.specialise.direct.inference import Inferred
from searchkit.compiled.specialise.direct.values import Values

_WORD = ir.IntType(64)


class Text:
    """What numba is handed in place of its own form of a function."""

    is_generator = False
    generator_info = None

    def __init__(self, identity: Any, definition: ast.FunctionDef, found: Inferred) -> None:
        self.func_id, self.definition, self.found = identity, definition, found
        self.arg_names, self.arg_count = identity.arg_names, identity.arg_count
        self.loc = Loc(identity.filename, identity.firstlineno)
        self.blocks = {0: None}


class Lowering(BaseLower, ast.NodeVisitor):  # type: ignore[misc]
    """Makes the instructions of one function."""

    def lower_function_body(self) -> Any:
        """Make those of all statements; the block before the first."""
        self.loc = self.func_ir.loc
        self.found: Inferred = self.func_ir.found
        self.values = Values(self.context, self.builder, self.found, self.loc)
        self._loops: list[tuple[Any, Any]] = []
        self.pre_lower()
        before = self.builder.basic_block
        self.blkmap[self.firstblk] = first = self.values.block()
        self.builder.position_at_end(first)
        arguments = self.func_ir.definition.args.args
        for each, value, kind in zip(arguments, self.fnargs, self.fndesc.argtypes, strict=True):
            self.values.store(each, value, kind)
        if self._follow(self.func_ir.definition.body):
            self._return(self.context.get_dummy_value(), types.none)
        self.post_lower()
        return before

    def _follow(self, statements: Sequence[ast.stmt]) -> bool:
        """Whether what stands behind these statements is reached; their instructions are made."""
        for each in statements:
            self.visit(each)
            if each in self.found.last:
                return False
        return True

    def _follow_to(self, block: Any, statements: Sequence[ast.stmt], after: Any) -> None:
        """Make the instructions of a block, of statements, after which another comes."""
        self.builder.position_at_end(block)
        if self._follow(statements):
            self.builder.branch(after)

    def _go_on(self, node: ast.stmt, after: Any) -> None:
        """Go on behind a statement, if anything does."""
        self.builder.position_at_end(after)
        if node in self.found.last:
            self.builder.unreachable()

    def visit_Pass(self, node: ast.Pass) -> None:
        pass

    def visit_Expr(self, node: ast.Expr) -> None:
        if not isinstance(node.value, ast.Constant):
            self.values.of(node.value)

    def visit_Return(self, node: ast.Return) -> None:
        nothing = self.context.get_dummy_value(), types.none
        self._return(*(nothing if node.value is None else self.values.of(node.value)))

    def _return(self, value: Any, kind: Any) -> None:
        made = self.context.get_return_value(self.builder, kind, value)
        self.call_conv.return_value(self.builder, made)

    def visit_Raise(self, node: ast.Raise) -> None:
        call: Any = node.exc
        said = [
            (each.value, None) if isinstance(each, ast.Constant) else self.values.of(each)
            for each in call.args
        ]
        given, kinds = (tuple(each[i] for each in said) for i in range(2))
        error = self.found.constants[node]
        if any(kinds):  # numba counts who holds what an error says
            convention = self.context.subtarget(enable_nrt=True).call_conv
            where = {"loc": self.loc, "func_name": self.func_ir.func_id.func_name}
            convention.return_dynamic_user_exc(self.builder, error, given, kinds, **where)
        else:
            self.return_exception(error, given, loc=self.loc)

    def visit_Break(self, node: ast.Break) -> None:
        self.builder.branch(self._loops[-1][1])

    def visit_Continue(self, node: ast.Continue) -> None:
        self.builder.branch(self._loops[-1][0])

    def visit_Assign(self, node: ast.Assign) -> None:
        value = self.values.of(node.value)
        for target in node.targets:
            self._bind(target, *value)

    def _bind(self, target: Any, value: Any, kind: Any) -> None:
        if isinstance(target, ast.Name):
            self.values.store(target, value, kind)
        elif isinstance(target, ast.Subscript):
            whole, index = self.values.of(target.value), self.values.of(target.slice)
            self.values.called(target, [whole, index, (value, kind)])
        else:
            for i, (each, inner) in enumerate(zip(target.elts, kind, strict=True)):
                self._bind(each, self.builder.extract_value(value, i), inner)

    def visit_AugAssign(self, node: ast.AugAssign) -> None:
        target: Any = node.target
        result = self.found.calls[node][1].return_type
        if isinstance(target, ast.Name):
            given = [self.values.load(node), self.values.of(node.value)]
            self.values.store(target, self.values.called(node, given), result)
            return
        item = [self.values.of(target.value), self.values.of(target.slice)]
        before = self.values.called((target, 0), item), self.found.calls[target, 0][1].return_type
        value = self.values.called(node, [before, self.values.of(node.value)])
        self.values.called(target, [*item, (value, result)])

    def visit_If(self, node: ast.If) -> None:
        taken = self.found.taken.get(node)
        if taken is not None:
            self._follow(node.body if taken else node.orelse)
            return
        body, other, after = (self.values.block() for _ in range(3))
        self.values.branch(node.test, body, other)
        self._follow_to(body, node.body, after)
        self._follow_to(other, node.orelse, after)
        self._go_on(node, after)

    def visit_While(self, node: ast.While) -> None:
        test, body, ended = (self.values.block() for _ in range(3))
        self.builder.branch(test)
        self.builder.position_at_end(test)
        if node in self.found.taken:
            self.builder.branch(body)
        else:
            self.values.branch(node.test, body, ended)
        self._loop(node, body, test, ended)

    def visit_For(self, node: ast.For) -> None:
        builder = self.builder
        call: Any = node.iter
        given = [self.values.of(each)[0] for each in call.args]
        begin, end = (_WORD(0), given[0]) if len(given) == 1 else given[:2]
        step = self.found.constants[call.args[2]] if len(given) > 2 else 1
        place = cgutils.alloca_once(builder, _WORD)
        builder.store(begin, place)
        test, body, again, ended = (self.values.block() for _ in range(4))
        builder.branch(test)
        builder.position_at_end(test)
        now = builder.load(place)
        builder.cbranch(builder.icmp_signed("<" if step > 0 else ">", now, end), body, ended)
        builder.position_at_end(again)
        now = builder.load(place)
        if abs(step) == 1:
            builder.store(builder.add(now, _WORD(step), flags=("nsw",)), place)
            builder.branch(test)
        else:  # the next may be no word
            left = builder.sub(end, now) if step > 0 else builder.sub(now, end)
            builder.store(builder.add(now, _WORD(step)), place)
            builder.cbranch(builder.icmp_unsigned(">", left, _WORD(abs(step))), test, ended)
        builder.position_at_end(body)
        self.values.store(node.target, builder.load(place), types.int64)
        self._loop(node, body, again, ended)

    def _loop(self, node: ast.For | ast.While, body: Any, again: Any, ended: Any) -> None:
        """What is done again and again, what is done where that ends, and what comes behind."""
        after = self.values.block()
        self._loops.append((again, after))
        self._follow_to(body, node.body, again)
        self._loops.pop()
        if node in self.found.taken:
            self.builder.position_at_end(ended)
            self.builder.unreachable()
        else:
            self._follow_to(ended, node.orelse, after)
        self._go_on(node, after)
