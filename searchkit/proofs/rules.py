"""The rules of a problem as a proof has them: its states are their texts."""

from __future__ import annotations

import ast
import dataclasses
import enum
import math
from collections import deque
from collections.abc import Callable, Collection, Hashable, Iterator
from functools import lru_cache
from typing import Any

import attrs

from searchkit.authors.user_code import short
from searchkit.capabilities import HasGoalStates, HasParse, HasSlowRules
from searchkit.errors import UnsuitableError
from searchkit.heuristic import Heuristic
from searchkit.packed import ZeroHeuristic
from searchkit.problem import INFINITY, Problem, name_of
from searchkit.proofs.beliefs import is_zero
from searchkit.running.task import legal_cost
from searchkit.verify import rules_of

NEVER = 1 << 62
"""What no way costs: the estimate of a dead end."""
MOST_LETTERS = 1 << 21
"""The longest text of a state: in UTF-8 it is a line that the checker reads, with any number."""
MOST_KNOWN = 1 << 18
"""How many texts that were read back are remembered."""


@attrs.define(eq=False, repr=False, slots=False)
class ProofRules:
    """What the checker asks, answered by the slow rules of `problem` where it has them.

    States are written by `format_state` where `parse` reads that back, or where there are slow
    rules, which speak the same notation; else by their plain values. Where there is no `parse`,
    only those states can be read that the rules lead to: those of the texts `listed` are followed,
    from the starts and from the goals on.
    """

    problem: Problem[Any, Any]
    heuristic: Heuristic[Any, Any] = attrs.field(factory=ZeroHeuristic)
    listed: Collection[str] = ()
    rules: Problem[Any, Any] = attrs.field(init=False)
    reads: bool = attrs.field(default=False, init=False)
    """Whether texts are read by `parse`."""
    merges: bool = attrs.field(default=False, init=False)
    """Whether states that differ were met under one text, since their keys are equal."""
    is_formatted: bool = attrs.field(default=False, init=False)
    h: Callable[[str], int] = attrs.field(init=False)
    """The estimate of a text, rounded up, since costs are whole numbers."""
    _read: Callable[[str], Any] = attrs.field(init=False)
    _known: dict[str, Any] = attrs.field(factory=dict, init=False)
    _steps: dict[str, list[tuple[str, str, int]]] = attrs.field(factory=dict, init=False)
    _waiting: deque[str] = attrs.field(factory=deque, init=False)
    _forms: dict[Hashable, str] = attrs.field(factory=dict, init=False)

    def __attrs_post_init__(self) -> None:
        self._read, self.h = map(lru_cache(MOST_KNOWN), (self._read_anew, self._estimated))
        problem = self.problem
        self.rules = rules = rules_of(problem)
        self.is_formatted = isinstance(problem, HasSlowRules)
        if isinstance(rules, HasParse) and isinstance(problem, HasParse):
            self.reads = self.is_formatted = True
            self.reads = all(map(self._is_read, rules.initial_states()))
            self.is_formatted = self.reads or isinstance(problem, HasSlowRules)
        with_h = not is_zero(self.heuristic)
        if with_h and rules is not problem and not self.reads:
            raise UnsuitableError(
                f"{name_of(problem)} has slow rules and no parse, so that a heuristic cannot be "
                "checked by these; give zero as the heuristic of the proof"
            )
        if not self.reads:
            goals = rules.goal_states() if isinstance(rules, HasGoalStates) else ()
            for state in (*rules.initial_states(), *goals):
                self._note(self._checked(rules, state), state)

    @property
    def may_merge(self) -> bool:
        """Whether a key is something else than its state, and perhaps the key of others as well."""
        key, starts = self.problem.key, self.problem.initial_states()
        return not all(_are_equal(key(start), start) for start in starts)

    def written(self, state: Any) -> str:
        """The text of a state of the problem; `UnsuitableError` if it can have none in a proof."""
        return self._checked(self.problem, state)

    def _checked(self, rules: Problem[Any, Any], state: Any) -> str:
        try:
            text = self._text(rules, state)
        except TypeError as error:
            raise UnsuitableError(
                f"{name_of(self.problem)}: no proof can have its states: {short(state)} is not "
                "made of whole numbers, texts, tuples and frozensets alone, and has no parse"
            ) from error
        if len(text) > MOST_LETTERS:
            raise UnsuitableError(
                f"{name_of(self.problem)}: no proof can have its states: the text {short(text)} "
                f"is longer than {MOST_LETTERS:,} letters"
            )
        if not text.isprintable() and min(text) < " ":
            raise UnsuitableError(
                f"{name_of(self.problem)}: no proof can have its states: the text {short(text)} "
                "is of several lines, or has tabs"
            )
        return text

    def misread(self, text: str, state: Any) -> str | None:
        """What is wrong with the text of a state of the problem, or of those to which it leads."""
        problem: Any = self.problem
        if self.reads and not self._is_same(problem, state, problem.parse(text)):
            return f"parse does not read {short(text)} as the state that format_state wrote"
        if self.is_formatted:
            return None
        after = () if problem.is_goal(state) else problem.successors(state)
        for each in (state, *(child for _, child, _ in map(tuple, after))):
            plain = _plain(problem.key(each))
            text = self._checked(problem, each)
            other = self._forms.setdefault(plain, text)
            if other != text:
                return f"equal states are written {short(other)} and {short(text)}: use one type"
        return None

    def _text(self, rules: Problem[Any, Any], state: Any) -> str:
        return rules.format_state(state) if self.is_formatted else text_of(_plain(rules.key(state)))

    def _is_read(self, state: Any) -> bool:
        try:
            return self._is_same(self.rules, state, self.rules.parse(self._text(self.rules, state)))  # type: ignore[attr-defined]
        except Exception:  # whatever parse makes of it, it does not read it
            return False

    @staticmethod
    def _is_same(rules: Problem[Any, Any], one: Any, other: Any) -> bool:
        key: Hashable = rules.key(one)
        return bool(key == rules.key(other))

    def _note(self, text: str, state: Any) -> None:
        """Remember what a text stands for: that no other state has it is what a proof rests on."""
        if self.reads:
            known = self._read(text)
        else:
            if text not in self._known:
                self._waiting.append(text)
            known = self._known.setdefault(text, state)
        if not self._is_same(self.rules, known, state):
            raise ValueError(f"two states are written {short(text)}")
        self.merges = self.merges or not _are_equal(known, state)

    def _read_anew(self, text: str) -> Any:
        state = self.rules.parse(text)  # type: ignore[attr-defined]
        if self._text(self.rules, state) != text:
            raise ValueError(f"no state is written {short(text)}")
        return state

    def _state(self, text: str) -> Any:
        if self.reads:
            return self._read(text)
        while text not in self._known and self._waiting:
            following = self._waiting.popleft()
            if following in self.listed:
                self.successors(following)
        if text not in self._known:
            raise ValueError("no way leads to this state")
        return self._known[text]

    # What the checker asks.

    def starts(self) -> Iterator[str]:
        """Those of the rules, each once."""
        seen: set[str] = set()
        for state in self.rules.initial_states():
            text = self._text(self.rules, state)
            self._note(text, state)
            if text not in seen:
                seen.add(text)
                yield text

    def successors(self, text: str) -> list[tuple[str, str, int]]:
        """The steps of the rules; those that have been walked are remembered."""
        if text in self._steps:
            return self._steps[text]
        rules, found = self.rules, []
        for action, state, cost in map(tuple, rules.successors(self._state(text))):
            after = self._text(rules, state)
            self._note(after, state)
            found.append((rules.format_action(action), after, legal_cost(rules, action, cost)))
        if not self.reads and len(self._steps) < MOST_KNOWN:
            self._steps[text] = found
        return found

    def goal(self, text: str) -> bool:
        """The test of the rules."""
        return bool(self.rules.is_goal(self._state(text)))

    def _estimated(self, text: str) -> int:
        is_read = self.reads and self.rules is not self.problem
        state = self.problem.parse(text) if is_read else self._state(text)  # type: ignore[attr-defined]
        value = self.heuristic(state)
        return NEVER if value == INFINITY else math.ceil(value)


