"""Functions of the author's that call themselves, also by way of others.

Such a function is translated once, where another calls it, as a loop of the text: see
`blocks`. Arguments that it passes on as they are (a problem, a set of what was seen) are what
they are outside of it; others, and all its own values, lie in its activation, one for each call
that has not returned. What it returns is known once some way through it that does not call it again
was translated: until then, a way that needs it is left out, and the translation begins once more.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from searchkit.translation import memory
from searchkit.translation.blocks import CALL, ENTRY, LAST, MOST_STACK, ROUTINE, SIZE, Call, Routine
from searchkit.translation.builders import MOST_ITEMS, clear
from searchkit.translation.definitions import (
    calls_its_own_name,
    frames_of,
    is_generator,
    returned_name,
    returns_nothing,
)
from searchkit.translation.facts import Scope, Variable
from searchkit.translation.loops import inside, one_round
from searchkit.translation.memory import SCALARS, check_copied, is_none, store, within_bounds
from searchkit.translation.refusals import Again, Untranslatable, of_order, refuse, trap
from searchkit.translation.text import Loop
from searchkit.translation.translator import Translator
from searchkit.translation.types import Bool, Type
from searchkit.translation.values import (
    STACK,
    Function,
    Items,
    Known,
    Place,
    Round,
    Scalar,
    Stream,
    Value,
)
from searchkit.translation.variables import (
    again,
    check_one,
    make_room_in,
    scalar_text,
    set_variable,
    slot_of,
    that_may_grow,
    value_of,
    variable_named,
)

DEEPEST = 12
"""How deep functions may call each other, each put in the place of its call."""
MOST_COPIES = 24
"""How often a function is put within itself where each call is known to be nearer to the end."""
_NOTHING = Known(None)


class Unknown(Exception):  # noqa: N818  (a signal)
    """A value that a function returns which was not translated so far that it is known."""


class Active(NamedTuple):
    """A function that calls itself, while it is translated."""

    number: int
    routine: Routine
    scope: Scope
    own: frozenset[str]
    """The arguments that are in its activation."""
    result: Variable | None
    """What it returns; None if that is nothing."""
    gives_back: bool
    """Whether it returns one of the arguments that it passes on, and nothing else."""
    handlers: tuple[Any, ...]
    unordered: tuple[Any, ...]


# The places of values


def slot(t: Translator, kind: Type) -> Place:
    """Room for a value, in the activation at hand."""
    routine = None if t.scope is None else t.scope.routine
    if routine is None:
        return memory.slot(t, kind)
    if routine.cells + kind.cells > MOST_STACK:
        raise refuse(t, "needs more memory than a kernel may have", "use shorter lists")
    routine.cells += kind.cells
    return Place(kind, STACK, routine.pointer, routine.cells - kind.cells)


# Which functions call themselves


def run_or_go_round(t: Translator, definition: Any, scope: Scope) -> Value:
    """What a call returns: of a function that is put in its place, or calls itself."""
    if t.run_entry is not None:  # a rule, of which the text of the kernel is made
        run, t.run_entry, scope.is_entry = t.run_entry, None, True
        made: Value = run(definition, scope, scope.given)
        return made
    above = [
        each
        for each in callers_of(scope)
        if each.definition is definition and each.outer is scope.outer and not each.is_entry
    ]
    for each in above:
        if each.round is not None:
            return _call_again(t, each.round, scope)
    if above:
        _note_recursion(t, scope, above)
    if len(scope.key) > DEEPEST:
        raise refuse(t, "calls functions within functions very deeply", "use fewer")
    if scope.key in t.facts.recursive:
        return _first_call(t, definition, scope)
    may_recur = not above and calls_its_own_name(definition)
    try:
        return t.forms.run_in_place(t, definition, scope, scope.given)
    except Untranslatable:
        if not may_recur:
            raise
    _mark(t, scope.key)
    raise Again


def _mark(t: Translator, key: Any) -> None:
    """Note that a function calls itself, and forget what was found where it was in place."""
    t.facts.recursive.add(key)
    t.facts.forget(key)


def _note_recursion(t: Translator, scope: Scope, above: list[Scope]) -> None:
    """Note that a function calls itself; not where arguments say how often it will."""
    # Where a default None stands for a new list, those further in are given that list.
    further = (above[-2] if len(above) > 1 else scope).given
    if any(is_none(e) and not is_none(further[name]) for name, e in above[-1].given.items()):
        above = above[:-1]
        if not above:
            return
    before, first = above[0].given, above[-1].key
    is_nearer = any(
        isinstance(value, Known)
        and isinstance(before.get(name), Known)
        and not is_same(value, before[name])
        for name, value in scope.given.items()
    )
    t.copies[first] += 1
    if is_nearer and len(scope.key) < DEEPEST and t.copies[first] <= MOST_COPIES:
        return
    _mark(t, first)
    raise Again


def check_remembered(t: Translator, called: Any) -> None:
    """Refuse a function that calls itself and of which Python remembers what it returned."""
    code = called.__code__
    for each in (t.scope, *callers_of(t.scope)):
        if (each.site.what, each.site.file) == (called.__qualname__, code.co_filename):
            raise refuse(
                t, "calls itself, and remembers what it returned, which machine code does not",
                "fill a table in __init__, the smallest first",
            )  # fmt: skip


# The call from outside


def _first_call(t: Translator, definition: Any, scope: Scope) -> Value:
    if isinstance(definition, ast.Lambda):
        raise refuse(t, "is a lambda that calls itself", "use def")
    if is_generator(definition):
        return _yielded(t, definition, scope)
    result, gives_back = None, False
    if not returns_nothing(definition):
        result = variable_named(t, "returned.", scope)
        gives_back = returned_name(definition) is not None and not result.is_other
        if isinstance(result.type, SCALARS):
            clear(t, Scalar(result.type, result.name))
        elif result.is_set:
            slot_of(t, result)  # not in an activation, which would be gone
    outer = scope.routine
    before = None if result is None else result.type

    def body() -> None:
        with t.text.once() as out:

            def back(value: Value) -> None:
                if result is not None and gives_back:
                    _note_given_back(t, result, value, scope)
                elif result is not None:
                    give_away(t, result, t.forms.freed(t, value, scope), scope, outer)
                t.text.leave(out)

            scope.returned = back
            if not t.forms.block(t, definition.body):
                back(_NOTHING)

    _routine(t, definition, scope, result, body, gives_back=gives_back)
    _check_finished(t, scope, result, outer)
    if result is None:
        return _NOTHING
    if gives_back and result.argument is not None:
        return scope.bound[result.argument]
    if result.type != before:
        again(t, result)  # its name must be known in front of the loop
    found = value_of(t, result)
    if isinstance(found, Place):
        found = found._replace(root=None, is_stable=True, is_fresh=not result.is_shared)
    return found


def give_away(
    t: Translator, result: Variable, value: Value, scope: Scope, outer: Routine | None
) -> None:
    """Put what is returned where it stays when the activation is gone."""
    if check_copied(t, value) and not result.is_shared:
        result.is_shared = True
        again(t, result)
    own, scope.routine = scope.routine, outer
    set_variable(t, result, value)
    scope.routine = own


def given_back(t: Translator, definition: Any, scope: Scope) -> str | None:
    """The name of what a function returns, if that is all that it returns."""
    name = returned_name(definition)
    if name is None or scope.defined.get(name, 0) != 1:
        return None
    return None if variable_named(t, "returned.", scope).is_other else name


def check_given_back(t: Translator, value: Value, name: str, scope: Scope) -> None:
    """Begin again if something else than that is returned."""
    if name not in scope.bound or not is_same(value, scope.bound[name]):
        result = variable_named(t, "returned.", scope)
        result.is_other = True
        again(t, result)


def _note_given_back(t: Translator, result: Variable, value: Value, scope: Scope) -> None:
    """Note which of the arguments that it passes on a function returns."""
    names = (name for name in scope.given if _is_passed_on(t, name, scope))
    found = next((name for name in names if is_same(value, scope.bound[name])), None)
    if found is None or result.argument not in (None, found):
        result.is_other = True
        again(t, result)
    result.argument = found


def _is_passed_on(t: Translator, name: str, scope: Scope) -> bool:
    """Whether a name is an argument that is what it is outside, as far as that is known."""
    is_once = scope.defined.get(name, 0) <= 1
    return name in scope.given and is_once and not variable_named(t, name, scope).is_own


def _routine(
    t: Translator,
    definition: Any,
    scope: Scope,
    result: Variable | None,
    body: Callable[[], None],
    *,
    gives_back: bool = False,
) -> None:
    """The loop of a function that calls itself."""
    outer = scope.routine
    here = t.facts.variable((scope.key, "here."), "here")
    number, routine = t.activations.begun(
        Routine(scope.key, here.name, None if result is None else result.name)
    )
    start = _room(t) if t.running else "0"
    with inside(t, scope):
        own = _bind_shared(t, definition, scope)
    active = Active(
        number, routine, scope, frozenset(own), result, gives_back, t.handlers,
        t.unordered,
    )  # fmt: skip
    scope.passes = (active, *scope.passes)
    t.running.append(routine)
    with t.text.loop(f"{ROUTINE}{number}:"), inside(t, scope):
        scope.routine, scope.round = routine, active
        t.text.line(f"{routine.pointer} = {start}")
        for name, value in own.items():
            variable = variable_named(t, name)
            set_variable(t, variable, value)
            if scope.defined.get(name, 0) <= 1:
                found = value_of(t, variable)
                if isinstance(found, Place):
                    variable.is_reset = False
                    found = found._replace(is_stable=not variable.is_changed)
                scope.bound[name] = found
        t.text.line(ENTRY)
        t.sums.moment += 1
        body()
    t.running.pop()
    scope.routine, scope.round = outer, None


def _room(t: Translator) -> str:
    """The name of where an activation begins that lies behind the last one."""
    found = t.text.temporary(f"{t.running[-1].pointer} + {SIZE}", "there")
    trap(
        t, f"{found} > {LAST}", what="calls itself deeper than machine code has room for",
        instead="use a loop with a list as its stack",
    )  # fmt: skip
    return found


def _bind_shared(t: Translator, definition: Any, scope: Scope) -> dict[str, Value]:
    """Give values to the arguments that it passes on; the others."""
    own: dict[str, Value] = {}
    scope.begins = True
    for name, value in scope.given.items():
        if not _is_passed_on(t, name, scope):
            own[name] = value
            continue
        if isinstance(value, Stream) and value.is_iterator:
            raise refuse(
                t, "gives an iterator to a function that calls itself", "give it a list or tuple"
            )
        t.forms.bind_argument(t, definition, scope, name, value)
        found = scope.bound[name]
        root = found.root if isinstance(found, Place) else None
        if isinstance(root, Variable) and root.key[0] == scope.key:
            root.is_held = True
    scope.begins = False
    return own


# Ways that need what is not known yet


def give_up(t: Translator, error: Exception, begin: Callable[[], None]) -> None:
    """Leave out the rest of a block that needs what is not known yet; raise all other errors.

    `begin` brings the translator back to where the statement began.
    """
    if t.scope.routine is None and not any(
        each.round is not None for each in (t.scope, *callers_of(t.scope))
    ):
        raise error
    if isinstance(error, Untranslatable):
        if not t.is_unfinished:
            raise error
        t.left_out = t.left_out or error
    t.is_unfinished = True
    begin()


def _check_finished(
    t: Translator, scope: Scope, result: Variable | None, outer: Routine | None
) -> None:
    """Begin again if ways were left out, and more is known than before."""
    if not t.is_unfinished:
        return
    if any(each.round is not None for each in callers_of(scope)):
        if result is not None and not result.is_set and result.argument is None:
            raise Unknown
        return
    known = sum(
        each.is_set or each.argument is not None
        for key, each in t.facts.variables.items()
        if key[1] == "returned."
    )
    if known <= t.facts.answers:
        raise t.left_out or refuse(
            t,
            "calls itself before it is known what it returns",
            "begin with the case that does not, and returns a value of the same kind",
        )
    t.facts.answers = known
    t.facts.rounds += 1
    raise Again


# The call from within


def _call_again(t: Translator, active: Active, scope: Scope) -> Value:
    if is_generator(scope.definition):
        return _yielded_again(t, active, scope)
    _go_round(t, active, scope)
    result = active.result
    if result is None:
        return _NOTHING
    if active.gives_back:
        assert result.argument is not None
        return active.scope.bound[result.argument]
    is_number = isinstance(result.type, SCALARS)
    return brought(t, result, t.text.temporary(result.name, "back") if is_number else "")


def brought(t: Translator, result: Variable, number: str) -> Value:
    """What a call has brought, where the next one does not write: a number, or a copy."""
    kind = result.type
    if isinstance(kind, SCALARS):
        ends = (0, 1) if isinstance(kind, Bool) else (result.low, result.high)
        return Scalar(kind, number, *ends)
    room, found = t.forms.slot(t, kind), slot_of(t, result)._replace(root=None, is_fresh=True)
    store(t, found, room)
    room = within_bounds(t, room, found)
    return room._replace(is_stable=True, is_fresh=not result.is_shared)


def _go_round(t: Translator, active: Active, scope: Scope) -> None:
    """The call itself."""
    if t.handlers != active.handlers:
        raise refuse(t, "calls itself within try", "test with if before the call")
    if t.unordered != active.unordered:
        raise of_order(t, "calls itself while it goes through a set")
    for name, value in scope.given.items():
        variable = variable_named(t, name, active.scope)
        if name in active.own:
            _check_passed(t, variable, that_may_grow(value))
        elif not is_same(value, active.scope.bound[name]):
            variable.is_own = True
            again(t, variable)
    result = active.result
    if result is not None and not (result.argument if active.gives_back else result.is_set):
        raise Unknown
    frames = 0
    for each in callers_of(scope):
        frames += frames_of(each.definition)
        if each is active.scope:
            break
    active.routine.frames = max(active.routine.frames, frames)
    there = _room(t)
    given: list[tuple[str, str]] = []
    for name, value in scope.given.items():
        if name in active.own:
            variable = variable_named(t, name, active.scope)
            given += _passed(t, variable, that_may_grow(value), there)
    t.activations.calls.append(Call(active.number, there, tuple(given)))
    t.text.line(f"{CALL}{len(t.activations.calls) - 1}")
    t.sums.moment += 1


def _check_passed(t: Translator, variable: Variable, value: Value) -> None:
    """Make sure that an argument may have a value."""
    check_one(t, value)
    t.forms.check_sharing(t, value, variable)
    make_room_in(t, variable, value)


def _passed(t: Translator, variable: Variable, value: Value, there: str) -> list[tuple[str, str]]:
    """Give an argument of the next activation its value: there, or a name of the text."""
    if isinstance(variable.type, SCALARS):
        text = t.text.temporary(scalar_text(t, variable, value), "given")
        return [(variable.name, text)]
    store(t, value, slot_of(t, variable)._replace(base=there, root=None))
    return []


# Generators


def giving(
    t: Translator, body: Callable[[Value, Round], None], stop: Loop
) -> Callable[[Value], None]:
    """What puts `body` where a function yields, as a part of whoever goes through its items.

    Errors there do not come into the generator; `stop` ends where no more items are wanted.
    """
    outside, around = t.scope, t.handlers

    def give(value: Value) -> None:
        own, t.handlers = t.handlers, around
        with inside(t, outside):
            one_round(t, body, value, (stop, "break"))
        t.handlers = own

    return give


def _yielded(t: Translator, definition: Any, scope: Scope) -> Stream:
    """What a function yields that calls itself: whoever wants the items is asked at each."""

    def each(body: Callable[[Value, Round], None]) -> None:
        outer = scope.routine
        scope.bound.clear()

        def lines() -> None:
            with t.text.once() as out:
                scope.returned = lambda value: t.text.leave(out)
                t.forms.block(t, definition.body)

        with t.text.once() as stop:
            scope.yielded = giving(t, body, stop)
            _routine(t, definition, scope, None, lines)
        _check_finished(t, scope, None, outer)

    each.scope = scope  # type: ignore[attr-defined]
    return Stream(each=each, most=MOST_ITEMS + 1)


def _yielded_again(t: Translator, active: Active, scope: Scope) -> Stream:
    def each(body: Callable[[Value, Round], None]) -> None:
        raise refuse(
            t,
            "goes through what it yields itself otherwise than by yield from",
            "return lists, or use a loop with a list as its stack",
        )

    each.goes_on = active, scope  # type: ignore[attr-defined]
    return Stream(each=each, most=MOST_ITEMS + 1)


def handed_on(t: Translator, stream: Stream, give: Callable[[Stream], None]) -> None:
    """`yield from`: the items of an iterator are the function's own."""
    again = getattr(stream.each, "goes_on", None)
    if again is not None and again[0] in t.scope.passes:
        _go_round(t, *again)
        return
    inner = getattr(stream.each, "scope", None)
    if inner is not None:
        inner.passes = t.scope.passes
    give(stream)
    if inner is not None:
        inner.passes = ()


