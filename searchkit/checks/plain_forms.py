"""A heuristic checked by its methods as they are, run by Python."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import attrs
import numpy as np

from searchkit.checked.forms import (
    FAR_FORM,
    LEFT_OUT,
    Mismatch,
    Steps,
    overridden,
    wrong_form,
)
from searchkit.heuristic import Heuristic, is_estimate, wrong_estimate
from searchkit.packed import (
    DEAD_END,
    CarriedHeuristic,
    PackedHeuristic,
    PackedProblem,
    PackedStep,
    packed_steps,
)
from searchkit.premises.estimates import ROUNDING
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
                    if not math.isclose(given, known[key], rel_tol=ROUNDING, abs_tol=ROUNDING):
                        found.append(Mismatch("after", index, place, known[key], given))
            value += after
            if not {"follow", "change"}.isdisjoint(names):
                found += self._carried(index, state, h, after)
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

    def _carried(self, index: int, state: Any, h: float, after: list[float]) -> Iterator[Mismatch]:
        """What is carried along each step."""
        heuristic = self.heuristic
        assert isinstance(heuristic, PackedHeuristic)
        carried = heuristic if isinstance(heuristic, CarriedHeuristic) else None
        size = 0 if carried is None else carried.memory
        memo = [0] * (3 * size)
        before = _word(h) if carried is None else carried.begin(memo, 0, state)
        for place, step in enumerate(self._applied(state)):
            value = _word(after[place])
            if carried is not None:
                value = carried.begin(memo, 2 * size, step.child)
            wrong = wrong_form(heuristic, step, before, value, memo)
            if wrong is not None:
                form, expected, given = wrong
                yield Mismatch(form, index, place, _plain(expected), _plain(given))

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


def _word(value: float) -> float:
    """The other way round."""
    return DEAD_END if value == INFINITY else value
