"""Puzzles whose author declares what a state holds: a packed problem made of rules on fields."""

from __future__ import annotations

import ast
import copy
import inspect
import traceback
from abc import ABCMeta
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from pathlib import Path
from types import FunctionType, ModuleType
from typing import Any, NoReturn

from searchkit.authors.kin import kin_of
from searchkit.bits import lowest_one
from searchkit.certificates import Certificate
from searchkit.errors import CompilationError, ProblemError, UsageError
from searchkit.fields.controls import Changes
from searchkit.fields.declared import Field
from searchkit.fields.forms import (
    Form,
    as_it_is,
    check_as_made,
    forms_of,
    hides_its_class,
    keep,
    lists_of,
    made_of,
)
from searchkit.fields.layout import format_fields, layout_of, parse_fields, ranks_of
from searchkit.fields.plain import (
    PlainFields,
    check_kernels,
    place_of,
    plain_form,
    plain_rules,
    range_error,
)
from searchkit.fields.rules import OF_MOVES, Rules
from searchkit.fields.states import State
from searchkit.fields.tables import Instance, Tables
from searchkit.kernel_language.definition import MADE_FROM
from searchkit.kernel_language.program import CARRIED, Carried, carrying
from searchkit.packed import DEAD_END, PackedHeuristic, PackedProblem
from searchkit.pattern_space import Pattern, PatternSpace
from searchkit.problem import INFINITY, Costs, Step, name_of


class FieldKernels:
    """What objects whose kernels are made of rules have besides."""

    author: Any = None

    def __copy__(self) -> Any:
        same = object.__new__(type(self))
        vars(same).update(vars(self))
        return carrying(same, {})

    def out_of_range(self, value: int, low: int, below: int, line: int, state: Any) -> NoReturn:
        """Raise the error for a number that a rule makes, and its line, of a state."""
        raise range_error(self, (value, low, below, line, state))

    def first_field(self, word: int, ones: int, highs: int) -> int:
        """Kernel: the highest bit of the first number in a word that is 0.

        `ones` and `highs` have the lowest and the highest bits of all numbers. Subtraction borrows
        from zero only. (D. E. Knuth, The Art of Computer Programming 4A, 7.1.3.)
        """
        return lowest_one((word - ones) & ~word & highs)


_RULES = ("legal", "apply", "at_goal", "cost")


class _Finishing(ABCMeta):
    """Makes the kernels of a puzzle when its `__init__` is over."""

    def __call__(cls, *arguments: Any, **named: Any) -> Any:
        for rule in sorted(cls.__abstractmethods__):
            raise ProblemError(f"{cls.__name__}: there is no {rule}; write {rule}(self, s, ...)")
        try:
            made = super().__call__(*arguments, **named)
        except UsageError as error:
            raise _placed(error, cls.__name__) from None
        return finished(made)


def _placed(error: UsageError, name: str) -> UsageError:
    """The error with the puzzle and the line of its author's, where fields raised it."""
    frames = traceback.extract_tb(error.__traceback__)
    own = str(Path(__file__).parent)
    if not frames[-1].filename.startswith(own):
        return error
    line = next(each for each in reversed(frames) if not each.filename.startswith(own))
    text = str(error).removeprefix(f"{name}: ")
    return UsageError(f"{name}: {line.filename}:{line.lineno}: {text}")


