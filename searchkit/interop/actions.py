"""The actions of a problem as numbers from 0, the same in all states."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import attrs

from searchkit.errors import UsageError
from searchkit.packed import PackedProblem, has_expand
from searchkit.problem import Problem, Step

MOST_STATES = 10_000
"""How many states are looked at to find the actions of a problem that does not number them."""


@attrs.frozen
class NumberedActions:
    """Numbers the steps out of each state: by their labels, or by the operators that make them."""

    problem: Any
    labels: tuple[Any, ...]
    """What each number stands for."""
    are_operators: bool = False
    _numbers: dict[Any, int] = attrs.field(init=False)

    @_numbers.default
    def _by_label(self) -> dict[Any, int]:
        return {label: number for number, label in enumerate(self.labels)}

    def steps(self, state: Any) -> dict[int, Step[Any, Any]]:
        """The steps out of `state` by their numbers; `UsageError` if one has none. O(steps)."""
        found: dict[int, Step[Any, Any]] = {}
        for label, step in self._labelled(state):
            if label not in self._numbers:
                raise UsageError(
                    f"action {self.problem.format_action(label)} of state "
                    f"{self.problem.format_state(state)} is none of the {len(self.labels)} actions"
                )
            found[self._numbers[label]] = Step(*step)
        return found

    def _labelled(self, state: Any) -> Iterable[tuple[Any, Any]]:
        problem, steps = self.problem, self.problem.successors(state)
        if not self.are_operators:
            return ((step[0], step) for step in steps)
        control = problem.control(state)
        listed = problem.operators(control)
        return zip(
            (each for each in listed if problem.legal(state, control, each)), steps, strict=True
        )


def numbered(problem: Problem[Any, Any], actions: Sequence[Any] | None) -> NumberedActions:
    """The given `actions`, or the operators of a packed problem, or all actions of a small one."""
    if actions is None and isinstance(problem, PackedProblem) and not has_expand(problem):
        controls = range(problem.controls)
        listed = {each for control in controls for each in problem.operators(control)}
        return NumberedActions(problem, tuple(sorted(listed)), are_operators=True)
    labels = tuple(all_actions(problem) if actions is None else actions)
    if not labels or len(set(labels)) < len(labels):
        raise UsageError("actions must be one or more, each of them another")
    return NumberedActions(problem, labels)


def all_actions(problem: Problem[Any, Any]) -> list[Any]:
    """All actions of a small problem, in the order in which breadth-first search meets them."""
    starts = list(problem.initial_states())
    seen = {problem.key(state) for state in starts}
    labels: dict[Any, None] = {}
    for state in starts:  # it grows while it is read
        for action, child, _ in problem.successors(state):
            labels[action] = None
            key = problem.key(child)
            if key not in seen:
                seen.add(key)
                starts.append(child)
        if len(seen) > MOST_STATES:
            raise UsageError(
                f"more than {MOST_STATES:,} states can be reached, too many to find all actions; "
                "give them, as actions=[...]"
            )
    return list(labels)
