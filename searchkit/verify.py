"""Replays solutions by the rules of the problem; shares no code with any engine."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from searchkit.capabilities import HasParse, HasSlowRules
from searchkit.errors import VerificationError
from searchkit.problem import Problem, Step
from searchkit.result import Solution


def verify_solution(problem: Problem[Any, Any], solution: Solution[Any, Any]) -> None:
    """Check that `solution` starts at a start, follows legal steps, and ends at its one goal.

    Raises `VerificationError` naming the first step that is wrong. O(length x branching).
    """
    key = problem.key
    if key(solution.start) not in {key(start) for start in problem.initial_states()}:
        raise VerificationError(
            f"the solution starts at {problem.format_state(solution.start)}, no initial state"
        )
    state = solution.start
    for number, step in enumerate(solution.steps, start=1):
        if problem.is_goal(state):
            raise VerificationError(f"the goal is reached before step {number}")
        legal = {(each[0], key(each[1]), each[2]) for each in map(tuple, problem.successors(state))}
        if (step.action, key(step.state), step.cost) not in legal:
            raise VerificationError(
                f"step {number}, {problem.format_action(step.action)}, is not legal "
                f"from {problem.format_state(state)}"
            )
        state = step.state
    if not problem.is_goal(state):
        raise VerificationError(
            f"the solution ends at {problem.format_state(state)}, which is no goal"
        )


def replay_texts(
    problem: Problem[Any, Any],
    start: str,
    actions: Sequence[str],
    states: Sequence[str] | None = None,
) -> Solution[Any, Any]:
    """Replay a solution given as texts, by the problem's slow rules where it has them.

    `states`, if given, are the texts of the states from start to goal, and are checked too.
    Returns the solution in terms of those rules. Raises `VerificationError` naming the first
    step that is wrong. O(length x branching).
    """
    rules = problem.slow_rules() if isinstance(problem, HasSlowRules) else problem
    state = _start(rules, start)
    first = state
    if states is not None:
        if len(states) != len(actions) + 1:
            raise VerificationError(
                f"{len(actions)} actions need {len(actions) + 1} states, not {len(states)}"
            )
        _same(rules, state, states[0], "the start")
    steps: list[Step[Any, Any]] = []
    for number, text in enumerate(actions, start=1):
        if rules.is_goal(state):
            raise VerificationError(f"the goal is reached before step {number}")
        step = _find(rules, state, text, number)
        steps.append(step)
        state = step.state
        if states is not None:
            _same(rules, state, states[number], f"the state after step {number}")
    if not rules.is_goal(state):
        raise VerificationError(
            f"the solution ends at {rules.format_state(state)}, which is no goal"
        )
    return Solution(first, tuple(steps))


def _start(rules: Problem[Any, Any], text: str) -> Any:
    if isinstance(rules, HasParse):
        return rules.parse(text)
    for start in rules.initial_states():
        if rules.format_state(start) == text:
            return start
    raise VerificationError(f"no initial state reads {text!r}")


def _find(rules: Problem[Any, Any], state: Any, text: str, number: int) -> Step[Any, Any]:
    for step in rules.successors(state):
        if rules.format_action(step[0]) == text:
            return Step(*step)
    raise VerificationError(f"step {number}, {text}, is not legal from {rules.format_state(state)}")


def _same(rules: Problem[Any, Any], state: Any, text: str, what: str) -> None:
    if rules.format_state(state) != text:
        raise VerificationError(f"{what} reads {text!r} but is {rules.format_state(state)!r}")
