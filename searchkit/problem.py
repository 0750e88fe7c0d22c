"""The protocol between a problem and the engines that search it.

A problem is an implicit graph: `initial_states`, `successors` and `is_goal` are all an
engine needs. Everything else has a default here or is an optional capability
(`searchkit.capabilities`).
"""

from __future__ import annotations

import enum
from abc import ABC, abstractmethod
from collections.abc import Hashable, Iterable
from itertools import islice
from typing import Generic, NamedTuple, TypeVar

S = TypeVar("S")
A = TypeVar("A")

INFINITY = float("inf")
"""What a heuristic returns for a state from which no goal can be reached."""


# A named tuple, not an attrs class: engines unpack one for every generated state, and a
# frozen attrs instance takes 1.6 times as long to make.
class Step(NamedTuple, Generic[A, S]):
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
    def successors(self, state: S) -> Iterable[Step[A, S]]:
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
