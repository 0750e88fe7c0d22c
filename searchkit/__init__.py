"""searchkit: write the puzzle once in Python, search it, and prove the answer."""

import searchkit.running.starting  # noqa: F401  (hears Ctrl-C while the rest is imported)

# isort: split
from searchkit.algorithms import values as _values
from searchkit.algorithms.values import *  # noqa: F403
from searchkit.capabilities import Symmetry
from searchkit.certificates import Certificate
from searchkit.errors import (
    CompilationError,
    ConflictError,
    EngineError,
    LawError,
    LimitReachedError,
    NoSolutionError,
    ParseError,
    ProblemError,
    SearchInterruptedError,
    SearchkitError,
    SearchkitWarning,
    UnknownNameError,
    UnsolvableError,
    UnsuitableError,
    UsageError,
    VerificationError,
)
from searchkit.heuristic import Heuristic, ProblemHeuristic, ZeroHeuristic
from searchkit.hookspecs import hookimpl
from searchkit.limits import Iteration, LimitKind, Limits, Progress
from searchkit.packed import DEAD_END, PackedHeuristic, PackedProblem
from searchkit.parameters import Parameter
from searchkit.picture import Cell, Colour, Line, Phase, Picture, Piece, Shape
from searchkit.problem import INFINITY, Costs, Problem, Step
from searchkit.puzzles import puzzle
from searchkit.registry import Registry
from searchkit.result import Improvement, SearchResult, Solution, Statistics, Status
from searchkit.scramble import scramble
from searchkit.solve import solve
from searchkit.solve_many import ManySolutions, solve_many

__version__ = "0.1.0"

__all__ = [
    "DEAD_END",
    "INFINITY",
    "Cell",
    "Certificate",
    "Colour",
    "CompilationError",
    "ConflictError",
    "Costs",
    "EngineError",
    "Heuristic",
    "Improvement",
    "Iteration",
    "LawError",
    "LimitKind",
    "LimitReachedError",
    "Limits",
    "Line",
    "ManySolutions",
    "NoSolutionError",
    "PackedHeuristic",
    "PackedProblem",
    "Parameter",
    "ParseError",
    "Phase",
    "Picture",
    "Piece",
    "Problem",
    "ProblemError",
    "ProblemHeuristic",
    "Progress",
    "Registry",
    "SearchInterruptedError",
    "SearchResult",
    "SearchkitError",
    "SearchkitWarning",
    "Shape",
    "Solution",
    "Statistics",
    "Status",
    "Step",
    "Symmetry",
    "UnknownNameError",
    "UnsolvableError",
    "UnsuitableError",
    "UsageError",
    "VerificationError",
    "ZeroHeuristic",
    "hookimpl",
    "puzzle",
    "scramble",
    "solve",
    "solve_many",
]
__all__ += _values.__all__
