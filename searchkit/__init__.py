"""searchkit: write the puzzle once in Python, search it, and prove the answer."""

import searchkit.running.starting  # noqa: F401  (hears Ctrl-C while the rest is imported)

# isort: split
import sys
from types import ModuleType
from typing import TYPE_CHECKING

from searchkit.algorithms.values import (
    IDDFS,
    Algorithm,
    Anytime,
    AStar,
    BeamSearch,
    BIDAStar,
    Bidirectional,
    BreadthFirst,
    CompleteBeam,
    GreedyBestFirst,
    IDAStar,
    UniformCost,
    WeightedAStar,
    WeightedIDAStar,
)
from searchkit.errors import (
    NoSolutionError,
    ParseError,
    ProblemError,
    SearchkitError,
    UnsuitableError,
    UsageError,
)
from searchkit.heuristic import Heuristic
from searchkit.later import exports
from searchkit.limits import LimitKind, Limits
from searchkit.packed import PackedHeuristic, PackedProblem
from searchkit.problem import INFINITY, Costs, Problem, StartAndGoal, Step
from searchkit.result import SearchResult, Solution, Status

if TYPE_CHECKING:
    from searchkit.checks import check_problem
    from searchkit.explore import explore
    from searchkit.hookspecs import hookimpl
    from searchkit.improvements import improvements
    from searchkit.parameters import Parameter
    from searchkit.puzzles import puzzle
    from searchkit.solve import solve
    from searchkit.solve_many import solve_many

__version__ = "0.1.0"

__all__ = [
    "IDDFS", "INFINITY", "AStar", "Algorithm", "Anytime", "BIDAStar", "BeamSearch", "Bidirectional",
    "BreadthFirst", "CompleteBeam", "Costs", "GreedyBestFirst", "Heuristic", "IDAStar",
    "LimitKind", "Limits", "NoSolutionError", "PackedHeuristic", "PackedProblem", "Parameter",
    "ParseError", "Problem", "ProblemError", "SearchResult", "SearchkitError", "Solution",
    "StartAndGoal", "Status", "Step", "UniformCost", "UnsuitableError", "UsageError",
    "WeightedAStar", "WeightedIDAStar", "check_problem", "explore", "hookimpl",
    "improvements", "puzzle", "solve", "solve_many",
]  # fmt: skip

_LATER = {
    "parameters": "Parameter",
    "checks": "check_problem",
    "explore": "explore",
    "hookspecs": "hookimpl",
    "improvements": "improvements",
    "puzzles": "puzzle",
    "solve": "solve",
    "solve_many": "solve_many",
}
"""What is imported when it is asked for first, by its module: no program needs all of it."""
__getattr__ = exports(__name__, _LATER)


class _Package(ModuleType):
    """The package: `searchkit.solve` is the function, however the module of that name came in."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _LATER.values() and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
