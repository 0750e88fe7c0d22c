"""Calls: functions of Python, classes, and the author's own functions, which are put in place."""

from __future__ import annotations

import ast
import builtins
import collections
import copy
import dataclasses
import functools
import inspect
import itertools
import math
import random
import types
from collections.abc import Callable
from enum import EnumType
from functools import partial
from typing import Any, NamedTuple, NoReturn
from weakref import WeakKeyDictionary

import attrs

from searchkit.errors import CompilationError
from searchkit.kernel_language import trees
from searchkit.kernel_language.definition import MADE_FROM, source_of
from searchkit.kernel_language.site import Site
from searchkit.problem import Step
from searchkit.translation.arithmetic import always_raises, is_float
from searchkit.translation.builders import MOST_ITEMS
from searchkit.translation.definitions import (
    assigned_within,
    defined_in,
    is_generator,
    is_used_once,
    own_nodes,
    refusal_of_queue,
    with_plain_defaults,
    with_yields,
    without_matches,
)
from searchkit.translation.effects import NOTHING, is_pure_method, may_change, what_changes
from searchkit.translation.expressions import global_value, values_of
from searchkit.translation.facts import Scope
from searchkit.translation.functions import quotient
from searchkit.translation.lookups import either
from searchkit.translation.loops import inside, run, stream_of_known
from searchkit.translation.memory import check_copied, in_memory, kind_of, type_of
from searchkit.translation.methods import CHANGING, Bound, takes
from searchkit.translation.omitted import Memo, Note, without_memo
from searchkit.translation.outlined import result_of
from searchkit.translation.records import does_more, making_of
from searchkit.translation.recursion import check_given_back, check_remembered, given_back, giving
from searchkit.translation.refusals import Again, Untranslatable, describe, refuse, stand_at, where
from searchkit.translation.scopes import NotSplit, assigned, split
from searchkit.translation.stored_classes import stored
from searchkit.translation.strings import parts_of
from searchkit.translation.translator import Rows, Translator
from searchkit.translation.types import Record, names_of
from searchkit.translation.values import (
    FUNCTIONS,
    Chosen,
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
    check_no_view,
    evaluated,
    makes_lists,
    set_variable,
    value_of,
)

PURE = frozenset(
    {abs, bool, divmod, enumerate, int, len, list, max, min, range, reversed, sorted, str, sum,
     tuple, zip, any, all, set, frozenset, chr, ord, dict, pow, round, repr, hash, isinstance,
     type, float}
)  # fmt: skip
"""Functions of Python that are asked while translating if all their arguments are known."""
MOST_KNOWN = 1 << 16
"""How many items an iterator has at most that no state decides about."""
_IN_ANY_ORDER = {"items": (sum, min, max, sorted, set, frozenset), "row": (any, all, len)}
"""What asks for items alone, one by one or after all are made, in no order."""
_WHOLE = (int, round, math.ceil, math.floor, math.trunc)
_COPYING = (attrs.evolve, dataclasses.replace, copy.copy, copy.deepcopy)
OR_CACHE = "use functools.cache, which machine code does without"


class Source(NamedTuple):
    """A function as it is read: its definition with names told apart, where it stands, its memo."""

    code: types.CodeType
    definition: ast.FunctionDef
    site: Site
    memo: Memo | None


_sources: WeakKeyDictionary[types.FunctionType, Source] = WeakKeyDictionary()
"""Those of the functions that are still there."""


def split_source(function: types.FunctionType) -> Source:
    """What a function says, read once; `CompilationError` where that cannot be followed."""
    found = _sources.get(function)
    if found is None or found.code is not function.__code__:  # replaced, by autoreload say
        site = Site.of(function)
        if hasattr(function, "__wrapped__"):  # its source is that of what is wrapped
            raise CompilationError(
                f"{site.at(function.__code__.co_firstlineno)}: is wrapped by a decorator; "
                "leave the decorator out"
            )
        made = getattr(function, MADE_FROM, None)
        definition = source_of(function, site) if made is None else trees.copied(made)
        memo = without_memo(definition)
        definition = definition if memo is None else memo.definition
        plain = with_plain_defaults(without_matches(definition))
        found = _sources[function] = Source(function.__code__, split(plain), site, memo)
    return found


