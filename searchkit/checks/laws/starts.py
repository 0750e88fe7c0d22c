"""`initial_states` lists one state or several, the same when asked again."""

from __future__ import annotations

from typing import Any

from searchkit.checks.ground import Breach, Ground
from searchkit.checks.law import Findings, Law
from searchkit.texts.amounts import plural

EXPECTED = "one start or several, of which the key is hashable"


def check(ground: Ground) -> Findings:
    """List the starts a second time. O(starts)."""
    if ground.failure is not None:
        yield ground.breach(ground.failure, EXPECTED, "key initial_states")
        return None
    again = ground.listed("initial_states")
    if [ground.key(start) for start in ground.starts] != [ground.key(start) for start in again]:
        expected = f"the same starts again: {_first(ground, ground.starts)}"
        yield Breach(expected, _first(ground, again), "initial_states key")
    return plural(len(again), "start")


def _first(ground: Ground, states: list[Any]) -> str:
    return ", ".join(ground.text(state) for state in states[:3]) or "none"


LAW = Law(__name__, __doc__, check)
