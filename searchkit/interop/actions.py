"""The actions of a problem as numbers from 0, the same in all states."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Protocol

from searchkit.errors import UsageError
from searchkit.packed import PackedProblem
from searchkit.problem import Problem, Step

MOST_STATES = 10_000
"""How many states are looked at to find the actions of a problem that does not number them."""


class Numbered(Protocol):
    """Numbers the steps out of each state."""

    labels: tuple[Any, ...]
    """What each number stands for."""

    def steps(self, state: Any) -> dict[int, Step[Any, Any]]:
        """The steps out of `state`, by their numbers."""


def numbered(problem: Problem[Any, Any], actions: Sequence[Any] | None) -> Numbered:
    """The given `actions`, or the operators of a packed problem, or all actions of a small one."""
    if actions is not None:
        return Labels(problem, actions)
    if isinstance(problem, PackedProblem):
        return Operators(problem)
    return Labels(problem, all_actions(problem))


class Operators:
    """The operators of a packed problem, in the order of their numbers."""

    def __init__(self, problem: PackedProblem[Any]) -> None:
        self.problem = problem
        controls = range(problem.controls)
        listed = {each for control in controls for each in problem.operators(control)}
        self.labels = tuple(sorted(listed))
        self._numbers = {operator: number for number, operator in enumerate(self.labels)}

    def steps(self, state: Any) -> dict[int, Step[Any, Any]]:
        """The legal operators. O(operators of the control state)."""
        problem = self.problem
        control = problem.control(state)
        listed = problem.operators(control)
        legal = [each for each in listed if problem.legal(state, control, each)]
        return {
            self._numbers[operator]: Step(*step)
            for operator, step in zip(legal, problem.successors(state), strict=True)
        }


class Labels:
    """The labels of actions, in the order in which they are given."""

    def __init__(self, problem: Problem[Any, Any], labels: Sequence[Any]) -> None:
        self.problem = problem
        self.labels = tuple(labels)
        self._numbers = {label: number for number, label in enumerate(self.labels)}
        if not self.labels or len(self._numbers) < len(self.labels):
            raise UsageError("actions must be one or more, each of them another")

    def steps(self, state: Any) -> dict[int, Step[Any, Any]]:
        """The steps out of `state`; `UsageError` if the label of one is not listed."""
        found: dict[int, Step[Any, Any]] = {}
        for step in self.problem.successors(state):
            number = self._numbers.get(step[0])
            if number is None:
                raise UsageError(
                    f"action {self.problem.format_action(step[0])} of state "
                    f"{self.problem.format_state(state)} is none of the {len(self.labels)} actions"
                )
            found[number] = Step(*step)
        return found


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
