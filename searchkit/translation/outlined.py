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
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, NamedTuple, NoReturn

from searchkit.kernel_language.marks import OUTLINED
from searchkit.translation.definitions import is_generator, returns_nothing
from searchkit.translation.facts import Scope, Variable
from searchkit.translation.loops import inside
from searchkit.translation.memory import SCALARS
from searchkit.translation.packing import NAMES
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


def cleared(t: Translator) -> list[str]:
    """The lines that say that there is no reason yet."""
    return [] if t.trap_cell is None else [f"{FRAME}[{t.trap_cell}] = 0"]


def _trap_cell(t: Translator) -> int:
    """The cell that has the number of a reason."""
    if t.trap_cell is None:
        t.trap_cell = t.text.room(1)
    return t.trap_cell


def result_of(t: Translator, definition: Any, scope: Scope) -> Value:
    """What a call returns: apart, in its place, or of what calls itself."""
    numbers, shape = list[Scalar](), None
    if t.run_entry is None and _suits(t, definition, scope):
        shape = _shape_of(t, Items(tuple(scope.given.values())), numbers)
    if shape is not None and definition in t.facts.outlined:
        return _called(t, definition, scope, shape, numbers)
    lines = t.text.lines
    begin = len(lines)
    result = run_or_go_round(t, definition, scope)
    if shape is not None and not t.text.is_aside:
        _note_copy(t, definition, size_of(lines[begin:]))
    return result


def _suits(t: Translator, definition: Any, scope: Scope) -> bool:
    """Whether a function may be apart where it is called here."""
    if not t.forms.has_outlined or t.running or t.handlers or t.unordered:
        return False
    is_plain = scope.outer is None and isinstance(definition, ast.FunctionDef)
    is_own = scope.definition is definition and definition not in t.facts.in_place
    return is_plain and is_own and not is_generator(definition)


def _note_copy(t: Translator, definition: Any, lines: int) -> None:
    """Note a copy; begin again if there are so many that the function is better apart."""
    if lines < FEWEST_LINES:
        return
    before = t.copied_lines.get(definition)
    t.copied_lines[definition] = 0 if before is None else before + lines
    if t.copied_lines[definition] > MOST_COPIED and definition not in t.facts.outlined:
        t.facts.outlined.add(definition)
        raise Again


# The shape of arguments


def _shape_of(t: Translator, value: Value, numbers: list[Scalar]) -> Any:
    """What is known of a value; None if it cannot be handed over. Adds its numbers."""
    if isinstance(value, Known):
        return _identity(t, value.value)
    if isinstance(value, Scalar):
        numbers.append(value)
        return value.type
    if isinstance(value, Function):
        if value.node is not None:
            return None
        first = () if value.first is None else _shape_of(t, value.first, numbers)
        return None if first is None else (Function, value.function, first)
    if isinstance(value, Items):
        if value.kind in (list, set, frozenset):
            return None
        shapes = tuple(_shape_of(t, each, numbers) for each in value.items)
        return None if None in shapes else (value.kind, shapes)
    if not isinstance(value, Place) or value.memory not in (FRAME, CONSTANTS):
        return None
    if isinstance(value.type, Object) or value.is_field or t.forms.is_mutable(t, value.type):
        return None
    if value.base:
        numbers.append(Scalar(Int(), value.base, 0, SMALL - 1))
    bounds = value.bounds if value.memory == CONSTANTS else None
    return value.type, value.memory, bool(value.base), value.shift, bounds


def _identity(t: Translator, value: Any) -> Any:
    """What is equal for values that are alike, or are one object, in all rounds."""
    if isinstance(value, (tuple, frozenset)) and type(value) in (tuple, frozenset):
        return type(value), type(value)(_identity(t, each) for each in value)
    if value is None or type(value) in (int, bool, str, float):
        return type(value), repr(value)  # -0.0 is not 0.0
    t.facts.held[id(value)] = value  # so that nothing else gets its number
    return type(value), id(value)


def _handed_over(t: Translator, value: Value, variables: Iterator[Variable]) -> Value:
    """The same value within the function, where variables have its numbers."""
    if isinstance(value, Scalar):
        return value_of(t, next(variables))
    if isinstance(value, Function) and value.first is not None:
        return value._replace(first=_handed_over(t, value.first, variables))
    if isinstance(value, Items):
        return Items(tuple(_handed_over(t, each, variables) for each in value.items), value.kind)
    if isinstance(value, Place):
        base = next(variables).name if value.base else ""
        bounds = value.bounds if value.memory == CONSTANTS else ANY_NUMBERS.bounds
        return value._replace(
            base=base, root=None, path=(), is_stable=True, is_fresh=False, words=None,
            bounds=bounds, parts=(),
        )  # fmt: skip
    return value


# The call


