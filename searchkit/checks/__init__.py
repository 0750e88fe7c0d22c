"""Checks of what authors promise: `check_heuristic` proves or refutes lower bounds."""

from searchkit.checks.heuristic import HeuristicChecker, check_heuristic
from searchkit.checks.report import (
    Disagreement,
    HeuristicReport,
    InconsistentStep,
    Overestimate,
    Quality,
)

__all__ = [
    "Disagreement",
    "HeuristicChecker",
    "HeuristicReport",
    "InconsistentStep",
    "Overestimate",
    "Quality",
    "check_heuristic",
]
