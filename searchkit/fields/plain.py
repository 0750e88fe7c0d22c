"""A puzzle on fields in its plain form: the author's own rules, on unpacked states.

Kernels that were made of the rules are compared with these as they are written.
"""

from __future__ import annotations

import copy
import inspect
import linecache
import sys
import traceback
import types
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NoReturn

import attrs

from searchkit.errors import CompilationError, ProblemError, UsageError
from searchkit.fields.layout import Layout
from searchkit.fields.tables import FILLER
from searchkit.packed import DEAD_END, has_expand, packed_steps
from searchkit.problem import INFINITY, Costs, Problem, Step, derived


@attrs.frozen(eq=False)
class PlainFields(Problem[Any, Any]):
    """The rules as they are written, run by Python: slow, to be read, and to compare with.

    A state is a packed one; rules are given it unpacked.
    """

    author: Any
    layout: Layout
    labels: tuple[Any, ...]
    moves: tuple[tuple[Any, ...], ...]
    costs: Costs = attrs.field(kw_only=True)

    _defined: frozenset[str] = derived(lambda self: _defined(type(self.author)))

    _legal: Any = derived(lambda self: self.author.legal if "legal" in self._defined else None)

    def _has(self, rule: str) -> bool:
        return rule in self._defined

    def check_certificate(self, start: Any, certificate: Any) -> str | None:
        """Whether a sum that no move changes proves that no goal can be reached."""
        from searchkit.fields.invariant_checks import objection  # noqa: PLC0415  (for few)

        return objection(self, start, certificate)

    def initial_states(self) -> Iterable[Any]:
        """Those of the puzzle."""
        states: Iterable[Any] = self.author.initial_states()
        return states

    def successors(self, state: Any) -> list[Step[Any, Any]]:
        """Each move that is legal."""
        if self._has("expand"):
            return self._expanded(state)
        return self._steps(state, range(len(self.moves)))

    def step(self, state: Any, number: int) -> Step[Any, Any] | None:
        """The step by the move of that number; None if it is not legal."""
        return next(iter(self._steps(state, (number,))), None)

    def _steps(self, state: Any, numbers: Iterable[int]) -> list[Step[Any, Any]]:
        """Those of some moves that are legal."""
        before, legal, moves, found = self.layout.unpack(state), self._legal, self.moves, []
        for number in numbers:
            try:
                is_legal = legal is None or legal(before, *moves[number])
                if not is_legal:
                    self._given(is_legal, "legal")
                    continue
            except ProblemError as error:
                raise self.placed(error, state, self.labels[number]) from error
            found.append(self._step(state, before, number))
        return found

    def _step(self, state: Any, before: Any, number: int) -> Step[Any, Any]:
        author, label, move = self.author, self.labels[number], self.moves[number]
        try:
            fields = before.copy()
            cost = self._given(author.cost(fields, *move), "cost") if self._has("cost") else 1
            author.apply(fields, *move)
        except ProblemError as error:
            raise self.placed(error, state, label) from error
        return Step(label, self.packed(fields), cost)

    def _given(self, found: Any, rule: str) -> Any:
        """What a rule gave; `ProblemError` where that is nothing, which is no answer."""
        if found is None:
            raise returned_nothing(type(self.author), rule)
        return found

    def _expanded(self, state: Any) -> list[Step[Any, Any]]:
        """Each step that the author's `expand` yields, its child packed at once."""
        fields, found, label = self.layout.unpack(state), [], None
        try:
            steps = self.author.expand(fields)
            if not isinstance(steps, Iterator):
                raise ProblemError(f"expand returns {steps!r:.40}; yield label, child")
            for step in steps:
                if not isinstance(step, tuple) or len(step) not in (2, 3):
                    raise ProblemError(f"expand yields {step!r:.60}; yield label, child")
                label, child, *cost = step
                if not isinstance(child, self.layout.state):
                    raise ProblemError(
                        f"expand yields {child!r:.40} for a child; change a copy, as in "
                        "t = s.copy(), and yield that"
                    )
                found.append(Step(label, self._packed_child(child), *cost))
            label = None
            if self.packed(fields) != state:
                raise ProblemError(
                    "expand changes the state that it was given; change a copy, as in t = s.copy()"
                )
        except ProblemError as error:
            raise self.placed(error, state, label) from error
        return found

    def _packed_child(self, child: Any) -> Any:
        try:
            return self.packed(child)
        except UsageError as error:  # a list that has grown
            raise ProblemError(str(error)) from error

    def placed(self, error: ProblemError, state: Any, label: Any = None) -> ProblemError:
        """The error of a rule, with its line and the step that it was asked about."""
        frames = traceback.extract_tb(error.__traceback__)
        files = {each.__code__.co_filename for each in self._rules()}
        lines = [f"{each.filename}:{each.lineno}" for each in frames if each.filename in files]
        place = f"{lines[-1]}: " if lines else ""
        move = "" if label is None else f" by the move {self.format_action(label)}"
        return ProblemError(
            f"{type(self.author).__name__}: {place}{error} (in the state "
            f"{self.format_state(state):.200}{move})"
        )

    def _rules(self) -> list[Any]:
        found = (getattr(type(self.author), name, None) for name in self._defined)
        return [each for each in found if isinstance(each, types.FunctionType)]

    def packed(self, fields: Any) -> Any:
        """The state of fields."""
        return self.layout.packed(fields)

    def asked(self, rule: str, state: Any, number: int | None = None) -> Any:
        """What a rule says of a state and, if it is given one, the move of that number."""
        label = None if number is None else self.labels[number]
        move = () if number is None else self.moves[number]
        fields = self.layout.unpack(state)
        try:
            found = getattr(self.author, rule)(fields, *move)
            return self.packed(fields) if rule == "apply" else self._given(found, rule)
        except ProblemError as error:
            raise self.placed(error, state, label) from error

    def is_goal(self, state: Any) -> bool:
        """The author's `at_goal`."""
        return bool(self.asked("at_goal", state))

    def estimate(self, state: Any) -> Any:
        """The author's `estimate`."""
        return self.asked("estimate", state)

    def check(self, state: Any) -> None:
        """Ask everything of a state, goal or not; raises where a number is out of its range."""
        self.is_goal(state)
        self.successors(state)
        if self._has("estimate"):
            self.estimate(state)

    def format_state(self, state: Any) -> str:
        """As the puzzle writes it."""
        return str(self.author.format_state(state))

    def parse(self, text: str) -> Any:
        """As the puzzle reads it."""
        return self.author.parse(text)

    def format_action(self, action: Any) -> str:
        """As the puzzle writes it."""
        return str(self.author.format_action(action))


