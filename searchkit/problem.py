"""The protocol between a problem and the engines that search it.

A problem is an implicit graph: `initial_states`, `successors` and `is_goal` are all an
engine needs. Everything else has a default here or is an optional capability
(`searchkit.capabilities`).
"""

from __future__ import annotations

import enum
from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable
from itertools import islice
from typing import Any, Generic, NamedTuple, Self, TypeVar

import attrs

S = TypeVar("S")
A = TypeVar("A")
T = TypeVar("T")

INFINITY = float("inf")
"""What a heuristic returns for a state from which no goal can be reached."""


# A named tuple, not an attrs class: engines unpack one for every generated state, and a
# frozen attrs instance takes 1.6 times as long to make.
class Step(NamedTuple, Generic[S, A]):
    """One edge of the state graph: `action` leads to `state` and adds `cost`.

    `cost` is a non-negative integer. The actions of different steps out of one state differ.
    """

    action: A
    state: S
    cost: int = 1


class Costs(enum.Enum):
    """What a problem promises about the costs of its steps."""

    UNIT = "unit"
    ZERO_ONE = "zero-one"
    INTEGER = "non-negative integer"


def name_of(value: object) -> str:
    """Returns what messages call a problem or a heuristic: its class, or that of its author's."""
    return str(getattr(value, "author_name", type(value).__name__))


def is_default(problem: object, name: str) -> bool:
    """Returns whether a method of a problem is that of `Problem`, and none of its author's."""
    return getattr(getattr(problem, name, None), "__func__", None) is getattr(Problem, name)


class Problem(ABC, Generic[S, A]):
    """A state-space problem over any kind of state.

    States may be any objects whose `key` is hashable. Two states with equal keys must be
    interchangeable: same legal actions, same costs, same keys of successors, both goals or
    neither. `successors` must be deterministic, in content and in order: engines call it
    again to rebuild solutions. There must be no cycle of zero cost.

    >>> from searchkit import BreadthFirst, Problem, Step, solve
    >>> class Count(Problem[int, str]):
    ...     def initial_states(self):
    ...         return [1]
    ...     def successors(self, state):
    ...         yield Step("double", 2 * state)
    ...         yield Step("increment", state + 1)
    ...     def is_goal(self, state):
    ...         return state == 10
    >>> solve(Count(), BreadthFirst()).actions
    ('double', 'double', 'increment', 'double')

    `print(problem)` shows the start, as `render` draws it.

    >>> print(Count())
    Count
    1
    """

    costs: Costs = Costs.UNIT
    """What the costs of this problem's steps can be; breadth-first engines need `UNIT`."""

    undirected: bool = False
    """True if every step can be taken back by another step of the same cost."""

    complete_certificates: bool = False
    """True if `certificate` (see `HasCertificate`) is None for solvable states only.

    A problem of which every state can be solved says so too, and needs no `certificate`.
    """

    @abstractmethod
    def initial_states(self) -> Iterable[S]:
        """The states a solution may start from: one or several."""

    @abstractmethod
    def successors(self, state: S) -> Iterable[Step[S, A]]:
        """The steps out of `state`, in a fixed order."""

    @abstractmethod
    def is_goal(self, state: S) -> bool:
        """Whether `state` solves the problem."""

    def key(self, state: S) -> Hashable:
        """The identity of `state` in duplicate detection; by default the state itself."""
        return state

    def heuristic(self, state: S) -> float:
        """A lower bound on the cost from `state` to a goal, `INFINITY` for a dead end.

        By default that of `default_heuristic()`, which is made for each call, or else 0.
        """
        make = getattr(self, "default_heuristic", None)
        return 0 if make is None else float(make()(state))

    def format_action(self, action: A) -> str:
        """The text of `action` in solutions; distinct for distinct actions of a state."""
        return str(action)

    def format_state(self, state: S) -> str:
        """The text of `state`, on one line; `parse` reads it back where a problem has it."""
        return str(state)

    def render(self, state: S) -> str:
        """A picture of `state`, possibly of several lines."""
        return self.format_state(state)

    def __str__(self) -> str:
        """The name of the class, and a picture of the start; of the first of several."""
        starts = list(islice(self.initial_states(), 2))
        more = ["and other starts"] if len(starts) > 1 else []
        return "\n".join([type(self).__name__, *map(self.render, starts[:1]), *more])

    def _repr_html_(self) -> str:
        from searchkit.render.notebook import problem_html  # noqa: PLC0415  (for Jupyter only)

        return problem_html(self)


def derived(make: Callable[[Any], T]) -> T:
    """A field of an attrs class that follows from the fields before it: `make(self)`.

    It is made once, cannot be given, and is left out of comparisons and of the text of the object.

    >>> import attrs
    >>> from searchkit.problem import derived
    >>> @attrs.frozen
    ... class Tower:
    ...     disks: int
    ...     moves: int = derived(lambda self: 2**self.disks - 1)
    >>> Tower(5), Tower(5).moves
    (Tower(disks=5), 31)
    """
    default: Any = attrs.Factory(make, takes_self=True)
    field: T = attrs.field(init=False, eq=False, repr=False, default=default)
    return field


class StartAndGoal(Problem[S, A]):
    """A problem from one state to one other, both of which can be replaced.

    For attrs classes with the fields `start` and `goal`, of which `with_start` and `with_goal`
    make a changed copy; all that is left to define are the steps.

    >>> import attrs
    >>> from searchkit import BreadthFirst, StartAndGoal, Step, solve
    >>> @attrs.frozen
    ... class Knight(StartAndGoal[tuple[int, int], tuple[int, int]]):
    ...     start: tuple[int, int]
    ...     goal: tuple[int, int]
    ...     def successors(self, state):
    ...         for x, y in (1, 2), (2, 1), (2, -1), (1, -2), (-1, -2), (-2, -1), (-2, 1), (-1, 2):
    ...             if 0 <= state[0] + x < 8 and 0 <= state[1] + y < 8:
    ...                 yield Step((x, y), (state[0] + x, state[1] + y))
    >>> solve(Knight((0, 0), (7, 7)).with_goal((1, 1)), BreadthFirst()).cost
    4
    """

    start: S
    goal: S

    def initial_states(self) -> tuple[S]:
        """The start."""
        return (self.start,)

    def goal_states(self) -> tuple[S]:
        """The goal."""
        return (self.goal,)

    def is_goal(self, state: S) -> bool:
        """Whether `state` is the goal."""
        return state == self.goal

    def with_start(self, state: S) -> Self:
        """The same problem from another start."""
        return self._changed(start=state)

    def with_goal(self, state: S) -> Self:
        """The same problem with another goal."""
        return self._changed(goal=state)

    def _changed(self, **field: S) -> Self:
        """A copy with another `start` or `goal`, made by `__init__`, on which the rest may hang."""
        if not attrs.has(type(self)):
            (name,) = field
            raise TypeError(
                f"{type(self).__name__} is no attrs class, whose copies with_{name} could make; "
                f"write @attrs.frozen above it, or define with_{name}"
            )
        return attrs.evolve(self, **field)  # type: ignore[misc]
