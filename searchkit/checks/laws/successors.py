"""Steps are the same whenever they are asked for: engines ask again to rebuild solutions."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import zip_longest

from searchkit.authors.user_code import is_by_identity
from searchkit.checks.ground import Breach, Ground
from searchkit.checks.law import Findings, Law
from searchkit.premises.asking import Met

EXPECTED = "steps, each as Step(action, state, cost)"


def check(ground: Ground) -> Findings:
    """Ask again, of the same state and of an equal one made again. O(steps)."""
    for visit in ground.watched(ground.visited):
        if visit.failure is not None:
            if visit.failure.method == "successors":
                yield ground.breach(visit.failure, EXPECTED)
            continue
        for state, which in (
            (visit.state, "the same state"),
            (ground.fresh(visit), "an equal state"),
        ):
            again = ground.take(state)
            difference = _difference(ground, visit.steps, again)
            if difference is not None:
                expected, found = difference
                yield Breach(
                    at=visit,
                    expected=f"from {which}, asked again, {expected}",
                    found=found,
                    blame=("successors", "apply", "operators", "action"),
                )
                break
    return None


def _difference(
    ground: Ground, before: Sequence[Met], after: Sequence[Met]
) -> tuple[str, str] | None:
    """What the first step that is another one was, and what it is now."""
    for number, (old, new) in enumerate(zip_longest(before, after), start=1):
        if old is None or new is None or not _same(old, new):
            return f"step {number} is {_told(ground, old)}", _told(ground, new)
    return None


def _same(old: Met, new: Met) -> bool:
    # States that Python tells apart by identity alone are a matter of their keys.
    is_same_state = old.key == new.key or is_by_identity(old.key)
    return bool(old.action == new.action and old.cost == new.cost and is_same_state)


def _told(ground: Ground, step: Met | None) -> str:
    if step is None:
        return "no more"
    return f"{ground.action_text(step.action)} to {ground.text(step.state)} at cost {step.cost}"


LAW = Law("successors", "successors gives the same steps in the same order, always", check)
