"""A heuristic checked by its methods as they are, run by Python."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import attrs
import numpy as np

from searchkit.checks.report import TOLERANCE
from searchkit.heuristic import Heuristic, is_estimate, wrong_estimate
from searchkit.heuristics.forms import (
    BOUNDED_FORM,
    DEAD_END_FORM,
    FAR_FORM,
    LEFT_OUT,
    NEAR,
    WORDS_FORM,
    Mismatch,
    Steps,
    overridden,
)
from searchkit.packed import (
    DEAD_END,
    CarriedHeuristic,
    PackedHeuristic,
    PackedProblem,
    PackedStep,
    has_candidates,
    left_out,
    packed_steps,
)
from searchkit.problem import INFINITY, Problem

AHEAD = 3
"""How many steps are followed on with words that differ from those of `begin`."""


@attrs.frozen(eq=False)
class PlainForms:
    """The methods as they are, run by Python.

    The kernels of a packed heuristic are compared with its call, which other code may override.
    """

    problem: Problem[Any, Any]
    heuristic: Heuristic[Any, Any]
    states: Sequence[Any]

    def names(self) -> tuple[str, ...]:
        """The call of packed heuristics, and what is carried along."""
        names = overridden(self.heuristic)
        kind = type(self.heuristic)
        if isinstance(self.heuristic, PackedHeuristic):
            if kind.__call__ is not PackedHeuristic.__call__:
                names = ("estimate", *names)
            if not isinstance(self.problem, PackedProblem):
                names = tuple(name for name in names if name not in ("follow", "change", LEFT_OUT))
        return names

    def values(self, begin: int, end: int) -> np.ndarray[Any, Any]:
        """What the call says."""
        return np.array([self._value(state) for state in self.states[begin:end]], dtype=np.float64)

    def _value(self, state: Any) -> float:
        value = self.heuristic(state)
        if not is_estimate(value):
            raise wrong_estimate(self.heuristic.name, value, self.problem.format_state(state))
        return value

    def steps(self, begin: int, end: int, own: np.ndarray[Any, Any]) -> Steps:
        """All steps, each in all forms."""
        names = self.names()
        source, number, cost, value = [], [], [], []
        found: list[Mismatch] = []
        known: dict[Any, float] = {}
        for index, state in enumerate(self.states[begin:end], begin):
            h = float(own[index - begin])
            if "estimate" in names:
                given = _plain(self.heuristic.estimate(state))  # type: ignore[attr-defined]
                if given != h:
                    found.append(Mismatch("estimate", index, -1, h, given))
            after = []
            for place, step in enumerate(self.problem.successors(state)):
                key = self.problem.key(step.state)
                if key not in known:
                    known[key] = self._value(step.state)
                after.append(known[key])
                source.append(index)
                number.append(place)
                cost.append(step.cost)
                if "after" in names and h < INFINITY:
                    given = self.heuristic.after(h, state, step)
                    if not math.isclose(given, known[key], rel_tol=0, abs_tol=TOLERANCE):
                        found.append(Mismatch("after", index, place, known[key], given))
            value += after
            if "follow" in names:
                found += self._followed(index, state, after)
            elif "change" in names:
                found += self._changed(index, state, h, after)
        return Steps(
            source=np.array(source, dtype=np.int64),
            number=np.array(number, dtype=np.int64),
            cost=np.array(cost, dtype=np.int64),
            value=np.array(value, dtype=np.float64),
            found=found,
        )

    def _applied(self, state: Any) -> Iterator[PackedStep]:
        assert isinstance(self.problem, PackedProblem)
        return packed_steps(self.problem, state)

    def _changed(self, index: int, state: Any, h: float, after: list[float]) -> Iterator[Mismatch]:
        heuristic = self.heuristic
        assert isinstance(heuristic, PackedHeuristic)
        for place, step in enumerate(self._applied(state)):
            expected = after[place]
            if INFINITY in {h, expected}:
                yield Mismatch(DEAD_END_FORM, index, place, expected, INFINITY)
            elif (given := h + heuristic.change(*step)) != expected:
                yield Mismatch("change", index, place, expected, given)
            elif has_candidates(heuristic) and left_out(heuristic, step, int(expected - h)):
                yield Mismatch(LEFT_OUT, index, place, expected, INFINITY)

    def _followed(self, index: int, state: Any, after: list[float]) -> Iterator[Mismatch]:
        heuristic = self.heuristic
        assert isinstance(heuristic, CarriedHeuristic)
        size = heuristic.memory
        memo = [0] * (3 * size)
        own = heuristic.begin(memo, 0, state)
        if own >= DEAD_END:
            return
        if (given := heuristic.recall(memo, 0)) != own:
            yield Mismatch("recall", index, -1, own, _plain(given))
        for place, step in enumerate(self._applied(state)):
            expected, value = after[place], heuristic.begin(memo, 2 * size, step.child)
            for below in range(1, NEAR + 1):
                most = value - below
                given = heuristic.follow(memo, 0, size, step, most)
                if given <= most or (given > value and value < DEAD_END):
                    yield Mismatch(BOUNDED_FORM, index, place, expected, _plain(given))
                    break
            given = heuristic.follow(memo, 0, size, step, DEAD_END - 1)
            if _plain(given) != _plain(value):
                yield Mismatch("follow", index, place, expected, _plain(given))
            elif value < DEAD_END:
                if (given := heuristic.recall(memo, size)) != value:
                    yield Mismatch("recall", index, place, expected, _plain(given))
                elif memo[size : 2 * size] != memo[2 * size :]:
                    yield Mismatch(WORDS_FORM, index, place, expected, expected)

    def followed_on(self, index: int, place: int) -> list[Mismatch]:
        """Go on after a step with the words that `follow` has found for it: wrong estimates."""
        heuristic = self.heuristic
        assert isinstance(heuristic, CarriedHeuristic)
        size = heuristic.memory
        memo = [0] * ((AHEAD + 2) * size)
        found: list[Mismatch] = []

        def go_on(state: Any, depth: int) -> None:
            for number, step in enumerate(self._applied(state)):
                if depth == 0 and number != place:
                    continue
                at, after = depth * size, (depth + 1) * size
                given = heuristic.follow(memo, at, after, step, DEAD_END - 1)
                value = _plain(heuristic.estimate(step.child))
                if _plain(given) != value:
                    found.append(Mismatch(FAR_FORM, index, place, value, _plain(given)))
                elif value < INFINITY and depth < AHEAD:
                    go_on(step.child, depth + 1)

        heuristic.begin(memo, 0, self.states[index])
        go_on(self.states[index], 0)
        return found


def _plain(value: float) -> float:
    """An estimate of a kernel as the call gives it."""
    return INFINITY if value >= DEAD_END else value
