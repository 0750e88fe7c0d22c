"""Whether a heuristic is admissible and consistent, and says the same in all its forms."""

from __future__ import annotations

import random
import time
from typing import Any, TypeVar

import attrs
import numpy as np

from searchkit.algorithms.validators import expect
from searchkit.authors.blame import blaming
from searchkit.capabilities import own_heuristic
from searchkit.checked.forms import Mismatch
from searchkit.checks.machine_code.kernel_calls import CompiledForms
from searchkit.checks.plain_forms import PlainForms
from searchkit.checks.report import Findings, HeuristicReport, Known
from searchkit.checks.samples import Listener, draw, whole_space
from searchkit.compiled.plan import plan_kernels
from searchkit.compiled.specialise.failures import blaming_kernels
from searchkit.engine import EngineChoice
from searchkit.errors import CompilationError, ProblemError, UsageError
from searchkit.heuristic import Heuristic
from searchkit.packed import CarriedHeuristic, PackedHeuristic, PackedProblem
from searchkit.problem import INFINITY, Problem
from searchkit.solving.plan import check_choice, choose

S = TypeVar("S")
A = TypeVar("A")

Forms = PlainForms | CompiledForms
SAMPLES = 100_000
FEW_STATES = 2_000
MANY_STATES = 50_000
"""How many states make machine code worth loading: if words are carried, and if not."""
COMPARED_STATES = 500
"""How many states Python looks at as well, where kernels run as machine code."""
GONE_ON = 100
"""How many steps whose words differ from those of `begin` are followed further."""
PIECE = 1 << 14
"""How many states are looked at between two calls of the listener."""


def check_heuristic(
    problem: Problem[S, A],
    heuristic: Heuristic[S, A] | None = None,
    *,
    seed: int = 0,
    samples: int = SAMPLES,
    max_states: int | None = None,
    engine: EngineChoice = "auto",
    listener: Listener = lambda text: None,
) -> HeuristicReport:
    """Looks for states where a heuristic is too large, and for steps where it is inconsistent.

    All states that can be reached from the starts and from listed goals are explored, and their
    exact distances found by Dijkstra's algorithm (1959); if they are few enough, the report is a
    proof. Else steps are drawn by walks from starts, random states and goals, and estimates are
    compared with what is known: the exact distances of the states nearest to a goal, and the
    lengths of the walks from goals. In both cases `after`, `change`, `begin`, `follow` and `recall`
    must agree with the estimate from scratch. O(states + steps).

    Args:
        problem: Where to look.
        heuristic: What to check; by default the problem's own.
        seed: What the walks are drawn by.
        samples: About how many steps are drawn.
        max_states: Up to how many states are explored for a proof; by default 2,000,000 for packed
            problems, 200,000 for others.
        engine: `"reference"` compiles nothing.
        listener: Called now and then with how far it is.

    Raises:
        ProblemError: The code of the problem or the heuristic fails.

    >>> from searchkit import Problem, Step
    >>> class Walk(Problem[int, str]):
    ...     def initial_states(self):
    ...         return [9]
    ...     def successors(self, state):
    ...         return [Step("one", state - 1), Step("two", state - 2)] if state > 1 else []
    ...     def is_goal(self, state):
    ...         return state in (0, 1)
    ...     def heuristic(self, state):
    ...         return state / 2
    >>> print(check_heuristic(Walk()))
    problem: all 10 states, 16 steps
      NOT admissible: too large in 5 of 10 states, by up to 0.5
        more than 0 in 1 goal
        1: estimate 0.5, distance is 0
        3: estimate 1.5, distance is 1
        5: estimate 2.5, distance is 2
      consistent: proved for all 16 steps
      quality: mean estimate 2.250, mean distance 2.000, mean ratio 1.130
    """
    checker = HeuristicChecker(
        problem, seed=seed, samples=samples, max_states=max_states, engine=engine, listener=listener
    )
    return checker.check(heuristic)


