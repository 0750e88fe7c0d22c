"""Checks of what authors promise.

`check_heuristic` proves or refutes lower bounds, `check_problem` tries the laws of the protocol.
"""

from searchkit.checks.conformance import ConformanceReport, check_problem, check_puzzle
from searchkit.checks.heuristic import HeuristicChecker, check_heuristic
from searchkit.checks.law import Law
from searchkit.checks.laws import LAWS
from searchkit.checks.report import (
    Disagreement,
    HeuristicReport,
    InconsistentStep,
    Overestimate,
    Quality,
)
from searchkit.checks.verdicts import Counterexample, Verdict

__all__ = [
    "LAWS", "ConformanceReport", "Counterexample", "Disagreement", "HeuristicChecker",
    "HeuristicReport", "InconsistentStep", "Law", "Overestimate", "Quality", "Verdict",
    "check_heuristic", "check_problem", "check_puzzle",
]  # fmt: skip