class Fields(FieldKernels, PackedProblem[Any], metaclass=_Finishing):
    """A puzzle whose states have declared fields.

    `__init__` calls `declare` and sets `moves`: labels, tuples of numbers, or a dict of such by
    label. The rules are methods with a state `s` and, after it, a name for each number of a move:
    `apply(self, s, ...)` changes the fields of `s`, `legal(self, s, ...)` says whether it may, and
    `cost(self, s, ...)` what it costs, if that is not 1. `at_goal(self, s)` says whether `s` is a
    goal, unless `self.goal` is the only one; `estimate(self, s)`, if there is one, is a lower
    bound on the cost to a goal. `self.start` is a start, or `initial_states` gives several.
    States are packed by `pack` and unpacked by `unpack`.

    >>> from searchkit import solve
    >>> from searchkit.fields import Array, Fields
    >>> class Jugs(Fields):
    ...     '''Measure out 4 litres with jugs of 8, 5 and 3.'''
    ...     sizes = (8, 5, 3)
    ...     def __init__(self):
    ...         self.declare(litres=Array(3, 9))
    ...         self.moves = [(i, j) for i in range(3) for j in range(3) if i != j]
    ...         self.start = self.pack(litres=[8, 0, 0])
    ...     def legal(self, s, i, j):
    ...         return s.litres[i] > 0 and s.litres[j] < self.sizes[j]
    ...     def apply(self, s, i, j):
    ...         poured = min(s.litres[i], self.sizes[j] - s.litres[j])
    ...         s.litres[i] -= poured
    ...         s.litres[j] += poured
    ...     def at_goal(self, s):
    ...         return s.litres[0] == 4
    >>> solve(Jugs()).cost
    7
    """

    moves: Any = ()
    """What can be done: labels, tuples of numbers, or a dict of such by label."""
    ranked: bool = False
    """Whether states are numbered by their fields, so that `explore` takes a bit for each number:
    for puzzles in which most combinations of values can be reached."""
    author: Any = None
    """The object as its author made it; its rules are as they were written."""
    layout: Any = None
    changes: Changes | None = None
    """What each move changes, where that is the same in every state."""
    lists: list[list[int]] | None = None
    """The legal moves of each control state, where these decide."""
    more_kernels: tuple[ModuleType, ...] = ()
    """Kernel files by which machine code of `expand` is compared with it."""
    known_factors: list[Any]
    """What pattern databases were made of, for this puzzle or one with another start."""
    known_as_made: list[Any]
    """What its rules read when it was seen last that this is as it was when it was made."""

    def declare(self, **fields: Field) -> None:
        """Say what a state holds: `Int`, `Array` or `Set` by name."""
        if self.layout is not None:
            raise UsageError("declare is called twice; give all fields in one call")
        for name, field in fields.items():
            if not isinstance(field, Field):
                shown = field.__name__ if isinstance(field, type) else f"{field!r:.40}"
                raise UsageError(
                    f"field {name} is {shown}; use Int, Array or Set, as in {name}=Int(8)"
                )
            if name.startswith("_") or hasattr(State, name):
                raise UsageError(f"a field cannot be called {name}")
        if not fields:
            raise UsageError("declare at least one field")
        self.layout = layout_of(tuple(fields.items()))
        self.words = self.layout.words

    def pack(self, **values: Any) -> Any:
        """The state with these values of all fields; `UsageError` where one does not fit."""
        try:
            return self._layout().pack(values)
        except UsageError as error:
            raise UsageError(f"{type(self).__name__}: {error}") from None

    def unpack(self, state: Any) -> State:
        """The fields of a state, which may be changed and packed again."""
        fields: State = self._layout().unpack(state)
        return fields

    def _layout(self) -> Any:
        if self.layout is None:
            raise UsageError("call self.declare(...) first")
        return self.layout

    def initial_states(self) -> Iterable[Any]:
        """The state `start`."""
        if not hasattr(self, "start"):
            name = type(self).__name__
            raise ProblemError(f"{name}: there is no start; set self.start = self.pack(...)")
        return (self.start,)

    def at_goal(self, state: Any) -> bool:
        """Whether a state is `goal`."""
        return bool(self.layout.packed(state) == self.goal)  # type: ignore[attr-defined]

    def operators(self, control: int) -> Sequence[int]:
        """The numbers of the moves that are legal in a control state, or of all."""
        if self.lists is not None:
            return self.lists[control]
        return range(len(self.labels))  # type: ignore[attr-defined]

    def action(self, state: Any, operator: int) -> Any:
        """The label of a move: as it is listed, or its only number."""
        return self.labels[operator]  # type: ignore[attr-defined]

    def late_certificate(self, state: Any) -> Certificate | None:
        """Why no goal can be reached from a state, by a sum that no move changes; None without."""
        from searchkit.fields.invariant_checks import objection  # noqa: PLC0415  (for few)
        from searchkit.fields.invariants import invariant_certificate  # noqa: PLC0415

        found = invariant_certificate(self, state)
        if found is None or objection(plain_rules(self), state, found) is not None:
            return None
        return found

    def inverse(self, control: int, operator: int) -> int | None:
        """The move that takes one back, where moves change the same in every state."""
        free = type(self.author).legal is PackedProblem.legal
        if self.changes is None or not (self.undirected or free):
            return None
        return self.inverses[operator]

    @cached_property
    def inverses(self) -> tuple[int | None, ...]:
        """For each move the only one that can take it back."""
        return () if self.changes is None else self.changes.inverses()

    def format_action(self, action: Any) -> str:
        """What `move_text` makes of the numbers of a move, where there is one."""
        move_text = getattr(self, "move_text", None)
        if move_text is not None:
            return str(move_text(*self.numbers.get(action, _tuple(action))))  # type: ignore[attr-defined]
        return " ".join(map(str, action)) if isinstance(action, tuple) else str(action)

    def format_state(self, state: Any) -> str:
        """The fields: `litres=3,5,0`."""
        return format_fields(self._layout(), state)

    def parse(self, text: str) -> Any:
        """The state that `format_state` writes so."""
        return parse_fields(self._layout(), text)

    def is_goal(self, state: Any) -> bool:
        """Whether a state is a goal by the rules as they are written."""
        return plain_rules(self).is_goal(state)

    def are_states(self, rows: Any) -> bool:
        """Whether words from a file have numbers within the declared bounds."""
        return bool(self._layout().are_states(rows))

    def successors(self, state: Any) -> Iterable[Step[Any, Any]]:
        """The steps by the rules as they are written."""
        return plain_rules(self).successors(state)

    def written_step(self, state: Any, operator: int) -> Step[Any, Any] | None:
        """The step by one move, by the rules as they are written."""
        return plain_rules(self).step(state, operator)

    check_written = check_kernels
    wrong_number = range_error

    @property
    def compared(self) -> Any:
        """What compares machine code of `expand` with it, where there is such."""
        if not self.more_kernels:
            raise AttributeError("compared")
        from searchkit.fields.listed import compared  # noqa: PLC0415  (loads much)

        return compared(self)

    def check_as_made(self) -> None:
        """Raise `UsageError` where what the rules read has changed since the puzzle was made."""
        known = as_it_is(self)
        is_known = self.known_as_made in ([known], [known, made_of(self)])
        if known is not None and is_known and not hides_its_class(self):
            self.known_as_made[:] = [known]
            return
        given = dict(_given(self.author))
        made: Any = object.__new__(type(self))
        vars(made).update({name: vars(self).get(name, each) for name, each in given.items()})
        if known is None:
            kin = kin_of(made, list(self.initial_states()))
            known = kin, kin.contents(made)
        if self.known_as_made != [known] or known[1] is None or hides_its_class(self):
            vars(made).update(layout=self.layout)
            check_as_made(self, finished(made))
            self.known_as_made[:] = [known]

    def note(self, made: Any) -> None:
        """Keep what was specialised to the puzzle, if it is the first."""
        if vars(self).get("noted") is None:
            object.__setattr__(self, "noted", made)

    def shown_call(self, arguments: tuple[Any, ...]) -> str:
        """The arguments of a kernel for a message: a state and, after it, a move."""
        return _shown(self, arguments)

    @property
    def only_goal(self) -> Any:
        """The goal, unless `at_goal` says what is one."""
        return None if _defines(type(self.author), "at_goal") else self.goal  # type: ignore[attr-defined]

    def patterns_named(self, name: str) -> tuple[Pattern, ...]:
        """What the databases of a name look at: see `searchkit.fields.patterns.patterns_of`."""
        from searchkit.fields.patterns import parted, patterns_of  # noqa: PLC0415  (slow to import)

        return patterns_of(lambda: parted(self), name)

    def pattern_space(self, groups: Sequence[Pattern]) -> PatternSpace:
        """The space of pattern databases for some groups of what a state holds."""
        from searchkit.fields.patterns import parted, space_of  # noqa: PLC0415  (slow to import)

        return space_of(parted(self), groups)

    def slow_rules(self) -> PlainFields:
        """The same puzzle by the rules as they are written."""
        return plain_form(self.author, self.costs)

    def __reduce__(self) -> Any:
        author = self.author or self
        return _made_again, (type(author), dict(self._layout().fields), dict(_given(author)))