@attrs.define(eq=False)
class HeuristicChecker:
    """Checks several heuristics of one problem, which is explored once; see `check_heuristic`."""

    problem: Problem[Any, Any]
    seed: int = attrs.field(default=0, kw_only=True)
    samples: int = attrs.field(default=SAMPLES, kw_only=True)
    max_states: int | None = attrs.field(default=None, kw_only=True)
    engine: EngineChoice = attrs.field(default="auto", kw_only=True)
    listener: Listener = attrs.field(default=lambda text: None, kw_only=True)
    _known: Known | None = attrs.field(default=None, init=False)

    def __attrs_post_init__(self) -> None:
        expect(self.problem, Problem, "problem", "a Problem")
        check_choice(self.engine, known=("auto", "reference", "compiled"))
        if self.samples < 1:
            raise UsageError(f"samples is {self.samples}; it must be 1 or more")
        if self.max_states is not None and self.max_states < 0:
            raise UsageError(f"max_states is {self.max_states}; it must be 0 or more, or None")

    def check(self, heuristic: Heuristic[Any, Any] | None = None) -> HeuristicReport:
        """Check one of them, by default the problem's own."""
        began = time.monotonic()
        if heuristic is not None:
            expect(heuristic, Heuristic, "heuristic", "a Heuristic object, or None")
        with blaming(self.problem):
            if heuristic is None:
                heuristic = own_heuristic(self.problem)
            if self._known is None:
                self._known = self._look_around()
            report = self._look_at(heuristic, self._known, began)
            fault = heuristic.fault()  # of machine code, which goes on after one
            if fault is not None:
                raise ProblemError(fault)
            return report

    def _look_around(self) -> Known:
        if self.max_states != 0:
            known = whole_space(self.problem, self.max_states, self.engine, self.listener)
            if known is not None:
                return known
        self.listener("drawing a sample")
        sample = draw(self.problem, self.seed, self.samples)
        bound = np.array(sample.bound, dtype=np.float64)
        exact = np.array(sample.exact, dtype=np.bool_)
        return Known(
            method="sampled", states=sample.states, distance=bound, exact=exact, goals=bound == 0
        )

    def _look_at(
        self, heuristic: Heuristic[Any, Any], known: Known, began: float
    ) -> HeuristicReport:
        forms, plain = self._forms(heuristic, known)
        values = self._values(forms, len(known))
        findings = Findings(self.problem, known, values)
        if plain is not None:
            self._compare(findings, plain)
        is_sample = known.method == "sampled"
        self._look_at_steps(findings, forms, both_ways=is_sample and self.problem.undirected)
        # Other words than those of `begin` may be right: later estimates show whether they are.
        own = PlainForms(self.problem, heuristic, known.states)
        for other in findings.other_words[:GONE_ON]:
            for found in own.followed_on(other.state, other.step):
                findings.add(found)
        overestimated, examples, worst = findings.overestimates()
        has_way, is_hopeless = known.distance < INFINITY, values == INFINITY
        dead = known.exact & ~has_way
        return HeuristicReport(
            heuristic=heuristic.name,
            method=known.method,
            engine="reference" if plain is None else "compiled",
            seed=self.seed if is_sample else None,
            states=len(known),
            steps=findings.steps,
            compared=int((dead | has_way).sum()),
            overestimated=overestimated,
            worst=worst,
            overestimates=examples,
            goals=int(known.goals.sum()),
            goals_above_zero=int((values[known.goals] > 0).sum()),
            dead_ends=int(dead.sum()),
            dead_ends_known=int((dead & is_hopeless).sum()),
            false_dead_ends=int((is_hopeless & has_way).sum()),
            inconsistent=findings.inconsistent,
            inconsistent_steps=tuple(findings.inconsistent_steps),
            forms=forms.names(),
            spot_checked=() if plain is None else ("the call", *plain.names()),
            spots=0 if plain is None else min(len(known), COMPARED_STATES),
            disagreed=findings.disagreed,
            disagreements=tuple(findings.disagreements),
            quality=findings.quality(),
            seconds=time.monotonic() - began,
        )

    def _forms(
        self, heuristic: Heuristic[Any, Any], known: Known
    ) -> tuple[Forms, PlainForms | None]:
        """How to look at the states; and by Python, too, if that is by machine code."""
        plain = PlainForms(self.problem, heuristic, known.states)
        if not isinstance(heuristic, PackedHeuristic):
            return plain, None
        plan = choose(self.engine, lambda: plan_kernels(self.problem, heuristic), insist=False)
        few = FEW_STATES if isinstance(heuristic, CarriedHeuristic) else MANY_STATES
        if plan.kind == "reference" or (plan.fallback and len(known) < few):
            return plain, None
        assert isinstance(self.problem, PackedProblem)
        plain.steps(0, 1, plain.values(0, 1))  # what fails in Python must not run as machine code
        try:
            with blaming_kernels(self.problem):
                forms = CompiledForms.of(self.problem, heuristic, known.states, known.rows)
            return forms, plain
        except CompilationError:
            if not plan.fallback:
                raise
            return plain, None

    def _values(self, forms: Forms, count: int) -> np.ndarray[Any, Any]:
        values = np.empty(count, dtype=np.float64)
        for begin in range(0, count, PIECE):
            end = min(begin + PIECE, count)
            values[begin:end] = forms.values(begin, end)
            self.listener(f"estimates of {end:,} of {count:,} states")
        return values

    def _look_at_steps(self, findings: Findings, forms: Forms, *, both_ways: bool = False) -> None:
        count = len(findings.known)
        for start in range(0, count, PIECE):
            end = min(start + PIECE, count)
            found = forms.steps(start, end, findings.values[start:end])
            findings.add_steps(found, both_ways=both_ways)
            self.listener(f"steps out of {end:,} of {count:,} states")

    def _compare(self, findings: Findings, plain: PlainForms) -> None:
        """Look at some states by Python: the machine code must say the same."""
        count = len(findings.known)
        rng = random.Random(self.seed)
        chosen = sorted(rng.sample(range(count), min(count, COMPARED_STATES)))
        for index in chosen:
            own = plain.values(index, index + 1)
            if own[0] != findings.values[index]:
                expected, given = float(findings.values[index]), float(own[0])
                findings.add(Mismatch("the call", index, -1, expected, given))
            for found in plain.steps(index, index + 1, own).found:
                findings.add(found)