def of_call(t: Translator, node: ast.Call) -> Value:
    """What a call stands for."""
    function = value_of_function(t, node)
    if isinstance(function, Known) and function.value is Step:
        return _step(t, node)
    if isinstance(function, Known) and function.value is collections.deque:
        reason = refusal_of_queue(t.scope.definition, node)
        if reason:
            raise refuse(t, f"uses a deque {reason}", "use a list")
    match node.args:
        case [ast.BinOp(one, ast.Div(), other)] if (
            not node.keywords and isinstance(function, Known) and function.value in _WHOLE
        ):
            left, right = values_of(t, [one, other])
            if is_float(left) or is_float(right):
                return t.forms.call(t, function, [t.forms.combined(t, ast.Div(), left, right)], {})
            if not (isinstance(left, Known) and isinstance(right, Known)):
                return quotient(t, function.value.__name__, left, right)
    if len(node.args) == 1:
        _note_order(node, function)
    args: list[Value] = []
    nodes = [each.value if isinstance(each, ast.Starred) else each for each in node.args]
    nodes_of_names = [each.value for each in node.keywords]
    values = [evaluated(t, each) for each in values_of(t, nodes + nodes_of_names)]
    for each, value in zip(node.args, values, strict=False):
        if isinstance(each, ast.Starred):
            args += parts_of(t, value)
        else:
            args.append(value)
    named: dict[str, Value] = {}
    for keyword, value in zip(node.keywords, values[len(nodes) :], strict=True):
        more = _unpacked(t, value) if keyword.arg is None else {keyword.arg: value}
        if named.keys() & more.keys():
            return always_raises(t, TypeError())
        named |= more
    t.node = node
    return t.forms.call(t, function, args, named)


def _note_order(node: ast.Call, function: Value) -> None:
    """Note in a list that is made for a call whether its order makes a difference."""
    named = (inner for each in node.keywords for inner in trees.nodes(each.value))
    called = None if any(map(may_change, named)) else getattr(function, "value", None)
    ways = (way for way, all_of in _IN_ANY_ORDER.items() if any(e is called for e in all_of))
    node.args[0].in_any_order = next(ways, None)  # type: ignore[attr-defined]


def _unpacked(t: Translator, value: Value) -> dict[str, Value]:
    """The arguments that `**value` stands for: a dict of the author's."""
    known = value.value if isinstance(value, Known) else None
    if not isinstance(known, dict) or not all(isinstance(each, str) for each in known):
        what = "unpacks arguments by ** of a value that states decide"
        raise refuse(t, what, "name each argument")
    return {name: Known(each) for name, each in known.items()}


def value_of_function(t: Translator, node: ast.Call) -> Value:
    """What is called, or the method with what it belongs to."""
    if isinstance(node.func, ast.Attribute):
        above = _above(t, node.func)
        if above is not None:
            return above
        owner = t.forms.value(t, node.func.value)
        if isinstance(owner, Known) and node.func.attr in CHANGING:
            t.forms.check_own(t, owner, node.func.value)
        method = t.forms.method(t, owner, node.func.attr)
        if method is not None:
            return Known(method)
        return t.forms.attribute(t, owner, node.func.attr)
    return t.forms.value(t, node.func)


def _above(t: Translator, node: ast.Attribute) -> Function | None:
    """The method that `super().name` stands for; None for all else."""
    own = t.scope.names.get("__class__")
    match node.value:
        case ast.Call(ast.Name("super"), [], []) if (
            own is not None and t.scope.static("super") is None
        ):
            pass
        case _:
            return None
    bases = type(t.author).__mro__
    for base in bases[bases.index(own) + 1 :] if own in bases else ():
        found = vars(base).get(node.attr)
        if found is not None:
            if not isinstance(found, types.FunctionType):
                break
            return Function(None, None, found, Known(t.author))
    raise refuse(t, f"uses super().{node.attr}, which is not a plain method", "write it out")