def _shown(puzzle: Any, arguments: tuple[Any, ...]) -> str:
    text = puzzle.format_state(arguments[0])
    if len(arguments) < 3:
        return f"the state {text:.200}"
    return f"the state {text:.200} and the move {puzzle.format_action(puzzle.labels[arguments[2]])}"


class FieldEstimate(FieldKernels, PackedHeuristic):
    """The lower bound that a puzzle's `estimate` is."""

    name = "estimate"
    author: Any = None
    costs = Costs.UNIT
    is_written = True

    @property
    def author_name(self) -> str:
        """What messages call it."""
        return name_of(self.author)

    def estimate(self, state: Any) -> int:
        """Kernel: made of the author's `estimate`."""
        raise NotImplementedError

    def by_kernels(self) -> FieldEstimate:
        """The same with estimates by its kernel."""
        same = copy.copy(self)
        same.is_written = False
        return same

    def __call__(self, state: Any) -> float:
        """The author's `estimate` as it is written."""
        if not self.is_written:
            return super().__call__(state)
        value: Any = plain_rules(self).estimate(state)
        return INFINITY if value == DEAD_END else value

    def shown_call(self, arguments: tuple[Any, ...]) -> str:
        """The arguments of a kernel for a message: a state."""
        return _shown(self.author, arguments)


