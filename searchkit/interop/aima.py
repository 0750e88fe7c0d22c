"""Problems written for aima-python, as problems of searchkit: the class that they derive from."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from searchkit import problem
from searchkit.problem import Costs, Step


class Node(NamedTuple):
    """What `h` is given: of aima's nodes, the state."""

    state: Any


class Problem(problem.Problem[Any, Any]):
    """What `Problem` of aima-python's `search.py` is to its users: `actions` and `result`.

    `goal_test`, `path_cost` and `h` may be defined, too; `h` is the heuristic, of a node with a
    `state`. A class written for it needs no other change than this base.

    >>> from searchkit import BreadthFirst, solve
    >>> from searchkit.interop.aima import Problem
    >>> class Count(Problem):
    ...     def actions(self, state):
    ...         return ["add", "double"]
    ...     def result(self, state, action):
    ...         return state + 1 if action == "add" else 2 * state
    >>> solve(Count(1, 10), BreadthFirst()).actions
    ('add', 'double', 'add', 'double')
    """

    def __init__(self, initial: Any, goal: Any = None) -> None:
        self.initial = initial
        self.goal = goal

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "path_cost" in vars(cls) and "costs" not in vars(cls):
            cls.costs = Costs.INTEGER

    @abstractmethod
    def actions(self, state: Any) -> Iterable[Any]:
        """What can be done in `state`, in a fixed order."""

    @abstractmethod
    def result(self, state: Any, action: Any) -> Any:
        """Where `action` leads from `state`."""

    def goal_test(self, state: Any) -> bool:
        """Whether `state` is the goal, or in the list of goals."""
        if isinstance(self.goal, list):
            return state in self.goal
        return bool(state == self.goal)

    def path_cost(self, c: int, state1: Any, action: Any, state2: Any) -> int:
        """What a path costs that cost `c` up to `state1`, with one step more."""
        return c + 1

    def h(self, node: Any) -> float:
        """The heuristic; 0 where none is defined."""
        return 0

    def initial_states(self) -> list[Any]:
        """The start."""
        return [self.initial]

    def successors(self, state: Any) -> Iterator[Step[Any, Any]]:
        """A step for each action."""
        for action in self.actions(state):
            after = self.result(state, action)
            yield Step(action, after, self.path_cost(0, state, action, after))

    def is_goal(self, state: Any) -> bool:
        """What `goal_test` says."""
        return self.goal_test(state)

    def heuristic(self, state: Any) -> float:
        """What `h` says."""
        return self.h(Node(state))