def call(t: Translator, function: Value, args: list[Value], named: dict[str, Value]) -> Value:
    """What a call returns."""
    if isinstance(function, Function):
        return t.forms.called(t, function, args, named)
    if isinstance(function, Chosen) and isinstance(function.values[0], FUNCTIONS):
        return _call_chosen(t, function, list(function.values), args, named)
    if not isinstance(function, Known):
        raise refuse(t, f"calls {describe(function)}", "call functions by their names")
    called = function.value
    if getattr(called, "is_method", False):
        return _given(t, called, args, named)
    first = None
    if isinstance(called, types.MethodType):
        first, called = Known(called.__self__), called.__func__
        if isinstance(first.value, random.Random):
            cure = "choose in __init__: a state has the same steps each time"
            raise refuse(t, f"calls {called.__name__} of random", cure)
    if isinstance(called, functools._lru_cache_wrapper):
        given = args if first is None else [first, *args]
        return _remembered(t, called.__wrapped__, given, named)
    if isinstance(called, types.FunctionType) and (first or called not in _COPYING):
        return t.forms.called(t, Function(None, None, called, first), args, named)
    called = function.value
    if isinstance(called, types.BuiltinFunctionType | type) and called not in _OF_SEQUENCES:
        args = [
            Known(each.known) if isinstance(each, Stream) and each.known is not None else each
            for each in args
        ]
    whole = (*args, *named.values())
    all_known = all(isinstance(e, Known) and not isinstance(e.value, Bound) for e in whole)
    if all_known and (_is_pure(called)):
        try:
            made = called(
                *(e.value for e in args),  # type: ignore[union-attr]
                **{name: e.value for name, e in named.items()},  # type: ignore[union-attr]
            )
        except Exception as error:
            return always_raises(t, error)
        if called is list:
            return Items(tuple(Known(each) for each in made), list)
        if called is set:
            return t.forms.collected(t, Known(tuple(made)), set)
        return _iterated(t, made) if hasattr(made, "__next__") else Known(made)
    if called is attrs.evolve:  # attrs gives it the name and the module of a class it has made
        return _given(t, partial(_call_evolve, t), args, named)
    make = t.forms.calls.get(getattr(called, "__name__", ""))
    if make is not None and getattr(called, "__module__", None) in (
        "builtins", "attr", "attr._funcs", "attr._make", "dataclasses", "collections",
        "itertools", "functools", "_functools", "math", "copy",
    ):  # fmt: skip
        return _given(t, partial(make, t), args, named)
    if isinstance(called, EnumType) and len(args) == 1 and not named:
        members = {each.value: each for each in list[Any](called)}
        return t.forms.found_in_dict(t, members, args[0])
    if isinstance(called, type) and names_of(called) is not None:
        return _made_record(t, called, args, named)
    own = inspect.getattr_static(type(called), "__call__", None)
    if isinstance(own, types.FunctionType) and not isinstance(called, type):  # an object
        return t.forms.called(t, Function(None, None, own, Known(called)), args, named)
    cure = "write it out as a loop, or as a function of your own"
    if called is print:
        cure = "leave it out"
    if getattr(called, "__module__", None) == "_heapq":
        cure = "use sorted(...), or min(...) and remove"
    raise refuse(t, f"calls {getattr(called, '__name__', called)!s:.40}", cure)


def _call_chosen(
    t: Translator, chosen: Chosen, rest: list[Any], args: list[Value], named: dict[str, Value]
) -> Value:
    """What one of several functions returns, of which a state decides which."""
    last = Known(rest.pop())
    if not rest:
        return t.forms.call(t, last, args, named)
    test = Scalar.truth(f"({chosen.place} == {len(rest)})")
    ways = (
        (lambda: t.forms.call(t, last, args, named)),
        (lambda: _call_chosen(t, chosen, rest, args, named)),
    )
    return either(t, test, *ways)


def _given(t: Translator, make: Any, args: list[Value], named: dict[str, Value]) -> Value:
    """What a function of Python's returns, or a method of a list, tuple, text, set or dict."""
    try:
        found: Value = make(*args, **named)
    except TypeError as error:
        if takes(make, args, named):
            raise
        name = getattr(t.node, "func", None)
        shown = getattr(name, "id", f".{getattr(name, 'attr', 'method')}")
        what = f"calls {shown} with arguments that machine code does not know"
        raise refuse(t, what, "use fewer, or a slice") from error
    return found


