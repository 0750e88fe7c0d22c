"""Hypothesis strategies that draw states and walks of a problem, and shrink to short ones."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from operator import attrgetter
from typing import Any, TypeVar

import attrs
from hypothesis import strategies as st

from searchkit.capabilities import HasGoalStates, HasRandomState, steps_into
from searchkit.errors import UnsuitableError
from searchkit.problem import Problem, Step
from searchkit.result import Solution

S = TypeVar("S")
A = TypeVar("A")

STEPS = 30


@attrs.frozen
class Walk(Solution[S, A]):
    """Steps one after another, which need not end at a goal."""

    @property
    def end(self) -> S:
        """The state that it leads to."""
        return self.states[-1]


def walks(problem: Problem[S, A], max_steps: int = STEPS) -> st.SearchStrategy[Walk[S, A]]:
    """Walks from a start of at most `max_steps` steps, which may pass goals and meet states again.

    They shrink to short ones of first steps. O(steps x branching) for each.

    >>> from hypothesis import given
    >>> from searchkit.testing import walks
    >>> def shows(problem):
    ...     @given(walks(problem))
    ...     def costs_are_at_least_the_length(walk):
    ...         assert walk.cost >= len(walk.steps)
    """
    return _walks(problem.initial_states, problem.successors, max_steps)


def states_of(problem: Problem[S, Any], max_steps: int = STEPS) -> st.SearchStrategy[S]:
    """States that a walk of at most `max_steps` steps leads to; they shrink to a start.

    O(steps x branching) for each.
    """
    return walks(problem, max_steps).map(attrgetter("end"))


def solvable_boards(problem: Problem[S, Any], max_steps: int = STEPS) -> st.SearchStrategy[S]:
    """States from which a goal can be reached.

    They are found by walks back from listed goals, and then shrink to a goal, and none is more than
    `max_steps` steps away; where there is no way back, by the problem's `random_state`.

    Raises `UnsuitableError` if the problem has neither.
    """
    back = steps_into(problem)
    if back is not None and isinstance(problem, HasGoalStates):
        return _walks(problem.goal_states, back, max_steps).map(attrgetter("end"))
    if isinstance(problem, HasRandomState):
        return st.randoms(use_true_random=False).map(problem.random_state)
    raise UnsuitableError(
        f"{type(problem).__name__} has no way back from goals (goal_states, and predecessors or "
        "undirected) and no random_state; use states_of"
    )


@st.composite
def _walks(
    draw: st.DrawFn,
    roots: Callable[[], Iterable[S]],
    onward: Callable[[S], Iterable[Step[S, A]]],
    max_steps: int,
) -> Walk[S, A]:
    start = state = draw(st.sampled_from(list(roots())))
    steps: list[Step[S, A]] = []
    for _ in range(draw(st.integers(0, max_steps))):
        choice = list(onward(state))
        if not choice:
            break
        step = Step(*draw(st.sampled_from(choice)))
        steps.append(step)
        state = step.state
    return Walk(start, tuple(steps))
