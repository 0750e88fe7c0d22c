"""What compiled engines rely on without looking: compared, step by step, with the rules."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import lru_cache, partial
from itertools import islice
from typing import Any

import attrs

from searchkit.authors.packed_rules import (
    control_of,
    following,
    operators_of,
    wrong_following,
)
from searchkit.capabilities import HasToggles, is_certified
from searchkit.checked.forms import LEFT_OUT, wrong_form
from searchkit.checked.kernels import kernel_names
from searchkit.errors import ProblemError
from searchkit.packed import (
    DEAD_END,
    CarriedHeuristic,
    PackedHeuristic,
    PackedProblem,
    PackedStep,
)


@attrs.define
class Promises:
    """What a packed problem says of its operators, and its heuristic of changes, step by step."""

    problem: PackedProblem[Any]
    heuristic: PackedHeuristic | None
    _operators: dict[int, Sequence[int]] = attrs.field(factory=dict)
    _toggles: list[int] | None = attrs.field(default=None)
    _is_ranked: bool = attrs.field(init=False)
    _has_numbers: bool = attrs.field(init=False)
    """Whether operators give numbers of numbers."""
    _estimate: Callable[[Any], int] = attrs.field(init=False)
    """The estimate of a state, which is the child of several: some of the last are remembered."""
    _begun: Callable[[Any], tuple[list[int], int]] = attrs.field(init=False)
    """The words of a state, with room for a child's, and its estimate: remembered likewise."""

    def __attrs_post_init__(self) -> None:
        names = kernel_names(self.problem)
        self._is_ranked, self._has_numbers = "rank" in names, "rank_after" in names
        if self.heuristic is not None:
            self._estimate = lru_cache(maxsize=256)(self.heuristic.estimate)
        if isinstance(self.heuristic, CarriedHeuristic):
            self._begun = lru_cache(maxsize=256)(partial(_begun, self.heuristic))
            if type(self.heuristic).estimate is CarriedHeuristic.estimate:
                self._estimate = lambda state: self._begun(state)[1]
        if isinstance(self.problem, HasToggles):
            self._toggles = [int(each) for each in self.problem.toggles()]

    def _error(self, message: str, state: Any, name: str = "") -> ProblemError:
        shown = f"{state:#x}" if isinstance(state, int) else repr(state)
        return ProblemError(
            f"{name or type(self.problem).__name__}: {message}, in state {shown:.160}"
        )

    def check(
        self,
        problem: PackedProblem[Any],
        state: Any,
        children: Iterable[Any] = (),
        most: int | None = None,
    ) -> list[tuple[Any, Any]]:
        """Check all steps out of a state, or the first `most`; what they lead to, and its rank.

        That is None where states have no numbers, as those may have none that a certificate proves
        unsolvable. `children` are the first of the states that they lead to, where they are known.
        O(operators) kernel calls.
        """
        control, rank = control_of(problem, state), self._rank(problem, state)
        if rank is not None:
            again = problem.unrank(rank)
            if again != state:
                if not is_certified(problem, state):
                    found = f"unrank({rank}), its rank, is the state {again!r:.60}"
                    raise self._error(found, state)
                rank = None
        return self._check_steps(problem, (state, control, rank), children, most)

    def check_number(self, problem: PackedProblem[Any], number: int) -> list[tuple[Any, Any]]:
        """Check all steps out of the state with a number, as `check` does."""
        state = problem.unrank(number)
        rank = self._rank(problem, state)
        if rank != number:
            raise self._error(f"unrank({number}) gives a state whose rank is {rank}", state)
        return self._check_steps(problem, (state, control_of(problem, state), rank))

    def _check_steps(
        self,
        problem: PackedProblem[Any],
        place: tuple[Any, int, Any],
        children: Iterable[Any] = (),
        most: int | None = None,
    ) -> list[tuple[Any, Any]]:
        state, control, rank = place
        known = iter(children)
        legal = (
            operator
            for operator in self._listed(problem, control)
            if problem.legal(state, control, operator)
        )
        return [
            self._check_step(problem, (state, control, operator, next(known, None)), rank)
            for operator in islice(legal, most)
        ]

    def _rank(self, problem: PackedProblem[Any], state: Any) -> Any:
        """The number of a state, None if states have none."""
        if not self._is_ranked:
            return None
        rank = problem.rank(state)
        if not 0 <= rank < problem.ranks:
            raise self._error(f"rank is {rank}; ranks is {problem.ranks}", state)
        return rank

    def _listed(self, problem: PackedProblem[Any], control: int) -> Sequence[int]:
        given: Any = problem.operators(control)
        if not hasattr(given, "__getitem__") or not hasattr(given, "__len__"):
            raise ProblemError(
                f"{type(problem).__name__}: operators({control}) gives {given!r:.60}; it must give "
                "a sequence of integers, such as range(4)"
            )
        listed = operators_of(problem, control)
        first = self._operators.setdefault(control, listed)
        if first is not listed and first != listed and list(first) != list(listed):
            raise ProblemError(
                f"{type(problem).__name__}: operators({control}) gave {list(first)}, then "
                f"{list(listed)}; it is asked once, before a search"
            )
        return listed

    def _check_step(
        self, problem: PackedProblem[Any], way: tuple[Any, int, int, Any], before: Any
    ) -> tuple[Any, Any]:
        """Check a step to a child that need not be known; `before` is the rank of the state."""
        state, control, operator, child = way
        if child is None:
            child = problem.apply(state, control, operator)
        problem.cost(state, control, operator)
        rank = self._rank(problem, child)
        if self._has_numbers and before is not None:
            found = problem.rank_after(before, control, operator)
            if found != rank:
                raise self._error(
                    f"rank_after({before}, {control}, {operator}) is {found}, and the rank of the "
                    f"child is {rank}",
                    state,
                )
        after, stated = control_of(problem, child), following(problem, control, operator)
        if stated is not None and stated != after:
            raise wrong_following(problem, control, operator, stated, child)
        if self._toggles is not None and child != state ^ self._toggles[operator]:
            raise self._error(f"toggles says other bits than apply for operator {operator}", state)
        back = problem.inverse(control, operator)
        if back is not None:
            self._check_inverse(problem, state, operator, (child, after, back))
        if self.heuristic is not None:
            self._check_estimates(self.heuristic, PackedStep(state, control, operator, child))
        return child, rank

    def _check_inverse(
        self, problem: PackedProblem[Any], state: Any, operator: int, way: tuple[Any, int, int]
    ) -> None:
        child, after, back = way
        if back not in self._listed(problem, after):
            fault = f"which operators({after}) does not list"
        elif not problem.legal(child, after, back):
            fault = "which is not legal after it"
        elif problem.apply(child, after, back) != state:
            fault = "which leads elsewhere"
        else:
            return
        raise self._error(f"the inverse of operator {operator} is {back}, {fault}", state)

    def _check_estimates(self, heuristic: PackedHeuristic, step: PackedStep) -> None:
        if isinstance(heuristic, CarriedHeuristic):
            memo, before = self._begun(step.state)
        elif type(heuristic).change is not PackedHeuristic.change:
            memo, before = [], self._estimate(step.state)
        else:
            return
        if before >= DEAD_END:
            return
        wrong = wrong_form(heuristic, step, before, self._estimate(step.child), memo, near=0)
        if wrong is None:
            return
        form, exact, given = wrong
        operator = step.operator
        found = f"the estimate after operator {operator} is {exact}, but by {form} it is {given}"
        if form == LEFT_OUT:
            found = f"candidates lacks operator {operator}, by which the estimate becomes {exact}"
        raise self._error(found, step.state, f"heuristic {heuristic.name}")


def _begun(heuristic: CarriedHeuristic, state: Any) -> tuple[list[int], int]:
    words = [0] * heuristic.memory
    estimate = heuristic.begun(state, words)
    return [*words, *words], estimate
