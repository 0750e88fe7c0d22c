"""Stages: a problem as a row of sub-goals, each an abstraction small enough to be tabulated.

R. E. Korf, Macro-operators: a weak method for learning, 1985, orders sub-goals so that what one
has solved, the next ones can keep; to have a table of distances for each is the method of
M. B. Thistlethwaite, 52-move algorithm, 1981.
"""

from __future__ import annotations

import enum
from abc import abstractmethod
from collections.abc import Callable, Generator, Iterable, Sequence
from itertools import islice
from typing import Any, Protocol, TypeVar

from searchkit.algorithms import Stages
from searchkit.capabilities import HasBoundBetween, HasGoalStates, HasStages
from searchkit.errors import ProblemError, UnsuitableError
from searchkit.limits import LimitKind
from searchkit.packed import PackedProblem, State
from searchkit.problem import Problem
from searchkit.running.task import Outcome, Task


class Stage(PackedProblem[int]):
    """A sub-goal of a packed problem, over the same states, under fewer operators.

    `operators` and `legal` allow only those steps of the problem that keep what earlier stages
    have reached. `at_goal` is the sub-goal. `rank` tells from 0 to `ranks` - 1 what of a state
    matters to it, or -1 if the state is none of this stage: one number may be that of many
    states, and then the same operators must lead from all of them to equal numbers, and all or
    none be at the goal. `unrank` gives one of them. Operators have the numbers that they have in
    the problem, and cost 1; each can be taken back by one that the stage allows, too.

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


def plans_of(problem: Problem[Any, Any], algorithm: Stages) -> list[tuple[Stage, ...]]:
    """The plans that `algorithm` tries: as many as it may, the usual one first."""
    assert isinstance(problem, HasStages)
    name = type(problem).__name__
    plans = [tuple(plan) for plan in problem.stage_plans(algorithm.states)[: algorithm.plans]]
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


def not_solved(problem: Problem[Any, Any], state: State) -> ProblemError:
    """The error to raise where the last stage ends at a state that is not a goal."""
    return ProblemError(
        f"{type(problem).__name__}: the last stage ends at {problem.format_state(state)}, "
        "which is not a goal"
    )


def too_far(stage: Stage) -> UnsuitableError:
    """The error to raise where a beam cannot go by the distances of a stage."""
    return UnsuitableError(
        f"{type(stage).__name__}: a stage takes more than {FARTHEST} steps; use beam=1"
    )


def wrong_number(stage: Stage, index: int) -> ProblemError:
    """The error to raise where rank and unrank contradict each other, or rank is out of range."""
    return ProblemError(
        f"{type(stage).__name__}: rank gives {index}; it must be from 0 to {stage.ranks - 1} "
        "for every state of the stage, and undo unrank"
    )


P = TypeVar("P", bound="Path")


class Path(Protocol):
    """A solution that can be made shorter, in slices: how, differs from engine to engine.

    A sweep passes windows of one length over the path, each `stride` steps after the last one,
    and looks for a shorter way between the ends of each. Where it has found one, it goes `back`
    by so many steps.
    """

    @property
    def length(self) -> int:
        """The steps that the path has now."""

    @property
    def expanded(self) -> int:
        """The expansions until now."""

    @property
    def generated(self) -> int:
        """The states generated until now."""

    def begin_sweep(self, window: int, stride: int, back: int) -> None:
        """Begin with the first window."""

    def advance(self, budget: int) -> Sweep:
        """Go on for up to `budget` expansions."""

    def states(self) -> list[State]:
        """The states from start to goal."""


MOST_SPENT = 300
"""Of a beam: the expansions from each of its states, in each stage."""
MOST_ENDS = 64
"""And the ways that are looked for."""
MOST_SLACK = 4
"""And by how much they may be longer than the shortest."""
FARTHEST = 254
"""The distances that beams go by are bytes."""


def first_of_each(order: Iterable[int], state_of: Callable[[int], State], most: int) -> list[int]:
    """The first numbers in `order` whose states differ, up to `most`."""
    kept: dict[State, int] = {}
    for number in order:
        kept.setdefault(state_of(number), number)
        if len(kept) == most:
            break
    return list(kept.values())


class Sweep(enum.Enum):
    """How far a sweep has come."""

    AMID = "amid it"
    ENDED = "ended"
    PROVED = "the whole path was a window, and there is no shorter one between its ends"


FIRST_WINDOW = 28
LONGER_BY = 4
STRIDES = 6
"""So many strides make up a window; half of one is gone back where something shorter was found."""


def shortened(
    task: Task, paths: Sequence[P], effort: int, grant: int = 0
) -> Generator[None, None, P]:
    """The shortest that becomes of `paths` with `effort` expansions.

    The windows grow from sweep to sweep, and after each sweep the shorter half of the paths stays.
    `grant` is the budget to go on with where the driver sets none.
    """
    paths = sorted(paths, key=lambda path: path.length)
    best = paths[0]
    told = -1
    task.counters.lower_bound = _bound(task)
    window = FIRST_WINDOW
    while paths:
        for path in list(paths):
            path.begin_sweep(window, stride=max(1, window // STRIDES), back=window // 2)
            sweep = Sweep.AMID
            while sweep is Sweep.AMID:
                if effort <= 0:
                    return best
                if task.budget <= 0:
                    if best.length != told:
                        task.partial, told = outcome_of(task, best), best.length
                    yield
                    task.budget = task.budget or grant
                before = path.expanded, path.generated
                sweep = path.advance(min(effort, task.budget))
                spent = path.expanded - before[0]
                effort -= spent
                task.budget -= spent
                task.counters.expanded += spent
                task.counters.generated += path.generated - before[1]
                best = min(best, path, key=lambda path: path.length)
            if sweep is Sweep.PROVED:
                paths.remove(path)
                if has_two_ends(task):
                    task.counters.lower_bound = path.length
                    return path
        paths = sorted(paths, key=lambda path: path.length)[: (len(paths) + 1) // 2]
        window += LONGER_BY
    return best


def has_two_ends(task: Task) -> bool:
    """Whether there is one start and one goal, so that a shortest path between them is optimal."""
    problem = task.problem
    if len(task.starts) != 1 or not isinstance(problem, HasGoalStates):
        return False
    return len(list(islice(problem.goal_states(), 2))) == 1


def _bound(task: Task) -> int:
    """A lower bound on the cost, if one is known between the only start and the only goal."""
    problem = task.problem
    if not isinstance(problem, HasBoundBetween) or not has_two_ends(task):
        return 0
    assert isinstance(problem, HasGoalStates)
    return sum(
        problem.bound_to(task.starts[0], problem.aim(goal)) for goal in problem.goal_states()
    )


def outcome_of(task: Task, path: Path) -> Outcome:
    """What the engine returns for a path: it ends at its first goal."""
    states = up_to_goal(task.problem, path.states())
    end = len(states) - 1
    if end > task.max_cost:
        return Outcome(gave_up=LimitKind.COST)
    remaining = {task.problem.key(state): end - i for i, state in enumerate(states)}
    return Outcome(cost=end, remaining=remaining)


def up_to_goal(problem: Problem[Any, Any], states: list[Any]) -> list[Any]:
    """The states of a path without loops, up to the first goal."""
    if not problem.is_goal(states[-1]):
        raise not_solved(problem, states[-1])
    states = without_loops(states)
    end = next(i for i, state in enumerate(states) if problem.is_goal(state))
    return states[: end + 1]


def without_loops(states: list[Any]) -> list[Any]:
    """The states without what lies between two visits of one. O(states)."""
    last = {state: i for i, state in enumerate(states)}
    kept = []
    at = 0
    while at < len(states):
        kept.append(states[at])
        at = last[states[at]] + 1
    return kept
