"""Numbers and conditions of rules: operators, comparisons, and calls."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import attrs

from searchkit.errors import CompilationError
from searchkit.fields.bounds import numbers_of
from searchkit.fields.declared import Array, Set
from searchkit.fields.layout import Slot
from searchkit.fields.sets import Sets
from searchkit.fields.tables import Instance, Static, is_listed
from searchkit.kernel_language.constants import constant

_FOLDS = {"any", "all", "sum", "min", "max"}
_SET_TESTS = {"isdisjoint": "a & b == 0", "issubset": "a & ~b == 0", "issuperset": "b & ~a == 0"}


@attrs.define
class Numbers(Sets):
    """Expressions that are numbers."""

    def number(self, node: ast.expr) -> ast.expr:
        """The expression on words and tables; an error with its line for what is no number."""
        if isinstance(node, ast.Constant):
            if type(node.value) in (int, bool):
                return node
            found = self.static_number(node)
            return node if found is None else found
        found = self.static_number(node)
        if found is not None:
            return found
        method = getattr(self, f"_of_{type(node).__name__.lower()}", None)
        if method is None:
            return node  # refused, with its line, by the checker of kernels
        made: ast.expr = method(node)
        return made if hasattr(made, "lineno") else ast.copy_location(made, node)

    def truth(self, node: ast.expr) -> ast.expr:
        """The expression as a condition."""
        if self.is_set(node):
            return self.any_bit(node)
        if isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            if self.is_set(node.operand):
                return self.any_bit(node.operand, negated=True)
            return self.placed(ast.UnaryOp(ast.Not(), self.truth(node.operand)), node)
        row = None if self.static_number(node) is not None else self.row(node, sure=False)
        if row is not None and row.level < row.nested.depth:
            return self.made("n > 0", node, n=self.row_length(row, node))
        return self.number(node)

    def _of_name(self, node: ast.Name) -> ast.expr:
        if node.id == self.state:
            raise self.error(node, f"uses {node.id} as a whole; use its fields")
        if node.id == self.own:
            raise self.wrong(node, "uses self as a whole; use its attributes")
        if node.id in self.aliases:
            raise self.error(node, f"uses {node.id}, a list, as a number; take an item of it")
        if node.id in self.statics:
            return self.number(self.statics[node.id])
        return node

    def _of_attribute(self, node: ast.Attribute) -> ast.expr:
        found = self.field(node)
        if found is not None:
            slot, _ = found
            if isinstance(slot.field, (Array, Set)):
                raise self.error(
                    node,
                    f"uses all of {slot.name} as a number; use its items, any, all, sum, len, `in` "
                    "or ==",
                )
            return self.load(slot, None, node)
        static = self.static(node)
        if static is not None:
            (value, *_) = static.values(self.tables.of) or [None]
            raise self.error(
                node,
                f"uses {ast.unparse(node)}, {value!r:.40}, as a number; "
                "rules calculate with whole numbers",
            )
        is_own = isinstance(node.value, ast.Name) and node.value.id == self.own
        if is_own and not hasattr(self.tables.of.author, node.attr):
            raise self.wrong(
                node, f"uses self.{node.attr}, which is not there when the puzzle is made"
            )
        raise self.error(
            node,
            f"uses .{node.attr} of what is neither the state nor self; keep what rules ask of it "
            "in lists of self",
        )

    def _of_subscript(self, node: ast.Subscript) -> ast.expr:
        found = self.field(node)
        if found is not None:
            slot, index = found
            return self.load(slot, index, node)
        row = self.row(node, sure=False)
        if row is not None:
            if row.level != row.nested.depth:
                raise self.error(
                    node, f"uses {ast.unparse(node)}, a list, as a number; take an item of it"
                )
            found_there = self.row_item(row, node)
            bounds = numbers_of(row)
            ragged = any(map(row.nested.is_ragged, range(row.level)))
            if not ragged or bounds is None or self.static(node) is not None:
                return found_there
            known = self.tables.ask(bounds)
            if known is None:
                return found_there
            # What shorter rows are filled up with is none of the numbers.
            return self.within(found_there, "an item", known, None)
        return ast.Subscript(self.number(node.value), self.number(node.slice), ast.Load())

    def _of_binop(self, node: ast.BinOp) -> ast.expr:
        if self.is_set(node):
            raise self.error(node, "uses a set as a number; use len, `in` or ==")
        return ast.BinOp(self.number(node.left), node.op, self.number(node.right))

    def _of_unaryop(self, node: ast.UnaryOp) -> ast.expr:
        if isinstance(node.op, ast.Not):
            return self.truth(node)
        return ast.UnaryOp(node.op, self.number(node.operand))

    def _of_boolop(self, node: ast.BoolOp) -> ast.expr:
        return ast.BoolOp(node.op, [self.truth(each) for each in node.values])

    def _of_ifexp(self, node: ast.IfExp) -> ast.expr:
        return ast.IfExp(self.truth(node.test), self.number(node.body), self.number(node.orelse))

    def _of_tuple(self, node: ast.Tuple) -> ast.expr:
        return ast.Tuple([self.number(each) for each in node.elts], ast.Load())

    def _of_compare(self, node: ast.Compare) -> ast.expr:
        sides = [node.left, *node.comparators]
        tests = [
            self._compared(node, left, op, right)
            for left, op, right in zip(sides, node.ops, sides[1:], strict=False)
        ]
        plain = (isinstance(each, ast.Compare) and len(each.ops) == 1 for each in tests)
        if len(tests) > 1 and all(plain):
            whole: Any = tests[0]
            for each in tests[1:]:
                assert isinstance(each, ast.Compare)
                whole.ops += each.ops
                whole.comparators += each.comparators
            return whole  # type: ignore[no-any-return]
        return self.all_of(tests, node)

    def _compared(self, node: ast.Compare, left: Any, op: ast.cmpop, right: Any) -> ast.expr:
        if isinstance(op, (ast.In, ast.NotIn)):
            found = self._contains(node, left, right)
            if isinstance(op, ast.NotIn):
                return self.made("not x", node, x=found)
            return found
        if self.is_set(left) or self.is_set(right):
            return self.compared_sets(node, op, left, right)
        for one, other in (left, right), (right, left):
            field = self.field(one) if isinstance(one, ast.Attribute) else None
            if field is not None and isinstance(field[0].field, Array):
                return self._compared_array(node, field[0], op, other)
        made = ast.Compare(self.number(left), [op], [self.number(right)])
        return ast.copy_location(made, node)

    def _compared_array(
        self, node: ast.expr, slot: Any, op: ast.cmpop, other: ast.expr
    ) -> ast.expr:
        static = self.static(other)
        if static is None or not isinstance(op, (ast.Eq, ast.NotEq)):
            raise self.error(node, f"compares all of {slot.name}; use == with a list of self")
        tests = []
        for value in static.values(self.tables.of) or ():
            if not _is_row(value, slot.field.length):
                raise self.wrong(
                    node, f"compares {slot.name}, {slot.field.length} numbers, with {value!r:.60}"
                )
        if not self.tables.ask(
            lambda instance: all(_fits(each, slot) for each in static.values(instance) or ())
        ):
            raise self.error(node, f"compares {slot.name} with numbers that it cannot have")
        for part in range(slot.words):
            word = self.word(slot.word + part, node)
            if not self._is_alone(slot):
                word = self.made("w & m", node, w=word, m=constant(slot.whole(part), node))
            key = self.made("x", node, x=other)
            text = "w == n" if isinstance(op, ast.Eq) else "w != n"
            numbers, kind = _whole_words(static, slot, part), ("whole", slot.name, part)
            tests.append(
                self.made(text, node, w=word, n=self.looked_up(key, static, numbers, kind))
            )
        return self.all_of(tests, node, some=isinstance(op, ast.NotEq))

    def _contains(self, node: ast.expr, member: ast.expr, container: ast.expr) -> ast.expr:
        if self.is_set(container):
            if not isinstance(container, ast.Attribute):
                raise self.error(node, "asks whether a joined set has a member; ask each of them")
            slot = self.set_slot(container)
            if self.static(member) is not None:
                word, one = self.bit(slot, member, node)
                return self.made("w & b != 0", node, w=self.word(word, node), b=one)
            word, shift = self.place(slot, member, node)
            return self.made("w >> k & 1 != 0", node, w=self.word(word, node), k=shift)
        field = self.field(container) if isinstance(container, ast.Attribute) else None
        if field is not None:
            return self._folded_tests("any", container, member, node)
        if isinstance(container, (ast.Tuple, ast.List, ast.Set)):
            tests = [
                self.made("a == b", node, a=self.number(member), b=self.number(each))
                for each in container.elts
            ]
            return self.all_of(tests, node, some=True)
        if isinstance(container, ast.Call) and getattr(container.func, "id", "") == "range":
            low: ast.expr = constant(0, node)
            high = container.args[-1]
            if len(container.args) == 2:
                low = container.args[0]
            if len(container.args) < 3:
                x, low, high = map(self.number, (member, low, high))
                return self.made("a <= x < b", node, a=low, x=x, b=high)
        row = self.row(container)
        if row is None or row.nested.depth != row.level + 1:
            raise self.error(
                node,
                f"asks for a member of {ast.unparse(container):.40}; use a list of self, or a Set",
            )
        made = ast.Compare(self.number(member), [ast.In()], [self.row_item(row, node)])
        return ast.copy_location(made, node)

    # Calls

    def _of_call(self, node: ast.Call) -> ast.expr:
        function = node.func
        if isinstance(function, ast.Attribute):
            if isinstance(function.value, ast.Name) and function.value.id == self.own:
                return self._called_method(node, function.attr)
            return self._called_attribute(node, function)
        if not isinstance(function, ast.Name):
            raise self.error(
                node, "calls what is not a name; call functions, and methods of self, by theirs"
            )
        name = function.id
        value = self.rules.function(self.names, name)
        if value is not None:
            found: ast.expr = self.rules.called(self, node, value)
            return found
        if name in _FOLDS and len(node.args) == 1:
            return self._folded_call(name, node)
        if name == "len" and len(node.args) == 1:
            return self._length(node)
        made = ast.Call(function, [self.number(each) for each in node.args], [])
        if node.keywords:
            raise self.error(node, f"calls {name} with keywords; give all arguments by place")
        return made

    def _called_method(self, node: ast.Call, name: str) -> ast.expr:
        method = self.rules.method(name)
        if method is not None:
            found: ast.expr = self.rules.called(self, node, method, is_method=True)
            return found
        if not hasattr(self.tables.of.author, name):
            raise self.wrong(node, f"calls self.{name}, which is not defined")
        raise self.error(node, f"calls self.{name}, which is not a plain method")

    def _called_attribute(self, node: ast.Call, function: ast.Attribute) -> ast.expr:
        if self.is_set(function.value) and function.attr in _SET_TESTS and len(node.args) == 1:
            like = self.set_slot(function.value)
            first, second = self.bits(function.value, like), self.bits(node.args[0], like)
            mine = self.exact(function.value, like)
            tests = []
            for part, (left, right) in enumerate(zip(first, second, strict=True)):
                is_exact = left[1] or (right[1] and function.attr == "isdisjoint")
                one = left[0] if is_exact else mine[part]
                tests.append(self.made(_SET_TESTS[function.attr], node, a=one, b=right[0]))
            return self.all_of(tests, node)
        field = self.field(function.value) if isinstance(function.value, ast.Attribute) else None
        if field is not None and isinstance(field[0].field, Array) and len(node.args) == 1:
            if function.attr == "count":
                return self._folded_tests("sum", function.value, node.args[0], node)
            if function.attr == "index":
                return self._index_of(node, field[0])
        if field is not None:
            raise self.error(
                node,
                f"calls .{function.attr} of {field[0].name}, which gives no number; loop over it",
            )
        raise self.error(node, f"calls .{function.attr}; rules call methods of self and functions")

    def _index_of(self, node: ast.Call, slot: Slot) -> ast.expr:
        """The first index of a number in an array, which must be there."""
        field = slot.field
        if slot.is_wide or field.bits == 1:
            raise self.error(node, "calls .index of an array of flags, or of several words; loop")
        ones = sum(1 << i * field.bits for i in range(field.length))
        word = self.word(slot.word, node)
        if slot.shift or not self._is_alone(slot):
            text = "w >> k & m" if slot.shift else "w & m"
            whole = constant(slot.whole() >> slot.shift, node)
            word = self.made(text, node, w=word, k=constant(slot.shift, node), m=whole)
        value = self.number(node.args[0])
        if field.low:
            value = self.made("v - n", node, v=value, n=constant(field.low, node))
        parts = {"ones": ones, "highs": ones << field.bits - 1, "b": field.bits}
        return self.made(
            "self.first_field(w ^ v * ones, ones, highs) // b", node, w=word, v=value,
            self=self.named("self", node), **{k: constant(v, node) for k, v in parts.items()},
        )  # fmt: skip

    def _folded_tests(
        self, name: str, items: ast.expr, value: ast.expr, node: ast.expr
    ) -> ast.expr:
        """What `any` or `sum` makes of which items have a value."""
        each = ast.Name("searchkit_each", ast.Store())
        test = self.made("e == x", node, e=ast.Name(each.id, ast.Load()), x=value)
        loop = ast.comprehension(each, items, [], 0)
        return self.folded(name, self.placed(ast.GeneratorExp(test, [loop]), node), [], node)

    def _length(self, node: ast.Call) -> ast.expr:
        (value,) = node.args
        if self.is_set(value):
            like = self.set_slot(value)
            words = [
                self.made("self.members_in(w)", node, w=word, self=self.named("self", node))
                for word in self.exact(value, like)
            ]
            total = words[0]
            for word in words[1:]:
                total = self.made("a + b", node, a=total, b=word)
            return total
        field = self.field(value) if isinstance(value, ast.Attribute) else None
        if field is not None:
            return constant(field[0].field.length, node)
        row = self.row(value, sure=False)
        if row is None or row.level == row.nested.depth:
            raise self.error(
                node, f"asks for the length of {ast.unparse(value):.40}; count by sum(...)"
            )
        return self.row_length(row, node)

    def _folded_call(self, name: str, node: ast.Call) -> ast.expr:
        (value,) = node.args
        if not isinstance(value, (ast.GeneratorExp, ast.ListComp, ast.SetComp)):
            if name in ("any", "all") or not isinstance(value, (ast.Tuple, ast.List)):
                each = "searchkit_each"
                loop = ast.comprehension(ast.Name(each, ast.Store()), value, [], 0)
                value = self.placed(ast.GeneratorExp(ast.Name(each, ast.Load()), [loop]), node)
            else:
                return ast.Call(node.func, [self.number(x) for x in value.elts], [])
        return self.folded(name, value, node.keywords, node)

    def folded(
        self, name: str, value: Any, keywords: list[ast.keyword], node: ast.expr
    ) -> ast.expr:
        """What `any`, `all`, `sum`, `min` or `max` makes of a generator: a call of a loop."""
        tests = self._one_test(name, value, node)
        if tests is not None:
            return tests
        default = None
        for keyword in keywords:
            if keyword.arg != "default":
                raise self.error(node, f"calls {name} with {keyword.arg}; write a loop")
            default = keyword.value
        found: ast.expr = self.rules.folded(self, name, value, default, node)
        return found

    def _one_test(self, name: str, value: Any, node: ast.expr) -> ast.expr | None:
        """`any(x in s.set for x in row)`, and the like, as a test of all at once."""
        if name not in ("any", "all") or len(value.generators) != 1:
            return None
        loop, test = value.generators[0], value.elt
        negated = isinstance(test, ast.UnaryOp) and isinstance(test.op, ast.Not)
        test = test.operand if negated else test
        match test, loop:
            case (
                ast.Compare(ast.Name(member), [ast.In() | ast.NotIn() as sign], [ast.Attribute()]),
                ast.comprehension(ast.Name(each), ifs=[]),
            ) if member == each and self.is_set(test.comparators[0]):
                like = self.set_slot(test.comparators[0])
            case _:
                return None
        try:
            masks = [mask for mask, _ in self.bits(loop.iter, like)]
        except CompilationError:
            return None
        words = [self.word(like.word + part, node) for part in range(like.words)]
        is_in = isinstance(sign, ast.In) is not negated
        text, some = {
            ("any", True): ("w & m != 0", True),
            ("all", False): ("w & m == 0", False),
            ("any", False): ("m & ~w != 0", True),
            ("all", True): ("m & ~w == 0", False),
        }[name, is_in]
        found = [self.made(text, node, w=w, m=m) for w, m in zip(words, masks, strict=True)]
        return self.all_of(found, node, some=some)


def _is_row(value: Any, length: int) -> bool:
    return is_listed(value) and len(value) == length


def _fits(value: Any, slot: Slot) -> bool:
    """Whether a list holds what an array can."""
    low, below = slot.field.low, slot.field.below
    return _is_row(value, slot.field.length) and all(
        hasattr(each, "__index__") and low <= each < below for each in value
    )


def _whole_words(static: Static, slot: Slot, part: int) -> Callable[[Instance], list[int]]:
    """What a word of a field is where it holds the numbers of a list."""

    def word(row: Any) -> int:
        number = 0
        for i, each in enumerate(list(row)[part * slot.per : (part + 1) * slot.per]):
            number |= int(each) - slot.field.low << slot.shift + i * slot.field.bits
        return number

    return lambda instance: list(map(word, static.values(instance) or ()))
