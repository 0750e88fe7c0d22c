"""Lower bounds as objects, so that they can be chosen, combined and carried incrementally."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Hashable, Iterable
from typing import Any, Generic, TypeVar

import attrs

from searchkit.errors import ProblemError
from searchkit.problem import Problem, Step

S = TypeVar("S")
A = TypeVar("A")
V = TypeVar("V", bound=Hashable)


class Heuristic(ABC, Generic[S, A]):
    """A lower bound `h(state)` on the cost from a state to the nearest goal.

    It must be admissible for an optimal search; it need not be consistent. `INFINITY` says
    that no goal can be reached.
    """

    name: str = "heuristic"
    given: str | None = None
    """What makes it a lower bound, if a clause can say it: "a move takes one tile one cell on".

    A proof says that it rests on this; where it is None, on the admissibility of the heuristic.
    """
    operator_pruning: int = 0
    """What this option of IDA* is where it is not given: above 0 if its table is to be spared."""

    @abstractmethod
    def __call__(self, state: S) -> float:
        """The value of `state`, computed from scratch."""

    def after(self, h: float, state: S, step: Step[S, A]) -> float:
        """The value of `step.state`, given the value `h` of `state` before the step.

        Override it where the value can be carried along more cheaply than computed from scratch.
        """
        return self(step[1])  # a plain tuple will do

    def unfit(self, problem: Problem[Any, Any]) -> str | None:
        """Why it is not a lower bound for `problem`; None if nothing speaks against it.

        A heuristic with tables made for one goal, say, knows that of another problem it knows
        nothing. Asked before a search.
        """
        return None

    def fault(self) -> str | None:
        """What was found wrong with it while a search used it; None if nothing was.

        Asked when a search has ended: machine code cannot raise errors, but it can take notes.
        """
        return None


def is_estimate(value: Any) -> bool:
    """Whether `value` is a number from 0 upwards, which NaN, None and texts are not.

    What is too large for a float is none either.
    """
    try:
        return bool(value >= 0) and float(value) >= 0
    except (TypeError, ValueError, OverflowError):
        return False


def wrong_estimate(name: str, value: Any, state: str) -> ProblemError:
    """The error to raise where the heuristic `name` gives a `state` what is not an estimate."""
    shown = " ".join(state.split())
    return ProblemError(
        f"heuristic {name} gives {value!r:.40} for state {shown:.80}; it must give a number "
        "from 0 upwards, or INFINITY where no goal can be reached"
    )


@attrs.frozen
class ProblemHeuristic(Heuristic[Any, Any]):
    """The `heuristic` method of a problem as a `Heuristic`."""

    problem: Problem[Any, Any]
    name: str = "problem"

    def __call__(self, state: Any) -> float:
        """The problem's own estimate."""
        return self.problem.heuristic(state)


def distances_from(
    start: V, neighbours: Callable[[V], Iterable[V]], most: int | None = None
) -> dict[V, int]:
    """How many steps away from `start` each thing is that can be reached, the nearest first.

    Breadth first: the table of a heuristic that looks at a part of the state. It ends when it has
    found more than `most`. O(things x neighbours).

    >>> from searchkit.heuristic import distances_from
    >>> distances_from(0, lambda hour: ((hour + 5) % 12, (hour - 5) % 12), most=4)
    {0: 0, 5: 1, 7: 1, 10: 2, 2: 2}
    """
    distances = {start: 0}
    queue = [start]
    for each in queue:  # grows as it goes
        for neighbour in neighbours(each):
            if neighbour not in distances:
                distances[neighbour] = distances[each] + 1
                queue.append(neighbour)
        if most is not None and len(distances) > most:
            break
    return distances
