"""What a packed problem must say of its states and controls, asked where a search begins.

The reference engine would run many problems that break these rules; compiled engines would look
up what is not there. So that both answer alike, both ask.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Protocol

from searchkit.bits import WORD_BITS
from searchkit.errors import ProblemError

MOST_WORD = (1 << WORD_BITS) - 1
STEPPED_FROM = 16
"""How many starts have their steps looked at."""

MOST_OPERATOR = (1 << 62) - 1
"""Operators are from minus this to this: what stands behind the end of a list is beyond it."""


class _Packed(Protocol):
    """What is asked of a `PackedProblem`, which itself asks here."""

    @property
    def words(self) -> int: ...
    @property
    def controls(self) -> int: ...
    def control(self, state: Any) -> int: ...
    def operators(self, control: int) -> Sequence[int]: ...
    def next_control(self, control: int, operator: int) -> int | None: ...
    def legal(self, state: Any, control: int, operator: int) -> bool: ...
    def apply(self, state: Any, control: int, operator: int) -> Any: ...
    def is_goal(self, state: Any) -> bool: ...


def check_starts(problem: _Packed, starts: Sequence[Any]) -> None:
    """Ask what must hold of `starts`, and of the steps out of the first few. O(starts)."""
    for number, start in enumerate(starts):
        check_state(problem, start)
        control = control_of(problem, start)
        if number < STEPPED_FROM and not problem.is_goal(start):
            _check_steps(problem, start, control)


def _check_steps(problem: _Packed, start: Any, control: int) -> None:
    for operator in operators_of(problem, control):
        after = following(problem, control, operator)
        if not problem.legal(start, control, operator):
            continue
        child = problem.apply(start, control, operator)
        check_state(problem, child)
        if after is not None and after != control_of(problem, child):
            raise wrong_following(problem, control, operator, after, child)


def check_state(problem: _Packed, state: Any) -> None:
    """Raise `ProblemError` unless `state` is an int of 64 bits, or a tuple of `words` of them."""
    if state.__class__ is tuple and len(state) == problem.words > 1:
        for word in state:
            if word.__class__ is not int or word >> WORD_BITS:
                break
        else:
            return
    words = (state,) if problem.words == 1 else state
    name = type(problem).__name__
    if not isinstance(words, tuple) or len(words) != problem.words:
        raise ProblemError(
            f"{name}: state {state!r:.80} does not have {problem.words} words; it must be a tuple "
            f"of {problem.words} ints, as words says"
        )
    if not all(isinstance(word, int) and 0 <= word <= MOST_WORD for word in words):
        advice = ""
        if any(hasattr(word, "dtype") for word in words):
            advice = "; write int(...) around items of numpy arrays"
        raise ProblemError(
            f"{name}: state {state!r:.80}: words are ints from 0 to 2**64 - 1, and words is "
            f"{problem.words}{advice}"
        )


def control_of(problem: _Packed, state: Any) -> int:
    """The control state of `state`, which must be one of `controls`."""
    return whole_control(problem, problem.control(state), state)


def whole_control(problem: _Packed, control: Any, state: Any) -> int:
    """What `control` gave for `state` as an int, which must be one of `controls`."""
    if control.__class__ is int and 0 <= control < problem.controls:
        return int(control)
    whole = control.__index__() if hasattr(control, "__index__") else -1
    if not 0 <= whole < problem.controls:
        raise wrong_control(problem, control, state)
    return int(whole)


def operators_of(problem: _Packed, control: int) -> Sequence[int]:
    """The operators listed for `control`, which must be integers that machine words hold."""
    listed: Any = problem.operators(control)
    if listed.__class__ is range and (
        not listed or max(abs(listed[0]), abs(listed[-1])) <= MOST_OPERATOR
    ):
        return listed
    if listed.__class__ is not tuple and not isinstance(listed, Iterable):
        name = f"{type(problem).__name__}: operators({control})"
        raise ProblemError(f"{name} is {listed!r:.40}; it must list numbers")
    return [
        operator
        if operator.__class__ is int and -MOST_OPERATOR <= operator <= MOST_OPERATOR
        else operator_of(problem, control, operator)
        for operator in listed
    ]


def operator_of(problem: _Packed, control: int, operator: Any) -> int:
    """An operator that is listed for `control`, as an int: numpy's numbers wrap elsewhere."""
    whole = operator.__index__() if hasattr(operator, "__index__") else MOST_OPERATOR + 1
    if abs(whole) > MOST_OPERATOR:
        raise ProblemError(
            f"{type(problem).__name__}: operators({control}) lists {operator!r:.40}; operators are "
            "integers of less than 63 bits: let action(state, operator) give them names"
        )
    return int(whole)


def following(problem: _Packed, control: int, operator: int) -> int | None:
    """What `next_control` says: one of `controls`, or None."""
    after: Any = problem.next_control(control, operator)
    if after is None:
        return None
    whole = after.__index__() if hasattr(after, "__index__") else -1
    if not 0 <= whole < problem.controls:
        raise ProblemError(
            f"{type(problem).__name__}: next_control({control}, {operator}) is {after!r:.40}; "
            f"it must be from 0 to {problem.controls - 1}, or None"
        )
    return int(whole)


def wrong_control(problem: _Packed, control: Any, state: Any) -> ProblemError:
    """The error for a state whose control state does not exist."""
    return ProblemError(
        f"{type(problem).__name__}: control({state!r:.80}) is {control!r:.40}; it must be from 0 "
        f"to {problem.controls - 1}, as controls = {problem.controls} says"
    )


def wrong_following(
    problem: _Packed, control: int, operator: int, after: int, child: Any
) -> ProblemError:
    """The error where `next_control` and `control` disagree after a step to `child`."""
    return ProblemError(
        f"{type(problem).__name__}: next_control({control}, {operator}) is {after}, but "
        f"control({child!r:.80}), of a state that it leads to, is {problem.control(child)!r:.40}"
    )


def of_control(problem: _Packed, error: IndexError) -> ProblemError | None:
    """What `error`, of the kernel file `control`, is about; None if it is another."""
    if len(error.args) != 3:
        return None
    _, control, words = error.args
    state = words & MOST_WORD if problem.words == 1 else tuple(word & MOST_WORD for word in words)
    given = problem.control(state)
    if not 0 <= given < problem.controls:
        return wrong_control(problem, given, state)
    return ProblemError(
        f"{type(problem).__name__}: next_control says {control} of a step to a state whose "
        f"control({state!r:.80}) is {given}"
    )
