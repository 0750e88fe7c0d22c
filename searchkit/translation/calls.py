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
from typing import Any, NoReturn

import attrs

from searchkit.errors import CompilationError
from searchkit.kernel_language import trees
from searchkit.kernel_language.definition import MADE_FROM, source_of
from searchkit.kernel_language.site import Site
from searchkit.problem import Step
from searchkit.translation.builders import MOST_ITEMS
from searchkit.translation.counted import Note
from searchkit.translation.definitions import (
    assigned_within,
    defined_in,
    is_generator,
    is_used_once,
    own_nodes,
    refusal_of_queue,
    with_plain_defaults,
    with_yields,
)
from searchkit.translation.effects import NOTHING, is_pure_method, what_changes
from searchkit.translation.matches import without_matches
from searchkit.translation.memos import Memo, without_memo
from searchkit.translation.methods import CHANGING, Bound, takes
from searchkit.translation.naming import describe
from searchkit.translation.outlined import Outlined
from searchkit.translation.records import does_more, making_of
from searchkit.translation.recursion import Recursion
from searchkit.translation.refusals import Again, Untranslatable
from searchkit.translation.scopes import NotSplit, split
from searchkit.translation.stored_classes import stored
from searchkit.translation.types import Record, names_of
from searchkit.translation.values import (
    FUNCTIONS,
    Chosen,
    Function,
    Items,
    Joined,
    Known,
    Place,
    Round,
    Scalar,
    Stream,
    Value,
)
from searchkit.translation.variables import Scope

PURE = frozenset(
    {abs, bool, divmod, enumerate, int, len, list, max, min, range, reversed, sorted, str, sum,
     tuple, zip, any, all, set, frozenset, chr, ord, dict, pow, round, repr, hash, isinstance,
     type, float}
)  # fmt: skip
"""Functions of Python that are asked while translating if all their arguments are known."""
MOST_KNOWN = 1 << 16
"""How many items an iterator has at most that no state decides about."""
_WHOLE = (int, round, math.ceil, math.floor, math.trunc)
_COPYING = (attrs.evolve, dataclasses.replace, copy.copy, copy.deepcopy)
_split: dict[Any, tuple[Any, Site]] = {}
OR_CACHE = "use functools.cache, which machine code does without"
_memos: dict[Any, Memo | None] = {}
"""Of the functions that were split."""


def split_source(function: types.FunctionType) -> tuple[ast.FunctionDef, Site]:
    """The definition of a function with its names told apart, and where it stands."""
    if (function, function.__code__) not in _split:  # code may be replaced, by autoreload say
        site = Site.of(function)
        if hasattr(function, "__wrapped__"):  # its source is that of what is wrapped
            raise CompilationError(
                f"{site.at(function.__code__.co_firstlineno)}: is wrapped by a decorator; "
                "leave the decorator out"
            )
        made = getattr(function, MADE_FROM, None)
        definition = source_of(function, site) if made is None else trees.copied(made)
        memo = _memos[function, function.__code__] = without_memo(definition)
        definition = definition if memo is None else memo.definition
        plain = with_plain_defaults(without_matches(definition))
        _split[function, function.__code__] = split(plain), site
    return _split[function, function.__code__]


