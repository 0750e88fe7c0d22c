"""There is a start, and the starts are always the same."""

from __future__ import annotations

from searchkit.checks.ground import Breach, Ground, plural
from searchkit.checks.law import Findings, Law

EXPECTED = "one start or several, of which the key is hashable"


def check(ground: Ground) -> Findings:
    """List the starts a second time. O(starts)."""
    if ground.failure is not None:
        yield ground.breach(ground.failure, EXPECTED, "key", "initial_states")
        return None
    again = ground.listed("initial_states")
    before = [ground.key(start) for start in ground.starts]
    after = [ground.key(start) for start in again]
    if before != after:
        yield Breach(
            expected=f"the same starts again: {_told(ground, ground.starts)}",
            found=_told(ground, again),
            blame=("initial_states", "key"),
        )
    return plural(len(again), "start")


def _told(ground: Ground, states: list[object]) -> str:
    return ", ".join(ground.text(state) for state in states[:3]) or "none"


LAW = Law("starts", "initial_states lists one state or several, the same when asked again", check)
