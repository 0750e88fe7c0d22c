"""The rules of one puzzle on fields, made into kernels: each rule, and what it calls."""

from __future__ import annotations

import ast
import builtins
import types
from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import attrs

from searchkit.errors import CompilationError
from searchkit.fields.bounds import Bounds, assigns_to, guards_of
from searchkit.fields.controls import (
    Control,
    control_of,
    for_python,
    replaced,
    sign_of_changes,
    with_asked,
    with_control,
)
from searchkit.fields.expressions import OPERATOR, SELF, SHOWN
from searchkit.fields.flow import moved_to, names_of, with_own_copies, with_own_names, without_value
from searchkit.fields.layout import Layout, rank_kernels, written
from searchkit.fields.repeatable import check_repeatable
from searchkit.fields.statements import Statements
from searchkit.fields.stores import OF_ONE
from searchkit.fields.tables import Instance, Tables
from searchkit.kernel_language.collector import KNOWN
from searchkit.kernel_language.copies import copied, put_for_names, substituted
from searchkit.kernel_language.definition import MADE_FROM, source_of
from searchkit.kernel_language.marks import has_ranges, unmarked
from searchkit.kernel_language.site import Site
from searchkit.kernel_language.syntax import check_syntax

CONTROL = "searchkit_control"
VALUE, DEFAULT = "searchkit_value", "searchkit_default"
OF_MOVES = ("legal", "apply", "cost")
"""The rules that are given the numbers of a move."""
TESTS = ("legal", "at_goal")
_CHANGING = {"clear", "update", "difference_update", "symmetric_difference_update",
             "intersection_update", *OF_ONE}  # fmt: skip


@attrs.frozen
class _Callee:
    """A function of the author's that is called, and its arguments by the names it has for them."""

    function: Any
    """A `FunctionType`; mypy would take it for a method."""
    is_method: bool
    arguments: dict[str, ast.expr]

    def states(self, context: Any) -> list[str]:
        """The names of the arguments that are the state."""
        return [name for name, each in self.arguments.items() if _is_state(each, context)]


