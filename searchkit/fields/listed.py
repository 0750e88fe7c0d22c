"""Puzzles whose author lists the steps out of a state, by `expand`, in place of moves.

The rules are translated with the declared fields as the type of states: `searchkit.translation`
makes the kernel, and this puts the fields into its cells and back.
"""

from __future__ import annotations

import ast
import inspect
from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from types import FunctionType
from typing import Any

import attrs
import numpy as np

from searchkit.compiled.specialise.kernels import successors
from searchkit.errors import CompilationError, ProblemError
from searchkit.fields.declared import Set
from searchkit.fields.layout import Layout, Slot
from searchkit.fields.places import capacity_of, type_of_state
from searchkit.fields.plain import PlainFields, place_of, plain_rules
from searchkit.fields.repeatable import check_repeatable
from searchkit.kernel_language.definition import MADE_FROM, source_of
from searchkit.kernel_language.program import TEXT
from searchkit.kernel_language.site import Site
from searchkit.problem import Costs
from searchkit.translation.kernels import answers
from searchkit.translation.objects import members_type
from searchkit.translation.packing import function_of
from searchkit.translation.rooms import PACK, UNPACK
from searchkit.translation.rules import steps_of_object
from searchkit.translation.types import MOST_NUMBER, Object

UNROLLED = 24
"""How many numbers of a field are unpacked one by one instead of in a loop."""
_IN_PYTHON = "def expand(self, state):\n    return searchkit_listed(self, state)"


@attrs.frozen
class Listed:
    """The kernels that list the steps of a puzzle, and what they look up."""

    kernels: dict[str, Callable[..., Any]]
    constants: tuple[int, ...] | None
    """None where there is no machine code."""
    text: str
    """All that the kernels say, or why there are none."""
    translated: Callable[..., Any] | None = None
    """The kernel that machine code is made of, as Python runs it."""

    def functions(self) -> dict[str, Callable[..., Any]]:
        """What a puzzle that lists its steps has besides its author's methods."""
        return {**self.kernels, "action": _action, "trapped": _trapped}

    def values(self, kind: type) -> dict[str, Any]:
        """What it has for these."""
        more: dict[str, Any] = {}
        if self.constants is not None:
            more["more_kernels"] = successors, answers
        if yields_costs(kind) and kind.costs is Costs.UNIT:  # type: ignore[attr-defined]
            more["costs"] = Costs.INTEGER
        return more


def listed_steps(author: Any) -> Listed:
    """What is made of the method `expand` of an author's object.

    In Python the kernel `expand` runs the author's rules. `ProblemError` where these are wrong in
    every engine.
    """
    layout: Layout = author.layout
    definition: ast.FunctionDef | CompilationError
    kernels: dict[str, Callable[..., Any]] = {}
    names: dict[str, Any] = {}
    constants = translated = None
    try:
        kind, capacity = _type_of(layout, type(author)), capacity_of(layout)
        translated, constants = steps_of_object(author, "expand", kind, capacity)
        definition, text = getattr(translated, MADE_FROM), getattr(translated, TEXT)
        names = translated.__globals__
        for text_of_kernel in (_unpacking(layout), _packing(layout)):
            kernel = function_of(text_of_kernel, {})
            kernels[kernel.__name__] = kernel
    except CompilationError as error:
        definition, text = error, str(error)
    kernels["expand"] = function_of(_IN_PYTHON, {**names, "searchkit_listed": _numbered})
    for attribute, value in ((MADE_FROM, definition), (TEXT, text)):
        setattr(kernels["expand"], attribute, value)
    return Listed(kernels, constants, text, translated)


def _numbered(puzzle: Any, state: Any) -> Iterator[tuple[int, Any, int]]:
    """The author's steps by number: what `expand` is in Python."""
    for number, step in enumerate(plain_rules(puzzle).successors(state)):
        yield number, step.state, step.cost


def _type_of(layout: Layout, owner: type) -> Object:
    for name, slot in layout.slots.items():
        if not -MOST_NUMBER < slot.field.low <= slot.field.below <= MOST_NUMBER:
            code: Any = owner.expand.__code__  # type: ignore[attr-defined]
            site = Site(f"{owner.__name__}.expand", code.co_filename)
            raise CompilationError(
                f"{site.at(code.co_firstlineno)}: the field {name} has numbers beyond 2**40; "
                "declare smaller bounds"
            )
    return type_of_state(layout, members_type)


# Cells


def _cells_of(slot: Slot, first: int) -> list[tuple[int, int, int, int]]:
    """The word, shift and mask of each cell of a field, or of several members, and its number."""
    field = slot.field
    if not isinstance(field, Set):
        return [(*slot.place(i), slot.mask, first + i) for i in range(field.length)]
    kind = members_type(field.length)
    found = []
    for i in range(kind.cells):
        begin = i * kind.width
        count = min(kind.width, field.length - begin)
        found.append((*slot.place(begin), (1 << count) - 1, first + i))
    return found


def _runs(layout: Layout) -> Iterator[tuple[list[str], str, str, int, int, int]]:
    """Cells one by one, or those of each word in a loop, where they are many.

    The head of the loop, a cell's number and shift as texts; its word, its mask, the least value.
    """
    first = 0
    for slot in layout.slots.values():
        field, cells = slot.field, _cells_of(slot, first)
        first += len(cells)
        low = 0 if isinstance(field, Set) else field.low
        if len(cells) <= UNROLLED or isinstance(field, Set):
            for word, shift, mask, at in cells:
                yield [], str(at), str(shift), word, mask, low
            continue
        for word, run in groupby(cells, lambda each: each[0]):
            (_, shift, mask, at), *rest = run
            head = [f"    for i in range({1 + len(rest)}):"]
            yield head, f"{at} + i", f"{field.bits} * i + {shift}", word, mask, low


