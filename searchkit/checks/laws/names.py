"""No method has nearly the name of one of the protocol.

It would never be called.
"""

from __future__ import annotations

from searchkit.authors.user_code import place_of
from searchkit.capabilities import HasDefaultHeuristic
from searchkit.checks.ground import Breach, Ground
from searchkit.checks.law import Findings, Law
from searchkit.premises.near_misses import near_misses


def check(ground: Ground) -> Findings:
    """Compare the names of the methods with those of the protocol. O(names squared)."""
    values: list[object] = [ground.problem]
    if isinstance(ground.problem, HasDefaultHeuristic):
        values.append(ground.ask("default_heuristic"))
    for value in values:
        for name, meant in near_misses(value):
            yield Breach(
                f"methods of {type(value).__name__} by the names of the protocol, like {meant}",
                f"{name}, which searchkit never calls; if it is not meant for {meant}, give "
                "it another name, or one that begins with '_'",
                place=place_of(value, name),
            )
    return " and ".join(f"the methods of {type(value).__name__}" for value in values)


LAW = Law(__name__, __doc__, check)