def _defined(owner: type) -> frozenset[str]:
    """The names that an author's classes define."""
    return frozenset(
        name for kind in owner.__mro__ if not _is_of_library(kind) for name in vars(kind)
    )


def _is_of_library(kind: type) -> bool:
    """Whether a class is one of searchkit's; examples in its docstrings are their reader's."""
    module = sys.modules.get(kind.__module__)
    return kind.__module__.startswith("searchkit.") and hasattr(module, kind.__name__)


def plain_form(author: Any, costs: Costs = Costs.UNIT) -> PlainFields:
    """The puzzle that an author's object is, by the rules as they are written."""
    moves = tuple(author.numbers.values())
    return PlainFields(author, author.layout, author.labels, moves, costs=costs)


def plain_rules(puzzle: Any) -> PlainFields:
    """The rules of a puzzle as they are written, made once for each author's object."""
    known = vars(puzzle).get("searchkit_plain")
    if known is None or known.author is not puzzle.author:
        known = plain_form(puzzle.author, puzzle.costs)
        object.__setattr__(puzzle, "searchkit_plain", known)
    return known  # type: ignore[no-any-return]


def returned_nothing(kind: type, rule: str) -> ProblemError:
    """The error for a rule that gives no answer."""
    return ProblemError(
        f"{kind.__name__}: {rule}{place_of(getattr(kind, rule))}: returned nothing; return a value "
        "on every way through it"
    )


def place_of(function: Any) -> str:
    """The file and line of a function, behind its name in messages; nothing where it has none."""
    code = getattr(function, "__code__", None)
    return "" if code is None else f", {code.co_filename}:{code.co_firstlineno}"


def range_error(owner: Any, found: tuple[Any, ...]) -> ProblemError:
    """The error for a number that a rule makes: its value, bounds, line, and the state of the rule.

    The rules as they are written say which field it is, and which move. They say nothing of an
    index below 0, nor of a state that is met within a step only. `owner` has the kernels.
    """
    value, low, below, line, state = found
    author, raised = owner.author, None
    rules = plain_form(author)
    try:
        rules.check(state)
    except ProblemError as error:
        return error
    except IndexError as error:
        raised = error if value == FILLER else None
    except Exception:  # what machine code does not raise
        pass
    file = _file_of(type(author))
    text = linecache.getline(file, line).strip()
    label, is_found = _move_beyond(owner, state)
    within = "" if is_found else "within a step, "
    move = "" if label is None else f" by the move {rules.format_action(label)}"
    wrong = f"a number becomes {value} in `{text:.80}`; it must be from {low} to {below - 1}"
    if raised is not None:
        wrong = f"{raised} in `{text:.80}`"
    return ProblemError(
        f"{type(author).__name__}: {file}:{line}: {wrong} ({within}in the state "
        f"{rules.format_state(state):.200}{move})"
    )


