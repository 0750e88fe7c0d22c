"""Problems written for simpleai, as problems of searchkit: the class that they derive from."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator
from typing import Any

from searchkit.problem import Costs, Problem, Step


class SearchProblem(Problem[Any, Any]):
    """What `simpleai.search.SearchProblem` is to its users: `actions`, `result` and `is_goal`.

    `cost` and `heuristic` may be defined, too. A class written for it needs no other change than
    this base; simpleai need not be installed.

    >>> from searchkit import BreadthFirst, solve
    >>> from searchkit.interop.simpleai import SearchProblem
    >>> class Count(SearchProblem):
    ...     def actions(self, state):
    ...         return ["add", "double"]
    ...     def result(self, state, action):
    ...         return state + 1 if action == "add" else 2 * state
    ...     def is_goal(self, state):
    ...         return state == 10
    >>> solve(Count(initial_state=1), BreadthFirst()).actions
    ('add', 'double', 'add', 'double')
    """

    initial_state: Any = None

    def __init__(self, initial_state: Any = None) -> None:
        if initial_state is not None:
            self.initial_state = initial_state

    def __init_subclass__(cls, **options: Any) -> None:
        super().__init_subclass__(**options)
        if "cost" in vars(cls) and "costs" not in vars(cls):
            cls.costs = Costs.INTEGER

    @abstractmethod
    def actions(self, state: Any) -> Iterable[Any]:
        """What can be done in `state`, in a fixed order."""

    @abstractmethod
    def result(self, state: Any, action: Any) -> Any:
        """Where `action` leads from `state`."""

    def cost(self, state: Any, action: Any, state2: Any) -> int:
        """What it costs."""
        return 1

    def initial_states(self) -> list[Any]:
        """The start."""
        return [self.initial_state]

    def successors(self, state: Any) -> Iterator[Step[Any, Any]]:
        """A step for each action."""
        for action in self.actions(state):
            after = self.result(state, action)
            yield Step(action, after, self.cost(state, action, after))