def finished(puzzle: Any) -> Any:
    """The puzzle with kernels made of its rules; `ProblemError` where these cannot be."""
    kind = type(puzzle)
    name = kind.__name__
    if puzzle.layout is None:
        raise ProblemError(f"{name}: its __init__ must call self.declare(...)")
    lists_steps = _defines(kind, "expand")
    labels, numbers = ((), {}) if lists_steps else _moves_of(puzzle)
    author = copy.copy(puzzle)
    for each, value in (("author", author), ("labels", labels), ("numbers", numbers)):
        object.__setattr__(puzzle, each, value)
        object.__setattr__(author, each, value)
    _check_rules(kind, labels, tuple(numbers.values()))
    listed = _listed(kind, author) if lists_steps else None
    own = [each for each in (("at_goal",) if lists_steps else _RULES) if _defines(kind, each)]
    _check_state(puzzle, "start")
    if "at_goal" not in own:
        if not hasattr(puzzle, "goal"):
            raise ProblemError(
                f"{name}: there is no goal; write at_goal(self, s), or set self.goal"
            )
        _check_state(puzzle, "goal")
    if puzzle.ranked:
        object.__setattr__(puzzle, "ranks", ranks_of(puzzle.layout, name))
    instance = Instance(author, tuple(numbers.values()), getattr(listed, "constants", None))
    key = (
        puzzle.layout.key, puzzle.ranked, hasattr(puzzle, "start"), hasattr(puzzle, "goal"),
        None if listed is None else listed.text,
    )  # fmt: skip
    for form in forms_of(kind, key):
        if form.fits(puzzle, instance):
            break
    else:
        form = _form(kind, puzzle, instance, own, listed)
    keep(kind, key, form)
    form.complete(puzzle)
    known = as_it_is(puzzle)
    if known is not None:
        puzzle.known_as_made[:] = [known, made_of(puzzle)]
    return puzzle


def _form(kind: type, puzzle: Any, instance: Instance, own: list[str], listed: Any) -> Form:
    """What is made of a class for an object and all like it; `ProblemError` where it cannot be."""
    rules = _rules(kind, instance, own)
    if "at_goal" not in own:
        rules.add_goal(_written_here)
    if puzzle.ranked:
        rules.add_ranks(_written_here)
    if instance.constants is not None:
        rules.tables.recipes["constants"] = lambda instance: instance.constants
    sign = rules.sign_of_changes() if puzzle.words == 1 else None
    asked = None if sign is ast.BitXor else rules.asked_of_control()
    object.__setattr__(puzzle, "tables", rules.tables.named(instance))
    lists = None if asked is None else lists_of(puzzle, *asked)
    if asked is not None and lists is not None:
        rules.add_control(asked[0])
    bound = _rules(kind, instance, ["estimate"]) if _defines(kind, "estimate") else None
    functions, values = _functions(kind, rules, puzzle, listed)
    if lists is not None:
        functions["legal"] = vars(PackedProblem)["legal"]
    estimate = None
    if bound is not None:
        functions["default_heuristic"] = _own_estimate
        estimate = carrying(FieldEstimate(), {**bound.functions(), **_slow(bound)})
    form = Form(
        functions=Carried(functions), values=values, estimate=estimate, tables=rules.tables,
        bound=None if bound is None else bound.tables,
        control=asked, has_lists=lists is not None,
        changes=None if sign is None else (rules.unguarded("apply"), sign),
    )  # fmt: skip
    if not form.fits(puzzle, instance):
        raise AssertionError(f"{kind.__name__}: its rules say something else when asked again")
    form.forget()
    return form


