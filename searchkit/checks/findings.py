"""Counts and examples of what a check meets, gathered from arrays piece by piece."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

import attrs
import numpy as np

from searchkit.checks.report import Disagreement, InconsistentStep, Overestimate, Quality
from searchkit.heuristics.forms import WORDS_FORM, Mismatch, Steps
from searchkit.problem import INFINITY, Problem

EXAMPLES = 3
TOLERANCE = 1e-9
"""How far sums of fractions may be off."""


@attrs.frozen(eq=False, kw_only=True)
class Known:
    """States, and the cost of a way to a goal from each, infinity where none is known.

    `exact` says where that is the cheapest, or that there is no way; `goals`, which states are
    goals. `rows` are the states as arrays of machine words, if they are there as such.
    """

    method: Literal["exhaustive", "sampled"]
    states: Sequence[Any]
    distance: np.ndarray[Any, Any]
    exact: np.ndarray[Any, Any]
    goals: np.ndarray[Any, Any]
    rows: np.ndarray[Any, Any] | None = None

    def __len__(self) -> int:
        return len(self.states)


@attrs.define(eq=False)
class Findings:
    """What was met so far over `states`, whose estimates are `values`."""

    problem: Problem[Any, Any]
    known: Known
    values: np.ndarray[Any, Any]
    steps: int = 0
    inconsistent: int = 0
    inconsistent_steps: list[InconsistentStep] = attrs.field(factory=list)
    disagreed: int = 0
    disagreements: list[Disagreement] = attrs.field(factory=list)
    other_words: list[Mismatch] = attrs.field(factory=list)

    def _text(self, index: int) -> str:
        return self.problem.format_state(self.known.states[index])

    def overestimates(self) -> tuple[int, tuple[Overestimate, ...], Overestimate | None]:
        """How many states are above their distance, those nearest to a goal, and the worst."""
        distance = self.known.distance
        wrong = np.flatnonzero(self.values > distance + TOLERANCE)

        def example(index: Any) -> Overestimate:
            return Overestimate(
                state=self._text(int(index)),
                estimate=float(self.values[index]),
                distance=float(distance[index]),
                exact=bool(self.known.exact[index]),
            )

        if not len(wrong):
            return 0, (), None
        nearest = wrong[np.argsort(distance[wrong], kind="stable")][:EXAMPLES]
        worst = wrong[np.argmax(self.values[wrong] - distance[wrong])]
        return len(wrong), tuple(map(example, nearest)), example(worst)

    def add_steps(self, steps: Steps, *, both_ways: bool = False) -> None:
        """Look for inconsistent steps; `both_ways`, for those that take them back as well.

        Steps out of states whose estimate is infinite do not count: no search takes them.
        """
        self.steps += len(steps.source)
        self._add_inconsistent(steps)
        for found in steps.found:
            self.add(found)
        if both_ways:
            self._add_inconsistent(steps, back=True)

    def _add_inconsistent(self, steps: Steps, *, back: bool = False) -> None:
        before, after = self.values[steps.source], steps.value
        if back:
            before, after = after, before
        lowered = (before < INFINITY) & (before > steps.cost + after + TOLERANCE)
        self.inconsistent += int(lowered.sum())
        for i in map(int, np.flatnonzero(lowered)):
            if len(self.inconsistent_steps) == EXAMPLES:
                return
            ends = self._ends(steps, i, back=back)
            if ends is not None:
                state, action, child = ends
                self.inconsistent_steps.append(
                    InconsistentStep(
                        state=self.problem.format_state(state),
                        action=self.problem.format_action(action),
                        after=self.problem.format_state(child),
                        estimate=float(before[i]),
                        cost=int(steps.cost[i]),
                        estimate_after=float(after[i]),
                    )
                )

    def _ends(self, steps: Steps, i: int, *, back: bool) -> tuple[Any, Any, Any] | None:
        """A step: state, action, and the state it leads to; or one that takes it `back`."""
        problem, state = self.problem, self.known.states[int(steps.source[i])]
        step = self._step(int(steps.source[i]), int(steps.number[i]))
        if not back:
            return state, step.action, step.state
        for other in problem.successors(step.state):
            if problem.key(other.state) == problem.key(state) and other.cost == steps.cost[i]:
                return step.state, other.action, state
        return None

    def _step(self, index: int, number: int) -> Any:
        return list(self.problem.successors(self.known.states[index]))[number]

    def add(self, found: Mismatch) -> None:
        """Note a disagreement."""
        if found.form == WORDS_FORM:
            self.other_words.append(found)
            return
        self.disagreed += 1
        if len(self.disagreements) < EXAMPLES:
            action = None
            if found.step >= 0:
                step = self._step(found.state, found.step)
                action = self.problem.format_action(step.action)
            self.disagreements.append(
                Disagreement(
                    form=found.form,
                    state=self._text(found.state),
                    action=action,
                    expected=found.expected,
                    given=found.given,
                )
            )

    def quality(self) -> Quality:
        """Means and counts of the estimates of the states that are not known to be dead ends."""
        distance = np.where(self.known.exact, self.known.distance, INFINITY)
        dead = self.known.exact & (distance == INFINITY)
        finite = ~dead & (self.values < INFINITY)
        known = finite & (distance < INFINITY)
        away = known & (distance > 0)
        counts = np.unique(np.floor(self.values[finite]).astype(np.int64), return_counts=True)
        return Quality(
            known=int(known.sum()),
            mean_estimate=_mean(self.values[finite]) or 0.0,
            mean_distance=_mean(distance[known]),
            mean_ratio=_mean(self.values[away] / distance[away]),
            histogram=dict(zip(map(int, counts[0]), map(int, counts[1]), strict=True)),
        )


def _mean(numbers: np.ndarray[Any, Any]) -> float | None:
    return float(numbers.mean()) if len(numbers) else None
