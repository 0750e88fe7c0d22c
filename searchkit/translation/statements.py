"""Statements of the author's, by what they are."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

from searchkit.kernel_language import trees
from searchkit.translation.arithmetic import always_raises, is_float, smallest
from searchkit.translation.calls import step_of
from searchkit.translation.comparison import known_truth
from searchkit.translation.counters import is_counter
from searchkit.translation.definitions import order_free
from searchkit.translation.dicts import dict_pop, is_dict, put_in_dict, updated_dict
from searchkit.translation.effects import may_change
from searchkit.translation.expressions import inner, tested
from searchkit.translation.facts import Variable
from searchkit.translation.library import may_be_named, only_member
from searchkit.translation.lookups import whole_set
from searchkit.translation.loops import check_order, inside, is_set, ordered_stream, run
from searchkit.translation.memory import (
    in_memory,
    is_object,
    kind_of,
    loaded,
    store,
    there,
    type_of,
)
from searchkit.translation.methods import CHANGING, row_extend, row_pop, set_update
from searchkit.translation.omitted import Note, counted_by
from searchkit.translation.recursion import Unknown, give_up, handed_on
from searchkit.translation.refusals import (
    Untranslatable,
    describe,
    of_order,
    refuse,
    stand_at,
    trap,
    where,
    written,
)
from searchkit.translation.scopes import stored_in
from searchkit.translation.sequences import behind_each_other, end_of_slice, sliced
from searchkit.translation.strings import parts_of
from searchkit.translation.text import Loop, may_trap
from searchkit.translation.translator import Rows, Translator
from searchkit.translation.types import WHOLE, Bool, Float, Int, Maybe, Never, Record, Seq
from searchkit.translation.values import Items, Joined, Known, Place, Round, Scalar, Stream, Value
from searchkit.translation.variables import again, evaluated, fits, grown, looked_up, touches

STEP = ("action", "state", "cost")
_HERE = ("scope", "site", "node", "handlers", "unordered", "is_calm", "open_dicts", "named_parts",
         "open_loop", "turned")  # fmt: skip
"""What is different from one place of a program to another."""
KEPT = "keep what changes in states or variables"
MOST_TURNS = 1 << 24
"""A loop of more turns may be one without an end: Python runs it, which can be ended there."""


def block(t: Translator, body: list[Any]) -> bool:
    """Statements; whether all ways through them leave."""
    leaves = False
    for i, each in enumerate(body):
        leaves |= _attempted(t, each, body[i + 1 :]) if t.running else statement(t, each)
        if leaves:
            break  # what follows never runs
    return leaves


def _attempted(t: Translator, node: ast.stmt, rest: list[ast.stmt]) -> bool:
    """One statement within a function that calls itself: see `give_up`.

    What follows one that is left out may tell what is returned, if it needs no name of it.
    """
    begin = _beginning(t)
    try:
        return statement(t, node)
    except (Unknown, Untranslatable) as error:
        give_up(t, error, begin)
        used = {
            each.id for part in rest for each in trees.nodes(part) if isinstance(each, ast.Name)
        }
        return isinstance(node, ast.Return) or not used.isdisjoint(stored_in([node]))


def _beginning(t: Translator) -> Callable[[], None]:
    """What brings the translator back to where it is now."""
    scope, before = t.scope, {name: getattr(t, name) for name in _HERE}
    loops, walrus, depth = len(scope.loops), scope.walrus, t.text.depth()
    running = len(t.running)

    def begin() -> None:
        for name, each in before.items():
            setattr(t, name, each)
        del scope.loops[loops:]
        scope.walrus = walrus
        t.text.back_to(depth)
        del t.running[running:]

    return begin


def statement(t: Translator, node: Any) -> bool:
    """One statement."""
    stand_at(t, node)
    t.sums.moment += 1
    make = t.forms.statements.get(type(node))
    if make is None:
        raise refuse(t, f"uses {type(node).__name__.lower()}", "write it another way")
    return bool(make(t, node))


def do_expr(t: Translator, node: ast.Expr) -> None:
    """An expression by itself: what it yields, or its effect."""
    value = node.value
    if isinstance(value, ast.Yield):
        parts = value.value.elts if isinstance(value.value, ast.Tuple) else []
        is_search = t.to_search is not None and t.scope.yielded is t.to_search
        if len(parts) == len(STEP) and is_search and t.forms.plain_steps:
            give(t, step_of(t, dict(zip(STEP, parts, strict=True))))
            return
        give(t, Known(None) if value.value is None else t.forms.value(t, value.value))
    elif isinstance(value, ast.YieldFrom):
        handed_on(
            t,
            ordered_stream(t, t.forms.value(t, value.value)),
            lambda stream: run(t, stream, lambda item, _: give(t, item)),
        )
    elif not (isinstance(value, ast.Constant)):
        found = t.forms.value(t, value)
        if isinstance(found, Stream) and found.each is not None and found.most:
            return  # a generator that nobody goes through does nothing


def give(t: Translator, value: Value) -> None:
    """Hand a value to whoever goes through what is yielded here."""
    if t.scope.yielded is None:
        raise refuse(t, "yields here", "yield in the function itself")
    t.scope.yielded(value)


def _do_return(t: Translator, node: ast.Return) -> bool:
    if t.scope.late is not None:
        returned, turn = t.scope.late
        t.text.line(f"{returned} = True")
        t.text.leave(*turn.next)
        return True
    try:
        t.forms.give_back(t, node.value)
    except Unknown:
        _give_back_parts(t, node.value)
        raise
    return True


def _give_back_parts(t: Translator, node: ast.expr | None) -> None:
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
        begin = _beginning(t)
        try:
            with t.text.apart():
                t.forms.give_back(t, each)
        except Unknown:
            begin()
            _give_back_parts(t, each)


def give_back(t: Translator, node: ast.expr | None) -> None:
    """Return the value of an expression."""
    t.scope.returned(Known(None) if node is None else t.forms.value(t, node))


def _do_raise(t: Translator, node: ast.Raise) -> bool:
    t.forms.fail(t, _raised(t, node.exc) if t.handlers else None)
    return True


def _raised(t: Translator, node: ast.expr | None) -> type[Exception] | None:
    """The class of an error that is raised; None if it is not known before."""
    name, is_told = node, True
    if isinstance(node, ast.Call):
        name = node.func
        is_told = not node.keywords and all(
            isinstance(each, (ast.Constant, ast.Name)) for each in node.args
        )
    found = t.forms.value(t, name) if isinstance(name, ast.Name) and is_told else None
    kind = found.value if isinstance(found, Known) else None
    if not isinstance(kind, type) or not issubclass(kind, Exception):
        return None
    is_plain = all(each.__module__ == "builtins" or "__init__" not in vars(each)
                   for each in kind.__mro__)  # fmt: skip
    return kind if is_plain else None


# Errors


def _do_try(t: Translator, node: ast.Try) -> bool:
    if node.finalbody:
        raise refuse(t, "uses finally", "write what it does behind each way out")
    kinds = [_caught(t, each) for each in node.handlers]
    before, leaves = t.handlers, True
    with t.text.once() as out:

        def guarded(number: int, loops: list[Loop]) -> None:
            nonlocal leaves
            if number < len(kinds):
                with t.text.once() as caught:
                    guarded(number + 1, [*loops, caught])
                leaves &= t.forms.block(t, node.handlers[number].body)
                t.text.leave(out)
                return
            own = [(kind, loop, len(t.unordered)) for kind, loop in zip(kinds, loops, strict=True)]
            t.handlers = (*before, *reversed(own))
            ends = t.forms.block(t, node.body)
            t.handlers = before
            if node.orelse and not ends:
                ends = t.forms.block(t, node.orelse)
            leaves &= ends
            t.text.leave(out)

        guarded(0, [])
    return leaves


def _caught(t: Translator, handler: ast.ExceptHandler) -> tuple[type[BaseException], ...]:
    """The classes of errors that an `except` takes."""
    uses = [each for part in handler.body for each in trees.nodes(part)]
    if any(isinstance(each, ast.Name) and each.id == handler.name for each in uses):
        raise refuse(t, "looks at an error", "use an if in front", handler)
    if any(isinstance(each, ast.Raise) and each.exc is None for each in uses):
        raise refuse(t, "raises an error again", "use an if in front", handler)
    if handler.type is None:
        return (BaseException,)
    found = t.forms.value(t, handler.type)
    given = found.value if isinstance(found, Known) else None
    named = given if isinstance(given, tuple) else (given,)
    if not all(isinstance(each, type) and issubclass(each, BaseException) for each in named):
        raise refuse(t, "names no class of errors", "name one", handler)
    return named


def do_assert(t: Translator, node: ast.Assert) -> None:
    """An assertion."""
    test = tested(t, node.test)
    if known_truth(test) is not True:
        trap(t, f"not {test.text}", AssertionError)


def _do_functiondef(t: Translator, node: ast.FunctionDef) -> None:
    if node.decorator_list:
        raise refuse(t, "decorates an inner function", "use a plain function")
    t.scope.bound[node.name] = inner(t, node)


# Branches and loops


def _do_if(t: Translator, node: ast.If) -> bool:
    test = tested(t, node.test)
    known = known_truth(test)
    if known is not None:
        return t.forms.block(t, node.body if known else node.orelse)
    with t.text.block(f"if {test.text}:"):
        first = t.forms.block(t, node.body)
    second = False
    if node.orelse:
        with t.text.block("else:"):
            second = t.forms.block(t, node.orelse)
    return first and second


def do_for(t: Translator, node: ast.For) -> None:
    """A loop over items."""
    before = t.scope.walrus
    # What the loop itself assigns is gone through as it is now.
    t.scope.walrus = before | stored_in([node.target, *node.body])
    ends = (ast.Break, ast.Return, ast.Try)
    is_whole = not any(isinstance(each, ends) for each in trees.nodes(node))
    is_own = t.scope.is_entry and is_whole and not t.handlers
    t.gone_through = node.iter if is_own else None
    value = t.forms.value(t, node.iter)
    t.gone_through = None
    stream = t.forms.stream(t, value)
    ways = {} if stream.is_ordered else _in_any_order(t, node)
    if ways is None:
        check_order(t, stream)
    t.scope.walrus = before
    flag = t.text.temporary("False", "ended") if node.orelse else ""
    scope = t.scope
    returns = [each for each in trees.nodes(node) if isinstance(each, ast.Return)]
    returned = ""

    def body(value: Value, turn: Round) -> None:
        outer = scope.late
        if is_late:  # whatever ends the loop, the other rounds are run as well
            turn = Round(turn.next, turn.next)
            scope.late = returned, turn
        try:
            with inside(t, scope):
                scope.loops.append((turn, flag))
                t.forms.assign_target(t, node.target, value)
                t.forms.block(t, node.body)
                scope.loops.pop()
        finally:
            scope.late = outer

    outer, t.open_loop = t.open_loop, node
    is_late = False
    if ways is not None and not stream.is_ordered and not is_whole:
        with t.text.apart() as lines:
            run(t, stream, body)
        is_late = may_trap(lines)  # an error may come before or after what ends the loop
    if is_late and returns:
        returned = t.text.temporary("False", "returned")
    run(t, stream, body)
    t.open_loop = outer
    if returned:
        with t.text.block(f"if {returned}:"):
            _do_return(t, returns[0])
    for name, way in (ways or {}).items():
        kind = type_of(t, looked_up(t, name))  # type: ignore[arg-type]
        kind = kind.item if isinstance(kind, Maybe) and way in ("min", "max") else kind
        is_exact = isinstance(kind, Float) and kind.form == WHOLE and way in ("min", "max")
        if not (isinstance(kind, (Int, Bool)) or is_exact or way == "same"):
            check_order(t, stream)
    _at_end(t, node, flag)


def _in_any_order(t: Translator, node: ast.For) -> dict[str, str] | None:
    """What a loop over a set leaves the same in any order; None if its order may matter."""
    calls = (each.func for each in trees.nodes(node) if isinstance(each, ast.Call))
    changing = any(getattr(each, "attr", "") in CHANGING for each in calls)
    ways = None if changing else order_free(t.scope.definition, node)
    own = t.scope.names.keys() & {*(ways or {}).values()} & {"min", "max"}
    return None if own or looked_up(t, "min") or looked_up(t, "max") else ways


def _at_end(t: Translator, node: Any, flag: str) -> None:
    if node.orelse:
        with t.text.block(f"if not {flag}:"):
            t.forms.block(t, node.orelse)


def _do_while(t: Translator, node: ast.While) -> bool:
    flag = t.text.temporary("False", "ended") if node.orelse else ""
    with t.text.apart() as whole:
        turns = t.text.temporary("0", "turns")
        with t.text.loop("while True:") as loop:
            t.text.line(f"{turns} = {turns} + 1")
            what = f"takes more than {MOST_TURNS:,} turns in a loop, which may have no end"
            trap(t, f"{turns} > {MOST_TURNS}", what=what)
            with t.text.apart() as lines:
                test = tested(t, node.test)
            known = known_truth(test)
            if lines:
                t.text.lines += lines
                with t.text.block(f"if not {test.text}:"):
                    t.text.line("break")
            else:
                loop.head = f"while {test.text}:"
            if lines or known is not False:
                t.scope.loops.append((Round((loop, "break"), (loop, "continue")), flag))
                t.forms.block(t, node.body)
                t.scope.loops.pop()
    if lines or known is not False:
        t.text.lines += whole
    _at_end(t, node, flag)
    return known is True and not any(isinstance(each, ast.Break) for each in trees.nodes(node))


def _do_break(t: Translator, node: ast.Break) -> bool:
    turn, flag = t.scope.loops[-1]
    if flag:
        t.text.line(f"{flag} = True")
    t.text.leave(*turn.stop)
    return True


def _do_continue(t: Translator, node: ast.Continue) -> bool:
    turn, _ = t.scope.loops[-1]
    t.text.leave(*turn.next)
    return True


# Assignments


def _is_counted(t: Translator, node: ast.stmt) -> bool:
    """Whether a statement adds to a counter of statistics, which is left out; with a note."""
    target, amount = counted_by(node) or (None, None)
    owner = None if target is None else t.forms.value(t, target.value)
    if target is None or amount is None or not isinstance(owner, Known):
        return False
    name, shown = target.attr, f"`{written(target)}`"
    if not t.counters.is_number(owner.value, name):
        return False
    reader = t.counters.reader(name)
    if reader is not None:
        raise refuse(t, f"adds to {shown}, which {reader} reads", KEPT)
    value = t.forms.value(t, amount)
    if not is_float(value):
        t.forms.number(t, value, f"adds to {shown}")
    what = f"{shown} is not counted in machine code; results have statistics"
    t.counters.notes[name] = Note(where(t, node), what, t.site.file, node.lineno)
    return True


def do_assign(t: Translator, node: ast.Assign) -> None:
    """An assignment."""
    if _is_counted(t, node):
        return
    value = evaluated(t, t.forms.value(t, node.value))
    is_iterator = isinstance(value, Stream) and value.is_iterator and not t.handlers
    if is_iterator and may_be_named(t, node):
        t.scope.bound[node.targets[0].id] = value  # type: ignore[attr-defined]
        return
    if len(node.targets) > 1:
        value = t.forms.settled(t, value) if not isinstance(value, Known) else value
        if is_mutable_value(value) or (
            isinstance(value, (Items, Joined, Place)) and t.forms.is_mutable(t, type_of(t, value))
        ):
            raise refuse(t, "gives a list two names", "make two lists")
    for each in node.targets:
        t.forms.assign_target(t, each, value)


def is_mutable_value(value: Value) -> bool:
    """Whether a value is a list or a set."""
    return kind_of(value) in (list, set, dict)


def _do_annassign(t: Translator, node: ast.AnnAssign) -> None:
    if node.value is not None:
        t.forms.assign_target(t, node.target, evaluated(t, t.forms.value(t, node.value)))


def assign_target(t: Translator, target: ast.expr, value: Value) -> None:
    """Give names, or places, a value."""
    if isinstance(target, ast.Name):
        t.forms.assign(t, target.id, value)
    elif isinstance(target, (ast.Tuple, ast.List)):
        _unpack(t, target.elts, value)
    elif isinstance(target, ast.Subscript):
        _store_item(t, target, value)
    else:
        raise refuse(t, f"changes `{written(target)}`", KEPT)


def _unpack(t: Translator, targets: list[ast.expr], value: Value) -> None:
    stars = [i for i, each in enumerate(targets) if isinstance(each, ast.Starred)]
    value = t.forms.stream(t, value) if is_object(value) else t.forms.held(t, value)
    if is_set(value) and not isinstance(value, Known):
        if len(targets) == 1 and not stars:
            return t.forms.assign_target(t, targets[0], only_member(t, value, ValueError))
        raise of_order(t, "unpacks a set")
    if isinstance(value, Stream):
        check_order(t, value)
        value = t.forms.made_row(t, value, tuple)
    if stars:
        _unpack_star(t, targets, stars[0], value)
        return None
    if isinstance(value, Place) and isinstance(value.type, Seq):
        kind, count = value.type, t.forms.length(t, value)
        if not kind.is_fixed and not count.low == count.high == len(targets):
            trap(t, f"{count.text} != {len(targets)}", ValueError)
        if kind.most < len(targets) or (isinstance(kind.item, Never) and not kind.is_fixed):
            return _wrong_count(t, targets)
        many = kind.most if kind.is_fixed else len(targets)
        items = [loaded(t, t.forms.item_at(t, value, str(i))) for i in range(many)]
    else:
        items = parts_of(t, value)
    if len(items) != len(targets):
        return _wrong_count(t, targets)
    if len(items) > 1:
        items = [t.forms.settled(t, each) if isinstance(each, (Scalar, Items)) else each
                 for each in items]  # fmt: skip
        if any(isinstance(each, (ast.Name, ast.Subscript)) for each in targets):
            items = [
                t.forms.settled(t, each)
                if isinstance(each, Place)
                and not each.is_stable
                and (not t.forms.is_mutable(t, each.type) or getattr(each.root, "is_reset", False))
                else each
                for each in items
            ]
    for target, item in zip(targets, items, strict=True):
        t.forms.assign_target(t, target, item)
    return None


def _wrong_count(t: Translator, targets: list[ast.expr]) -> None:
    """Python raises an error whenever it comes here; the names get a value all the same."""
    t.forms.fail(t, ValueError)
    for each in targets:
        t.forms.assign_target(t, each, Known(0))


def _unpack_star(t: Translator, targets: list[ast.expr], star: int, value: Value) -> None:
    behind = len(targets) - star - 1
    starred: Any = targets[star]
    count = t.forms.length_of(t, value)
    low = count.value if isinstance(count, Known) else count.low
    if low < len(targets) - 1:
        text = str(count.value) if isinstance(count, Known) else count.text
        trap(t, f"{text} < {len(targets) - 1}", ValueError)
    for i, each in enumerate(targets[:star]):
        t.forms.assign_target(t, each, t.forms.indexed(t, value, Known(i)))
    middle = sliced(t, value, (Known(star), Known(-behind or None), Known(None)))
    t.forms.assign_target(t, starred.value, t.forms.collected(t, middle, list))
    for i, each in enumerate(targets[star + 1 :]):
        t.forms.assign_target(t, each, t.forms.indexed(t, value, Known(i - behind)))


def place_of(t: Translator, target: ast.Subscript) -> Place | None:
    """Where an item of a list is that is going to be changed."""
    owner = t.forms.value(t, target.value)
    if is_dict(owner):
        t.forms.change(t, owner)
        value = t.forms.place_of_value(t, owner, t.forms.value(t, target.slice))
        return None if isinstance(value, Known) else value
    owner = there(t, owner)
    kind = owner.type if isinstance(owner, Place) else None
    if not isinstance(owner, Place) or not isinstance(kind, (Seq, Record)):
        if isinstance(owner, Known):
            t.forms.check_own(t, owner, target.value)
        raise refuse(t, f"changes {describe(owner)}", "make a list of it first")
    if kind.kind is not list:
        raise refuse(
            t, f"changes an item of {describe(owner)}", "make a list of it first: list(...)"
        )
    t.forms.change(t, owner, whole=True, by_item=True)
    if isinstance(target.slice, ast.Slice):
        raise refuse(t, "changes a slice of a list by an operator", "change its items")
    found = t.forms.place_of_item(t, owner, t.forms.value(t, target.slice))
    return None if isinstance(found, Known) else found


def store_slice(t: Translator, target: ast.Subscript, part: ast.Slice, value: Value) -> None:
    """Put items in the place of others; a list of another length only if that is plain."""
    row = t.forms.value(t, target.value)
    kind = row.type if isinstance(row, Place) else None
    if not isinstance(row, Place) or not isinstance(kind, Seq) or kind.kind is not list:
        raise refuse(t, f"changes a slice of {describe(row)}", "make a list of it first")
    if part.step is not None:
        raise refuse(t, "changes a slice with a step", "change its items")
    t.forms.change(t, row, whole=True)
    row = row._replace(is_stable=False)
    middle = in_memory(t, t.forms.collected(t, value, list))
    count = t.forms.length(t, row)
    bounds = [Known(None) if e is None else t.forms.value(t, e) for e in (part.lower, part.upper)]
    begin, end = end_of_slice(t, bounds[0], count, 0), end_of_slice(t, bounds[1], count, count)
    last = smallest(t, [begin, end], "max")
    none = Known(None)
    parts = [
        sliced(t, row, (none, begin, none)), middle, sliced(t, row, (last, none, none))
    ]  # fmt: skip
    whole = behind_each_other(t, parts, list)
    made, number = type_of(t, whole), (begin.low, end.low)
    is_plain = not kind.is_fixed or number == (begin.high, end.high)
    if (
        is_plain
        and isinstance(made, Seq)
        and not kind.least <= made.least <= made.most <= kind.most
    ):
        row = t.forms.enlarge(t, row, made.item)
    store(t, in_memory(t, whole, row.type), row)


def _store_item(t: Translator, target: ast.Subscript, value: Value) -> None:
    if isinstance(target.slice, ast.Slice):
        t.forms.store_slice(t, target, target.slice, value)
        return
    owner = t.forms.value(t, target.value)
    if is_dict(owner):
        put_in_dict(t, owner, t.forms.value(t, target.slice), value)
        return
    place = t.forms.place_of(t, target)
    if place is not None:
        t.forms.put(t, place, value)


def put(t: Translator, place: Place, value: Value) -> None:
    """Write to an item of a list, which may have to be of another type for that."""
    kind = type_of(t, value)
    if not fits(t, kind, place.type):
        variable = place.root
        if not isinstance(variable, Variable):
            raise refuse(t, f"puts {describe(value)} where another type is", "use like values")
        variable.changes += 1
        wanted = grown(t, place.type, kind, variable.changes)
        variable.type = t.forms.with_part(t, variable.type, place.path, lambda _: wanted)
        again(t, variable)
    if touches(value, place) and not isinstance(value, Scalar):
        value = in_memory(t, value, place.type) if isinstance(value, (Items, Joined)) else (
            t.forms.settled(t, value)
        )  # fmt: skip
    store(t, value, place)


def do_augassign(t: Translator, node: ast.AugAssign) -> None:
    """An assignment that adds, or the like."""
    target = node.target
    if _is_counted(t, node):
        return
    if isinstance(target, ast.Name):
        before = looked_up(t, target.id)
        if before is None:
            raise refuse(t, f"changes {target.id}, which is not its own", "use a variable")
        value = evaluated(t, t.forms.value(t, node.value))
        if not _changed_by(t, node.op, before, value):
            t.forms.assign(t, target.id, t.forms.combined(t, node.op, before, value))
    elif isinstance(target, ast.Subscript):
        if any(map(may_change, trees.nodes(node.value))):
            raise refuse(
                t,
                "calls what may change a list while an item of one is changed",
                "give what it returns a name before",
            )
        place = t.forms.place_of(t, target)
        if place is None:
            return
        before = loaded(t, place)
        value = evaluated(t, t.forms.value(t, node.value))
        if not _changed_by(t, node.op, before, value):
            t.forms.put(t, place, t.forms.combined(t, node.op, before, value))
    else:
        raise refuse(t, f"changes `{written(target)}`", KEPT)


def _changed_by(t: Translator, op: ast.operator, before: Value, value: Value) -> bool:
    """Whether an operator changes a list, set or dict in place, which it does then."""
    is_or, value = isinstance(op, ast.BitOr), whole_set(t, value)
    if kind_of(before) is list and isinstance(op, ast.Add):
        row_extend(t, before, value)
    elif kind_of(before) is set and is_or and not is_set(value):
        always_raises(t, TypeError())
    elif kind_of(before) is set and is_or:
        set_update(t, before, value)
    elif is_dict(before) and not is_counter(before) and is_or:
        updated_dict(t, before, value)
    elif is_mutable_value(before):
        raise refuse(t, "changes a list or set by an operator", "make a new one")
    else:
        return False
    return True


def do_delete(t: Translator, node: ast.Delete) -> None:
    """Takes items out of lists and dicts."""
    for each in node.targets:
        if not isinstance(each, ast.Subscript):
            raise refuse(t, "deletes a name", "leave it")
        if isinstance(each.slice, ast.Slice):
            row = t.forms.value(t, each.value)
            if kind_of(row) is list and isinstance(row, Place):
                t.forms.enlarge(t, row, Never())
            t.forms.store_slice(t, each, each.slice, Items((), list))
            continue
        owner = t.forms.value(t, each.value)
        if is_dict(owner):
            dict_pop(t, owner, t.forms.value(t, each.slice))
            continue
        if kind_of(owner) is not list:
            raise refuse(
                t, "deletes an item of a value that is not a list", "make a list of it first"
            )
        row_pop(t, owner, t.forms.value(t, each.slice))


STATEMENTS: Rows = {
    **dict.fromkeys((ast.Global, ast.Nonlocal, ast.Pass), lambda t, node: None), ast.Expr: do_expr,
    ast.Return: _do_return, ast.Raise: _do_raise, ast.Try: _do_try, ast.Assert: do_assert,
    ast.FunctionDef: _do_functiondef, ast.If: _do_if, ast.For: do_for, ast.While: _do_while,
    ast.Break: _do_break, ast.Continue: _do_continue, ast.Assign: do_assign,
    ast.AnnAssign: _do_annassign, ast.AugAssign: do_augassign, ast.Delete: do_delete,
}  # fmt: skip