def _listed(kind: type, author: Any) -> Any:
    """What is made of the author's `expand`."""
    from searchkit.fields.listed import check_listing, listed_steps  # noqa: PLC0415  (loads much)

    check_listing(kind, author)
    return listed_steps(author)


def _given(author: Any) -> list[tuple[str, Any]]:
    """The attributes that an author's object has of its author."""
    made = {"author", "labels", "numbers", "layout", CARRIED}
    return [each for each in vars(author).items() if each[0] not in made]


def _made_again(kind: type, fields: dict[str, Field], kept: dict[str, Any]) -> Any:
    puzzle: Any = object.__new__(kind)
    vars(puzzle).update(kept, layout=layout_of(tuple(fields.items())))
    return finished(puzzle)


def _defines(kind: type, rule: str) -> bool:
    """Whether the author's class has a rule of its own."""
    inherited = getattr(Fields, rule, None)
    return getattr(kind, rule, None) is not inherited


def _rules(kind: type, instance: Instance, names: list[str]) -> Rules:
    rules = Rules(kind, instance.author.layout, Tables(instance))
    for each in names:
        rules.add(each)
    rules.prune()
    return rules


def _functions(
    kind: type, rules: Rules, puzzle: Any, listed: Any
) -> tuple[dict[str, Any], dict[str, Any]]:
    """The kernels with what goes with them, and the attributes."""
    members: dict[str, Any] = {**rules.functions(), **_slow(rules)}
    values: dict[str, Any] = {}
    if listed is not None:
        members |= listed.functions()
        values |= listed.values(kind)
    if "cost" in members and kind.costs is Costs.UNIT:  # type: ignore[attr-defined]
        values["costs"] = Costs.INTEGER
    if hasattr(puzzle, "start") and not _defines(kind, "initial_states"):
        members["with_start"] = _with("start") if _reads_start(kind) else _started_at
    if hasattr(puzzle, "goal") and not _defines(kind, "at_goal"):
        members["goal_states"] = _the_goal
        members["with_goal"] = _with("goal")
    if puzzle.words == 1 and rules.sign_of_changes() is ast.BitXor:
        members["toggles"] = _toggles
    return members, values


def _toggles(self: Any) -> tuple[int, ...]:
    return self.changes.amounts if self.changes is not None else ()


def _own_estimate(self: Any) -> Any:
    return self.bound


def _written_here() -> None:
    """Where kernels are that no author wrote: what compares with the goal, and numbers states."""


def _the_goal(self: Any) -> tuple[Any]:
    return (self.goal,)


def _reads_start(kind: type) -> bool:
    """Whether methods other than those that set the start look at it: then rules may, too."""
    return any(
        "start" in method.__code__.co_names
        for base in kind.__mro__
        if not issubclass(Fields, base)
        for name, method in vars(base).items()
        if name != "__init__" and isinstance(method, FunctionType)
    )


def _started_at(self: Any, state: Any) -> Any:
    """The same puzzle from another start, of which its rules know nothing."""
    same, author = copy.copy(self), copy.copy(self.author)
    for each in (same, author):
        object.__setattr__(each, "start", state)
        object.__setattr__(each, "author", author)
    return same


def _with(name: str) -> Callable[[Any, Any], Any]:
    def changed(self: Any, state: Any) -> Any:
        author = copy.copy(self.author)
        object.__setattr__(author, name, state)
        return finished(author)

    changed.__name__ = f"with_{name}"
    return changed


