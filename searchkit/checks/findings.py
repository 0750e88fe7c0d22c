"""Counts and examples of what a check meets, gathered from arrays piece by piece."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import attrs

from searchkit.checks.report import Disagreement, InconsistentStep, Overestimate, Quality
from searchkit.heuristics.forms import WORDS_FORM, Found, Steps
from searchkit.problem import INFINITY, Problem

if TYPE_CHECKING:
    import numpy as np

EXAMPLES = 3
TOLERANCE = 1e-9
"""Sums of fractions may be off by so much."""


@attrs.define(eq=False)
class Findings:
    """What was met so far over `states`, whose estimates are `values`."""

    problem: Problem[Any, Any]
    states: Sequence[Any]
    values: np.ndarray[Any, Any]
    steps: int = 0
    inconsistent: int = 0
    inconsistent_steps: list[InconsistentStep] = attrs.field(factory=list)
    disagreed: int = 0
    disagreements: list[Disagreement] = attrs.field(factory=list)
    other_words: list[Found] = attrs.field(factory=list)

    def text(self, index: int) -> str:
        """The state of that number on one line."""
        return self._text_of(self.states[index])

    def _text_of(self, state: Any) -> str:
        return self.problem.format_state(state)

    def overestimates(
        self, distance: np.ndarray[Any, Any], exact: np.ndarray[Any, Any] | None = None
    ) -> tuple[int, tuple[Overestimate, ...], Overestimate | None]:
        """How many states are above their distance, those nearest to a goal, and the worst."""
        import numpy as np  # noqa: PLC0415  (takes long to import)

        wrong = np.flatnonzero(self.values > distance + TOLERANCE)

        def told(index: int) -> Overestimate:
            return Overestimate(
                state=self.text(index),
                estimate=float(self.values[index]),
                distance=float(distance[index]),
                exact=exact is None or bool(exact[index]),
            )

        nearest = wrong[np.argsort(distance[wrong], kind="stable")][:EXAMPLES]
        worst = None
        if len(wrong):
            worst = told(int(wrong[np.argmax(self.values[wrong] - distance[wrong])]))
        return len(wrong), tuple(told(int(index)) for index in nearest), worst

    def add_steps(self, steps: Steps, *, both_ways: bool = False) -> None:
        """Look for inconsistent steps; `both_ways`, for those that take them back as well.

        Steps out of states that are told to be dead ends do not count: no search takes them.
        """
        import numpy as np  # noqa: PLC0415

        self.steps += len(steps.source)
        own, after = self.values[steps.source], steps.value
        lowered = np.zeros(len(own), dtype=np.bool_)
        alive = own < INFINITY
        lowered[alive] = own[alive] > steps.cost[alive] + after[alive] + TOLERANCE
        self.inconsistent += int(lowered.sum())
        for i in map(int, np.flatnonzero(lowered)):
            if len(self.inconsistent_steps) == EXAMPLES:
                break
            self._add_example(steps, i)
        for found in steps.found:
            self.add(found)
        if both_ways:
            alive = after < INFINITY
            raised = np.zeros(len(own), dtype=np.bool_)
            raised[alive] = after[alive] > steps.cost[alive] + own[alive] + TOLERANCE
            self.inconsistent += int(raised.sum())
            for i in map(int, np.flatnonzero(raised)):
                if len(self.inconsistent_steps) == EXAMPLES:
                    break
                self._add_example_back(steps, i)

    def _add_example(self, steps: Steps, i: int) -> None:
        index = int(steps.source[i])
        step = list(self.problem.successors(self.states[index]))[int(steps.number[i])]
        self.inconsistent_steps.append(
            InconsistentStep(
                state=self.text(index),
                action=self.problem.format_action(step.action),
                after=self._text_of(step.state),
                estimate=float(self.values[index]),
                cost=int(steps.cost[i]),
                estimate_after=float(steps.value[i]),
            )
        )

    def _add_example_back(self, steps: Steps, i: int) -> None:
        problem, index = self.problem, int(steps.source[i])
        state = self.states[index]
        child = list(problem.successors(state))[int(steps.number[i])].state
        for back in problem.successors(child):
            if problem.key(back.state) == problem.key(state) and back.cost == steps.cost[i]:
                self.inconsistent_steps.append(
                    InconsistentStep(
                        state=self._text_of(child),
                        action=problem.format_action(back.action),
                        after=self.text(index),
                        estimate=float(steps.value[i]),
                        cost=int(steps.cost[i]),
                        estimate_after=float(self.values[index]),
                    )
                )
                return

    def add(self, found: Found) -> None:
        """Note a disagreement."""
        if found.form == WORDS_FORM:
            self.other_words.append(found)
            return
        self.disagreed += 1
        if len(self.disagreements) < EXAMPLES:
            action = None
            if found.step >= 0:
                step = list(self.problem.successors(self.states[found.state]))[found.step]
                action = self.problem.format_action(step.action)
            self.disagreements.append(
                Disagreement(
                    form=found.form,
                    state=self.text(found.state),
                    action=action,
                    expected=found.expected,
                    given=found.given,
                )
            )

    def quality(self, distance: np.ndarray[Any, Any], *, among: np.ndarray[Any, Any]) -> Quality:
        """Means and counts of the estimates of the states `among` all."""
        import numpy as np  # noqa: PLC0415

        finite = among & (self.values < INFINITY)
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
