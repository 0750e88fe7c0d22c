"""Replays solutions by the rules of the problem, and checks certificates that there is none.

Shares no code with any engine.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from operator import index
from typing import Any, TypeVar

import attrs

from searchkit.algorithms import ALGORITHMS, IDDFS
from searchkit.algorithms.validators import expect
from searchkit.capabilities import HasCertificateChecks, HasGoalStates, HasParse, HasSlowRules
from searchkit.certificates import (
    CLOSED_SET,
    START_BY_START,
    Certificate,
    entries,
    read_certificate,
)
from searchkit.errors import VerificationError
from searchkit.premises.toggle_proofs import TOGGLES, objection
from searchkit.problem import Problem, Step
from searchkit.result import Solution

S = TypeVar("S")
A = TypeVar("A")


def verify_solution(problem: Problem[S, A], solution: Solution[S, A]) -> None:
    """Check that `solution` starts at a start, follows legal steps, and ends at its one goal.

    Raises `VerificationError` naming the first step that is wrong. O(length x branching).
    """
    expect(problem, Problem, "problem", "a Problem")
    expect(solution, Solution, "solution", "a Solution, like result.solution")
    key = problem.key
    if key(solution.start) not in {key(start) for start in problem.initial_states()}:
        raise VerificationError(
            f"the solution starts at {problem.format_state(solution.start)}, no initial state"
        )
    state = solution.start
    for number, step in enumerate(solution.steps, start=1):
        if problem.is_goal(state):
            raise VerificationError(f"the goal is reached before step {number}")
        steps: Iterable[Any] = map(tuple, problem.successors(state))
        legal = {(each[0], key(each[1]), each[2]) for each in steps}
        if (step.action, key(step.state), step.cost) not in legal:
            raise VerificationError(
                f"step {number}, {problem.format_action(step.action)}, is not legal "
                f"from {problem.format_state(state)}"
            )
        state = step.state
    if not problem.is_goal(state):
        raise VerificationError(
            f"the solution ends at {problem.format_state(state)}, which is not a goal"
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
    rules = rules_of(problem)
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
        wanted = None if states is None else states[number]
        step = _find(rules, state, text, number, wanted)
        steps.append(step)
        state = step.state
        if wanted is not None:
            _same(rules, state, wanted, f"the state after step {number}")
    if not rules.is_goal(state):
        raise VerificationError(
            f"the solution ends at {rules.format_state(state)}, which is not a goal"
        )
    return Solution(first, tuple(steps))


def rules_of(problem: Problem[Any, Any]) -> Problem[Any, Any]:
    """The slow rules of `problem`, or itself if it has none."""
    return problem.slow_rules() if isinstance(problem, HasSlowRules) else problem


def _start(rules: Problem[Any, Any], text: str) -> Any:
    if isinstance(rules, HasParse):
        return rules.parse(text)
    for start in rules.initial_states():
        if rules.format_state(start) == text:
            return start
    raise VerificationError(f"no initial state reads {text!r}")


def _find(
    rules: Problem[Any, Any], state: Any, text: str, number: int, wanted: str | None
) -> Step[Any, Any]:
    """The step of this text; where several have it, that to the state that reads `wanted`."""
    found = _steps_of(rules, state, text)
    if wanted is not None and len(found) > 1:
        found = [step for step in found if rules.format_state(step[1]) == wanted] or found[:1]
    elif len({rules.key(step[1]) for step in found}) > 1:
        raise VerificationError(
            f"step {number}, {text}, is that of several steps from {rules.format_state(state)}; "
            "give the states, too"
        )
    if not found:
        raise VerificationError(
            f"step {number}, {text}, is not legal from {rules.format_state(state)}"
        )
    action, after, cost = found[0]
    return Step(action, after, index(cost))


def _steps_of(rules: Problem[Any, Any], state: Any, text: str) -> list[Step[Any, Any]]:
    return [step for step in rules.successors(state) if rules.format_action(step[0]) == text]


def ambiguous_step(problem: Problem[Any, Any], solution: Solution[Any, Any]) -> int | None:
    """Finds the first step whose text is also that of a step to another state.

    Returns its number, from 1, or None if the texts of the actions tell the solution.
    O(length x branching).
    """
    for number, (state, step) in enumerate(zip(solution.states, solution.steps, strict=False), 1):
        alike = _steps_of(problem, state, problem.format_action(step.action))
        if any(problem.key(each[1]) != problem.key(step.state) for each in alike):
            return number
    return None


def _same(rules: Problem[Any, Any], state: Any, text: str, what: str) -> None:
    if rules.format_state(state) != text:
        raise VerificationError(f"{what} reads {text!r} but is {rules.format_state(state)!r}")


MOST_EXPANSIONS = 1_000_000
"""The most states that are expanded to check a closed set."""

TELL_EVERY = 1000

SYMMETRIES = ("none", "auto")
"""What a search may say of symmetry: that it expanded all states, or one of each class."""

EXACT = ("bfs", "ucs")
"""The algorithms that expand every state that can be reached just once."""


@attrs.frozen
class Recheck:
    """How a certificate was checked: with how many states expanded again, and whether to the end.

    If `finished` is false, there were too many states: then nothing is proved, or disproved.
    """

    expanded: int = 0
    finished: bool = True


def verify_certificate(
    problem: Problem[Any, Any],
    certificate: Certificate,
    *,
    max_expansions: int = MOST_EXPANSIONS,
    exact: bool = True,
    listener: Callable[[int], None] | None = None,
) -> Recheck:
    """Check that `certificate` proves that no start of `problem` leads to a goal.

    The slow rules of the problem check it where it has them, else the problem itself, by its
    `check_certificate`; by the toggles that it declares, if it is a proof by those. A closed set is
    explored again, by at most `max_expansions` expansions; `listener` is called with the number
    done. `exact` says that it is of the whole problem, so that an
    algorithm that expands each state once must have expanded just as many.

    Raises `VerificationError` with one line that says why it proves nothing.
    """
    if certificate.kind == TOGGLES:
        wrong = objection(problem, certificate)
        if wrong is not None:
            raise VerificationError(wrong)
        return Recheck()
    rules = rules_of(problem)
    starts = {rules.format_state(start): start for start in rules.initial_states()}
    checks = _Checks(rules, max_expansions, exact, listener or (lambda expanded: None))
    if certificate.kind != START_BY_START:
        return checks.check(starts.values(), certificate)
    (parts,) = entries(certificate.data, {"parts": list[dict[str, Any]]})
    expanded = 0
    for part in parts:
        fields = {**part}
        text = fields.pop("start", None)
        if not isinstance(text, str) or text not in starts:
            raise VerificationError(
                f"it excludes {text!r}, which is not a start or is excluded twice"
            )
        done = checks.check([starts.pop(text)], read_certificate(fields))
        expanded += done.expanded
        if not done.finished:
            return Recheck(expanded, finished=False)
    if starts:
        raise VerificationError(f"it does not exclude the start {next(iter(starts))!r}")
    return Recheck(expanded)


@attrs.frozen
class _Checks:
    """How certificates are checked by `rules`."""

    rules: Problem[Any, Any]
    max_expansions: int
    exact: bool
    listener: Callable[[int], None]

    def check(self, starts: Iterable[Any], certificate: Certificate) -> Recheck:
        """Check a certificate that holds for each of `starts`."""
        if certificate.kind == CLOSED_SET:
            return self._closed_set(starts, certificate.data)
        rules = self.rules
        if not isinstance(rules, HasCertificateChecks):
            name = type(rules).__name__
            raise VerificationError(f"nothing can check it, for {name} has no check_certificate")
        for start in starts:
            objection = rules.check_certificate(start, certificate)
            if objection is not None:
                raise VerificationError(objection)
        return Recheck()

    def _closed_set(self, starts: Iterable[Any], data: Mapping[str, Any]) -> Recheck:
        """Explore again, from the starts until a goal is met, or from the goals until a start is.

        Where it has been said how many states there are, there must be as many.
        """
        names = {"from": str, "expanded": int, "algorithm": str, "symmetry": str}
        origin, expanded, algorithm, symmetry = entries(data, names)
        if symmetry not in SYMMETRIES and algorithm in ALGORITHMS:
            raise VerificationError(
                f"entry 'symmetry' of its data must be one of {', '.join(SYMMETRIES)}"
            )
        counted = algorithm in EXACT and symmetry == "none" and (self.exact or origin == "goal")
        if counted and expanded > self.max_expansions:
            return Recheck(finished=False)
        rules = self.rules
        if origin == "start":
            done = self._explore(starts, rules.is_goal)
        elif origin == "goal" and rules.undirected and isinstance(rules, HasGoalStates):
            keys = {rules.key(start) for start in starts}
            done = self._explore(rules.goal_states(), lambda state: rules.key(state) in keys)
        else:
            raise VerificationError(f"its states cannot be explored from {origin!r}")
        there = done.expanded
        too_many = algorithm in EXACT and expanded > there
        too_few = (counted or (algorithm == IDDFS.name and self.exact)) and expanded < there
        if done.finished and (too_many or too_few):
            raise VerificationError(
                f"it says that {algorithm} expanded {expanded} states, but there are {there}"
            )
        return done

    def _explore(self, roots: Iterable[Any], is_met: Callable[[Any], bool]) -> Recheck:
        """Expand all that can be reached from `roots`, which must not be met."""
        rules = self.rules
        seen: set[Hashable] = set()
        queue: deque[Any] = deque()

        def add(state: Any) -> None:
            key = rules.key(state)
            if key in seen:
                return
            if is_met(state):
                where = rules.format_state(state)
                raise VerificationError(f"there is a way between a start and a goal, at {where}")
            seen.add(key)
            queue.append(state)

        for root in roots:
            add(root)
        expanded = 0
        while queue:
            if expanded == self.max_expansions:
                return Recheck(expanded, finished=False)
            expanded += 1
            for step in rules.successors(queue.popleft()):
                add(step[1])
            if expanded % TELL_EVERY == 0:
                self.listener(expanded)
        return Recheck(expanded)
