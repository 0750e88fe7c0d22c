"""Statements of the author's, by what they are."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from searchkit.kernel_language import trees
from searchkit.translation.comparison import known_truth
from searchkit.translation.counted import Note, counted_by
from searchkit.translation.definitions import order_free
from searchkit.translation.effects import may_change
from searchkit.translation.library import Library
from searchkit.translation.methods import CHANGING
from searchkit.translation.naming import describe, written
from searchkit.translation.recursion import Unknown
from searchkit.translation.refusals import Untranslatable
from searchkit.translation.scopes import stored_in
from searchkit.translation.text import Loop, may_trap
from searchkit.translation.types import WHOLE, Bool, Float, Int, Maybe, Never, Record, Seq
from searchkit.translation.values import Items, Joined, Known, Place, Round, Scalar, Stream, Value
from searchkit.translation.variables import Variable

STEP = ("action", "state", "cost")
_HERE = ("scope", "site", "node", "handlers", "unordered", "is_calm", "open_dicts", "named_parts",
         "open_loop")  # fmt: skip
"""What is different from one place of a program to another."""
KEPT = "keep what changes in states or variables"
MOST_TURNS = 1 << 24
"""A loop of more turns may be one without an end: Python runs it, which can be ended there."""


class Statements(Library):
    """What statements do. Each says whether all ways through it leave what it stands in."""

    # Of classes further down

    takes_steps: Callable[[], bool]

    def block(self, body: list[Any]) -> bool:
        """Statements; whether all ways through them leave."""
        leaves = False
        for i, each in enumerate(body):
            leaves |= self._attempted(each, body[i + 1 :]) if self.running else self.statement(each)
            if leaves:
                break  # what follows never runs
        return leaves

    def _attempted(self, node: ast.stmt, rest: list[ast.stmt]) -> bool:
        """One statement within a function that calls itself: see `give_up`.

        What follows one that is left out may tell what is returned, if it needs no name of it.
        """
        begin = self._beginning()
        try:
            return self.statement(node)
        except (Unknown, Untranslatable) as error:
            self.give_up(error, begin)
            used = {
                each.id for part in rest for each in trees.nodes(part) if isinstance(each, ast.Name)
            }
            return isinstance(node, ast.Return) or not used.isdisjoint(stored_in([node]))

    def _beginning(self) -> Callable[[], None]:
        """What brings the translator back to where it is now."""
        scope, before = self.scope, {name: getattr(self, name) for name in _HERE}
        loops, walrus, depth = len(scope.loops), scope.walrus, self.text.depth()
        running = len(self.running)

        def begin() -> None:
            vars(self).update(before)
            del scope.loops[loops:]
            scope.walrus = walrus
            self.text.back_to(depth)
            del self.running[running:]

        return begin

    def statement(self, node: Any) -> bool:
        """One statement."""
        self.stand_at(node)
        self.sums.moment += 1
        make: Callable[[Any], bool | None] | None = getattr(
            self, f"_do_{type(node).__name__.lower()}", None
        )
        if make is None:
            raise self.refuse(f"uses {type(node).__name__.lower()}", "write it another way")
        return bool(make(node))

    def _do_pass(self, node: ast.Pass) -> None:
        pass

    _do_global = _do_nonlocal = _do_pass

    def _do_expr(self, node: ast.Expr) -> None:
        value = node.value
        if isinstance(value, ast.Yield):
            parts = value.value.elts if isinstance(value.value, ast.Tuple) else []
            if len(parts) == len(STEP) and self.takes_steps():
                self._give(self.step_of(dict(zip(STEP, parts, strict=True))))
                return
            self._give(Known(None) if value.value is None else self.value(value.value))
        elif isinstance(value, ast.YieldFrom):
            self.handed_on(
                self.ordered_stream(self.value(value.value)),
                lambda stream: self.run(stream, lambda item, _: self._give(item)),
            )
        elif not (isinstance(value, ast.Constant)):
            found = self.value(value)
            if isinstance(found, Stream) and found.each is not None and found.most:
                return  # a generator that nobody goes through does nothing

    def _give(self, value: Value) -> None:
        if self.scope.yielded is None:
            raise self.refuse("yields here", "yield in the function itself")
        self.scope.yielded(value)

    def _do_return(self, node: ast.Return) -> bool:
        if self.scope.late is not None:
            returned, turn = self.scope.late
            self.text.line(f"{returned} = True")
            self.text.leave(*turn.next)
            return True
        try:
            self.give_back(node.value)
        except Unknown:
            self._give_back_parts(node.value)
            raise
        return True

    def _give_back_parts(self, node: ast.expr | None) -> None:
        """Return what an expression may be, as far as that is known: see `recursion`."""
        parts: list[ast.expr] = []
        if isinstance(node, ast.IfExp):
            parts = [node.body, node.orelse]
        elif isinstance(node, ast.BoolOp):
            parts = node.values
        elif isinstance(node, ast.Compare) or (
            isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not)
        ):
            parts = [ast.copy_location(ast.Constant(value=False), node)]
        elif isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Add, ast.Sub)):
            # What a number is added to is a number.
            parts = [e for e in (node.left, node.right) if isinstance(e, ast.Constant)]
        for each in parts:
            begin = self._beginning()
            try:
                with self.text.apart():
                    self.give_back(each)
            except Unknown:
                begin()
                self._give_back_parts(each)

    def give_back(self, node: ast.expr | None) -> None:
        """Return the value of an expression."""
        self.scope.returned(Known(None) if node is None else self.value(node))

    def _do_raise(self, node: ast.Raise) -> bool:
        self.fail(self._raised(node.exc) if self.handlers else None)
        return True

    def _raised(self, node: ast.expr | None) -> type[Exception] | None:
        """The class of an error that is raised; None if it is not known before."""
        name, is_told = node, True
        if isinstance(node, ast.Call):
            name = node.func
            is_told = not node.keywords and all(
                isinstance(each, (ast.Constant, ast.Name)) for each in node.args
            )
        found = self.value(name) if isinstance(name, ast.Name) and is_told else None
        kind = found.value if isinstance(found, Known) else None
        if not isinstance(kind, type) or not issubclass(kind, Exception):
            return None
        is_plain = all(each.__module__ == "builtins" or "__init__" not in vars(each)
                       for each in kind.__mro__)  # fmt: skip
        return kind if is_plain else None

    # Errors

    def handler_of(self, raises: type[Exception]) -> Loop | None:
        """The end of which loop of the text an error leads to; None if it leaves the rules."""
        for kinds, loop, unordered in reversed(self.handlers):
            if issubclass(raises, kinds):
                # What was done in a loop over a set before depends on its order.
                return loop if len(self.unordered) == unordered else None
        return None

    def _do_try(self, node: ast.Try) -> bool:
        if node.finalbody:
            raise self.refuse("uses finally", "write what it does behind each way out")
        kinds = [self._caught(each) for each in node.handlers]
        before, leaves = self.handlers, True
        with self.text.once() as out:

            def guarded(number: int, loops: list[Loop]) -> None:
                nonlocal leaves
                if number < len(kinds):
                    with self.text.once() as caught:
                        guarded(number + 1, [*loops, caught])
                    leaves &= self.block(node.handlers[number].body)
                    self.text.leave(out)
                    return
                own = [
                    (kind, loop, len(self.unordered))
                    for kind, loop in zip(kinds, loops, strict=True)
                ]
                self.handlers = (*before, *reversed(own))
                ends = self.block(node.body)
                self.handlers = before
                if node.orelse and not ends:
                    ends = self.block(node.orelse)
                leaves &= ends
                self.text.leave(out)

            guarded(0, [])
        return leaves

    def _caught(self, handler: ast.ExceptHandler) -> tuple[type[BaseException], ...]:
        """The classes of errors that an `except` takes."""
        uses = [each for part in handler.body for each in trees.nodes(part)]
        if any(isinstance(each, ast.Name) and each.id == handler.name for each in uses):
            raise self.refuse("looks at an error", "use an if in front", handler)
        if any(isinstance(each, ast.Raise) and each.exc is None for each in uses):
            raise self.refuse("raises an error again", "use an if in front", handler)
        if handler.type is None:
            return (BaseException,)
        found = self.value(handler.type)
        given = found.value if isinstance(found, Known) else None
        named = given if isinstance(given, tuple) else (given,)
        if not all(isinstance(each, type) and issubclass(each, BaseException) for each in named):
            raise self.refuse("names no class of errors", "name one", handler)
        return named

    def _do_assert(self, node: ast.Assert) -> None:
        test = self.test(node.test)
        if known_truth(test) is not True:
            self.trap(f"not {test.text}", AssertionError)

    def _do_functiondef(self, node: ast.FunctionDef) -> None:
        if node.decorator_list:
            raise self.refuse("decorates an inner function", "use a plain function")
        self.scope.bound[node.name] = self.inner(node)

    # Branches and loops

    def _do_if(self, node: ast.If) -> bool:
        test = self.test(node.test)
        known = known_truth(test)
        if known is not None:
            return self.block(node.body if known else node.orelse)
        with self.text.block(f"if {test.text}:"):
            first = self.block(node.body)
        second = False
        if node.orelse:
            with self.text.block("else:"):
                second = self.block(node.orelse)
        return first and second

    def _do_for(self, node: ast.For) -> None:
        before = self.scope.walrus
        # What the loop itself assigns is gone through as it is now.
        self.scope.walrus = before | stored_in([node.target, *node.body])
        ends = (ast.Break, ast.Return, ast.Try)
        is_whole = not any(isinstance(each, ends) for each in trees.nodes(node))
        is_own = self.scope.is_entry and is_whole and not self.handlers
        self.gone_through = node.iter if is_own else None
        value = self.value(node.iter)
        self.gone_through = None
        stream = self.stream(value)
        ways = {} if stream.is_ordered else self._in_any_order(node)
        if ways is None:
            self.check_order(stream)
        self.scope.walrus = before
        flag = self.text.temporary("False", "ended") if node.orelse else ""
        scope = self.scope
        returns = [each for each in trees.nodes(node) if isinstance(each, ast.Return)]
        returned = ""

        def body(value: Value, turn: Round) -> None:
            outer = scope.late
            if is_late:  # whatever ends the loop, the other rounds are run as well
                turn = Round(turn.next, turn.next)
                scope.late = returned, turn
            try:
                with self.inside(scope):
                    scope.loops.append((turn, flag))
                    self.assign_target(node.target, value)
                    self.block(node.body)
                    scope.loops.pop()
            finally:
                scope.late = outer

        outer, self.open_loop = self.open_loop, node
        is_late = False
        if ways is not None and not stream.is_ordered and not is_whole:
            with self.text.apart() as lines:
                self.run(stream, body)
            is_late = may_trap(lines)  # an error may come before or after what ends the loop
        if is_late and returns:
            returned = self.text.temporary("False", "returned")
        self.run(stream, body)
        self.open_loop = outer
        if returned:
            with self.text.block(f"if {returned}:"):
                self._do_return(returns[0])
        for name, way in (ways or {}).items():
            kind = self.type_of(self.looked_up(name))  # type: ignore[arg-type]
            kind = kind.item if isinstance(kind, Maybe) and way in ("min", "max") else kind
            is_exact = isinstance(kind, Float) and kind.form == WHOLE and way in ("min", "max")
            if not (isinstance(kind, (Int, Bool)) or is_exact or way == "same"):
                self.check_order(stream)
        self._at_end(node, flag)

    def _in_any_order(self, node: ast.For) -> dict[str, str] | None:
        """What a loop over a set leaves the same in any order; None if its order may matter."""
        calls = (each.func for each in trees.nodes(node) if isinstance(each, ast.Call))
        changing = any(getattr(each, "attr", "") in CHANGING for each in calls)
        ways = None if changing else order_free(self.scope.definition, node)
        own = self.scope.names.keys() & {*(ways or {}).values()} & {"min", "max"}
        return None if own or any(map(self.looked_up, ("min", "max"))) else ways

    def _at_end(self, node: Any, flag: str) -> None:
        if node.orelse:
            with self.text.block(f"if not {flag}:"):
                self.block(node.orelse)

    def _do_while(self, node: ast.While) -> bool:
        flag = self.text.temporary("False", "ended") if node.orelse else ""
        with self.text.apart() as whole:
            turns = self.text.temporary("0", "turns")
            with self.text.loop("while True:") as loop:
                self.text.line(f"{turns} = {turns} + 1")
                what = f"takes more than {MOST_TURNS:,} turns in a loop, which may have no end"
                self.trap(f"{turns} > {MOST_TURNS}", what=what)
                with self.text.apart() as lines:
                    test = self.test(node.test)
                known = known_truth(test)
                if lines:
                    self.text.lines += lines
                    with self.text.block(f"if not {test.text}:"):
                        self.text.line("break")
                else:
                    loop.head = f"while {test.text}:"
                if lines or known is not False:
                    self.scope.loops.append((Round((loop, "break"), (loop, "continue")), flag))
                    self.block(node.body)
                    self.scope.loops.pop()
        if lines or known is not False:
            self.text.lines += whole
        self._at_end(node, flag)
        return known is True and not any(isinstance(each, ast.Break) for each in trees.nodes(node))

    def _do_break(self, node: ast.Break) -> bool:
        turn, flag = self.scope.loops[-1]
        if flag:
            self.text.line(f"{flag} = True")
        self.text.leave(*turn.stop)
        return True

    def _do_continue(self, node: ast.Continue) -> bool:
        turn, _ = self.scope.loops[-1]
        self.text.leave(*turn.next)
        return True

    # Assignments

    def _is_counted(self, node: ast.stmt) -> bool:
        """Whether a statement adds to a counter of statistics, which is left out; with a note."""
        target, amount = counted_by(node) or (None, None)
        owner = None if target is None else self.value(target.value)
        if target is None or amount is None or not isinstance(owner, Known):
            return False
        name, shown = target.attr, f"`{written(target)}`"
        if not self.counters.is_number(owner.value, name):
            return False
        reader = self.counters.reader(name)
        if reader is not None:
            raise self.refuse(f"adds to {shown}, which {reader} reads", KEPT)
        value = self.value(amount)
        if not self.is_float(value):
            self.number(value, f"adds to {shown}")
        what = f"{shown} is not counted in machine code; results have statistics"
        self.counters.notes[name] = Note(self.place(node), what, self.site.file, node.lineno)
        return True

    def _do_assign(self, node: ast.Assign) -> None:
        if self._is_counted(node):
            return
        value = self.evaluated(self.value(node.value))
        is_iterator = isinstance(value, Stream) and value.is_iterator and not self.handlers
        if is_iterator and self.may_be_named(node):
            self.scope.bound[node.targets[0].id] = value  # type: ignore[attr-defined]
            return
        if len(node.targets) > 1:
            value = self.settled(value) if not isinstance(value, Known) else value
            if self.is_mutable_value(value) or (
                isinstance(value, (Items, Joined, Place)) and self.is_mutable(self.type_of(value))
            ):
                raise self.refuse("gives a list two names", "make two lists")
        for each in node.targets:
            self.assign_target(each, value)

    def is_mutable_value(self, value: Value) -> bool:
        """Whether a value is a list or a set."""
        return self.kind_of(value) in (list, set, dict)

    def _do_annassign(self, node: ast.AnnAssign) -> None:
        if node.value is not None:
            self.assign_target(node.target, self.evaluated(self.value(node.value)))

    def assign_target(self, target: ast.expr, value: Value) -> None:
        """Give names, or places, a value."""
        if isinstance(target, ast.Name):
            self.assign(target.id, value)
        elif isinstance(target, (ast.Tuple, ast.List)):
            self._unpack(target.elts, value)
        elif isinstance(target, ast.Subscript):
            self._store_item(target, value)
        else:
            raise self.refuse(f"changes `{written(target)}`", KEPT)

    def _unpack(self, targets: list[ast.expr], value: Value) -> None:
        stars = [i for i, each in enumerate(targets) if isinstance(each, ast.Starred)]
        value = self.held(value)
        if self.is_set(value) and not isinstance(value, Known):
            if len(targets) == 1 and not stars:
                return self.assign_target(targets[0], self.only_member(value, ValueError))
            raise self.refuse("unpacks a set, whose order machine code does not know", "use tuples")
        if isinstance(value, Stream):
            self.check_order(value)
            value = self.made_row(value, tuple)
        if stars:
            self._unpack_star(targets, stars[0], value)
            return None
        if isinstance(value, Place) and isinstance(value.type, Seq) and not value.type.is_fixed:
            count = self.length(value)
            if not count.low == count.high == len(targets):
                self.trap(f"{count.text} != {len(targets)}", ValueError)
            if isinstance(value.type.item, Never) or value.type.most < len(targets):
                return self._wrong_count(targets)
            items = [self.loaded(self.item_at(value, str(i))) for i in range(len(targets))]
        elif isinstance(value, (Items, Known, Place)):
            items = self.parts_of_any(value)
        else:
            raise self.refuse(f"unpacks {describe(value)}", "unpack tuples")
        if len(items) != len(targets):
            return self._wrong_count(targets)
        if len(items) > 1:
            items = [self.settled(each) if isinstance(each, (Scalar, Items)) else each
                     for each in items]  # fmt: skip
            if any(isinstance(each, (ast.Name, ast.Subscript)) for each in targets):
                items = [
                    self.settled(each)
                    if isinstance(each, Place)
                    and not each.is_stable
                    and (not self.is_mutable(each.type) or getattr(each.root, "is_reset", False))
                    else each
                    for each in items
                ]
        for target, item in zip(targets, items, strict=True):
            self.assign_target(target, item)
        return None

    def parts_of_any(self, value: Value) -> list[Value]:
        """The items of a value, however many there are."""
        if isinstance(value, Place) and isinstance(value.type, Seq) and value.type.is_fixed:
            return [self.loaded(self.item_at(value, str(i))) for i in range(value.type.most)]
        return self.parts_of(value)

    def _wrong_count(self, targets: list[ast.expr]) -> None:
        """Python raises an error whenever it comes here; the names get a value all the same."""
        self.fail(ValueError)
        for each in targets:
            self.assign_target(each, Known(0))

    def _unpack_star(self, targets: list[ast.expr], star: int, value: Value) -> None:
        behind = len(targets) - star - 1
        starred: Any = targets[star]
        count = self.length_of(value)
        low = count.value if isinstance(count, Known) else count.low
        if low < len(targets) - 1:
            text = str(count.value) if isinstance(count, Known) else count.text
            self.trap(f"{text} < {len(targets) - 1}", ValueError)
        for i, each in enumerate(targets[:star]):
            self.assign_target(each, self.indexed(value, Known(i)))
        middle = self.sliced(value, (Known(star), Known(-behind or None), Known(None)))
        self.assign_target(starred.value, self.collected(middle, list))
        for i, each in enumerate(targets[star + 1 :]):
            self.assign_target(each, self.indexed(value, Known(i - behind)))

    def _place_of(self, target: ast.Subscript) -> Place | None:
        """Where an item of a list is that is going to be changed."""
        owner = self.value(target.value)
        if self.is_dict(owner):
            assert isinstance(owner, Place)
            self.change(owner)
            value = self.place_of_value(owner, self.value(target.slice))
            return None if isinstance(value, Known) else value
        owner = self.there(owner)
        kind = owner.type if isinstance(owner, Place) else None
        if not isinstance(owner, Place) or not isinstance(kind, (Seq, Record)):
            if isinstance(owner, Known):
                self.check_own(owner, target.value)
            raise self.refuse(f"changes {describe(owner)}", "make a list of it first")
        if kind.kind is not list:
            raise self.refuse(
                f"changes an item of {describe(owner)}", "make a list of it first: list(...)"
            )
        self.change(owner, whole=True, by_item=True)
        if isinstance(target.slice, ast.Slice):
            raise self.refuse("changes a slice of a list by an operator", "change its items")
        found = self.place_of_item(owner, self.value(target.slice))
        return None if isinstance(found, Known) else found

    def _store_slice(self, target: ast.Subscript, part: ast.Slice, value: Value) -> None:
        """Put items in the place of others; a list of another length only if that is plain."""
        row = self.value(target.value)
        kind = row.type if isinstance(row, Place) else None
        if not isinstance(row, Place) or not isinstance(kind, Seq) or kind.kind is not list:
            raise self.refuse(f"changes a slice of {describe(row)}", "make a list of it first")
        if part.step is not None:
            raise self.refuse("changes a slice with a step", "change its items")
        self.change(row, whole=True)
        row = row._replace(is_stable=False)
        middle = self.in_memory(self.collected(value, list))
        count = self.length(row)
        bounds = [Known(None) if e is None else self.value(e) for e in (part.lower, part.upper)]
        begin, end = self._end(bounds[0], count, 0), self._end(bounds[1], count, count)
        last = self.smallest([begin, end], "max")
        none = Known(None)
        parts = [
            self.sliced(row, (none, begin, none)), middle, self.sliced(row, (last, none, none))
        ]  # fmt: skip
        whole = self.behind_each_other(parts, list)
        made, number = self.type_of(whole), (begin.low, end.low)
        is_plain = not kind.is_fixed or number == (begin.high, end.high)
        if (
            is_plain
            and isinstance(made, Seq)
            and not kind.least <= made.least <= made.most <= kind.most
        ):
            row = self.enlarge(row, made.item)
        self.store(self.in_memory(whole, row.type), row)

    def _store_item(self, target: ast.Subscript, value: Value) -> None:
        if isinstance(target.slice, ast.Slice):
            self._store_slice(target, target.slice, value)
            return
        owner = self.value(target.value)
        if self.is_dict(owner):
            self.put_in_dict(owner, self.value(target.slice), value)  # type: ignore[arg-type]
            return
        place = self._place_of(target)
        if place is not None:
            self._put(place, value)

    def _put(self, place: Place, value: Value) -> None:
        """Write to an item of a list, which may have to be of another type for that."""
        kind = self.type_of(value)
        if not self.fits(kind, place.type):
            variable = place.root
            if not isinstance(variable, Variable):
                raise self.refuse(
                    f"puts {describe(value)} where another type is", "use like values"
                )
            variable.changes += 1
            wanted = self.grown(place.type, kind, variable.changes)
            variable.type = self.with_part(variable.type, place.path, lambda _: wanted)
            self.again(variable)
        if self._touches(value, place) and not isinstance(value, Scalar):
            value = self.in_memory(value, place.type) if isinstance(value, (Items, Joined)) else (
                self.settled(value)
            )  # fmt: skip
        self.store(value, place)

    def _do_augassign(self, node: ast.AugAssign) -> None:
        target = node.target
        if self._is_counted(node):
            return
        if isinstance(target, ast.Name):
            before = self.looked_up(target.id)
            if before is None:
                raise self.refuse(f"changes {target.id}, which is not its own", "use a variable")
            value = self.evaluated(self.value(node.value))
            if not self._changed_by(node.op, before, value):
                self.assign(target.id, self.combined(node.op, before, value))
        elif isinstance(target, ast.Subscript):
            if any(map(may_change, trees.nodes(node.value))):
                raise self.refuse(
                    "calls what may change a list while an item of one is changed",
                    "give what it returns a name before",
                )
            place = self._place_of(target)
            if place is None:
                return
            before = self.loaded(place)
            value = self.evaluated(self.value(node.value))
            if not self._changed_by(node.op, before, value):
                self._put(place, self.combined(node.op, before, value))
        else:
            raise self.refuse(f"changes `{written(target)}`", KEPT)

    def _changed_by(self, op: ast.operator, before: Value, value: Value) -> bool:
        """Whether an operator changes a list, set or dict in place, which it does then."""
        is_or = isinstance(op, ast.BitOr)
        if self.kind_of(before) is list and isinstance(op, ast.Add):
            self._row_extend(before, value)
        elif self.kind_of(before) is set and is_or and not self.is_set(value):
            self.always_raises(TypeError())
        elif self.kind_of(before) is set and is_or:
            self._set_update(before, value)
        elif self.is_dict(before) and not self.is_counter(before) and is_or:
            self.updated_dict(before, value)  # type: ignore[arg-type]
        elif self.is_mutable_value(before):
            raise self.refuse("changes a list or set by an operator", "make a new one")
        else:
            return False
        return True

    def _do_delete(self, node: ast.Delete) -> None:
        for each in node.targets:
            if not isinstance(each, ast.Subscript):
                raise self.refuse("deletes a name", "leave it")
            if isinstance(each.slice, ast.Slice):
                row = self.value(each.value)
                if self.kind_of(row) is list and isinstance(row, Place):
                    self.enlarge(row, Never())
                self._store_slice(each, each.slice, Items((), list))
                continue
            owner = self.value(each.value)
            if self.is_dict(owner):
                self._dict_pop(owner, self.value(each.slice))  # type: ignore[arg-type]
                continue
            if self.kind_of(owner) is not list:
                raise self.refuse(
                    "deletes an item of a value that is not a list", "make a list of it first"
                )
            self._row_pop(owner, self.value(each.slice))