class Calls(Recursion):
    """What is called."""

    outlined: Outlined

    def _of_call(self, node: ast.Call) -> Value:
        function = self.value_of_function(node)
        if isinstance(function, Known) and function.value is Step:
            return self._step(node)
        if isinstance(function, Known) and function.value is collections.deque:
            reason = refusal_of_queue(self.scope.definition, node)
            if reason:
                raise self.refuse(f"uses a deque {reason}", "use a list")
        match node.args:
            case [ast.BinOp(one, ast.Div(), other)] if (
                not node.keywords and isinstance(function, Known) and function.value in _WHOLE
            ):
                left, right = self.values([one, other])
                if self.is_float(left) or self.is_float(right):
                    return self.call(function, [self.combined(ast.Div(), left, right)], {})
                if not (isinstance(left, Known) and isinstance(right, Known)):
                    return self.quotient(function.value.__name__, left, right)
        args: list[Value] = []
        nodes = [each.value if isinstance(each, ast.Starred) else each for each in node.args]
        values = [*map(self.evaluated, self.values([*nodes, *(e.value for e in node.keywords)]))]
        for each, value in zip(node.args, values, strict=False):
            if isinstance(each, ast.Starred):
                args += self.parts_of(value)
            else:
                args.append(value)
        named: dict[str, Value] = {}
        for keyword, value in zip(node.keywords, values[len(nodes) :], strict=True):
            more = self._unpacked(value) if keyword.arg is None else {keyword.arg: value}
            if named.keys() & more.keys():
                return self.always_raises(TypeError())
            named |= more
        self.node = node
        return self.call(function, args, named)

    def _unpacked(self, value: Value) -> dict[str, Value]:
        """The arguments that `**value` stands for: a dict of the author's."""
        known = value.value if isinstance(value, Known) else None
        if not isinstance(known, dict) or not all(isinstance(each, str) for each in known):
            what = "unpacks arguments by ** of a value that states decide"
            raise self.refuse(what, "name each argument")
        return {name: Known(each) for name, each in known.items()}

    def value_of_function(self, node: ast.Call) -> Value:
        """What is called, or the method with what it belongs to."""
        if isinstance(node.func, ast.Attribute):
            above = self._above(node.func)
            if above is not None:
                return above
            owner = self.value(node.func.value)
            if isinstance(owner, Known) and node.func.attr in CHANGING:
                self.check_own(owner, node.func.value)
            method = self.method(owner, node.func.attr)
            if method is not None:
                return Known(method)
            return self.attribute(owner, node.func.attr)
        return self.value(node.func)

    def _above(self, node: ast.Attribute) -> Function | None:
        """The method that `super().name` stands for; None for all else."""
        own = self.scope.names.get("__class__")
        match node.value:
            case ast.Call(ast.Name("super"), [], []) if (
                own is not None and self.scope.static("super") is None
            ):
                pass
            case _:
                return None
        bases = type(self.author).__mro__
        for base in bases[bases.index(own) + 1 :] if own in bases else ():
            found = vars(base).get(node.attr)
            if found is not None:
                if not isinstance(found, types.FunctionType):
                    break
                return Function(None, None, found, Known(self.author))
        raise self.refuse(f"uses super().{node.attr}, which is not a plain method", "write it out")

    def call(self, function: Value, args: list[Value], named: dict[str, Value]) -> Value:
        """What a call returns."""
        if isinstance(function, Function):
            return self.called(function, args, named)
        if isinstance(function, Chosen) and isinstance(function.values[0], FUNCTIONS):
            return self._call_chosen(function, list(function.values), args, named)
        if not isinstance(function, Known):
            raise self.refuse(f"calls {describe(function)}", "call functions by their names")
        called = function.value
        if getattr(called, "is_method", False):
            return self._given(called, args, named)
        first = None
        if isinstance(called, types.MethodType):
            first, called = Known(called.__self__), called.__func__
            if isinstance(first.value, random.Random):
                cure = "choose in __init__: a state has the same steps each time"
                raise self.refuse(f"calls {called.__name__} of random", cure)
        if isinstance(called, functools._lru_cache_wrapper):
            given = args if first is None else [first, *args]
            return self._remembered(called.__wrapped__, given, named)
        if isinstance(called, types.FunctionType) and (first or called not in _COPYING):
            return self.called(Function(None, None, called, first), args, named)
        called = function.value
        if isinstance(called, types.BuiltinFunctionType | type) and called not in _OF_SEQUENCES:
            args = [
                Known(each.known) if isinstance(each, Stream) and each.known is not None else each
                for each in args
            ]
        whole = (*args, *named.values())
        all_known = all(isinstance(e, Known) and not isinstance(e.value, Bound) for e in whole)
        if all_known and (self._is_pure(called)):
            try:
                made = called(
                    *(e.value for e in args),  # type: ignore[union-attr]
                    **{name: e.value for name, e in named.items()},  # type: ignore[union-attr]
                )
            except Exception as error:
                return self.always_raises(error)
            if called is list:
                return Items(tuple(Known(each) for each in made), list)
            if called in (set, frozenset, dict) and called is not frozenset:
                return self.collected(Known(tuple(made)), set) if called is set else Known(made)
            return self._iterated(made) if hasattr(made, "__next__") else Known(made)
        if called is attrs.evolve:  # attrs gives it the name and the module of a class it has made
            return self._given(self._call_evolve, args, named)
        make = getattr(self, f"_call_{getattr(called, '__name__', '')}", None)
        if make is not None and getattr(called, "__module__", None) in (
            "builtins", "attr", "attr._funcs", "attr._make", "dataclasses", "collections",
            "itertools", "functools", "_functools", "math", "copy",
        ):  # fmt: skip
            return self._given(make, args, named)
        if isinstance(called, EnumType) and len(args) == 1 and not named:
            members = {each.value: each for each in list[Any](called)}
            return self.found_in_dict(members, args[0])
        if isinstance(called, type) and names_of(called) is not None:
            return self._made_record(called, args, named)
        own = inspect.getattr_static(type(called), "__call__", None)
        if isinstance(own, types.FunctionType) and not isinstance(called, type):  # an object
            return self.called(Function(None, None, own, Known(called)), args, named)
        cure = "write it out as a loop, or as a function of your own"
        if called is print:
            cure = "leave it out"
        if getattr(called, "__module__", None) == "_heapq":
            cure = "use sorted(...), or min(...) and remove"
        raise self.refuse(f"calls {getattr(called, '__name__', called)!s:.40}", cure)

    def _call_chosen(
        self, chosen: Chosen, rest: list[Any], args: list[Value], named: dict[str, Value]
    ) -> Value:
        """What one of several functions returns, of which a state decides which."""
        last = Known(rest.pop())
        if not rest:
            return self.call(last, args, named)
        test = Scalar.truth(f"({chosen.place} == {len(rest)})")
        ways = (
            (lambda: self.call(last, args, named)),
            (lambda: self._call_chosen(chosen, rest, args, named)),
        )
        return self.either(test, *ways)

    def _given(self, make: Any, args: list[Value], named: dict[str, Value]) -> Value:
        """What a function of Python's returns, or a method of a list, tuple, text, set or dict."""
        try:
            found: Value = make(*args, **named)
        except TypeError as error:
            if takes(make, args, named):
                raise
            name = getattr(self.node, "func", None)
            shown = getattr(name, "id", f".{getattr(name, 'attr', 'method')}")
            what = f"calls {shown} with arguments that machine code does not know"
            raise self.refuse(what, "use fewer, or a slice") from error
        return found

    def _remembered(self, called: Any, args: list[Value], named: dict[str, Value]) -> Value:
        """What a function returns that Python remembers: the same object each time."""
        self.check_remembered(called)
        for each in (*args, *named.values()):
            if not isinstance(each, Known) and self.is_mutable(self.type_of(each)):
                return self.always_raises(TypeError())
        found = self.called(Function(None, None, called), args, named, is_memo=True)
        if isinstance(found, Stream):
            raise self.refuse("remembers an iterator, which ends once", "return a tuple")
        if self._makes_lists(found):
            place = self.in_memory(found)
            return place._replace(root=None, is_fresh=False)
        return found

    def _check_memo(
        self, memo: Memo, function: Any, site: Site, args: list[Value], named: dict[str, Value]
    ) -> None:
        """Note that a memo is left out; refuse it where it may hold something else."""
        before, self.site = self.site, site
        first = args[0].value if args and isinstance(args[0], Known) else None
        places = list(inspect.signature(function).parameters)[: len(args)]
        is_given = memo.is_argument and memo.name in (*places, *named)
        user = "a call" if is_given else self.counters.other_user(memo, function, first)
        if user is not None:
            what = f"remembers what it returns in `{memo.shown}`, which {user} uses as well"
            raise self.refuse(what, OR_CACHE, memo.line)
        what = f"`{memo.shown}` is not filled by machine code, which calculates each value"
        place = self.place(memo.line)
        self.counters.notes[memo.name] = Note(place, what, site.file, memo.line.lineno)
        self.site = before

    def _iterated(self, made: Any) -> Stream:
        """An iterator of Python's that no state decides about."""
        items = tuple(itertools.islice(made, MOST_KNOWN + 1))
        if len(items) > MOST_KNOWN:
            raise self.refuse("counts without end", "use while")
        return Stream(
            each=lambda body: self.run(self._stream_of_known(items), body),
            most=len(items),
            known=items,
        )

    @staticmethod
    def _is_pure(called: Any) -> bool:
        try:
            if called in PURE:
                return True
        except TypeError:
            return False
        modules = ("math", "itertools", "operator", "_operator")
        return getattr(called, "__module__", "") in modules or is_pure_method(called)

    def parts_of(self, value: Value) -> list[Value]:
        """The items of a value that has a fixed number of them."""
        value = self.in_memory(value) if isinstance(value, Joined) else value
        if self.is_set(value) and not isinstance(value, Known):
            raise self.refuse("unpacks a set, whose order machine code does not know", "use tuples")
        if isinstance(value, Items):
            return list(value.items)
        if isinstance(value, Known):
            if not hasattr(value.value, "__iter__"):
                self.always_raises(TypeError())
                return []
            return [Known(each) for each in value.value]
        parts = self._parts(value)
        if parts is None:
            raise self.refuse(f"unpacks {describe(value)}", "use a tuple of a fixed length")
        return parts

    # Steps and records

    def _step(self, node: ast.Call) -> Value:
        """A step: the label is not looked at, as nothing stores it."""
        given: dict[str, ast.expr] = dict(zip(("action", "state", "cost"), node.args, strict=False))
        given |= {str(each.arg): each.value for each in node.keywords}
        is_open = "None" in given or any(isinstance(each, ast.Starred) for each in node.args)
        if is_open or not {"action", "state"} <= given.keys():
            raise self.refuse("makes a Step by a star or without a state", "write each argument")
        return self.step_of(given)

    def step_of(self, given: dict[str, ast.expr]) -> Value:
        """A step, by the expressions of its parts."""
        self.check_label(given["action"])
        state = self.value(given["state"])
        if isinstance(state, Place) and not state.is_stable:
            state = self.settled(state)
        cost = self.value(given["cost"]) if "cost" in given else Known(1)
        return Items((state, self.number(cost, "takes for a cost")), Step)

    def check_label(self, node: ast.expr) -> None:
        """Refuse a label whose expression may change something: it is left out."""
        for each in trees.nodes(node):
            self.check_set(each)
        changed = what_changes(node, self._known_name)
        if changed is not None:
            raise self.refuse(
                f"changes something within a label, perhaps: {changed}", "do so in a line before it"
            )
        if self.handlers and not all(map(_is_harmless, trees.nodes(node))):
            raise self.refuse(
                "makes a label within try, where it may raise what is taken",
                "yield behind the try, by else",
            )

    def _known_name(self, name: str) -> Any:
        """What a name stands for, if that is known before a state is."""
        value = self.scope.static(name)
        if isinstance(value, Function):
            node = value.node
            return NOTHING if node is None else _InnerFunction(node, self._known_name)
        if value is not None:
            return value.value if isinstance(value, Known) else NOTHING
        return self.scope.names.get(name, getattr(builtins, name, NOTHING))

    def _made_record(self, kind: type, args: list[Value], named: dict[str, Value]) -> Value:
        known = stored(kind)
        if known is not None:
            made = self.called(Function(None, None, known.make), args, named)
            return Items(tuple(self.parts_of(made)), kind)
        self._check_made(kind)
        making = making_of(kind)
        given = dict(zip(making.by_position, args, strict=False))
        whole = {name: Known(value) for name, value in making.defaults.items()} | given | named
        if making.made_anew - whole.keys():
            raise self.refuse(
                f"makes a {kind.__name__} without a field for which a function makes a value",
                "give every field",
            )
        is_twice = bool(given.keys() & named.keys())
        if is_twice or len(args) > len(given) or set(whole) != set(making.names):
            return self.always_raises(TypeError())
        return Items(tuple(whole[name] for name in making.names), kind)

    def _check_made(self, kind: type) -> None:
        if does_more(kind):
            raise self.refuse(
                f"makes a {kind.__name__}, whose class checks or changes what it is given",
                "do so in the rules, or use a tuple",
            )

    def replaced(self, value: Value, named: dict[str, Value]) -> Value:
        """A record with some fields replaced."""
        kind = self.kind_of(value) or tuple
        names = Record((), kind).names
        if not names or not set(named) <= set(names) or stored(kind) is not None:
            raise self.refuse(f"replaces fields of {describe(value)}", "make a new one")
        self._check_made(kind)
        items = [named[name] if name in named else self.attribute(value, name) for name in names]
        return Items(tuple(items), kind)

    def _call_evolve(self, value: Value, **named: Value) -> Value:
        return self.replaced(value, named)

    _call_replace = _call_evolve

    # The author's functions

    def called(
        self,
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
                definition, site = split_source(function.function)
            except NotSplit as error:
                site = Site.of(function.function)
                before, self.site = self.site, site
                try:
                    raise self.refuse(error.what, error.instead, error.node)
                finally:
                    self.site = before
            memo = _memos[function.function, function.function.__code__]
            if memo is not None:
                self._check_memo(memo, function.function, site, args, named)
                if self.run_entry is None and not is_memo:
                    return self._remembered(function.function, args, named)
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
        here: Any = self.node
        yielding = self._as_generator(definition, here, [*args, *named.values()])
        is_yielding = definition in self.facts.yielding and yielding is not None
        definition = yielding if is_yielding else definition
        where = self.site.file, here.lineno, here.col_offset, site.what, definition.lineno
        key = (*self.scope.key, (*where, definition.col_offset))
        scope = Scope(
            key, names, site, defined_in(definition), outer=outer, definition=definition,
            walrus=assigned_within(definition), caller=self.scope,
        )  # fmt: skip
        scope.given = self._arguments(definition, args, named, defaults, kw_defaults)
        try:
            found = self.outlined.run(definition, scope)
        except Untranslatable:
            if yielding is None or is_yielding:
                raise
            self.facts.yielding.add(definition)
            raise Again from None
        if is_yielding and isinstance(found, Stream):
            return found._replace(each=self._of_values(found.each))
        return self.settled(found) if isinstance(found, (Scalar, Items)) else found

    def _as_generator(self, definition: Any, call: ast.AST, args: list[Value]) -> Any:
        """A function that makes a list, as one that yields its items; None where that may differ.

        A loop goes through all of them, and cannot change what the function reads.
        """
        if call is not self.gone_through or any(
            not isinstance(each, Known) and self.is_mutable(self.type_of(each)) for each in args
        ):
            return None
        return with_yields(definition)

    def _of_values(self, each: Any) -> Any:
        """What goes through items that nothing changes once they are made."""

        def checked(body: Callable[[Value, Round], None]) -> None:
            def give(value: Value, turn: Round) -> None:
                if not isinstance(value, Known) and self.is_mutable(self.type_of(value)):
                    raise self.refuse("puts lists of lists together", "use tuples")
                body(value, turn)

            each(give)

        return checked

    def _arguments(
        self, definition: Any, args: list[Value], named: dict[str, Value],
        defaults: tuple[Value, ...], kw_defaults: dict[str, Value],
    ) -> dict[str, Value]:  # fmt: skip
        """What the arguments of a function are; those behind the last have one name, `*rest`."""
        if definition.args.kwarg:
            raise self.refuse("calls a function with ** arguments", "name each argument")
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
                self._wrong_call()
            whole[every[name]] = value
        vararg = definition.args.vararg
        if (rest and vararg is None) or set(whole) != set(every.values()):
            self._wrong_call()
        if any(isinstance(each, Stream) for each in rest):
            raise self.refuse("gives a function an iterator by *", "give it a list or tuple")
        if vararg is not None:
            all_known = all(isinstance(each, Known) for each in rest)
            items = tuple(each.value for each in rest) if all_known else ()  # type: ignore[union-attr]
            whole[vararg.arg] = Known(items) if all_known else Items(tuple(rest))
        return whole

    def _wrong_call(self) -> NoReturn:
        raise self.refuse("calls a function with other arguments than it has", "")

    def bind_argument(self, definition: Any, scope: Scope, name: str, value: Value) -> None:
        """Give an argument its value."""
        if isinstance(value, Stream) and value.is_iterator:
            if scope.defined.get(name, 0) > 1 or not is_used_once(definition, name):
                raise self.refuse(
                    "gives a function an iterator that it may use twice", "give it a list or tuple"
                )
            scope.bound[name] = value
        elif isinstance(value, (Stream, Function)):
            self.check_no_view(value)
            scope.bound[name] = value
        else:
            self.assign(name, value)

    def run_in_place(self, definition: Any, scope: Scope, given: dict[str, Value]) -> Value:
        """What a call returns of a function that does not call itself."""

        def begin() -> None:
            scope.begins = True
            for name, value in given.items():
                self.bind_argument(definition, scope, name, value)
            scope.begins = False

        if isinstance(definition, ast.Lambda):
            with self.inside(scope):
                begin()
                return self.freed(self.value(definition.body), scope)
        if is_generator(definition):
            return self._generator(definition, scope, begin)
        body = definition.body
        returns = [each for each in own_nodes(definition) if isinstance(each, ast.Return)]
        with self.inside(scope):
            begin()
            if len(returns) == 1 and body[-1] is returns[0]:
                self.block(body[:-1])
                last = returns[0].value
                self.stand_at(returns[0])
                return Known(None) if last is None else self.freed(self.value(last), scope)
            if not returns:
                self.block(body)
                return Known(None)
            name = self.given_back(definition, scope)
            if name is not None:
                with self.text.once() as out:

                    def back_with(value: Value) -> None:
                        self.check_given_back(value, name, scope)
                        self.text.leave(out)

                    scope.returned = back_with
                    if not self.block(body):
                        back_with(Known(None))
                return self.freed(scope.bound.get(name, Known(None)), scope)
            result = self.facts.variable((scope.key, "returned."), "returned")
            is_copy = False
            with self.text.once() as out:

                def back(value: Value) -> None:
                    nonlocal is_copy
                    value = self.freed(value, scope)
                    is_copy |= self.check_copied(value)
                    self._set(result, value)
                    self.text.leave(out)

                scope.returned = back
                if not self.block(body):
                    self._set(result, Known(None))
            found = self.value_of(result)
            if isinstance(found, Place) and not is_copy:
                found = found._replace(root=None, is_stable=True, is_fresh=True)
            return found

    def freed(self, value: Value, scope: Scope) -> Value:
        """What a function returns: its own lists belong to nobody else now."""
        if isinstance(value, Stream) and value.each is not None:
            raise self.refuse("returns an iterator", "return a list or tuple")
        if isinstance(value, (Items,)):
            roots = [each.root for each in self._lists_in(value) if each.root is not None]
            if len(roots) > len({id(each) for each in roots}):
                raise self.refuse("returns a list twice", "copy it with list(...)")
            return Items(tuple(self.freed(each, scope) for each in value.items), value.kind)
        if isinstance(value, Place) and value.root is not None and not value.path:
            variable = value.root
            own = (*scope.key,)
            keys = [key for key, one in self.facts.variables.items() if one is variable]
            if keys and keys[0][0] == own and not variable.is_shared and not variable.is_held:
                # Parts of it may be known by other names only where it is not fresh.
                variable.is_freed = True
                return value._replace(root=None, is_stable=True, is_fresh=True)
        return value

    def _lists_in(self, value: Value) -> list[Place]:
        """The lists in a value."""
        if isinstance(value, Items):
            return [each for item in value.items for each in self._lists_in(item)]
        is_list = isinstance(value, Place) and self.is_mutable(value.type)
        return [value] if is_list else []  # type: ignore[list-item]

    def _generator(self, definition: Any, scope: Scope, begin: Callable[[], None]) -> Value:
        """A function that yields: what is done with each item is put where it is yielded."""

        def each(body: Callable[[Value, Round], None]) -> None:
            scope.bound.clear()
            with self.text.once() as out:
                scope.yielded = self.giving(body, out)
                scope.returned = lambda value: self.text.leave(out)
                with self.inside(scope):
                    begin()
                    self.block(definition.body)

        each.scope = scope  # type: ignore[attr-defined]
        return Stream(each=each, most=MOST_ITEMS + 1)


_OF_SEQUENCES = (len, reversed, bool, isinstance, type, repr, hash, str, range)
"""Functions for which an iterator is something else than its items."""


class _InnerFunction:
    """An inner function as `what_changes` meets it."""

    def __init__(self, node: Any, known: Any) -> None:
        self.node, self.known = node, known


def _is_harmless(node: ast.AST) -> bool:
    """Whether a part of a label raises no error."""
    if isinstance(node, ast.FormattedValue):
        return node.format_spec is None
    harmless = (ast.Constant, ast.Name, ast.Tuple, ast.JoinedStr, ast.expr_context)
    return isinstance(node, harmless)
