"""The rules of one puzzle on fields, made into kernels."""

from __future__ import annotations

import ast
import types
from collections.abc import Callable
from functools import partial
from typing import Any

import attrs

from searchkit.errors import CompilationError
from searchkit.fields import places, sets, statics, words
from searchkit.fields.controls import (
    Control,
    control_of,
    for_python,
    replaced,
    sign_of_changes,
    with_asked,
    with_control,
)
from searchkit.fields.layout import Layout, rank_kernels, written
from searchkit.fields.lowered import ASKED, STATE, Lowered, moved_to, placed
from searchkit.fields.places import capacity_of, type_of_state
from searchkit.fields.sets import members_type
from searchkit.fields.statics import OPERATOR, SELF, FieldsTranslator
from searchkit.fields.tables import OWN_CONSTANTS, Instance, Tables
from searchkit.kernel_language.definition import MADE_FROM
from searchkit.kernel_language.marks import has_ranges, unmarked
from searchkit.kernel_language.site import Site
from searchkit.kernel_language.syntax import check_syntax
from searchkit.translation.facts import Facts
from searchkit.translation.packing import NAMES
from searchkit.translation.refusals import Untranslatable, place_of_rule
from searchkit.translation.rooms import OF_OBJECTS, above
from searchkit.translation.rules import MOST_LINES, Work, stack_of
from searchkit.translation.text import size_of
from searchkit.translation.types import Atoms
from searchkit.translation.values import CONSTANTS, FRAME

OF_FIELDS = above(OF_OBJECTS, statics, places, sets, words)
"""Which room answers what of rules on fields."""
CONTROL = "searchkit_control"
VALUE = "searchkit_value"
OF_MOVES = ("legal", "apply", "cost")
"""The rules that are given the numbers of a move."""


@attrs.define(eq=False)
class _Rule(Work):
    """The rules of one object on their way."""

    tables: Tables = attrs.field(kw_only=True)
    layout: Layout = attrs.field(kw_only=True)

    _kept: Any = attrs.field(default=None, init=False)
    """The tables before the rule that is on its way."""

    def translated(self, name: str, method: str, site: Site, facts: Facts) -> Any:
        """What has translated a rule, once nothing changes any more."""
        self._kept = self.tables.copy()
        return super().translated(name, method, site, facts)

    def begun(self, name: str, site: Site, facts: Facts, *_: Any, **__: Any) -> FieldsTranslator:
        """A translator at the beginning of a rule."""
        own = {"tables": self.tables, "layout": self.layout}
        t: FieldsTranslator = super().begun(name, site, facts, FieldsTranslator, **own)
        return t

    def begin_again(self) -> None:
        """Forget what the rule has asked of tables."""
        self.tables.back_to(self._kept)


