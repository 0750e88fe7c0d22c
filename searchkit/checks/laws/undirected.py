"""Every step can be taken back by one of the same cost.

Where a problem says that it is undirected.
"""

from __future__ import annotations

from collections.abc import Hashable

from searchkit.authors.user_code import short
from searchkit.checks.ground import Breach, Ground
from searchkit.checks.law import Findings, Law


def needs(ground: Ground) -> str | None:
    """The attribute `undirected`."""
    return None if ground.problem.undirected else "undirected is false"


def check(ground: Ground) -> Findings:
    """Look for a step back from the end of every step. O(steps)."""
    outside: dict[Hashable, set[tuple[Hashable, str]]] = {}
    for visit in ground.visits():
        for step in visit.steps:
            if step.key not in outside:
                steps = ground.steps_from(step)
                outside[step.key] = {(back.key, short(back.cost)) for back in steps}
            back = outside[step.key]
            if (visit.key, short(step.cost)) not in back:
                costs = sorted(cost for after, cost in back if after == visit.key)
                yield Breach(
                    f"a step of cost {step.cost} back from {ground.text(step.state)}, as "
                    "undirected = True promises",
                    f"steps back cost {', '.join(costs)}" if costs else "no step leads back",
                    "undirected successors",
                    then=ground.action_text(step.action),
                )
                break
    return None


LAW = Law(__name__, __doc__, check, (needs,), relies_on=("successors",))