def _slow(rules: Rules) -> dict[str, Any]:
    """The rules that machine code cannot have, on unpacked states."""
    return {name: _slow_rule(name, error) for name, error in rules.failed.items()}


def _slow_rule(name: str, error: CompilationError) -> Any:
    def made(self: Any, state: Any, control: int = 0, operator: int | None = None) -> Any:
        return plain_rules(self).asked(name, state, operator)

    made.__name__ = name
    setattr(made, MADE_FROM, error)
    return made


def _moves_of(puzzle: Any) -> tuple[tuple[Any, ...], dict[Any, tuple[Any, ...]]]:
    """The labels of the moves, and the numbers of each."""
    name, moves = type(puzzle).__name__, puzzle.moves
    if isinstance(moves, Mapping):
        pairs = [(label, _tuple(move)) for label, move in moves.items()]
    else:
        try:
            given = [_tuple(move) for move in moves]
        except TypeError:
            raise ProblemError(
                f"{name}: self.moves is {moves!r:.40}; it must be a list, or a dict"
            ) from None
        pairs = [(move if len(move) != 1 else move[0], move) for move in given]
    if not pairs:
        raise ProblemError(f"{name}: there are no moves; set self.moves in __init__")
    for label, _ in pairs:
        try:
            hash(label)
        except TypeError:
            raise ProblemError(
                f"{name}: self.moves has {label!r:.40}, which cannot be a label; moves are "
                "numbers, texts, or tuples of these"
            ) from None
    numbers = dict(pairs)
    if len(numbers) < len(pairs):
        twice = next(label for i, (label, _) in enumerate(pairs) if label in dict(pairs[:i]))
        raise ProblemError(f"{name}: the move {twice!r:.40} is listed twice")
    return tuple(numbers), numbers


def _tuple(move: Any) -> tuple[Any, ...]:
    return tuple(move) if isinstance(move, (tuple, list)) else (move,)


def _check_state(puzzle: Any, name: str) -> None:
    """Raise `ProblemError` unless the start, or the goal, is a state, if it is there at all."""
    state, layout = getattr(puzzle, name, None), puzzle.layout
    if not hasattr(puzzle, name):
        return
    try:
        is_state = layout.packed(layout.unpack(state)) == state
    except Exception:  # whatever is no state
        is_state = False
    if not is_state:
        raise ProblemError(
            f"{type(puzzle).__name__}: self.{name} is {state!r:.40}, which is not a state; "
            f"set self.{name} = self.pack(...)"
        )


def _check_rules(kind: type, labels: tuple[Any, ...], moves: tuple[tuple[Any, ...], ...]) -> None:
    lists_steps = _defines(kind, "expand")
    for name in (*(() if lists_steps else OF_MOVES), "at_goal", "estimate"):
        if not _defines(kind, name):
            continue
        rule = inspect.getattr_static(kind, name)
        numbers = ["..."] if name in OF_MOVES else []
        wanted = f"must be written {name}({', '.join(['self', 's', *numbers])})"
        function = getattr(rule, "__func__", getattr(rule, "fget", rule))
        code = getattr(function, "__code__", None)
        place = place_of(function)
        where = f"{kind.__name__}: {name}{place}:" if place else f"{kind.__name__}:"
        if inspect.iscoroutinefunction(rule):
            raise ProblemError(f"{where} is async; a rule returns its answer, by def alone")
        if not isinstance(rule, FunctionType):
            found = f"is a {type(rule).__name__}" if place else f"{name} is {rule!r:.40}"
            raise ProblemError(f"{where} {found}; it {wanted}")
        assert code is not None
        names = code.co_varnames[1 : code.co_argcount]
        if name not in OF_MOVES:
            if len(names) != 1:
                raise ProblemError(f"{where} {wanted}")
            continue
        for label, move in zip(labels, moves, strict=True):
            if len(move) == len(names) and code.co_varnames[0] != "self":
                raise ProblemError(f"{where} {wanted}; its first argument is the puzzle")
            if len(move) != len(names) - 1:
                raise ProblemError(
                    f"{where} takes ({', '.join(names)}), a state and {len(names) - 1} of a move; "
                    f"the move {label!r:.40} has {len(move)}"
                )
