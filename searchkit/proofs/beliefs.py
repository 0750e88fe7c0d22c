"""What is left to believe once a proof has been checked."""

from __future__ import annotations

from typing import Any

from searchkit.heuristic import Heuristic
from searchkit.packed import ZeroHeuristic

RULES_ALONE = "checked by the rules alone"
KEYS_HOLD = "given that states with equal keys have the same ways on"


def rests_on(heuristic: Heuristic[Any, Any], *, merges: bool = False) -> str:
    """What a proof by this heuristic rests on, besides the rules.

    With `merges`, states that differ were taken for one since their keys are equal.
    """
    if merges:
        said = rests_on(heuristic)
        return KEYS_HOLD if said == RULES_ALONE else f"{said}; {KEYS_HOLD}"
    if isinstance(heuristic, ZeroHeuristic):
        return RULES_ALONE
    own = vars(type(heuristic)).get("given")  # that of a base need not hold
    given = (
        heuristic.given if own is None and "given" in getattr(heuristic, "__dict__", {}) else own
    )
    if given is not None:
        return f"given that {given} ({heuristic.name})"
    return f"assuming that {heuristic.name} is admissible"