def text_of(state: Any) -> str:
    """The canonical text of a plain value: no other has the same."""
    kind = type(state)
    if kind in (int, bool, str, type(None)) or (kind is float and state - state == 0):
        return repr(state)
    if kind is frozenset:
        return "{" + ", ".join(sorted(map(text_of, state))) + "}"
    if kind is tuple:
        return "(" + ", ".join(map(text_of, state)) + ",)"[len(state) != 1 :]
    raise TypeError(f"a {kind.__name__} is not plain")


def state_of(text: str | ast.expr) -> Any:
    """The plain value with this canonical text."""
    node = ast.parse(text, mode="eval").body if isinstance(text, str) else text
    if isinstance(node, ast.Tuple | ast.Set):
        return (tuple if isinstance(node, ast.Tuple) else frozenset)(map(state_of, node.elts))
    value = ast.literal_eval(node)
    return frozenset() if value == {} else value


def _are_equal(one: Any, other: Any) -> bool:
    try:
        return bool(one == other)
    except Exception:  # arrays, for instance, do not answer with a truth value
        return False


def _plain(value: Any) -> Any:
    """A value of tuples and frozensets, for one of classes with fields."""
    kind = type(value)
    if isinstance(value, tuple):
        return tuple(map(_plain, value))
    if kind is frozenset:
        return frozenset(map(_plain, value))
    if isinstance(value, enum.Enum):
        return value.name
    if dataclasses.is_dataclass(value):
        return tuple(_plain(getattr(value, each.name)) for each in dataclasses.fields(value))
    if attrs.has(kind):
        return tuple(_plain(getattr(value, each.name)) for each in attrs.fields(kind))
    return value