def _remembered(t: Translator, called: Any, args: list[Value], named: dict[str, Value]) -> Value:
    """What a function returns that Python remembers: the same object each time."""
    check_remembered(t, called)
    for each in (*args, *named.values()):
        if not isinstance(each, Known) and t.forms.is_mutable(t, type_of(t, each)):
            return always_raises(t, TypeError())
    found = t.forms.called(t, Function(None, None, called), args, named, is_memo=True)
    if isinstance(found, Stream):
        raise refuse(t, "remembers an iterator, which ends once", "return a tuple")
    if makes_lists(t, found):
        place = in_memory(t, found)
        return place._replace(root=None, is_fresh=False)
    return found


def _check_memo(
    t: Translator, memo: Memo, function: Any, site: Site, args: list[Value], named: dict[str, Value]
) -> None:
    """Note that a memo is left out; refuse it where it may hold something else."""
    before, t.site = t.site, site
    first = args[0].value if args and isinstance(args[0], Known) else None
    places = list(inspect.signature(function).parameters)[: len(args)]
    is_given = memo.is_argument and memo.name in (*places, *named)
    user = "a call" if is_given else t.counters.other_user(memo, function, first)
    if user is not None:
        what = f"remembers what it returns in `{memo.shown}`, which {user} uses as well"
        raise refuse(t, what, OR_CACHE, memo.line)
    what = f"`{memo.shown}` is not filled by machine code, which calculates each value"
    place = where(t, memo.line)
    t.counters.notes[memo.name] = Note(place, what, site.file, memo.line.lineno)
    t.site = before


def _iterated(t: Translator, made: Any) -> Stream:
    """An iterator of Python's that no state decides about."""
    items: tuple[Any, ...] = ()
    try:
        items = tuple(itertools.islice(made, MOST_KNOWN + 1))
    except Exception:  # after some items, perhaps
        t.forms.fail(t)
    if len(items) > MOST_KNOWN:
        raise refuse(t, "counts without end", "use while")
    return Stream(
        each=lambda body: run(t, stream_of_known(t, items), body),
        most=len(items),
        known=items,
    )


def _is_pure(called: Any) -> bool:
    try:
        if called in PURE:
            return True
    except TypeError:
        return False
    modules = ("math", "itertools", "operator", "_operator")
    return getattr(called, "__module__", "") in modules or is_pure_method(called)


# Steps and records


def _step(t: Translator, node: ast.Call) -> Value:
    """A step: the label is not looked at, as nothing stores it."""
    given: dict[str, ast.expr] = dict(zip(("action", "state", "cost"), node.args, strict=False))
    given |= {str(each.arg): each.value for each in node.keywords}
    is_open = "None" in given or any(isinstance(each, ast.Starred) for each in node.args)
    if is_open or not {"action", "state"} <= given.keys():
        raise refuse(t, "makes a Step by a star or without a state", "write each argument")
    return step_of(t, given)


def step_of(t: Translator, given: dict[str, ast.expr]) -> Value:
    """A step, by the expressions of its parts."""
    check_label(t, given["action"])
    state = t.forms.value(t, given["state"])
    if isinstance(state, Place) and not state.is_stable:
        state = t.forms.settled(t, state)
    cost = t.forms.value(t, given["cost"]) if "cost" in given else Known(1)
    return Items((state, t.forms.number(t, cost, "takes for a cost")), Step)


def check_label(t: Translator, node: ast.expr) -> None:
    """Refuse a label that may change something, or uses what is not defined: it is left out."""
    nodes = list(trees.nodes(node))
    own = {each.arg for each in nodes if isinstance(each, ast.arg)} | assigned(nodes)
    for each in nodes:
        t.forms.check_set(t, each)
        if isinstance(each, ast.Name) and each.id not in own and t.scope.of_name(each.id) is None:
            global_value(t, each.id)
    changed = what_changes(node, partial(known_name, t))
    if changed is not None:
        raise refuse(
            t, f"changes something within a label, perhaps: {changed}", "do so in a line before it"
        )
    if t.handlers and not all(map(_is_harmless, trees.nodes(node))):
        raise refuse(
            t,
            "makes a label within try, where it may raise what is taken",
            "yield behind the try, by else",
        )


