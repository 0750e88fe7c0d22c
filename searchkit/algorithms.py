"""The algorithms as frozen values with their options; the engines that run them are elsewhere.

A wrong option is an error when the value is made, and a result can say exactly how it was
found.
"""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import attrs

from searchkit.capabilities import HasGoalStates, HasPredecessors
from searchkit.errors import UnsuitableError
from searchkit.heuristic import Heuristic
from searchkit.problem import Costs, Problem

CyclePruning = Literal["auto", "path", "parent"]


def cycle_pruning(problem: Problem[Any, Any], cycles: str) -> str:
    """What "auto" means for `problem`: see `IDAStar`."""
    if cycles != "auto":
        return cycles
    return "parent" if problem.undirected and problem.complete_certificates else "path"


@attrs.frozen
class Algorithm:
    """Base of all algorithm values."""

    name: ClassVar[str]
    summary: ClassVar[str]
    uses_heuristic: ClassVar[bool] = False
    optimal: ClassVar[bool] = True
    """Whether its solutions are optimal (given an admissible heuristic, if it uses one)."""

    def check(self, problem: Problem[object, object]) -> None:
        """Raise `UnsuitableError` if the algorithm cannot solve `problem`."""


def _need_unit_costs(name: str, problem: Problem[object, object]) -> None:
    if problem.costs is not Costs.UNIT:
        raise UnsuitableError(
            f"{name} needs unit costs but the problem has {problem.costs.value} costs; "
            "use ucs, astar, iddfs or idastar"
        )


@attrs.frozen
class BreadthFirst(Algorithm):
    """Breadth-first search (Moore 1959): layer by layer, unit costs only.

    `symmetry` "auto" stores one of the states that symmetries of the problem make equal, of
    those that map its starts to themselves, and expands whole layers; solutions are found by
    walking back, which needs predecessors where the problem is not undirected.
    """

    symmetry: str = attrs.field(default="none", validator=attrs.validators.in_(("none", "auto")))

    name = "bfs"
    summary = "breadth-first search, layer by layer"

    def check(self, problem: Problem[object, object]) -> None:
        """Refuse costs other than unit, and symmetry where there is no way back."""
        _need_unit_costs(self.name, problem)
        if self.symmetry == "auto" and not (
            problem.undirected or isinstance(problem, HasPredecessors)
        ):
            raise UnsuitableError(
                "bfs with symmetry=auto walks back, but the problem has no predecessors(); "
                "use symmetry=none"
            )


@attrs.frozen
class Bidirectional(Algorithm):
    """Bidirectional breadth-first search (Pohl 1971): from start and goals until they meet.

    `symmetry` is that of `BreadthFirst`.
    """

    symmetry: str = attrs.field(default="none", validator=attrs.validators.in_(("none", "auto")))

    name = "bidirectional"
    summary = "breadth-first search from both ends"

    def check(self, problem: Problem[object, object]) -> None:
        """Refuse costs other than unit, and problems that cannot be searched backwards."""
        _need_unit_costs(self.name, problem)
        if not isinstance(problem, HasGoalStates):
            raise UnsuitableError(
                "bidirectional needs goal_states(), which the problem does not have; use bfs"
            )
        if not (problem.undirected or isinstance(problem, HasPredecessors)):
            raise UnsuitableError(
                "bidirectional needs predecessors(), or undirected = True, "
                "and the problem has neither; use bfs"
            )


@attrs.frozen
class AStar(Algorithm):
    """A* (Hart, Nilsson & Raphael 1968), re-opening states when the heuristic is inconsistent.

    `heuristic` defaults to the problem's own. Among states of equal f the one with the
    smallest h comes first, then the one generated last.
    """

    name = "astar"
    summary = "A*: best first by f = g + h"
    uses_heuristic = True

    heuristic: Heuristic | None = None  # type: ignore[type-arg]


@attrs.frozen
class UniformCost(Algorithm):
    """Uniform-cost search (Dijkstra 1959): A* with h = 0."""

    name = "ucs"
    summary = "uniform-cost search: A* with h = 0"


@attrs.frozen
class IDDFS(Algorithm):
    """Iterative-deepening depth-first search (Slate & Atkin 1977; Korf 1985), by cost.

    `cycles` says which steps back are dropped: to any state on the current path (`"path"`,
    which lets it prove finite problems unsolvable), or only straight back to the parent
    (`"parent"`, which takes less time per state). `"auto"` is "parent" for undirected problems
    that certify every unsolvable start, and "path" for others.

    `operator_pruning` is the length up to which sequences of operators are learned to be
    duplicates of others, and left out (Taylor & Korf 1993). It is for the compiled engine and
    problems with `witness`, and is not done where all solutions are wanted.
    """

    name = "iddfs"
    summary = "iterative deepening: depth-first with a growing cost bound"

    cycles: CyclePruning = attrs.field(
        default="auto", validator=attrs.validators.in_(("auto", "path", "parent"))
    )
    operator_pruning: int = attrs.field(
        default=0, validator=[attrs.validators.instance_of(int), attrs.validators.ge(0)]
    )


@attrs.frozen
class IDAStar(Algorithm):
    """Iterative-deepening A* (Korf 1985): IDDFS, and its options, with the bound on f = g + h."""

    name = "idastar"
    summary = "iterative deepening A*: depth-first with a growing bound on f = g + h"
    uses_heuristic = True

    heuristic: Heuristic | None = None  # type: ignore[type-arg]
    cycles: CyclePruning = attrs.field(
        default="auto", validator=attrs.validators.in_(("auto", "path", "parent"))
    )
    operator_pruning: int = attrs.field(
        default=0, validator=[attrs.validators.instance_of(int), attrs.validators.ge(0)]
    )


ALGORITHMS: dict[str, type[Algorithm]] = {
    cls.name: cls for cls in (BreadthFirst, Bidirectional, AStar, UniformCost, IDDFS, IDAStar)
}
"""The bundled algorithms by name."""
