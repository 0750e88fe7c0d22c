"""Problems and heuristics under `engine="checked"`: kernels, and what the problem promises."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import attrs

from searchkit.algorithms import Algorithm
from searchkit.authors.packed_rules import operators_of
from searchkit.capabilities import HasToggles, own_heuristic
from searchkit.checked.kernels import checked_kernels, kernel_names, with_methods
from searchkit.errors import ProblemError, UnsuitableError
from searchkit.packed import DEAD_END, CarriedHeuristic, PackedHeuristic, PackedProblem, PackedStep
from searchkit.problem import Problem, Step
from searchkit.transforms import ChainMoves, MoverState, fix_first_step
from searchkit.transforms.first_step import FirstStepFixed

MOST_ESTIMATE = (1 << 62) - 1
"""What `follow` is given as its limit where there is none."""


def checked(
    problem: Problem[Any, Any], algorithm: Algorithm | None = None
) -> tuple[Problem[Any, Any], Algorithm | None]:
    """The problem with its kernels checked, and the algorithm with those of its heuristic.

    Raises `UnsuitableError` for a problem that has no kernels.
    """
    if isinstance(problem, (ChainMoves, MoverState)):
        inner, _ = checked(problem.base)
        return type(problem)(inner), algorithm
    if isinstance(problem, FirstStepFixed):
        inner, _ = checked(problem.base)
        return fix_first_step(inner) or inner, algorithm
    if not isinstance(problem, PackedProblem):
        raise UnsuitableError(
            f"the checked engine checks kernels, and {type(problem).__name__} is not a "
            f"PackedProblem; "
            "engine='reference' runs it"
        )
    heuristic = None
    if algorithm is not None and algorithm.uses_heuristic:
        chosen = getattr(algorithm, "heuristic", None)
        chosen = own_heuristic(problem) if chosen is None else chosen
        if isinstance(chosen, PackedHeuristic):
            heuristic = checked_heuristic(chosen, problem.words)
            own: Any = algorithm
            algorithm = attrs.evolve(own, heuristic=heuristic)
    return checked_problem(problem, heuristic), algorithm


def checked_heuristic(heuristic: PackedHeuristic, words: int = 1) -> PackedHeuristic:
    """A copy of the heuristic whose kernels are checked."""
    return with_methods(heuristic, checked_kernels(heuristic, words))


def checked_problem(
    problem: PackedProblem[Any], heuristic: PackedHeuristic | None = None
) -> PackedProblem[Any]:
    """A copy of the problem whose kernels and promises are checked at each state expanded.

    The estimates of a checked `heuristic` are compared along each step.
    """
    kind = type(problem)
    promises = Promises(problem, heuristic)

    def successors(self: Any, state: Any) -> Iterable[Step[Any, Any]]:
        promises.check(self, state)
        return kind.successors(self, state)

    methods = {**checked_kernels(problem, problem.words), "successors": successors}
    return with_methods(problem, methods)


@attrs.define
class Promises:
    """What a problem says of its operators, checked step by step."""

    problem: PackedProblem[Any]
    heuristic: PackedHeuristic | None
    _operators: dict[int, list[int]] = attrs.field(factory=dict)
    _toggles: list[int] | None = attrs.field(default=None)

    def __attrs_post_init__(self) -> None:
        if isinstance(self.problem, HasToggles):
            self._toggles = [int(each) for each in self.problem.toggles()]

    def _error(self, message: str, state: Any) -> ProblemError:
        shown = f"{state:#x}" if isinstance(state, int) else repr(state)
        return ProblemError(f"{type(self.problem).__name__}: {message}, in state {shown:.160}")

    def check(self, problem: PackedProblem[Any], state: Any) -> None:
        """Check all steps out of a state. O(operators) kernel calls."""
        control = self._control(problem, state)
        is_ranked = "rank" in kernel_names(self.problem)
        if is_ranked:
            rank = problem.rank(state)
            if not 0 <= rank < problem.ranks:
                raise self._error(f"rank is {rank}; ranks is {problem.ranks}", state)
            again = problem.unrank(rank)
            if again != state:
                raise self._error(f"unrank({rank}), its rank, is the state {again!r:.60}", state)
        for operator in self._listed(problem, control):
            if problem.legal(state, control, operator):
                self._check_step(problem, state, control, operator)

    def _control(self, problem: PackedProblem[Any], state: Any) -> int:
        control = problem.control(state)
        if not 0 <= control < problem.controls:
            message = f"control is {control}; it must be from 0 to {problem.controls - 1}"
            raise self._error(message, state)
        return int(control)

    def _listed(self, problem: PackedProblem[Any], control: int) -> list[int]:
        given: Any = problem.operators(control)
        if not hasattr(given, "__getitem__") or not hasattr(given, "__len__"):
            raise ProblemError(
                f"{type(problem).__name__}: operators({control}) gives {given!r:.60}; it must give "
                "a sequence of integers, such as range(4)"
            )
        listed = list(operators_of(problem, control))
        if self._operators.setdefault(control, listed) != listed:
            raise ProblemError(
                f"{type(problem).__name__}: operators({control}) gave {self._operators[control]}, "
                f"then {listed}; it is asked once, before a search"
            )
        return listed

    def _check_step(
        self, problem: PackedProblem[Any], state: Any, control: int, operator: int
    ) -> None:
        child = problem.apply(state, control, operator)
        problem.cost(state, control, operator)
        after = self._control(problem, child)
        stated = problem.next_control(control, operator)
        if stated is not None and stated != after:
            raise self._error(
                f"next_control({control}, {operator}) is {stated}, but the control state after it "
                f"is {after}",
                state,
            )
        if self._toggles is not None and child != state ^ self._toggles[operator]:
            raise self._error(f"toggles says other bits than apply for operator {operator}", state)
        back = problem.inverse(control, operator)
        if back is not None:
            self._check_inverse(problem, state, operator, (child, after, back))
        if self.heuristic is not None:
            self._check_estimates(self.heuristic, PackedStep(state, control, operator, child))

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
        state, control, operator, child = step
        if isinstance(heuristic, CarriedHeuristic):
            memory = heuristic.memory
            memo = [0] * 2 * memory
            before = heuristic.begin(memo, 0, state)
            exact = heuristic.estimate(child)
            if before == DEAD_END:
                return
            if heuristic.recall(memo, 0) != before:
                raise self._error(f"begin gives {before}, but recall does not", state)
            found = heuristic.follow(memo, 0, memory, step, MOST_ESTIMATE)
            form = "follow"
        elif type(heuristic).change is not PackedHeuristic.change:
            exact = heuristic.estimate(child)
            found = heuristic.estimate(state) + heuristic.change(state, control, operator, child)
            form = "change"
        else:
            return
        if found != exact:
            raise self._error(
                f"the estimate after operator {operator} is {exact}, but by {form} it is {found}",
                state,
            )