def known_name(t: Translator, name: str) -> Any:
    """What a name stands for, if that is known before a state is."""
    value = t.scope.static(name)
    if isinstance(value, Function):
        node = value.node
        return NOTHING if node is None else _InnerFunction(node, partial(known_name, t))
    if value is not None:
        return value.value if isinstance(value, Known) else NOTHING
    return t.scope.names.get(name, getattr(builtins, name, NOTHING))


def _made_record(t: Translator, kind: type, args: list[Value], named: dict[str, Value]) -> Value:
    known = stored(kind)
    if known is not None:
        made = t.forms.called(t, Function(None, None, known.make), args, named)
        return Items(tuple(parts_of(t, made)), kind)
    _check_made(t, kind)
    making = making_of(kind)
    given = dict(zip(making.by_position, args, strict=False))
    whole = {name: Known(value) for name, value in making.defaults.items()} | given | named
    if making.made_anew - whole.keys():
        raise refuse(
            t,
            f"makes a {kind.__name__} without a field for which a function makes a value",
            "give every field",
        )
    is_twice = bool(given.keys() & named.keys())
    if is_twice or len(args) > len(given) or set(whole) != set(making.names):
        return always_raises(t, TypeError())
    return Items(tuple(whole[name] for name in making.names), kind)


def _check_made(t: Translator, kind: type) -> None:
    if does_more(kind):
        raise refuse(
            t,
            f"makes a {kind.__name__}, whose class checks or changes what it is given",
            "do so in the rules, or use a tuple",
        )


def replaced(t: Translator, value: Value, named: dict[str, Value]) -> Value:
    """A record with some fields replaced."""
    kind = kind_of(value) or tuple
    names = Record((), kind).names
    if not names or not set(named) <= set(names) or stored(kind) is not None:
        raise refuse(t, f"replaces fields of {describe(value)}", "make a new one")
    _check_made(t, kind)
    items = [named[name] if name in named else t.forms.attribute(t, value, name) for name in names]
    return Items(tuple(items), kind)


def _call_evolve(t: Translator, value: Value, /, **named: Value) -> Value:
    return t.forms.replaced(t, value, named)


# The author's functions


def called(
    t: Translator,
    function: Function,
    args: list[Value],
    named: dict[str, Value],
    *,
    is_memo: bool = False,
) -> Value:
    """A function of the author's, in the place of its call.

    `is_memo` says that care is taken that it gives the same object each time.
    """
    if function.function is not None:
        first = [] if function.first is None else [function.first]
        args = [*first, *args]
        try:
            _, definition, site, memo = split_source(function.function)
        except NotSplit as error:
            site = Site.of(function.function)
            before, t.site = t.site, site
            try:
                raise refuse(t, error.what, error.instead, error.node)
            finally:
                t.site = before
        if memo is not None:
            _check_memo(t, memo, function.function, site, args, named)
            if t.run_entry is None and not is_memo:
                return _remembered(t, function.function, args, named)
        names = dict(function.function.__globals__)
        names |= inspect.getclosurevars(function.function).nonlocals
        outer = None
        defaults = tuple(map(Known, function.function.__defaults__ or ()))
        given_names = function.function.__kwdefaults__ or {}
        kw_defaults: dict[str, Value] = {n: Known(each) for n, each in given_names.items()}
    else:
        definition, site = function.node, function.scope.site
        names, outer = function.scope.names, function.scope
        defaults, kw_defaults = function.defaults, dict(function.kw_defaults)
    here: Any = t.node
    yielding = _as_generator(t, definition, here, [*args, *named.values()])
    is_yielding = definition in t.facts.yielding and yielding is not None
    definition = yielding if is_yielding else definition
    ends = here.lineno, here.col_offset, here.end_lineno, here.end_col_offset  # of a chain: f().f()
    key = (*t.scope.key, (t.site.file, *ends, site.what, definition.lineno, definition.col_offset))
    scope = Scope(
        key, names, site, defined_in(definition), outer=outer, definition=definition,
        walrus=assigned_within(definition), caller=t.scope,
    )  # fmt: skip
    scope.given = t.forms.arguments(t, definition, args, named, defaults, kw_defaults)
    try:
        found = result_of(t, definition, scope)
    except Untranslatable:
        if yielding is None or is_yielding:
            raise
        t.facts.yielding.add(definition)
        raise Again from None
    if is_yielding and isinstance(found, Stream):
        return found._replace(each=_of_values(t, found.each))
    return t.forms.settled(t, found) if isinstance(found, (Scalar, Items)) else found


