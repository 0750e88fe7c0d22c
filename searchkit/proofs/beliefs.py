"""What is left to believe once a proof has been checked."""

from __future__ import annotations

from typing import Any

from searchkit.heuristic import Heuristic
from searchkit.packed import ZeroHeuristic
from searchkit.problem import Problem

RULES_ALONE = "checked by the rules alone"


def rests_on(problem: Problem[Any, Any], heuristic: Heuristic[Any, Any]) -> str:
    """What a proof by this heuristic rests on, besides the rules."""
    if isinstance(heuristic, ZeroHeuristic):
        return RULES_ALONE
    if heuristic.given is not None:
        return f"given that {heuristic.given} ({heuristic.name})"
    return f"assuming that {heuristic.name} is admissible"
