"""searchkit: write the puzzle once in Python, search it, and prove the answer."""

import searchkit.running.starting  # noqa: F401  (hears Ctrl-C while the rest is imported)

# isort: split
import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

from searchkit.algorithms.values import *  # noqa: F403
from searchkit.capabilities import *  # noqa: F403
from searchkit.certificates import Certificate
from searchkit.errors import *  # noqa: F403
from searchkit.heuristic import Heuristic, ProblemHeuristic
from searchkit.limits import Iteration, LimitKind, Limits, Progress
from searchkit.packed import (
    DEAD_END,
    CarriedHeuristic,
    PackedHeuristic,
    PackedProblem,
    PackedStep,
    ZeroHeuristic,
)
from searchkit.problem import INFINITY, Costs, Problem, StartAndGoal, Step, derived
from searchkit.result import Improvement, SearchResult, Solution, Statistics, Status

if TYPE_CHECKING:
    from searchkit.checks import check_heuristic, check_problem
    from searchkit.explore import explore
    from searchkit.heuristics.maximum import maximum
    from searchkit.heuristics.patterns.choose import pattern_heuristic
    from searchkit.hookspecs import hookimpl
    from searchkit.parameters import Parameter
    from searchkit.puzzles import puzzle
    from searchkit.registry import Registry
    from searchkit.scramble import scramble
    from searchkit.solve import solve
    from searchkit.solve_many import ManySolutions, solve_many
    from searchkit.verify import verify_solution

__version__ = "0.1.0"

__all__ = [
    "DEAD_END",
    "INFINITY",
    "CarriedHeuristic",
    "Certificate",
    "Costs",
    "Heuristic",
    "Improvement",
    "Iteration",
    "LimitKind",
    "Limits",
    "ManySolutions",
    "PackedHeuristic",
    "PackedProblem",
    "PackedStep",
    "Parameter",
    "Problem",
    "ProblemHeuristic",
    "Progress",
    "Registry",
    "SearchResult",
    "Solution",
    "StartAndGoal",
    "Statistics",
    "Status",
    "Step",
    "ZeroHeuristic",
    "check_heuristic",
    "check_problem",
    "derived",
    "explore",
    "hookimpl",
    "maximum",
    "pattern_heuristic",
    "puzzle",
    "scramble",
    "solve",
    "solve_many",
    "verify_solution",
]
# ruff: noqa: F405
# Those of capabilities, errors and algorithms: mypy reads no list that is made of others.
__all__ += [
    "IDDFS", "AStar", "Algorithm", "Anytime", "BeamSearch", "Bidirectional", "BreadthFirst",
    "ClusterError", "CompilationError", "ConflictError", "EngineError", "FieldImage",
    "GreedyBestFirst", "HasBestHeuristics", "HasBoardSets", "HasBoundBetween", "HasCertificate",
    "HasCertificateChecks", "HasChainBound", "HasChainBoundKernel", "HasChains",
    "HasChosenPatterns", "HasDefaultHeuristic", "HasFacts", "HasFirstSteps", "HasGoal",
    "HasGoalStates", "HasGrade", "HasMotion", "HasParse", "HasPatterns", "HasPicture",
    "HasPieceKernels", "HasPieces", "HasPredecessors", "HasRandomState", "HasSlowChainRules",
    "HasSlowMoverRules", "HasSlowRules", "HasStart", "HasSymmetries", "HasToggles",
    "HasWitnesses", "IDAStar", "KnownBoard", "LawError", "LimitReachedError", "NoCompilerError",
    "NoSolutionError", "OverdueError", "ParseError", "ProblemError", "SearchInterruptedError",
    "SearchkitError", "SearchkitWarning", "Symmetry", "UniformCost", "UnknownNameError",
    "UnsolvableError", "UnsuitableError", "UsageError", "VerificationError",
    "WaitedTooLongError", "WeightedAStar", "WeightedIDAStar", "WorkerError", "WorkerLostError",
]  # fmt: skip

_LATER = {
    "ManySolutions": "searchkit.solve_many",
    "Parameter": "searchkit.parameters",
    "Registry": "searchkit.registry",
    "check_heuristic": "searchkit.checks",
    "check_problem": "searchkit.checks",
    "explore": "searchkit.explore",
    "hookimpl": "searchkit.hookspecs",
    "maximum": "searchkit.heuristics.maximum",
    "pattern_heuristic": "searchkit.heuristics.patterns.choose",
    "puzzle": "searchkit.puzzles",
    "scramble": "searchkit.scramble",
    "solve": "searchkit.solve",
    "solve_many": "searchkit.solve_many",
    "verify_solution": "searchkit.verify",
}
"""What is imported when it is asked for first: no program needs all of it."""


def __getattr__(name: str) -> Any:
    if name not in _LATER:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    found = globals()[name] = getattr(import_module(_LATER[name]), name)
    return found


def __dir__() -> list[str]:
    return sorted({*globals(), *_LATER})


class _Package(ModuleType):
    """The package: `searchkit.solve` is the function, however the module of that name came in."""

    def __setattr__(self, name: str, value: object) -> None:
        if not (name in _LATER and isinstance(value, ModuleType)):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package