@attrs.define
class Rules:
    """What is made of the rules of one author's object: kernels by name, and their tables."""

    kind: type
    layout: Layout
    tables: Tables
    made: dict[str, tuple[ast.FunctionDef, types.FunctionType]] = attrs.field(factory=dict)
    """Trees by name, each with the function that it was written as."""
    failed: dict[str, CompilationError] = attrs.field(factory=dict)
    _work: Any = None

    def add(self, name: str) -> None:
        """Make the kernel of a rule that the author's class defines."""
        function = self.tables.ask(lambda instance: getattr(type(instance.author), name))
        site = Site(f"{self.kind.__name__}: {name}", function.__code__.co_filename)
        kept = self.tables.copy()
        if self._work is None:
            kind = type_of_state(self.layout, members_type)
            self._work = _Rule(
                self.tables.of.author, kind, Atoms(), is_asked=True, forms=OF_FIELDS,
                capacity=capacity_of(self.layout), tables=self.tables, layout=self.layout,
            )  # fmt: skip
        try:
            translator = self._work.translated(
                name, name, site, Facts(capacity=self._work.capacity)
            )
            made = self._kernel(name, translator, function.__code__.co_firstlineno)
            check_syntax(made, site)
        except CompilationError as error:
            self.tables.back_to(kept)
            self.failed[name] = error
            return
        self.made[name] = made, function

    def _kernel(self, name: str, translator: FieldsTranslator, line: int) -> ast.FunctionDef:
        """The tree of what was translated."""
        given = (STATE, CONTROL, OPERATOR) if name in OF_MOVES else (STATE,)
        stack = stack_of(translator)
        if stack is None or size_of(translator.text.lines) > MOST_LINES:
            what = "becomes too long a program, or calls itself with long lists"
            raise Untranslatable(place_of_rule(self.kind, name), what, "use fewer calls")
        cells = translator.text.cells
        begins = [*([f"{FRAME} = frame({cells})"] if cells else []), *stack]
        head = "".join(f"    {each}\n" for each in begins)
        text = f"def {name}({', '.join([SELF, *given])}):\n{head}{translator.text.written()}"
        tree = ast.parse(text.replace(CONSTANTS, f"{SELF}.tables.{OWN_CONSTANTS}")).body[0]
        shown = ASKED if name == "apply" else STATE
        made = Lowered(self.layout, translator.places, shown).visit(tree)
        if CONSTANTS in text:
            numbers = self._work.numbers
            self.tables.recipes[OWN_CONSTANTS] = lambda _: tuple(map(int, numbers)) or (0,)
        return placed(_without_unused(made), line)

    def prune(self) -> None:
        """Leave out the tables that no kernel looks up."""
        used: set[str] = set()
        columns: dict[int, list[ast.Constant]] = {}
        for tree, _ in self.made.values():
            for node in ast.walk(tree):
                match node:
                    case ast.Attribute(ast.Attribute(ast.Name("self"), "tables"), name):
                        used.add(name)
                    case ast.Subscript(
                        ast.Subscript(ast.Attribute(attr="by_move")),
                        ast.Constant(int(at)) as number,
                    ):
                        columns.setdefault(at, []).append(number)
        every = list(self.tables.columns.items())
        self.tables.columns = {key: each for i, (key, each) in enumerate(every) if i in columns}
        for new, old in enumerate(sorted(columns)):
            for each in columns[old]:
                each.value = new
        recipes = self.tables.recipes
        self.tables.recipes = {name: each for name, each in recipes.items() if name in used}

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
    return types.FunctionType(own, NAMES, tree.name)


class _Unused(ast.NodeTransformer):
    """Leaves out names that nothing reads, and what is said twice."""

    def __init__(self, tree: ast.AST) -> None:
        self.read = {
            each.id for each in ast.walk(tree)
            if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Load)
        }  # fmt: skip
        changed = (each.target for each in ast.walk(tree) if isinstance(each, ast.AugAssign))
        self.read |= {each.id for each in changed if isinstance(each, ast.Name)}

    def visit_Assign(self, node: ast.Assign) -> Any:
        name = getattr(node.targets[0], "id", STATE)
        is_plain = not any(isinstance(each, ast.Call) for each in ast.walk(node.value))
        if name not in self.read and name != STATE and is_plain:
            return ast.Pass()
        return self.generic_visit(node)

    def visit_UnaryOp(self, node: ast.UnaryOp) -> Any:
        self.generic_visit(node)
        match node:
            case ast.UnaryOp(ast.Not(), ast.UnaryOp(ast.Not(), inner)):
                return inner
            case ast.UnaryOp(ast.Not(), ast.BoolOp(op, values)):
                turned = ast.Or() if isinstance(op, ast.And) else ast.And()
                return ast.BoolOp(turned, [self.visit(ast.UnaryOp(ast.Not(), e)) for e in values])
            case ast.UnaryOp(ast.Not(), ast.Compare(left, [ast.Eq()], right)):
                return ast.Compare(left, [ast.NotEq()], right)
            case ast.UnaryOp(ast.Not(), ast.Compare(left, [ast.NotEq()], right)):
                return ast.Compare(left, [ast.Eq()], right)
        return node


def _without_unused(tree: ast.FunctionDef) -> ast.FunctionDef:
    count = -1
    while count != (count := sum(isinstance(each, ast.Pass) for each in ast.walk(tree))):
        tree = _Unused(tree).visit(tree)
    return tree
