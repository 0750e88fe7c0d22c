"""Path refinement: a path that was found is made shorter, whoever has found it.

A path is passed over by windows, within which a shorter way is searched for between their ends.
D. Furcy, ITSA*: iterative tunneling search with A*, 2006, is of this kind.
"""

from __future__ import annotations

import enum
from collections.abc import Generator, Sequence
from itertools import islice
from typing import Any, Protocol

from searchkit.capabilities import HasBoundBetween, HasGoalStates
from searchkit.errors import ProblemError
from searchkit.limits import LimitKind
from searchkit.packed import State
from searchkit.problem import Problem
from searchkit.running.task import Outcome, Task
from searchkit.solutions.from_parents import without_loops

FIRST_WINDOW = 28
LONGER_BY = 4
STRIDES = 6
"""Strides per window. After an improvement the next window starts half a window earlier."""


class Sweep(enum.Enum):
    """How far a sweep has come."""

    AMID = "amid it"
    ENDED = "ended"
    PROVED = "the whole path was a window, and there is no shorter one between its ends"


class Path(Protocol):
    """A path that can be made shorter, in slices: how, differs from engine to engine.

    A sweep passes windows of one length over the path, each `stride` steps after the last one,
    and looks for a shorter way between the ends of each. Where it has found one, it returns
    by `back` steps.
    """

    @property
    def length(self) -> int:
        """The steps that the path has now."""

    def begin_sweep(self, window: int, stride: int, back: int) -> None:
        """Begin with the first window."""

    def advance(self, budget: int) -> tuple[Sweep, int, int]:
        """Go on for up to `budget` expansions; how many there were, and the states generated."""

    def states(self) -> list[State]:
        """The states from start to goal."""


def refined(task: Task, paths: Sequence[Path], grant: int = 0) -> Generator[None, None, Outcome]:
    """The outcome of a search that has found `paths`, after `effort` expansions to shorten them.

    `grant` is the budget to go on with where the driver sets none.
    """
    task.counters.holding(sum(path.length for path in paths))
    if not paths:
        return Outcome()
    return outcome_of(task, (yield from shortest(task, paths, task.algorithm.effort, grant)))


def shortest(
    task: Task, paths: Sequence[Path], effort: float, grant: int = 0
) -> Generator[None, None, Path]:
    """The shortest that becomes of `paths` with `effort` expansions.

    The windows grow from sweep to sweep, and after each sweep the shorter half of the paths stays.
    """
    paths = sorted(paths, key=lambda path: path.length)
    best = paths[0]
    noted = -1
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
                    if best.length != noted:
                        task.partial, noted = outcome_of(task, best), best.length
                    yield
                    task.budget = task.budget or grant
                sweep, expanded, generated = path.advance(int(min(effort, task.budget)))
                effort -= expanded
                task.budget -= expanded
                task.counters.expanded += expanded
                task.counters.generated += generated
                best = min(best, path, key=lambda path: path.length)
            if sweep is Sweep.PROVED:
                paths.remove(path)
                if _has_two_ends(task):
                    task.counters.lower_bound = path.length
                    return path
        paths = sorted(paths, key=lambda path: path.length)[: (len(paths) + 1) // 2]
        window += LONGER_BY
    return best


def _has_two_ends(task: Task) -> bool:
    """Whether there is one start and one goal, so that a shortest path between them is optimal."""
    problem = task.problem
    if len(task.starts) != 1 or not isinstance(problem, HasGoalStates):
        return False
    return len(list(islice(problem.goal_states(), 2))) == 1


def _bound(task: Task) -> int:
    """A lower bound on the cost, if one is known between the only start and the only goal."""
    problem = task.problem
    if not isinstance(problem, HasBoundBetween) or not _has_two_ends(task):
        return 0
    assert isinstance(problem, HasGoalStates)
    (goal,) = problem.goal_states()
    return problem.bound_to(task.starts[0], problem.aim(goal))


def outcome_of(task: Task, path: Path) -> Outcome:
    """What the engine returns for a path: it ends at its first goal."""
    states = up_to_goal(task.problem, path.states())
    end = len(states) - 1
    if end > task.max_cost:
        return Outcome(gave_up=LimitKind.COST)
    remaining = {task.problem.key(state): end - i for i, state in enumerate(states)}
    return Outcome(cost=end, remaining=remaining)


def check_end(problem: Problem[Any, Any], state: State) -> None:
    """Raise `ProblemError` if a path ends at a state that is not a goal."""
    if not problem.is_goal(state):
        raise ProblemError(
            f"{type(problem).__name__}: the way ends at {problem.format_state(state)}, "
            "which is not a goal"
        )


def up_to_goal(problem: Problem[Any, Any], states: list[State]) -> list[State]:
    """The states of a path without loops, up to the first goal."""
    check_end(problem, states[-1])
    states = [states[i] for i in without_loops(states)]
    end = next(i for i, state in enumerate(states) if problem.is_goal(state))
    return states[: end + 1]
