"""Statements of rules: assignments, calls of what changes the state, branches and loops."""

from __future__ import annotations

import ast
from typing import Any

import attrs

from searchkit.errors import CompilationError
from searchkit.fields.bounds import changed_fields, fixed, interval_of, joined, numbers_of
from searchkit.fields.declared import Array, Int, Set
from searchkit.fields.expressions import OPERATOR, SELF, Row
from searchkit.fields.flow import names_of
from searchkit.fields.layout import Slot
from searchkit.fields.stores import CHANGES, JOINED, OF_ONE, Stores
from searchkit.kernel_language.constants import constant, number_of
from searchkit.kernel_language.marks import SAID

Value = Any
"""What is bound to a name: an expression, a row, or a list of values."""


MAY_DO = (ast.Call, ast.NamedExpr, ast.Await, ast.Yield, ast.YieldFrom)
"""Expressions that may have an effect."""


@attrs.define
class Statements(Stores):
    """The statements of one function."""

    def body(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """The statements of a block."""
        found = [made for each in statements for made in self.statement(each)]
        return found or [self.placed(ast.Pass(), statements[0])]

    def whole(self, statements: list[ast.stmt]) -> list[ast.stmt]:
        """The statements of a function, with what it returns at its end."""
        found = self.body(statements)
        if self.gives_state and not self.gives_value:
            found.append(self._returned(None, statements[-1]))
        return found

    def statement(self, node: ast.stmt) -> list[ast.stmt]:
        """What a statement becomes."""
        method = getattr(self, f"_of_{type(node).__name__.lower()}", None)
        if method is None:
            return [node]  # refused, with its line, by the checker of kernels
        if not isinstance(node, (ast.Assign, ast.AugAssign, ast.If)):  # a loop comes back
            self._forget_guards(node)
        made: list[ast.stmt] = method(node)
        self._forget_guards(node)
        return [e if hasattr(e, "lineno") else ast.copy_location(e, node) for e in made]

    def _forget_guards(self, node: ast.stmt) -> None:
        """Leave what is known of fields that a statement may change."""
        if self.guards:
            fields = changed_fields(node, self.state)
            self.guards = {
                key: bounds
                for key, bounds in self.guards.items()
                if fields is not None and not any(f".{name}" in key for name in fields)
            }

    def _of_assign(self, node: ast.Assign) -> list[ast.stmt]:
        if len(node.targets) > 1:
            name = self.new_name()
            first = self.statement(
                ast.copy_location(ast.Assign([ast.Name(name, ast.Store())], node.value), node)
            )
            value = self.named(name, node)
            rest = [ast.copy_location(ast.Assign([each], value), node) for each in node.targets]
            return [*first, *(made for each in rest for made in self.statement(each))]
        (target,) = node.targets
        called = self._called(node.value)
        if called is not None:
            return self._assigned_call(target, *called, node)
        if isinstance(target, ast.Name):
            return self._named(target, node.value, node)
        found = self.field(target)
        if found is not None:
            slot, index = found
            if index is None and not isinstance(slot.field, Int):
                return self._whole_store(slot, node.value, node)
            known = interval_of(self, node.value)
            return self.store(slot, index, self.number(node.value), node, known)
        if isinstance(target, (ast.Tuple, ast.List)):
            return self._unpacked(target, node.value, node)
        owner = target.value if isinstance(target, ast.Attribute) else None
        if isinstance(owner, ast.Name) and owner.id == self.own:
            raise self.wrong(node, "changes self; rules change the fields of a state")
        raise self.wrong(
            node, f"assigns to {ast.unparse(target):.40}; rules change fields of a state, and names"
        )

    def _named(self, target: ast.Name, value: ast.expr, node: ast.AST) -> list[ast.stmt]:
        name = target.id
        if isinstance(value, ast.Lambda):
            raise self.error(node, f"makes {name} a lambda; make it a method")
        if name == self.state:
            raise self.wrong(node, f"assigns to {name}; assign to its fields")
        if self.stored[name] == 1 and name not in self.moves:
            constantly = self.substituted(value)
            if constantly is not None and self.static(value) is not None:
                self.statics[name] = constantly
                self.local.discard(name)
                return []
        row = None if self.static_number(value) is not None else self.row(value)
        if row is not None and row.level < row.nested.depth:
            return self.bind(target, row, node)
        if name in self.aliases:
            raise self.error(node, f"gives {name} a row and a number; use two names")
        self.numbers.add(name)
        self.learn(name, value)
        return [self._set(name, self._plain(value), node)]

    def learn(self, name: str, value: ast.expr) -> None:
        """Remember bounds on a name that stands for one expression of the author's."""
        once = self.stored[name] <= 1 and name not in self.moves
        known = interval_of(self, value) if once else None
        if known is not None:
            self.known[name] = known

    def _plain(self, value: ast.expr) -> ast.expr:
        """A number, or the truth of a set."""
        return self.truth(value) if self.is_set(value) else self.number(value)

    def _unpacked(self, target: Any, value: ast.expr, node: ast.AST) -> list[ast.stmt]:
        row = self.row(value)
        if row is not None:
            return self.bind(target, row, node)
        if not isinstance(value, (ast.Tuple, ast.List)):
            return self._taken_apart(target, self.number(value), node)
        if len(value.elts) != len(target.elts):
            raise self.wrong(node, f"assigns {len(value.elts)} values to {len(target.elts)} names")
        found, values = [], []
        for each in value.elts:
            name = self.new_name()
            self.learn(name, each)
            found.append(self._set(name, self._plain(each), node))
            values.append(self.named(name, node))
        for each, made in zip(target.elts, values, strict=True):
            found += self.statement(ast.copy_location(ast.Assign([each], made), node))
        return found

    def _taken_apart(self, target: Any, value: ast.expr, node: ast.AST) -> list[ast.stmt]:
        """Names and fields are given what a call has returned, from left to right."""
        if all(isinstance(each, ast.Name) for each in target.elts):
            return [self.placed(ast.Assign([target], value), node)]
        names = [self.new_name() for _ in target.elts]
        found = [self._given(names, value, node)]
        for each, name in zip(target.elts, names, strict=True):
            made = ast.Assign([each], self.named(name, node))
            found += self.statement(ast.copy_location(made, node))
        return found

    def _given(self, names: list[str], value: ast.expr, node: ast.AST) -> ast.stmt:
        """Names are given what a call has returned."""
        stored: list[ast.expr] = [ast.Name(each, ast.Store()) for each in names]
        return self.placed(ast.Assign([ast.Tuple(stored, ast.Store())], value), node)

    def _of_annassign(self, node: ast.AnnAssign) -> list[ast.stmt]:
        if node.value is None:
            return []
        return self._of_assign(ast.copy_location(ast.Assign([node.target], node.value), node))

    def _of_augassign(self, node: ast.AugAssign) -> list[ast.stmt]:
        target = node.target
        found = self.field(target)
        if found is None:
            if not isinstance(target, ast.Name) or target.id == self.state:
                raise self.wrong(
                    node, f"changes {ast.unparse(target):.40}; rules change fields of a state"
                )
            return [ast.AugAssign(target, node.op, self._plain(node.value))]
        slot, index = found
        if isinstance(slot.field, Set):
            method = JOINED.get(type(node.op))
            if method is None:
                raise self.wrong(node, f"changes {slot.name}, a Set, by another sign than | & - ^")
            return self.change_set(slot, method, node.value, node)
        if index is None and not isinstance(slot.field, Int):
            raise self.error(node, f"changes all of {slot.name}; change its items")
        called = self._called(node.value)
        if called is not None:
            raise self.error(node, "changes the state twice in one line; write two")
        return self._changed(slot, index, node)

    def _of_expr(self, node: ast.Expr) -> list[ast.stmt]:
        value = node.value
        if isinstance(value, ast.Call) and isinstance(value.func, ast.Attribute):
            owner, method = value.func.value, value.func.attr
            found = self.field(owner) if isinstance(owner, ast.Attribute) else None
            if found is not None and isinstance(found[0].field, Set):
                if method == "clear":
                    empty = self.placed(ast.Tuple([], ast.Load()), node)
                    return self._whole_store(found[0], empty, node)
                if method not in CHANGES or len(value.args) != 1:
                    known = ", ".join([*CHANGES, "clear"])
                    raise self.wrong(node, f"calls {found[0].name}.{method}; a Set has {known}")
                return self.change_set(found[0], method, value.args[0], node)
            if found is not None:
                raise self.wrong(node, f"calls {found[0].name}.{method}, which fields do not have")
        called = self._called(value)
        if called is not None:
            call, gives_value = called
            if gives_value:
                return [self._given([str(self.state), self.new_name()], call, node)]
            return [self._set(str(self.state), call, node)]
        if isinstance(value, ast.Call):
            return [ast.Expr(self.number(value))]
        if not isinstance(value, ast.Constant) and not any(
            isinstance(each, MAY_DO) for each in ast.walk(value)
        ):
            raise self.wrong(
                node,
                f"works out {ast.unparse(value):.40}, and does nothing with it; "
                "is an assignment or a return missing?",
            )
        return [node]

    # Calls of what changes the state

    def _called(self, value: ast.expr) -> tuple[ast.expr, bool] | None:
        """A call of a rule that changes the state, and whether it gives a value as well."""
        return self.rules.changing_call(self, value) if isinstance(value, ast.Call) else None

    def _assigned_call(
        self,
        target: ast.expr,
        call: ast.expr,
        gives_value: bool,
        node: ast.AST,
    ) -> list[ast.stmt]:
        if not gives_value:
            raise self.wrong(node, "assigns what a rule returns that returns nothing")
        name = self.new_name()
        first = self._given([str(self.state), name], call, node)
        value = self.named(name, node)
        if isinstance(target, (ast.Tuple, ast.List)):
            return [first, *self._taken_apart(target, value, node)]
        rest = self.statement(ast.copy_location(ast.Assign([target], value), node))
        return [first, *rest]

    def _of_return(self, node: ast.Return) -> list[ast.stmt]:
        if node.value is None or (self.gives_state and ast.unparse(node.value) == "None"):
            return [self._returned(None, node)] if self.gives_state else [node]
        if self.gives_state:
            if isinstance(node.value, ast.Name) and node.value.id == self.state:
                return [self._returned(None, node)]
            called = self._called(node.value)
            if called is not None and not called[1]:
                return [
                    self._set(str(self.state), called[0], node), self._returned(None, node)
                ]  # fmt: skip
            if not self.gives_value:
                raise self.wrong(
                    node, f"returns {ast.unparse(node.value):.40}, which is lost; change fields of "
                    f"{self.state}, and return nothing",
                )  # fmt: skip
            if called is not None:
                return [self.placed(ast.Return(called[0]), node)]
        value = self.truth(node.value) if self.is_test else self._plain(node.value)
        return [self._returned(value, node)]

    def _returned(self, value: ast.expr | None, node: ast.AST) -> ast.stmt:
        if self.gives_state:
            assert self.state is not None
            state = ast.Name(self.state, ast.Load())
            value = state if value is None else ast.Tuple([state, value], ast.Load())
        return self.placed(ast.Return(value), node)

    # Branches and loops

    def _of_if(self, node: ast.If) -> list[ast.stmt]:
        test, guards = self.truth(node.test), self.guards
        body = self.body(node.body)
        self.guards = guards
        made = ast.If(test, body, self.body(node.orelse) if node.orelse else [])
        self.guards = guards  # without what either changes, when the statement ends
        return [made]

    def _of_while(self, node: ast.While) -> list[ast.stmt]:
        test = self.truth(node.test)
        orelse = self.body(node.orelse) if node.orelse else []
        return [ast.While(test, self.body(node.body), orelse)]

    def _of_assert(self, node: ast.Assert) -> list[ast.stmt]:
        made = ast.Assert(self.truth(node.test), None)
        setattr(made, SAID, getattr(node, SAID, None))
        return [made]

    def _of_delete(self, node: ast.Delete) -> list[ast.stmt]:
        for each in node.targets:
            found = self.field(each)
            if found is not None:
                raise self.wrong(
                    node, f"deletes from {found[0].name}, which keeps its length; assign to it"
                )
        raise self.error(node, "holds del; leave it out, names need no deleting")

    def _of_functiondef(self, node: ast.FunctionDef) -> list[ast.stmt]:
        raise self.error(node, f"defines {node.name} within a rule; make it a method")

    def _of_for(self, node: ast.For) -> list[ast.stmt]:
        joined = self._joined_loop(node)
        if joined is not None:
            return joined
        orelse = self.body(node.orelse) if node.orelse else []
        if self.is_set(node.iter):
            return self._over_set(node, orelse)
        call: Any = node.iter
        is_range = isinstance(call, ast.Call) and getattr(call.func, "id", "") == "range"
        if is_range and isinstance(node.target, ast.Name):
            limits = [self.number(each) for each in call.args]
            self._learn_counter(node.target.id, call)
            counted = self.called("range", limits, node)
            return [ast.For(node.target, counted, self.body(node.body), orelse)]
        name = self.new_name()
        at = self.named(name, node)
        before: list[ast.stmt] = []
        counts, value = self._items(node, node.iter, at, before)
        count = counts[0]
        most = number_of(count)
        if most:
            self.known[name] = fixed(0, most - 1)
        for each in counts[1:]:
            count = self.made("min(a, b)", node, a=count, b=each)
        begin = self.bind(node.target, value, node)
        counted = self.called("range", [count], node)
        made = ast.For(
            self.placed(ast.Name(name, ast.Store()), node), counted,
            [*begin, *self.body(node.body)], orelse,
        )  # fmt: skip
        return [*before, made]

    def _once(self, value: ast.expr, loop: ast.For, before: list[ast.stmt]) -> ast.expr:
        """What a loop goes by, worked out before it if what it does may change that."""
        stored, used = {*names_of(loop, stored=True)}, {*names_of(value)}
        is_same = changed_fields(loop, self.state) == set()
        hidden = {each for each in used if each.startswith("searchkit_")} - {OPERATOR}
        if is_same and not used & stored and hidden <= self.fixed:
            return value
        if isinstance(value, ast.Constant) or used <= {SELF, OPERATOR, *self.fixed}:
            return value
        name = self.new_name()
        before.append(self._set(name, value, loop))
        return self.named(name, loop)

    def _learn_counter(self, name: str, call: ast.Call) -> None:
        """Remember bounds on what a loop over a range gives a name."""
        ends = [interval_of(self, each) for each in call.args]
        first = fixed(0, 0) if len(ends) == 1 else ends[0]
        last = ends[min(1, len(ends) - 1)]
        if self.stored[name] == 1 and len(ends) < 3 and first is not None and last is not None:
            self.known[name] = joined(lambda a, b: (a[0], max(a[0], b[1] - 1)), first, last)

    def _items(
        self, loop: ast.For, source: ast.expr, at: ast.expr, before: list[ast.stmt]
    ) -> tuple[list[ast.expr], Value]:
        """What a loop goes over: how many (the least of them), worked out `before`, and an item."""
        if isinstance(source, ast.Call) and isinstance(source.func, ast.Name):
            name = source.func.id
            if name == "enumerate":
                counts, value = self._items(loop, source.args[0], at, before)
                number = at
                if len(source.args) > 1:
                    first = self._once(self.number(source.args[1]), loop, before)
                    number = self.made("a + b", source, a=at, b=first)
                return counts, [number, value]
            if name == "zip":
                parts = [self._items(loop, each, at, before) for each in source.args]
                return [count for counts, _ in parts for count in counts], [v for _, v in parts]
            if name == "range":
                limits = [self._once(self.number(each), loop, before) for each in source.args]
                if len(limits) == 1:
                    return limits, at
                if len(limits) == 2:
                    count = self.made("b - a", source, a=limits[0], b=limits[1])
                    return [count], self.made("a + i", source, a=limits[0], i=at)
            if name == "reversed":
                counts, _ = self._items(loop, source.args[0], at, before)
                last = self._once(counts[0], loop, before)
                back = self.made("n - 1 - i", source, n=last, i=at)
                return self._items(loop, source.args[0], back, before)
        field = self.field(source) if isinstance(source, ast.Attribute) else None
        if field is not None and isinstance(field[0].field, Array):
            return [constant(field[0].field.length, source)], self.load(field[0], at, source)
        row = self.row(source, sure=False)
        if row is None or row.level == row.nested.depth:
            shown = ast.unparse(source)
            raise self.error(
                source, f"loops over {shown:.40}; loop over a range, a list of self, or a field"
            )
        index = tuple(self._once(each, loop, before) for each in row.index)
        row = Row(row.nested, index, row.is_sure)
        return [self.row_length(row, source)], Row(row.nested, (*row.index, at))

    def bind(self, target: ast.expr, value: Value, node: ast.AST) -> list[ast.stmt]:
        """Give names what a loop, or a row, has for them."""
        if isinstance(target, ast.Name):
            if isinstance(value, list):
                raise self.error(node, f"gives {target.id} several values; write a name for each")
            if isinstance(value, Row):
                if value.level == value.nested.depth:
                    numbers = numbers_of(value)
                    if numbers is not None and self.stored[target.id] == 1:
                        self.known[target.id] = numbers
                    return [self._set(target.id, self.row_item(value, node), node)]
                return self._named_row(target.id, value, node)
            if (
                isinstance(value, ast.Name)
                and value.id in self.known
                and self.stored[target.id] == 1
            ):
                self.known[target.id] = self.known[value.id]
            return [self._set(target.id, value, node)]
        if isinstance(target, (ast.Tuple, ast.List)):
            if isinstance(value, Row):
                count = len(target.elts)
                lengths = value.nested.shape[value.level : value.level + 1]
                if lengths != ((count, count),):
                    raise self.error(
                        node, f"unpacks rows into {count} names that have other lengths"
                    )
                value = [Row(value.nested, (*value.index, constant(i, node))) for i in range(count)]
            if not isinstance(value, list) or len(value) != len(target.elts):
                raise self.wrong(node, f"has {len(target.elts)} names for other items")
            pairs = zip(target.elts, value, strict=True)
            return [made for each, item in pairs for made in self.bind(each, item, node)]
        if isinstance(value, Row):
            value = self.row_item(value, node)
        place = self.field(target)
        if place is None:
            raise self.wrong(node, "loops with what is not a name")
        return self.store(*place, value, node)

    def _named_row(self, name: str, row: Row, node: ast.AST) -> list[ast.stmt]:
        """Let a name stand for a row: where it does so more than once, by indices of its own."""
        known = self.aliases.get(name)
        if known is not None and (known.nested is not row.nested or known.level != row.level):
            raise self.error(node, f"gives {name} rows of two lists; use two names")
        if name in self.numbers:
            raise self.error(node, f"gives {name} a number and a row; use two names")
        is_once = self.stored[name] <= 1
        found, rest, index = [], [], []
        for i, each in enumerate(row.index):
            if is_once and self._stays(each):
                index.append(each)
                continue
            value = each
            if len(row.index) > 1 and not self._stays(each):  # it may look at what comes first
                kept = self.new_name()
                found.append(self._set(kept, each, node))
                value = self.named(kept, node)
            own = f"searchkit_row{i}_{name}"
            self.local.add(own)
            if is_once:
                self.fixed.add(own)
            rest.append(self._set(own, value, node))
            index.append(self.named(own, node))
        self.aliases[name] = Row(row.nested, tuple(index))
        return [*found, *rest]

    def _stays(self, node: ast.expr) -> bool:
        """Whether an index keeps its value as long as a name stands for its row."""
        if isinstance(node, ast.Name):
            return node.id in self.fixed or node.id == OPERATOR
        return isinstance(node, ast.Constant)

    def _over_set(self, node: ast.For, orelse: list[ast.stmt]) -> list[ast.stmt]:
        """A loop over the members of a set: over its bits."""
        slot = self.set_slot(node.iter)
        if not isinstance(node.target, ast.Name):
            raise self.error(node, "loops over a set with more than a name")
        if self.stored[node.target.id] == 1:
            self.known[node.target.id] = fixed(0, slot.field.length - 1)
        if slot.is_wide or orelse:
            if not isinstance(node.iter, ast.Attribute) or orelse:
                raise self.error(node, "loops over a joined set, or with else; loop over a field")
            count = constant(slot.field.length, node)
            counted = self.called("range", [count], node)
            member = self.named(node.target.id, node)
            before, state = [], self.state
            if changed_fields(node, state) != set():  # it goes over what was there at first
                assert state is not None
                name = self.new_name()
                before.append(self._set(name, ast.Name(state, ast.Load()), node))
                self.state = name
            word, shift = self.place(slot, member, node)
            test = self.made("w >> k & 1 != 0", node, w=self.word(word, node), k=shift)
            self.state = state
            guarded = self.placed(ast.If(test, self.body(node.body), []), node)
            return [*before, ast.For(node.target, counted, [guarded], [])]
        (bits,) = self.exact(node.iter, slot)
        rest = self.new_name()
        left = self.named(rest, node)
        text = "self.least_member(r) - n" if slot.shift else "self.least_member(r)"
        at = constant(slot.shift, node)
        first = self.made(text, node, r=left, n=at, self=self.named("self", node))
        inner = [
            self._set(node.target.id, first, node),
            self._set(rest, self.made("r & r - 1", node, r=left), node),
            *self.body(node.body),
        ]
        test = self.made("r != 0", node, r=left)
        return [self._set(rest, bits, node), self.placed(ast.While(test, inner, []), node)]

    def _joined_loop(self, node: ast.For) -> list[ast.stmt] | None:
        """A loop that only changes the member of a set, or a flag, that it goes over: one step."""
        if len(node.body) != 1 or node.orelse or not isinstance(node.target, ast.Name):
            return None
        slot, method, member = self._change_of_one(node.body[0]) or (None, "", None)
        if slot is None or not isinstance(member, ast.Name) or member.id != node.target.id:
            return None
        try:
            if self.sum_of_bits(node.iter, slot) is None:
                return None
            is_sum = method == "symmetric_difference_update"
            return self.change_set(slot, method, node.iter, node, is_sum=is_sum)
        except CompilationError:
            return None

    def _change_of_one(self, change: ast.stmt) -> tuple[Slot, str, ast.expr | None] | None:
        """What a statement changes one member or flag of, as sets are changed, and which."""
        match change:
            case ast.Expr(ast.Call(ast.Attribute(ast.Attribute() as owner, sign), [member])):
                found = self.field(owner) if sign in OF_ONE else None
                if found is None or not isinstance(found[0].field, Set):
                    return None
                return found[0], "update" if sign == "add" else "difference_update", member
            case ast.AugAssign(target, ast.BitXor(), ast.Constant(1)):
                method = "symmetric_difference_update"
            case ast.Assign([target], ast.Constant(0 | 1 as value)):
                method = "update" if value else "difference_update"
            case _:
                return None
        found = self.field(target)
        field = None if found is None else found[0].field
        if found is None or not isinstance(field, Array) or (field.low, field.below) != (0, 2):
            return None
        return found[0], method, found[1]