def _called(
    t: Translator, definition: Any, scope: Scope, shape: Any, numbers: list[Scalar]
) -> Value:
    """What a call returns of a function that is apart."""
    where_defined = scope.site.file, scope.site.what, definition.lineno, definition.col_offset
    key = (t.name, (*where_defined, tuple(scope.given), shape))
    own = Scope(
        key, scope.names, scope.site, scope.defined, definition=definition,
        walrus=scope.walrus, caller=t.scope,
    )  # fmt: skip
    variables = (t.facts.variable((key, f"given.{i}"), f"given_{i}") for i in range(len(numbers)))
    given = tuple(variables)
    for variable, number in zip(given, numbers, strict=True):
        make_room_in(t, variable, number)
    part = t.parts.get(key)
    if part is None:
        shapes = t.facts.shapes.setdefault(definition, set())
        shapes.add(key)
        calls_itself = any(each.definition is definition for each in callers_of(own))
        if len(shapes) > MOST_SHAPES or calls_itself or key in t.facts.recursive:
            _put_in_place(t, definition)
        part = t.parts[key] = _made(t, definition, own, scope.given, given)
    texts = [scalar_text(t, *pair) for pair in zip(given, numbers, strict=True)]
    call, back = f"self.{part.name}({', '.join((FRAME, *texts))})", ""
    if part.result is not None and isinstance(part.result.type, SCALARS):
        back = t.text.temporary(call, "back")
    else:
        t.text.line(call)
    t.sums.moment += 1
    if part.may_trap:
        with t.text.block(f"if {FRAME}[{_trap_cell(t)}] != 0:"):
            t.text.line(Handed(where(t), _trap_cell(t), t.reasons))
    return _NOTHING if part.result is None else brought(t, part.result, back)


def _put_in_place(t: Translator, definition: Any) -> NoReturn:
    """Note that copies of a function take the place of its calls, and begin again."""
    t.facts.in_place.add(definition)
    raise Again


# What is called


def _made(
    t: Translator, definition: Any, scope: Scope, values: dict[str, Value], given: tuple[Any, ...]
) -> Part:
    """The function; it is put in place where it cannot be apart."""
    routines = len(t.activations.routines)
    try:
        part = _outlined(t, definition, scope, values, given)
    except Untranslatable:
        _put_in_place(t, definition)
    if len(t.activations.routines) != routines or names_of_others(part.written()):
        _put_in_place(t, definition)
    return part


def _outlined(
    t: Translator, definition: Any, scope: Scope, values: dict[str, Value], given: tuple[Any, ...]
) -> Part:
    result = None if returns_nothing(definition) else variable_named(t, "returned.", scope)

    def back(value: Value) -> None:
        if result is not None:
            give_away(t, result, t.forms.freed(t, value, scope), scope, None)
        t.text.line("return")

    scope.routine, scope.returned = None, back
    with _from_nothing(t), inside(t, scope):
        variables = iter(given)
        scope.begins = True
        for name, value in values.items():
            handed = _handed_over(t, value, variables)
            t.forms.bind_argument(t, definition, scope, name, handed)
        scope.begins = False
        if not t.forms.block(t, definition.body):
            back(_NOTHING)
        lines = t.text.lines
    traps = may_trap(lines)
    said, nothing = "0", "0"
    if result is not None and isinstance(result.type, SCALARS):
        said, nothing = result.name, "False" if isinstance(result.type, Bool) else "0"
    _return_reasons(t, lines, said, nothing)
    lines.append(f"return {nothing}")  # what follows a loop without an end has its form
    return Part(f"{OUTLINED}{t.name}_{len(t.parts)}", given, result, lines, traps)


@contextmanager
def _from_nothing(t: Translator) -> Iterator[None]:
    """Lines of a text of their own, wherever the call is."""
    apart = {"is_calm": False, "open_dicts": (), "named_parts": ()}
    apart |= {"gone_through": None, "open_loop": None}
    before = {name: getattr(t, name) for name in apart}
    for name, each in apart.items():
        setattr(t, name, each)
    with t.text.from_nothing():
        yield
    for name, each in before.items():
        setattr(t, name, each)


def _return_reasons(t: Translator, lines: list[Any], given: str, nothing: str) -> None:
    """Let lines return what is `given`, and nothing, with a reason, in place of errors."""
    made: list[Any] = []
    for each in lines:
        if isinstance(each, Trap):
            if not isinstance(each, Handed):
                t.reasons.append(each)
                made.append(f"{FRAME}[{_trap_cell(t)}] = {len(t.reasons)}")
            made.append(f"return {nothing}")
        elif isinstance(each, str):
            made.append(f"return {given}" if each == "return" else each)
        else:
            _return_reasons(t, each[1], given, nothing)
            made.append(each)
    lines[:] = made


def names_of_others(text: str) -> set[str]:
    """The names that a function uses and neither is given nor assigns to: those of a caller."""
    own = {*NAMES, *dir(builtins)}
    used: set[str] = set()
    for node in ast.walk(ast.parse(text)):
        if isinstance(node, ast.arg):
            own.add(node.arg)
        elif isinstance(node, ast.Name):
            (used if isinstance(node.ctx, ast.Load) else own).add(node.id)
    return used - own