def callers_of(scope: Scope) -> Iterator[Scope]:
    """The functions that a scope is in the place of a call of, the innermost first."""
    each = scope.caller
    while each is not None:
        yield each
        each = each.caller


def is_same(one: Value, other: Value) -> bool:
    """Whether two values are surely one object, wherever they are asked for."""
    if one is other:
        return True
    if type(one) is not type(other):
        return False
    if isinstance(one, Known):
        a, b = one.value, other.value  # type: ignore[union-attr]
        is_plain = isinstance(a, (int, str, bool, type(None))) and type(a) is type(b)
        return a is b or (is_plain and a == b)
    if isinstance(one, Function) and isinstance(other, Function):
        parts = ("node", "scope", "function")
        if any(getattr(one, name) is not getattr(other, name) for name in parts):
            return False
        if one.first is None or other.first is None:
            return one.first is other.first and not one.defaults and not one.kw_defaults
        return is_same(one.first, other.first)
    if isinstance(one, Scalar) and isinstance(other, Scalar):
        return (one.type, one.text) == (other.type, other.text)
    if isinstance(one, Place) and isinstance(other, Place):
        where = (one.type, one.memory, one.base, one.shift, one.path)
        return where == (other.type, other.memory, other.base, other.shift, other.path) and (
            one.root is other.root
        )
    if isinstance(one, Items) and isinstance(other, Items) and one.kind is other.kind is tuple:
        return len(one.items) == len(other.items) and all(map(is_same, one.items, other.items))
    return False