@attrs.define
class Rules:
    """What is made of the rules of one author's object: kernels by name, and their tables."""

    kind: type
    layout: Layout
    tables: Tables
    made: dict[str, tuple[ast.FunctionDef, types.FunctionType]] = attrs.field(factory=dict)
    """Trees by name, each with the function that it was written as."""
    failed: dict[str, CompilationError] = attrs.field(factory=dict)
    _sources: dict[types.FunctionType, ast.FunctionDef] = attrs.field(factory=dict)
    _helpers: dict[Any, str] = attrs.field(factory=dict)
    _changes: dict[Any, bool] = attrs.field(factory=dict)
    _guards: dict[int, dict[str, Bounds]] = attrs.field(factory=dict)
    """What `legal` has made sure of, by the names of its module."""
    _inlined: list[types.FunctionType] = attrs.field(factory=list)

    def add(self, name: str) -> None:
        """Make the kernel of a rule that the author's class defines."""
        function = self.tables.ask(lambda instance: getattr(type(instance.author), name))
        site = self._site(name, function)
        before, helpers = dict(self.made), dict(self._helpers)
        try:
            definition = self._source(function, site)
            self.made[name] = self._entry(name, definition, function, site), function
            for each, (tree, written) in self.made.items():
                if each not in before:
                    # Else the reference engine would run what was made of a part of it.
                    check_syntax(ast.fix_missing_locations(tree), self._site(each, written))
        except CompilationError as error:
            self.made, self._helpers = before, helpers
            self.failed[name] = error

    def add_goal(self, function: Any) -> None:
        """Make the kernel `at_goal` of one goal, in the place of `function`."""
        words = self.layout.words
        tests = []
        for i in range(words):
            word = partial(_word_of_goal, i, words)
            name = self.tables.number(("goal", i), word, f"goal_{i}")
            tests.append(f"state{f'[{i}]' if words > 1 else ''} == self.tables.{name}")
        tested = f"return {' and '.join(tests)}"
        self.made["at_goal"] = written("at_goal(self, state)", tested), function

    def add_ranks(self, function: Any) -> None:
        """Make the kernels that number states, in the place of `function`."""
        for definition in rank_kernels(self.layout):
            self.made[definition.name] = definition, function

    def asked_of_control(self) -> tuple[Control, Callable[..., Any]] | None:
        """What may be a control state, and `legal` as a function of it."""
        if "legal" not in self.made or "apply" not in self.made:
            return None
        legal, function = self.made["legal"]
        control = control_of(legal, self.layout)
        if control is None:
            return None
        tested = replaced(for_python(legal), control, VALUE)
        tested.args.args[1].arg = VALUE
        return control, _compiled(ast.fix_missing_locations(tested), function)

    def add_control(self, control: Control) -> None:
        """Make the kernel `control`: then `legal` is not needed."""
        legal, apply = self.made["legal"][0], self.made["apply"][0]
        with_control(apply, control, CONTROL)
        made = written(f"control(self, {legal.args.args[1].arg})", "return 0")
        made.body = [ast.Return(control.expression)]
        self.made["control"] = moved_to(made, legal), self.made.pop("legal")[1]

    def sign_of_changes(self) -> type[ast.operator] | None:
        """Whether all moves only flip bits, or only add: see `searchkit.fields.controls`."""
        if "apply" not in self.made:
            return None
        sign = sign_of_changes(self.made["apply"][0])
        return None if sign is ast.BitXor and has_ranges(self.made["apply"][0]) else sign

    def functions(self) -> dict[str, Callable[..., Any]]:
        """The kernels as methods; their trees are what machine code is made from."""
        found: dict[str, Callable[..., Any]] = {}
        for name, (definition, function) in self.made.items():
            definition = with_asked(ast.fix_missing_locations(definition))  # noqa: PLW2901
            made = _compiled(for_python(definition), function)
            made.__qualname__ = function.__qualname__
            setattr(made, MADE_FROM, definition)
            found[name] = made
        return found

    def unguarded(self, name: str) -> types.FunctionType:
        """A kernel that compares nothing with bounds: for states that no search meets."""
        definition, function = self.made[name]
        return _compiled(ast.fix_missing_locations(with_asked(unmarked(definition))), function)

    def _site(self, name: str, function: types.FunctionType) -> Site:
        return Site(f"{self.kind.__name__}: {name}", function.__code__.co_filename)

    def _source(self, function: types.FunctionType, site: Site) -> ast.FunctionDef:
        if function in self._sources:
            return self._sources[function]
        taken = {*function.__globals__, *dir(builtins)}
        found = with_own_names(source_of(function, site), taken)
        if found.args.vararg or found.args.kwarg or found.args.kwonlyargs or found.args.defaults:
            raise site.error(found, "has arguments with stars or defaults; name each argument")
        draws = check_repeatable(found, function, site, self.tables.of.author)
        self.tables.ask(lambda instance: draws(instance.author))
        unsure = without_value(found)
        if unsure is not None:
            raise site.error(
                unsure, f"uses {unsure.id}, which may have no value here; give it one before"
            )
        self._sources[function] = found
        return found

    def _entry(
        self, name: str, definition: ast.FunctionDef, function: types.FunctionType, site: Site
    ) -> ast.FunctionDef:
        names = [each.arg for each in definition.args.args]
        context = Statements(self, site, function.__globals__, names[0], names[1])
        if name in OF_MOVES:
            context.moves = tuple(names[2:])
        context.is_test = name in TESTS
        context.gives_state = name == "apply"
        context.gives_value = name != "apply"
        given = (names[1], CONTROL, OPERATOR) if name in OF_MOVES else (names[1],)
        if name == "apply" and not assigns_to(definition, names):
            context.guards = dict(self._guards.get(id(context.names), {}))
        made = self._function(name, given, with_own_copies(definition, context.moves), context)
        if name == "legal":
            self._guards[id(context.names)] = guards_of(context, definition)
        return made

    def _function(
        self, name: str, given: tuple[str, ...], definition: ast.FunctionDef, context: Statements
    ) -> ast.FunctionDef:
        """The tree of a function: its arguments after `self` are `given`."""
        targets = names_of(definition, stored=True)
        context.stored = Counter([*targets, *given])  # arguments have values before
        context.local |= {*targets, *given} - {context.state} - {OPERATOR, CONTROL}
        arguments = [ast.arg(each) for each in (SELF, *given)]
        body = context.whole(copied(definition).body)
        if context.is_shown:
            arguments.insert(1, ast.arg(SHOWN))
        made = ast.FunctionDef(
            name, ast.arguments([], arguments, None, [], [], None, []), body, [], None, None
        )
        if "type_params" in ast.FunctionDef._fields:
            made.type_params = []  # type: ignore[attr-defined]
        ast.copy_location(made, definition)
        return made

    # Calls of the author's functions

    def called(
        self,
        context: Any,
        node: ast.Call,
        function: types.FunctionType,
        *,
        is_method: bool = False,
    ) -> ast.expr:
        """The call of a function that does not change the state."""
        if function in KNOWN:
            made = ast.Call(node.func, [context.number(each) for each in node.args], [])
            return ast.copy_location(made, node)
        callee = self._callee(context, node, function, is_method=is_method)
        if self._is_changing(context, callee):
            raise context.error(
                node, f"calls {ast.unparse(node.func)}, which changes the state, within an "
                "expression; call it in a line of its own",
            )  # fmt: skip
        found = self._in_place(context, callee)
        return self._call(context, node, callee) if found is None else found

    def changing_call(self, context: Any, node: ast.Call) -> tuple[ast.expr, bool] | None:
        """A call of what changes the state, and whether it returns a value; None for all else."""
        callee = self._given_state(context, node)
        if callee is None or not self._is_changing(context, callee):
            return None
        return self._call(context, node, callee), _gives_value(self._sources[callee.function])

    def _given_state(self, context: Any, node: ast.Call) -> _Callee | None:
        """What a call calls that is given the state; None for all other calls."""
        given = [*node.args, *(each.value for each in node.keywords)]
        if not any(_is_state(each, context) for each in given):
            return None
        called, function = node.func, None
        is_method = isinstance(called, ast.Attribute) and isinstance(called.value, ast.Name)
        if is_method and called.value.id == context.own:  # type: ignore[attr-defined]
            function = self.method(called.attr)  # type: ignore[attr-defined]
        elif isinstance(called, ast.Name) and called.id not in context.local:
            function = self.function(context.names, called.id)
        if function is None:
            return None
        return self._callee(context, node, function, is_method=is_method)

    def method(self, name: str) -> types.FunctionType | None:
        """The author's method of a name."""
        return self.tables.ask(lambda instance: _function(getattr(type(instance.author), name, 0)))

    def function(self, names: dict[str, Any], name: str) -> types.FunctionType | None:
        """The function of a name among globals."""
        return self.tables.ask(lambda _: _function(names.get(name)))

    def _callee(
        self, context: Any, node: ast.Call, function: types.FunctionType, *, is_method: bool
    ) -> _Callee:
        """The function that a call calls, with its arguments."""
        site = self._site(function.__name__, function)
        definition = self._source(function, site)
        names = [each.arg for each in definition.args.args][int(is_method) :]
        given: dict[str, ast.expr] = dict(zip(names, node.args, strict=False))
        given |= {str(each.arg): each.value for each in node.keywords}
        if len(node.args) + len(node.keywords) != len(names) or set(given) != set(names):
            raise context.wrong(
                node, f"calls {function.__name__} with {len(node.args) + len(node.keywords)} "
                f"arguments; it takes ({', '.join(names)})",
            )  # fmt: skip
        return _Callee(function, is_method, {name: given[name] for name in names})

    def _in_place(self, context: Any, callee: _Callee) -> ast.expr | None:
        """What a function of one line returns, in the place of its call."""
        function = callee.function
        body = self._sources[function].body
        if len(body) != 1 or not isinstance(body[0], ast.Return) or body[0].value is None:
            return None
        if function.__globals__ is not context.names or function in self._inlined:
            return None
        value = body[0].value
        own_names = {each.arg for each in self._sources[function].args.args}
        used = Counter(names_of(value))
        if any(context.is_own(each) for each in used if each not in own_names):
            return None
        if any(isinstance(each, (ast.comprehension, ast.Lambda)) for each in ast.walk(value)):
            return None
        parts: dict[str, ast.expr] = {}
        for name, each in callee.arguments.items():
            simple = isinstance(each, (ast.Name, ast.Constant)) or context.static(each) is not None
            if used[name] > 1 and not simple:
                return None
            parts[name] = each
        if callee.is_method:
            own = self._sources[function].args.args[0].arg
            parts[own] = ast.Name(context.own, ast.Load())
        made = moved_to(substituted(value, parts), value)
        self._inlined.append(function)
        try:
            found: ast.expr = context.number(made)
        finally:
            self._inlined.pop()
        return found

    def _call(self, context: Any, node: ast.Call, callee: _Callee) -> ast.expr:
        """The call of a kernel that is made of a function."""
        states = callee.states(context)
        if len(states) > 1:
            raise context.error(node, "gives the state twice")
        name = self._helper(callee, states[0] if states else None)
        given = [value if name in states else context.number(value)
                 for name, value in callee.arguments.items()]  # fmt: skip
        return self._calling(context, name, given, node)

    def _calling(self, context: Any, name: str, given: list[ast.expr], node: ast.expr) -> ast.expr:
        """The call of a kernel, with the state that its errors show if it needs one."""
        arguments = self.made[name][0].args.args
        if len(arguments) > 1 and arguments[1].arg == SHOWN:
            given = [ast.Name(context.shown(), ast.Load()), *given]
        own = ast.Attribute(ast.Name(SELF, ast.Load()), name, ast.Load())
        return context.placed(ast.Call(own, given, []), node)  # type: ignore[no-any-return]

    def _helper(self, callee: _Callee, state: str | None) -> str:
        function = callee.function
        key = (function, state)
        if key in self._helpers:
            if self._helpers[key] not in self.made:
                raise self._site(function.__name__, function).error(
                    self._sources[function],
                    f"{function.__name__} calls itself, by itself or by others; use a loop",
                )
            return self._helpers[key]
        name = f"rule_{function.__name__.strip('_')}"
        while name in self._helpers.values():
            name += "_"
        self._helpers[key] = name
        site = self._site(function.__name__, function)
        definition = self._source(function, site)
        names = [each.arg for each in definition.args.args]
        own = names.pop(0) if callee.is_method else ""
        context = Statements(self, site, function.__globals__, own, state)
        context.gives_state = state is not None and self._changing(function, state)
        context.gives_value = _gives_value(definition)
        self.made[name] = self._function(name, tuple(names), definition, context), function
        return name

    # Which functions change the state

    def _is_changing(self, context: Any, callee: _Callee) -> bool:
        return any(self._changing(callee.function, name) for name in callee.states(context))

    def _changing(self, function: types.FunctionType, state: str) -> bool:
        """Whether a function changes the state that is its argument of that name."""
        key = (function, state)
        if key not in self._changes:
            self._changes[key] = False
            site = self._site(function.__name__, function)
            definition = self._source(function, site)
            own = definition.args.args[0].arg if definition.args.args else ""
            context = Statements(self, site, function.__globals__, own, state)
            self._changes[key] = any(
                self._changes_here(context, each) for each in ast.walk(definition)
            )
        return self._changes[key]

    def _changes_here(self, context: Any, node: ast.AST) -> bool:
        match node:
            case ast.Assign(targets):
                parts = [each for target in targets for each in _parts(target)]
                return any(_is_of(each, context.state) for each in parts)
            case ast.AugAssign(target) | ast.AnnAssign(target) | ast.For(target):
                return any(_is_of(each, context.state) for each in _parts(target))
            case ast.Call(ast.Attribute(owner, method)) if method in _CHANGING:
                return _is_of(owner, context.state)
            case ast.Call():
                callee = self._given_state(context, node)
                return callee is not None and self._is_changing(context, callee)
        return False

    # Loops within expressions

    def folded(
        self, context: Any, name: str, value: Any, default: ast.expr | None, node: ast.expr
    ) -> ast.expr:
        """A call of a kernel that goes over a generator."""
        begin, each, end = _FOLDS[name]
        inner = ast.parse(each).body
        for statement in inner:
            put_for_names(statement, {"VALUE": value.elt})
        body: list[Any] = inner
        for loop in reversed(value.generators):
            for test in reversed(loop.ifs):
                body = [ast.If(test, body, [])]
            body = [ast.For(loop.target, loop.iter, body, [])]
        body = [*ast.parse(begin).body, *body, *ast.parse(end).body]
        whole = ast.FunctionDef(name, ast.parse("def f(): pass").body[0].args, body, [])  # type: ignore[attr-defined]
        if default is not None:  # it is worked out whether it is needed or not
            whole.body.insert(0, ast.Assign([ast.Name(DEFAULT, ast.Store())], default))
        elif name in ("min", "max"):
            whole.body[-2:-1] = ast.parse("assert searchkit_some").body  # as Python raises an error
        moved_to(whole, node)
        bound = {*names_of(whole, stored=True)}
        used = {*names_of(whole)} - bound
        for alias in used & set(context.aliases):
            used.update(*map(names_of, context.aliases[alias].index))
        captured = sorted(used & (context.local - set(context.aliases) - {context.state}))
        given = ([context.state] if context.state is not None else []) + captured
        if context.moves:
            given.append(OPERATOR)
        number = sum(each.startswith(f"{name}_of_") for each in self.made)
        own_name = f"{name}_of_{number}"
        inside = Statements(
            self, context.site, context.names, context.own, context.state, context.moves,
            statics={k: v for k, v in context.statics.items() if k not in bound},
            aliases={k: v for k, v in context.aliases.items() if k not in bound},
            known={k: v for k, v in context.known.items() if k not in bound},
            made_names=context.made_names, fixed=set(given),
        )  # fmt: skip
        function = next(  # of the same globals, and the same file
            each for each in self._sources
            if each.__globals__ is context.names and each.__code__.co_filename == context.site.file
        )  # fmt: skip
        self.made[own_name] = (whole, function)
        self.made[own_name] = self._function(own_name, tuple(given), whole, inside), function
        return self._calling(
            context, own_name, [ast.Name(each, ast.Load()) for each in given], node
        )


