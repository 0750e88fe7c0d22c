"""Mistakes that a type checker is to find: one in each line that says so."""

from collections.abc import Iterator

from searchkit import AStar, Heuristic, Problem, Step, solve
from searchkit.checks import check_heuristic


class Count(Problem[int, str]):
    """To 10 from 1."""

    def initial_states(self) -> list[int]:
        """One."""
        return [1]

    def successors(self, state: int) -> Iterator[Step[int, str]]:
        """Twice as much."""
        yield Step("double", str(state))  # mistake
        yield Step(state, 2 * state)  # mistake

    def is_goal(self, state: int) -> bool:
        """Ten."""
        return state == 10


class Turned(Problem[int, str]):
    """Has the types of its steps the other way round."""

    def initial_states(self) -> list[int]:
        """One."""
        return [1]

    def successors(self, state: int) -> Iterator[Step[str, int]]:  # mistake
        """Nothing."""
        yield from ()

    def is_goal(self, state: int) -> bool:
        """Ten."""
        return state == 10


class Letters(Heuristic[str, str]):
    """The length of a text."""

    def __call__(self, state: str) -> float:
        """Its letters."""
        return len(state)


def mistaken() -> None:
    """Uses what is found as what it is not; it is for reading, and not run."""
    result = solve(Count(), AStar())
    result.actions[0] + 1  # mistake
    result.states[0].upper()  # mistake
    check_heuristic(Count(), Letters())  # mistake
