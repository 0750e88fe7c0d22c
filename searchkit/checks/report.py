"""What a check of a heuristic meets, what it found in the end, and how that is shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, Literal

import attrs
import numpy as np

from searchkit.checked.forms import WORDS_FORM, Mismatch, Steps
from searchkit.premises.estimates import is_above
from searchkit.problem import INFINITY, Problem
from searchkit.texts.amounts import plural

EXAMPLES = 3


@attrs.frozen(kw_only=True)
class Overestimate:
    """A state whose estimate is more than `distance`: what a way to a goal costs.

    That is the cheapest way where `exact`.
    """

    state: str
    estimate: float
    distance: float
    exact: bool = True

    def __str__(self) -> str:
        known = "is" if self.exact else "is at most"
        distance = f"distance {known} {number(self.distance)}"
        return f"{self.state}: estimate {number(self.estimate)}, {distance}"


@attrs.frozen(kw_only=True)
class InconsistentStep:
    """A step that lowers the estimate by more than it costs."""

    state: str
    action: str
    after: str
    estimate: float
    cost: int
    estimate_after: float

    def __str__(self) -> str:
        return (
            f"{self.state} by {self.action} to {self.after}: estimate {number(self.estimate)}, "
            f"then {number(self.estimate_after)}, but the step costs {self.cost}"
        )


@attrs.frozen(kw_only=True)
class Disagreement:
    """Where one form of a heuristic (`after`, say) does not say what the estimate says.

    `action` is that of the step that the estimate was carried along, if it was.
    """

    form: str
    state: str
    action: str | None
    expected: float
    given: float

    def __str__(self) -> str:
        where = self.state if self.action is None else f"{self.state} by {self.action}"
        return f"{where}: {self.form} gives {number(self.given)}, not {number(self.expected)}"


@attrs.frozen(kw_only=True)
class Quality:
    """How much a heuristic knows, over the states that are not known to be dead ends.

    `mean_distance` and `mean_ratio` (of estimate to distance, without goals) are over the `known`
    states whose distance is known. `histogram[v]` counts estimates from `v` to `v + 1`.
    """

    known: int
    mean_estimate: float
    mean_distance: float | None
    mean_ratio: float | None
    histogram: Mapping[int, int]


@attrs.frozen(kw_only=True)
class HeuristicReport:
    """What a check has proved, and what it has found.

    `method` "exhaustive" means that every state and every step were looked at, so that nothing
    found is a proof; "sampled" means that some were, drawn by `seed`, and nothing found proves
    nothing. `compared` is how many states have a known distance. The counts are complete, the
    examples are a few: those nearest to a goal.
    """

    heuristic: str
    method: Literal["exhaustive", "sampled"]
    engine: Literal["reference", "compiled"]
    seed: int | None
    states: int
    steps: int
    compared: int
    overestimated: int
    worst: Overestimate | None
    """The state whose estimate is farthest above its distance."""
    overestimates: tuple[Overestimate, ...]
    goals: int
    goals_above_zero: int
    dead_ends: int
    """States that are known to have no way to a goal."""
    dead_ends_known: int
    """Those among them whose estimate is `INFINITY`."""
    false_dead_ends: int
    """States whose estimate is `INFINITY` though a way is known: overestimates, too."""
    inconsistent: int
    inconsistent_steps: tuple[InconsistentStep, ...]
    forms: tuple[str, ...]
    """What was compared with the estimate from scratch, such as `after` and `change`."""
    spot_checked: tuple[str, ...]
    """What was compared for `spots` of the states only: the methods as Python runs them, where
    the kernels were run as machine code."""
    spots: int
    disagreed: int
    disagreements: tuple[Disagreement, ...]
    quality: Quality
    seconds: float

    @property
    def admissible(self) -> bool | None:
        """Whether it never overestimates; None if no counterexample was met in a sample."""
        return self._verdict(self.overestimated)

    @property
    def consistent(self) -> bool | None:
        """Whether no step lowers it by more than its cost; None as for `admissible`."""
        return self._verdict(self.inconsistent)

    @property
    def ok(self) -> bool:
        """Whether nothing was found that makes a search go wrong: it need not be consistent."""
        return not self.overestimated and not self.disagreed

    def _verdict(self, counterexamples: int) -> bool | None:
        if counterexamples:
            return False
        return True if self.method == "exhaustive" else None

    def lines(self) -> Iterator[str]:
        """The report in words, counterexamples indented."""
        counts = f"{plural(self.states, 'state')}, {plural(self.steps, 'step')}"
        is_whole = self.method == "exhaustive"
        scope = f"all {counts}" if is_whole else f"a sample by seed {self.seed}: {counts}"
        yield f"{self.heuristic}: {scope}"
        yield from self._about_admissible()
        yield from self._about_consistent()
        if self.dead_ends or self.false_dead_ends:
            false = ""
            if self.false_dead_ends:
                are = "state reported as one" if self.false_dead_ends == 1 else "states so reported"
                false = f"; a way is known from {self.false_dead_ends:,} {are}"
            yield f"  dead ends: {self.dead_ends_known:,} of {self.dead_ends:,} recognised{false}"
        if self.disagreed:
            yield f"  NOT the same in all forms: {plural(self.disagreed, 'disagreement')}"
            yield from (f"    {each}" for each in self.disagreements)
        elif self.forms or self.spot_checked:
            forms = [", ".join(self.forms)] if self.forms else []
            if self.spot_checked:
                spots = plural(self.spots, "state")
                forms.append(f"in {spots}, run by Python: {', '.join(self.spot_checked)}")
            yield f"  the same in all forms: {'; '.join(forms)}"
        yield f"  quality: {self._about_quality()}"

    def __str__(self) -> str:
        return "\n".join(self.lines())

    def _about_admissible(self) -> Iterator[str]:
        if self.overestimated:
            worst = self.worst
            assert worst is not None
            by = number(worst.estimate - worst.distance)
            of = plural(self.compared, "state")
            yield f"  NOT admissible: too large in {self.overestimated:,} of {of}, by up to {by}"
            if self.goals_above_zero:
                yield f"    more than 0 in {plural(self.goals_above_zero, 'goal')}"
            yield from (f"    {each}" for each in self.overestimates)
            shown = max(each.estimate - each.distance for each in self.overestimates)
            if worst.estimate - worst.distance > shown:
                yield f"    {worst}"
        elif self.method == "exhaustive":
            yield f"  admissible: proved for all {plural(self.states, 'state')}"
        elif self.compared:
            of = plural(self.compared, "state")
            yield f"  admissible: no counterexample in {of} to which a way is known"
        else:
            yield "  admissible: not known, no state was met to which a way is known"

    def _about_consistent(self) -> Iterator[str]:
        if self.inconsistent:
            yield f"  not consistent: {self.inconsistent:,} of {plural(self.steps, 'step')}"
            yield from (f"    {each}" for each in self.inconsistent_steps)
        elif self.method == "exhaustive":
            yield f"  consistent: proved for all {plural(self.steps, 'step')}"
        else:
            yield f"  consistent: no counterexample in {plural(self.steps, 'sampled step')}"

    def _about_quality(self) -> str:
        quality = self.quality
        means = f"mean estimate {quality.mean_estimate:.3f}"
        if quality.mean_distance is not None:
            means += f", mean distance {quality.mean_distance:.3f}"
            if self.method == "sampled":
                means += f" of the {quality.known:,} for which it is known"
        if quality.mean_ratio is not None:
            means += f", mean ratio {quality.mean_ratio:.3f}"
        return means


def number(value: float) -> str:
    """A value without needless digits."""
    if value == INFINITY:
        return "infinity"
    return f"{value:.10g}"


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
        wrong = np.flatnonzero(is_above(self.values, distance))

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
        lowered = (before < INFINITY) & is_above(before, steps.cost + after)
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
