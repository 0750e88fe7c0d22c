"""What is left to believe once a proof has been checked."""

from __future__ import annotations

from typing import Any

from searchkit.heuristic import Heuristic
from searchkit.heuristics.maximum import own_given
from searchkit.packed import ZeroHeuristic

RULES_ALONE = "checked by the rules alone"
KEYS_HOLD = "given that states with equal keys have the same ways on"


def is_zero(heuristic: Heuristic[Any, Any]) -> bool:
    """Whether nothing is believed of it; a class derived from that of zero may say anything."""
    return type(heuristic) is ZeroHeuristic


def rests_on(heuristic: Heuristic[Any, Any], *, merges: bool = False) -> str:
    """What a proof by this heuristic rests on, besides the rules.

    With `merges`, states that differ were taken for one since their keys are equal.
    """
    if merges:
        said = rests_on(heuristic)
        return KEYS_HOLD if said == RULES_ALONE else f"{said}; {KEYS_HOLD}"
    if is_zero(heuristic):
        return RULES_ALONE
    given = own_given(heuristic)
    if given is not None:
        return f"given that {given} ({heuristic.name})"
    return f"assuming that {heuristic.name} is admissible"