def _as_generator(t: Translator, definition: Any, call: ast.AST, args: list[Value]) -> Any:
    """A function that makes a list, as one that yields its items; None where that may differ.

    A loop goes through all of them, and cannot change what the function reads.
    """
    if call is not t.gone_through or any(
        not isinstance(each, Known) and t.forms.is_mutable(t, type_of(t, each)) for each in args
    ):
        return None
    return with_yields(definition)


def _of_values(t: Translator, each: Any) -> Any:
    """What goes through items that nothing changes once they are made."""

    def checked(body: Callable[[Value, Round], None]) -> None:
        def give(value: Value, turn: Round) -> None:
            if not isinstance(value, Known) and t.forms.is_mutable(t, type_of(t, value)):
                raise refuse(t, "puts lists of lists together", "use tuples")
            body(value, turn)

        each(give)

    return checked


def arguments(
    t: Translator, definition: Any, args: list[Value], named: dict[str, Value],
    defaults: tuple[Value, ...], kw_defaults: dict[str, Value],
) -> dict[str, Value]:  # fmt: skip
    """What the arguments of a function are; those behind the last have one name, `*rest`."""
    if definition.args.kwarg:
        raise refuse(t, "calls a function with ** arguments", "name each argument")
    names = [each.arg for each in (*definition.args.posonlyargs, *definition.args.args)]
    args, rest = (args[: len(names)], args[len(names) :])
    shown = [name.partition(".")[0] for name in names]
    last = names[len(names) - len(defaults) :]
    given = dict(zip(last, defaults, strict=True)) | kw_defaults
    whole: dict[str, Value] = {**given, **dict(zip(names, args, strict=False))}
    every = dict(zip(shown, names, strict=True)) | {
        each.arg.partition(".")[0]: each.arg for each in definition.args.kwonlyargs
    }
    for name, value in named.items():
        if name not in every:
            t.forms.wrong_call(t)
        whole[every[name]] = value
    vararg = definition.args.vararg
    if (rest and vararg is None) or set(whole) != set(every.values()):
        t.forms.wrong_call(t)
    if any(isinstance(each, Stream) for each in rest):
        raise refuse(t, "gives a function an iterator by *", "give it a list or tuple")
    if vararg is not None:
        all_known = all(isinstance(each, Known) for each in rest)
        items = tuple(each.value for each in rest) if all_known else ()  # type: ignore[union-attr]
        whole[vararg.arg] = Known(items) if all_known else Items(tuple(rest))
    return whole


def wrong_call(t: Translator) -> NoReturn:
    """The error for a call with arguments that a function has not."""
    raise refuse(t, "calls a function with other arguments than it has", "")


def bind_argument(t: Translator, definition: Any, scope: Scope, name: str, value: Value) -> None:
    """Give an argument its value."""
    if isinstance(value, Stream) and value.is_iterator:
        if scope.defined.get(name, 0) > 1 or not is_used_once(definition, name):
            raise refuse(
                t, "gives a function an iterator that it may use twice", "give it a list or tuple"
            )
        scope.bound[name] = value
    elif isinstance(value, (Stream, Function)):
        check_no_view(t, value)
        scope.bound[name] = value
    else:
        t.forms.assign(t, name, value)