def _best(sign: str) -> tuple[str, str, str]:
    """How the number is found that stands on the left of a sign before all others."""
    return (
        "searchkit_best = 0\nsearchkit_some = False",
        (
            f"searchkit_value = VALUE\nif not searchkit_some or searchkit_value {sign} "
            "searchkit_best:\n searchkit_best = searchkit_value\nsearchkit_some = True"
        ),
        "if not searchkit_some:\n return searchkit_default\nreturn searchkit_best",
    )


_FOLDS = {
    "any": ("", "if VALUE:\n return True", "return False"),
    "all": ("", "if not (VALUE):\n return False", "return True"),
    "sum": ("searchkit_sum = 0", "searchkit_sum += VALUE", "return searchkit_sum"),
    "min": _best("<"),
    "max": _best(">"),
}


def _function(value: Any) -> types.FunctionType | None:
    """The value, if it is a function that is written in Python."""
    return value if isinstance(value, types.FunctionType) else None


def _word_of_goal(word: int, words: int, instance: Instance) -> int:
    number: int = instance.author.goal[word] if words > 1 else instance.author.goal
    return number


def _compiled(tree: ast.FunctionDef, function: Any) -> types.FunctionType:
    """The function of a tree, in the file and with the globals of what its author wrote."""
    for each in ast.walk(tree):
        if getattr(each, "lineno", 0) > (getattr(each, "end_lineno", None) or 1 << 30):
            each.end_lineno = None  # type: ignore[attr-defined]  # that of another text
    module = ast.Module([tree], [])
    code = compile(module, function.__code__.co_filename, "exec")
    own = next(each for each in code.co_consts if isinstance(each, types.CodeType))
    return types.FunctionType(own, function.__globals__, tree.name)


def _gives_value(definition: ast.FunctionDef) -> bool:
    return any(isinstance(each, ast.Return) and each.value for each in ast.walk(definition))


def _parts(target: ast.expr) -> list[ast.expr]:
    if isinstance(target, (ast.Tuple, ast.List)):
        return [part for each in target.elts for part in _parts(each)]
    return [target]


def _is_state(node: ast.AST, context: Any) -> bool:
    return isinstance(node, ast.Name) and node.id == context.state


def _is_of(node: ast.AST, state: str | None) -> bool:
    """Whether it is a field of the state, or an item of one."""
    while isinstance(node, (ast.Subscript, ast.Attribute)):
        if isinstance(node.value, ast.Name) and isinstance(node, ast.Attribute):
            return node.value.id == state
        node = node.value
    return False