def _unpacking(layout: Layout) -> str:
    """The kernel that unpacks a state: it fills `cells` from 0 on."""
    lines = [f"def {UNPACK}(self, state, cells):"]
    for head, at, shift, word, mask, low in _runs(layout):
        source = "state" if layout.words == 1 else f"state[{word}]"
        number = f"{source} & {mask}" if shift == "0" else f"{source} >> {shift} & {mask}"
        number = f"({number}) + ({low})" if low else number
        lines += [*head, f"{'    ' * len(head)}    cells[{at}] = {number}"]
    return "\n".join([*lines, "    return 0"])


def _packing(layout: Layout) -> str:
    """The kernel that packs one: the state of the cells from `at` on."""
    words = [f"word{w}" for w in range(layout.words)]
    lines = [f"def {PACK}(self, cells, at):", *(f"    {word} = 0" for word in words)]
    for head, at, shift, word, _, low in _runs(layout):
        number = f"(cells[at + {at}] - ({low}))" if low else f"cells[at + {at}]"
        lines += [*head, f"{'    ' * len(head)}    word{word} |= {number} << {shift}"]
    return "\n".join([*lines, f"    return {', '.join(words)}"])


# The class of a puzzle


def _action(self: Any, state: Any, operator: int) -> Any:
    """The label of a step by its number. O(steps)."""
    return plain_rules(self).successors(state)[operator].action


def _trapped(self: Any, state: Any) -> None:
    """Raise what the author's rules raise for a state, or that machine code cannot go on."""
    plain_rules(self).successors(state)
    raise CompilationError(
        f"{type(self).__name__}: machine code cannot go on from the state "
        f"{self.format_state(state):.200}, though expand in Python can: it may make a list of more "
        f"than {capacity_of(self.layout)} items; engine='reference' runs it as it is"
    )


def compared(puzzle: Any) -> Compared:
    """Made once for each puzzle."""
    known = vars(puzzle).get("kept_compared")
    if known is None or known.puzzle is not puzzle:
        known = Compared(puzzle, count=0 if known is None else known.count)
        object.__setattr__(puzzle, "kept_compared", known)
    return known  # type: ignore[no-any-return]


@attrs.define
class Compared:
    """The machine code of a puzzle, and its rules as they are written; see `translation.watch`."""

    puzzle: Any
    estimated: Any = None
    method: str = "successors"
    count: int = 0
    """How many states were compared, in all searches together."""

    @property
    def noted(self) -> Any:
        """The first machine code that was made; None before."""
        return vars(self.puzzle).get("noted")

    @property
    def author(self) -> PlainFields:
        """The rules as they are written, on packed states."""
        return plain_rules(self.puzzle)

    def value(self, state: Any) -> Any:
        """The state: the rules are asked about packed ones."""
        return state

    def packed_states(self, states: Sequence[Any]) -> np.ndarray[Any, Any]:
        """The words of many states, a row for each."""
        from searchkit.compiled.specialise.module import state_array  # noqa: PLC0415  (loads numba)

        return state_array(list(states), self.puzzle.words)

    def shown(self, state: Any) -> str:
        """The text of a state."""
        return self.author.format_state(state)

    def rule(self, method: str) -> tuple[type, str]:
        """The author's class and method."""
        return type(self.puzzle.author), {"successors": "expand", "is_goal": "at_goal"}[method]


# What an author's method says, as it is written


def check_listing(kind: Any, author: Any) -> None:
    """Raise `ProblemError` where `expand` is no rule, or stands beside rules of moves."""
    function = inspect.getattr_static(kind, "expand")
    where = f"{kind.__name__}: expand{place_of(function)}:"
    for name in ("legal", "apply", "cost"):
        rule = getattr(kind, name)
        if not str(getattr(rule, "__module__", "")).startswith("searchkit."):
            raise ProblemError(
                f"{where} lists the steps, so that {name} is never called; keep one of the two"
            )
    if kind.ranked:
        raise ProblemError(f"{where} states are ranked where there are moves; leave ranked out")
    if not isinstance(function, FunctionType) or function.__code__.co_argcount != 2:
        raise ProblemError(f"{where} must be written expand(self, s)")
    site = Site(f"{kind.__name__}: expand", function.__code__.co_filename)
    try:
        definition = source_of(function, site)
    except CompilationError:
        return
    check_repeatable(definition, function, site, author, may_yield=True)


def yields_costs(owner: type) -> bool:
    """Whether `expand`, or a method that it yields from, yields a third value: a cost."""
    seen: set[Any] = set()
    todo: list[Any] = [owner.expand]  # type: ignore[attr-defined]
    while todo:
        function = todo.pop()
        if function in seen:
            continue
        seen.add(function)
        try:
            tree = source_of(function, Site.of(function))
        except (CompilationError, AttributeError):
            continue
        for node in ast.walk(tree):
            match node:
                case ast.Yield(ast.Tuple([_, _, _])):
                    return True
                case ast.YieldFrom(ast.Call(ast.Attribute(attr=name))):
                    todo.append(getattr(owner, name, None))
                case ast.YieldFrom(ast.Call(ast.Name(name))):
                    todo.append(function.__globals__.get(name))
        todo = [each for each in todo if hasattr(each, "__code__")]
    return False