def run_in_place(t: Translator, definition: Any, scope: Scope, given: dict[str, Value]) -> Value:
    """What a call returns of a function that does not call itself."""

    def begin() -> None:
        scope.begins = True
        for name, value in given.items():
            t.forms.bind_argument(t, definition, scope, name, value)
        scope.begins = False

    if isinstance(definition, ast.Lambda):
        with inside(t, scope):
            begin()
            return t.forms.freed(t, t.forms.value(t, definition.body), scope)
    if is_generator(definition):
        return _generator(t, definition, scope, begin)
    body = definition.body
    returns = [each for each in own_nodes(definition) if isinstance(each, ast.Return)]
    with inside(t, scope):
        begin()
        if len(returns) == 1 and body[-1] is returns[0]:
            t.forms.block(t, body[:-1])
            last = returns[0].value
            stand_at(t, returns[0])
            return Known(None) if last is None else t.forms.freed(t, t.forms.value(t, last), scope)
        if not returns:
            t.forms.block(t, body)
            return Known(None)
        name = given_back(t, definition, scope)
        if name is not None:
            with t.text.once() as out:

                def back_with(value: Value) -> None:
                    check_given_back(t, value, name, scope)
                    t.text.leave(out)

                scope.returned = back_with
                if not t.forms.block(t, body):
                    back_with(Known(None))
            return t.forms.freed(t, scope.bound.get(name, Known(None)), scope)
        result = t.facts.variable((scope.key, "returned."), "returned")
        is_copy = False
        with t.text.once() as out:

            def back(value: Value) -> None:
                nonlocal is_copy
                value = t.forms.freed(t, value, scope)
                is_copy |= check_copied(t, value)
                set_variable(t, result, value)
                t.text.leave(out)

            scope.returned = back
            if not t.forms.block(t, body):
                set_variable(t, result, Known(None))
        found = value_of(t, result)
        if isinstance(found, Place) and not is_copy:
            found = found._replace(root=None, is_stable=True, is_fresh=True)
        return found


def freed(t: Translator, value: Value, scope: Scope) -> Value:
    """What a function returns: its own lists belong to nobody else now."""
    if isinstance(value, Stream) and value.each is not None:
        raise refuse(t, "returns an iterator", "return a list or tuple")
    if isinstance(value, (Items,)):
        roots = [each.root for each in _lists_in(t, value) if each.root is not None]
        if len(roots) > len({id(each) for each in roots}):
            raise refuse(t, "returns a list twice", "copy it with list(...)")
        return Items(tuple(t.forms.freed(t, each, scope) for each in value.items), value.kind)
    if isinstance(value, Place) and value.root is not None and not value.path:
        variable = value.root
        own = (*scope.key,)
        keys = [key for key, one in t.facts.variables.items() if one is variable]
        if keys and keys[0][0] == own and not variable.is_shared and not variable.is_held:
            # Parts of it may be known by other names only where it is not fresh.
            variable.is_freed = True
            return value._replace(root=None, is_stable=True, is_fresh=True)
    return value


def _lists_in(t: Translator, value: Value) -> list[Place]:
    """The lists in a value."""
    if isinstance(value, Items):
        return [each for item in value.items for each in _lists_in(t, item)]
    is_list = isinstance(value, Place) and t.forms.is_mutable(t, value.type)
    return [value] if is_list else []  # type: ignore[list-item]


def _generator(t: Translator, definition: Any, scope: Scope, begin: Callable[[], None]) -> Value:
    """A function that yields: what is done with each item is put where it is yielded."""

    def each(body: Callable[[Value, Round], None]) -> None:
        scope.bound.clear()
        with t.text.once() as out:
            scope.yielded = giving(t, body, out)
            scope.returned = lambda value: t.text.leave(out)
            with inside(t, scope):
                begin()
                t.forms.block(t, definition.body)

    each.scope = scope  # type: ignore[attr-defined]
    return Stream(each=each, most=MOST_ITEMS + 1)


_OF_SEQUENCES = (len, reversed, bool, isinstance, type, repr, hash, str, range)
"""Functions for which an iterator is something else than its items."""


class _InnerFunction(NamedTuple):
    """An inner function as `what_changes` meets it."""

    node: Any
    known: Any


def _is_harmless(node: ast.AST) -> bool:
    """Whether a part of a label raises no error."""
    if isinstance(node, ast.FormattedValue):
        return node.format_spec is None
    harmless = (ast.Constant, ast.Name, ast.Tuple, ast.JoinedStr, ast.expr_context)
    return isinstance(node, harmless)


EXPRESSIONS: Rows = {ast.Call: of_call}


CALLS: Rows = {"replace": _call_evolve, "evolve": _call_evolve}
