"""Stages: a problem as a row of sub-goals, each an abstraction small enough to be tabulated.

R. E. Korf, Macro-operators: a weak method for learning, 1985, orders sub-goals so that what one
has solved, the next ones can keep; to have a table of distances for each is the method of
M. B. Thistlethwaite, 52-move algorithm, 1981.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Sequence
from typing import Any, Protocol, runtime_checkable

import attrs

from searchkit import Algorithm, PackedProblem, Problem, ProblemError, UnsuitableError
from searchkit.algorithms.validators import whole
from searchkit.packed import State


class Stage(PackedProblem[int]):
    """A sub-goal of a packed problem, over the same states, under fewer operators.

    `operators` and `legal` allow only those steps of the problem that keep what earlier stages
    have reached. `at_goal` is the sub-goal. `rank` maps a state to its abstract state, 0 to
    `ranks` - 1, or to -1 outside the stage. States of equal rank must be interchangeable: the
    same operators lead from all of them to equal ranks, and all or none are at the goal. `unrank`
    gives one of them. Operators have the numbers that they have in the problem, and cost 1; each
    can be taken back by one that the stage allows, too.

    Stages that are equal share a table: give them `__eq__` and `__hash__` (a frozen attrs class
    has both). Stages of one class share machine code.
    """

    undirected = True

    def initial_states(self) -> Iterable[State]:
        """None of its own."""
        return ()

    def action(self, state: State, operator: int) -> int:
        """The number of the operator."""
        return operator

    @abstractmethod
    def rank(self, state: State) -> int:
        """Kernel: the number of what matters of `state`, or -1."""

    @abstractmethod
    def unrank(self, index: int) -> State:
        """Kernel: a state with that number."""


@runtime_checkable
class HasStages(Protocol):
    """Of packed problems: there are sub-goals, each easy to reach while the former ones stay."""

    def stage_plans(self, most_states: int) -> Sequence[Sequence[Stage]]:
        """Ways to solve the problem in stages, the usual one first.

        No stage of a plan has more than `most_states` states if that can be; what follows the
        last stage is a goal. Empty if there is no plan.
        """


Plan = tuple[Stage, ...]


def plans_of(problem: Problem[Any, Any], most_states: int, most: int | None = None) -> list[Plan]:
    """The first `most` plans, the usual one first; `ProblemError` if one is wrong."""
    assert isinstance(problem, HasStages)
    name = type(problem).__name__
    plans = [tuple(plan) for plan in problem.stage_plans(most_states)[:most]]
    if not all(plans):
        raise ProblemError(f"{name}: stage_plans gives a plan without stages")
    for stage in (stage for plan in plans for stage in plan):
        if not isinstance(stage, Stage) or stage.ranks < 1 or not stage.undirected:
            raise ProblemError(
                f"{name}: {stage!r:.60} is not an undirected Stage with ranks of 1 or more"
            )
    return plans


def no_way(problem: Problem[Any, Any], start: State) -> ProblemError:
    """The error to raise where a stage has no way to its goal, and no certificate says why."""
    return ProblemError(
        f"{type(problem).__name__}: the stages find no way from {problem.format_state(start)}; "
        "a start that cannot be solved needs a certificate"
    )


def no_goal(stage: Stage) -> ProblemError:
    """The error to raise where a stage cannot be reached at all."""
    return ProblemError(f"{type(stage).__name__}: no state of the stage is at its goal")


def wrong_cost(stage: Stage) -> ProblemError:
    """The error to raise for a step of another cost than 1."""
    return ProblemError(f"{type(stage).__name__}: a step does not cost 1")


def wrong_number(stage: Stage, index: int) -> ProblemError:
    """The error to raise where rank and unrank contradict each other, or rank is out of range."""
    return ProblemError(
        f"{type(stage).__name__}: rank gives {index}; it must be from 0 to {stage.ranks - 1} "
        "for every state of the stage, and undo unrank"
    )


MOST_SPENT = 300
"""Expansions from each state of a beam, in each stage."""
MOST_ENDS = 64
"""Ways that are looked for from each state."""
MOST_SLACK = 4
"""Steps by which a way may be longer than the shortest."""


@attrs.frozen
class Stages(Algorithm):
    """Sub-goals one after the other, each along a table of distances: no search, not optimal.

    The problem has plans for it: `plans` of them are tried, and the shortest solution is taken.
    `states` is the most states of a table that a plan should have.

    `beam` is the number of states that go on from each stage to the next: those of least cost and
    distance, among the ends of up to 64 ways, not all shortest ones, from each state before.

    `effort` is the number of expansions that may then be spent on shortening the solution: parts
    of it are searched for shorter ones by IDA* between their ends, longer and longer parts. If
    the whole solution has been one of these parts, it is proved optimal.
    """

    name = "stages"
    summary = "sub-goals one after the other, each from a table; not optimal"
    optimal = False
    finds_all = False
    trial = False
    unit_costs = True
    uses_goal_states = True
    capabilities = (HasStages,)

    plans: int = attrs.field(default=1, validator=whole(1))
    states: int = attrs.field(default=1 << 17, validator=whole(1))
    beam: int = attrs.field(default=1, validator=whole(1))
    effort: int = attrs.field(default=0, validator=whole(0))

    def check(self, problem: Problem[Any, Any]) -> None:
        """Refuse costs other than unit, and problems without a plan."""
        super().check(problem)
        if not isinstance(problem, HasStages):
            raise UnsuitableError(
                "stages needs stage_plans(), which the problem does not have; use astar"
            )
        if not problem.stage_plans(self.states):
            raise UnsuitableError("stages has no plan for this problem; use idastar or astar")