def _file_of(kind: type) -> str:
    """The file of a class; what a notebook or prompt calls it where there is no file."""
    try:
        return inspect.getsourcefile(kind) or ""
    except TypeError:
        own = [each for each in vars(kind).values() if isinstance(each, types.FunctionType)]
        return own[0].__code__.co_filename if own else ""


class _BeyondError(Exception):
    """A number is out of its range."""


def _beyond(*_: Any) -> NoReturn:
    raise _BeyondError


def _move_beyond(owner: Any, state: Any) -> tuple[Any, bool]:
    """The move by which a number leaves its range, if it is a move's, and whether it does so."""
    quick = copy.copy(owner)
    object.__setattr__(quick, "out_of_range", _beyond)
    label = None
    try:
        if not hasattr(owner, "labels"):
            quick.estimate(state)
            return None, False
        quick.at_goal(state)
        control = quick.control(state)
        for operator in quick.operators(control):
            label = owner.labels[operator]
            if quick.legal(state, control, operator):
                quick.apply(state, control, operator)
                quick.cost(state, control, operator)
    except _BeyondError:
        return label, True
    except Exception:  # what machine code does not raise
        pass
    return None, False


def check_kernels(
    puzzle: Any, state: Any, steps: Sequence[Step[Any, Any]], heuristic: Any = None
) -> None:
    """Compare all kernels at a state, the steps out of which are known. O(moves).

    Raises `CompilationError` for the first that says something else than its rule, whose line it
    names. Of `expand`, machine code alone is made: `searchkit.translation.watch` compares it.
    """
    rules = plain_rules(puzzle)
    said, expected = _said(lambda: bool(puzzle.at_goal(state))), rules.is_goal(state)
    if said != expected:
        raise _differing(puzzle, "at_goal", state, said, expected)
    if steps and not has_expand(puzzle):
        _check_steps(puzzle, state, steps)
    if heuristic is not None and type(getattr(heuristic, "author", 0)) is type(puzzle.author):
        said, estimate = _said(lambda: heuristic.estimate(state)), heuristic(state)
        if said != (DEAD_END if estimate == INFINITY else estimate):
            raise _differing(puzzle, "estimate", state, said, estimate)


def _check_steps(puzzle: Any, state: Any, steps: Sequence[Step[Any, Any]]) -> None:
    """Compare the legal moves, in their order, what each leads to, and what it costs."""
    found = _said(lambda: list(packed_steps(puzzle, state)))
    if isinstance(found, str):
        raise _differing(puzzle, "apply", state, found, f"{len(steps)} steps")
    labels = [puzzle.action(state, step.operator) for step in found]
    expected = [step.action for step in steps]
    if labels != expected:
        rule = "legal" if set(labels) != set(expected) else "apply"
        shown = [", ".join(map(puzzle.format_action, each)) for each in (labels, expected)]
        raise _differing(puzzle, rule, state, f"the moves {shown[0]}", f"the moves {shown[1]}")
    for kernel, step in zip(found, steps, strict=True):
        move = f" by the move {puzzle.format_action(step.action)}"
        if kernel.child != step.state:
            made, written = map(puzzle.format_state, (kernel.child, step.state))
            raise _differing(puzzle, "apply", state, made, written, move)
        cost = puzzle.cost(state, kernel.control, kernel.operator)
        if cost != step.cost:
            raise _differing(puzzle, "cost", state, cost, step.cost, move)


def _said(ask: Any) -> Any:
    """What a kernel says, or a text of the error that it raises, unless that is of a range."""
    try:
        return ask()
    except ProblemError:
        raise
    except Exception as error:
        return f"the error {type(error).__name__}: {error}"


def _differing(
    puzzle: Any, rule: str, state: Any, found: Any, expected: Any, move: str = ""
) -> CompilationError:
    kind = type(puzzle.author)
    place = place_of(getattr(kind, rule))
    error = CompilationError(
        f"{kind.__name__}.{rule}{place}: the kernel made of it gives {found!s:.200} in the state "
        f"{puzzle.format_state(state):.200}{move}, and the rule as it is written "
        f"{expected!s:.200}; searchkit is at fault, not the rule: engine='reference' runs it as it "
        "is written"
    )
    error.rule = rule  # type: ignore[attr-defined]
    return error
