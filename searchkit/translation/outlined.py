"""Functions of the author's that many places call, as functions of the machine code.

A call is else a copy of what is called: of functions of two calls each, eight deep, there would be
256 copies of the innermost. A function whose copies become long gets a kernel of its own for each
shape of its arguments: what is known of them before a state is, and where those in memory are. The
numbers among them are the arguments of that kernel; it shares the frame of the one that calls it,
where it has room that nothing else takes, as it never calls itself. It cannot leave a state to
Python itself: it puts into a cell why it would, and whoever calls it looks there.
"""

from __future__ import annotations

import ast
import builtins
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple

from searchkit.kernel_language.marks import OUTLINED
from searchkit.translation.definitions import is_generator, returns_nothing
from searchkit.translation.facts import Scope, Variable
from searchkit.translation.loops import inside
from searchkit.translation.memory import SCALARS
from searchkit.translation.recursion import brought, callers_of, give_away, run_or_go_round
from searchkit.translation.refusals import Again, Untranslatable, where
from searchkit.translation.text import Handed, Text, Trap, may_trap, size_of
from searchkit.translation.translator import Translator
from searchkit.translation.types import Bool, Int, Object
from searchkit.translation.values import (
    ANY_NUMBERS,
    CONSTANTS,
    FRAME,
    SMALL,
    Function,
    Items,
    Known,
    Place,
    Scalar,
    Value,
)
from searchkit.translation.variables import make_room_in, scalar_text, value_of, variable_named

MOST_COPIED = 150
"""How many lines the copies of a function have together, all but the first, before it is apart."""
FEWEST_LINES = 6
"""A function of fewer lines is always put in the place of its calls."""
MOST_SHAPES = 24
"""For how many shapes of arguments, in all rounds, a function is apart; else calls are copies."""
_NOTHING = Known(None)


class Part(NamedTuple):
    """A function of the machine code: its name, the variables it is given, its lines."""

    name: str
    given: tuple[Variable, ...]
    result: Variable | None
    lines: list[Any]
    may_trap: bool

    def written(self) -> str:
        """Its text."""
        text = Text()
        text.lines = self.lines
        arguments = ", ".join(("self", FRAME, *(each.name for each in self.given)))
        return f"def {self.name}({arguments}):\n{text.written()}"


