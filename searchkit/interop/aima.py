"""Problems written for aima-python, as problems of searchkit: the class that they derive from."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any, NamedTuple

from searchkit import problem
from searchkit.errors import ProblemError
from searchkit.problem import Costs, Step

EDITIONS = {"path_cost": "action_cost", "goal_test": "is_goal"}
"""Methods of the third edition, and those that say the same in the fourth."""


class Node(NamedTuple):
    """What `h` is given: of aima's nodes, the state."""

    state: Any


class Problem(problem.Problem[Any, Any]):
    """What `Problem` of aima-python is to its users: `actions` and `result`.

    `goal_test` and `path_cost` of the third edition (`search.py`), or `is_goal` and `action_cost`
    of the fourth (`search4e.ipynb`), may be defined, too, and `h`, the heuristic, of a node with a
    `state`. Other arguments by name become attributes. A class written for either edition needs no
    other change than this base. One that defines both methods of a pair raises `ProblemError`.

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

    def __init__(self, initial: Any = None, goal: Any = None, **others: Any) -> None:
        self.initial = initial
        self.goal = goal
        vars(self).update(others)

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        for third, fourth in EDITIONS.items():
            if all(getattr(cls, name) is not getattr(Problem, name) for name in (third, fourth)):
                raise ProblemError(
                    f"{cls.__name__} has {third}, of aima's third edition, and {fourth}, of its "
                    "fourth; leave out one of them"
                )
        if not {"path_cost", "action_cost"}.isdisjoint(vars(cls)) and "costs" not in vars(cls):
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
        return c + self.action_cost(state1, action, state2)

    def action_cost(self, s: Any, a: Any, s1: Any) -> int:
        """What the step by `a` from `s` to `s1` costs; 1 where none is defined."""
        return 1

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