class Outlined:
    """What calls are of a translator's functions that are functions of the machine code as well."""

    def __init__(self, translator: Translator, name: str, known_names: Collection[str]) -> None:
        self._of, self._name, self._known_names = translator, name, known_names
        """What the text may call by name."""
        self.parts: dict[Any, Part] = {}
        """Those that are made, by the functions and the shapes of their arguments."""
        self._reasons: list[Trap] = []
        """Why they leave states to Python."""
        self._cell_of_reason: int | None = None
        self._copies: dict[Any, int] = {}
        """How many lines the copies of a function have together, all but the first."""

    def _trap_cell(self) -> int:
        """The cell that has the number of a reason."""
        if self._cell_of_reason is None:
            self._cell_of_reason = self._of.text.room(1)
        return self._cell_of_reason

    def cleared(self) -> list[str]:
        """The lines that say that there is no reason yet."""
        return [] if self._cell_of_reason is None else [f"{FRAME}[{self._cell_of_reason}] = 0"]

    def run(self, definition: Any, scope: Scope) -> Value:
        """What a call returns: apart, in its place, or of what calls itself."""
        of, numbers, shape = self._of, list[Scalar](), None
        if of.run_entry is None and self._suits(definition, scope):
            shape = self._shape_of(Items(tuple(scope.given.values())), numbers)
        if shape is not None and definition in of.facts.outlined:
            found = self._call(definition, scope, shape, numbers)
            if found is not None:
                return found
        lines = of.text.lines
        begin = len(lines)
        result = run_or_go_round(of, definition, scope)
        if shape is not None and not of.text.is_aside:
            self._note_copy(definition, size_of(lines[begin:]))
        return result

    def _suits(self, definition: Any, scope: Scope) -> bool:
        """Whether a function may be apart where it is called here."""
        is_plain = (
            self._of.forms.has_outlined
            and scope.outer is None
            and isinstance(definition, ast.FunctionDef)
        )
        if not is_plain or definition in self._of.facts.in_place or self._of.running:
            return False
        if self._of.handlers or self._of.unordered or scope.definition is not definition:
            return False
        return not is_generator(definition)

    def _note_copy(self, definition: Any, lines: int) -> None:
        """Note a copy; begin again if there are so many that the function is better apart."""
        if lines < FEWEST_LINES:
            return
        outlined = self._of.facts.outlined
        before = self._copies.get(definition)
        self._copies[definition] = 0 if before is None else before + lines
        if self._copies[definition] > MOST_COPIED and definition not in outlined:
            outlined.add(definition)
            raise Again

    # The shape of arguments

    def _shape_of(self, value: Value, numbers: list[Scalar]) -> Any:
        """What is known of a value; None if it cannot be handed over. Adds its numbers."""
        if isinstance(value, Known):
            return self._identity(value.value)
        if isinstance(value, Scalar):
            numbers.append(value)
            return value.type
        if isinstance(value, Function):
            if value.node is not None:
                return None
            first = () if value.first is None else self._shape_of(value.first, numbers)
            return None if first is None else (Function, value.function, first)
        if isinstance(value, Items):
            if value.kind in (list, set, frozenset):
                return None
            shapes = tuple(self._shape_of(each, numbers) for each in value.items)
            return None if None in shapes else (value.kind, shapes)
        if isinstance(value, Place) and value.memory in (FRAME, CONSTANTS):
            if (
                isinstance(value.type, Object)
                or value.is_field
                or self._of.forms.is_mutable(self._of, value.type)
            ):
                return None
            if value.base:
                numbers.append(Scalar(Int(), value.base, 0, SMALL - 1))
            bounds = value.bounds if value.memory == CONSTANTS else None
            return value.type, value.memory, bool(value.base), value.shift, bounds
        return None

    def _identity(self, value: Any) -> Any:
        """What is equal for values that are alike, or are one object, in all rounds."""
        if isinstance(value, (tuple, frozenset)) and type(value) in (tuple, frozenset):
            return type(value), type(value)(map(self._identity, value))
        if value is None or type(value) in (int, bool, str, float):
            return type(value), repr(value)  # -0.0 is not 0.0
        self._of.facts.held[id(value)] = value  # so that nothing else gets its number
        return type(value), id(value)

    def _handed_over(self, value: Value, variables: Iterator[Variable]) -> Value:
        """The same value within the function, where variables have its numbers."""
        if isinstance(value, Scalar):
            return value_of(self._of, next(variables))
        if isinstance(value, Function) and value.first is not None:
            return value._replace(first=self._handed_over(value.first, variables))
        if isinstance(value, Items):
            return Items(tuple(self._handed_over(e, variables) for e in value.items), value.kind)
        if isinstance(value, Place):
            base = next(variables).name if value.base else ""
            bounds = value.bounds if value.memory == CONSTANTS else ANY_NUMBERS.bounds
            return value._replace(
                base=base, root=None, path=(), is_stable=True, is_fresh=False, words=None,
                bounds=bounds, parts=(),
            )  # fmt: skip
        return value

    # The call

    def _call(
        self, definition: Any, scope: Scope, shape: Any, numbers: list[Scalar]
    ) -> Value | None:
        """What a call returns; None where a copy takes its place."""
        where = scope.site.file, scope.site.what, definition.lineno, definition.col_offset
        key = (self._name, (*where, tuple(scope.given), shape))
        own = Scope(
            key, scope.names, scope.site, scope.defined, definition=definition,
            walrus=scope.walrus, caller=self._of.scope,
        )  # fmt: skip
        given = tuple(
            self._of.facts.variable((key, f"given.{i}"), f"given_{i}") for i in range(len(numbers))
        )
        for variable, number in zip(given, numbers, strict=True):
            make_room_in(self._of, variable, number)
        part = self.parts.get(key)
        if part is None:
            shapes = self._of.facts.shapes.setdefault(definition, set())
            shapes.add(key)
            calls_itself = any(each.definition is definition for each in callers_of(own))
            if len(shapes) > MOST_SHAPES or calls_itself or key in self._of.facts.recursive:
                self._of.facts.in_place.add(definition)
                raise Again
            part = self._made(definition, own, scope.given, given)
            self.parts[key] = part
        pairs = zip(given, numbers, strict=True)
        texts = [scalar_text(self._of, variable, number) for variable, number in pairs]
        return self._result_of(part, f"self.{part.name}({', '.join((FRAME, *texts))})")

    def _result_of(self, part: Part, call: str) -> Value:
        of, result, back = self._of, part.result, ""
        if result is not None and isinstance(result.type, SCALARS):
            back = of.text.temporary(call, "back")
        else:
            of.text.line(call)
        of.sums.moment += 1
        if part.may_trap:
            with of.text.block(f"if {FRAME}[{self._trap_cell()}] != 0:"):
                of.text.line(Handed(where(of), self._trap_cell(), self._reasons))
        return _NOTHING if result is None else brought(of, result, back)

    # What is called

    def _made(
        self, definition: Any, scope: Scope, values: dict[str, Value], given: tuple[Variable, ...]
    ) -> Part:
        """The function; notes that it is put in place, and begins again, where that does not go."""
        routines = len(self._of.activations.routines)
        try:
            part = self._outline(definition, scope, values, given)
        except Untranslatable:
            part = None
        is_whole = part is not None and len(self._of.activations.routines) == routines
        if part is None or not is_whole or self.names_of_others(part.written()):
            self._of.facts.in_place.add(definition)
            raise Again
        return part

    def _outline(
        self, definition: Any, scope: Scope, values: dict[str, Value], given: tuple[Variable, ...]
    ) -> Part:
        is_nothing = returns_nothing(definition)
        result = None if is_nothing else variable_named(self._of, "returned.", scope)

        def back(value: Value) -> None:
            if result is not None:
                give_away(
                    self._of, result, self._of.forms.freed(self._of, value, scope), scope, None
                )
            self._of.text.line("return")

        scope.routine, scope.returned = None, back
        with self._from_nothing(), inside(self._of, scope):
            variables = iter(given)
            scope.begins = True
            for name, value in values.items():
                self._of.forms.bind_argument(
                    self._of, definition, scope, name, self._handed_over(value, variables)
                )
            scope.begins = False
            if not self._of.forms.block(self._of, definition.body):
                back(_NOTHING)
            lines = self._of.text.lines
        traps = may_trap(lines)
        said, nothing = "0", "0"
        if result is not None and isinstance(result.type, SCALARS):
            said, nothing = result.name, "False" if isinstance(result.type, Bool) else "0"
        self._without_errors(lines, said, nothing)
        lines.append(f"return {nothing}")  # what follows a loop without an end has its form
        name = f"{OUTLINED}{self._name}_{len(self.parts)}"
        return Part(name, given, result, lines, traps)

    @contextmanager
    def _from_nothing(self) -> Iterator[None]:
        """Lines of a text of their own, wherever the call is."""
        of, apart = self._of, {"is_calm": False, "open_dicts": (), "named_parts": ()}
        apart |= {"gone_through": None, "open_loop": None}
        before = {name: getattr(of, name) for name in apart}
        for name, each in apart.items():
            setattr(of, name, each)
        with of.text.from_nothing():
            yield
        for name, each in before.items():
            setattr(of, name, each)

    def _without_errors(self, lines: list[Any], given: str, nothing: str) -> None:
        """Let lines return what is `given`, and nothing, with a reason, in place of errors."""
        made: list[Any] = []
        for each in lines:
            if isinstance(each, Trap):
                if not isinstance(each, Handed):
                    self._reasons.append(each)
                    made.append(f"{FRAME}[{self._trap_cell()}] = {len(self._reasons)}")
                made.append(f"return {nothing}")
            elif isinstance(each, str):
                made.append(f"return {given}" if each == "return" else each)
            else:
                self._without_errors(each[1], given, nothing)
                made.append(each)
        lines[:] = made

    def names_of_others(self, text: str) -> set[str]:
        """The names that a function uses and neither is given nor assigns to: those of a caller."""
        own: set[str] = set()
        used: set[str] = set()
        for node in ast.walk(ast.parse(text)):
            if isinstance(node, ast.arg):
                own.add(node.arg)
            elif isinstance(node, ast.Name):
                (used if isinstance(node.ctx, ast.Load) else own).add(node.id)
        return used - own - set(self._known_names) - set(dir(builtins))
