"""Where a problem says that it is undirected, every step can be taken back at the same cost."""

from __future__ import annotations

from collections.abc import Hashable

from searchkit.authors.user_code import short
from searchkit.checks.ground import Breach, Ground
from searchkit.checks.law import Findings, Law
from searchkit.checks.laws import successors


def needs(ground: Ground) -> str | None:
    """The attribute `undirected`."""
    return None if ground.problem.undirected else "undirected is false"


def check(ground: Ground) -> Findings:
    """Look for a step back from the end of every step. O(steps)."""
    outside: dict[Hashable, set[tuple[Hashable, str]]] = {}
    for visit in ground.visits():
        for step in visit.steps:
            if step.key not in outside:
                after = ground.number.get(step.key)
                steps = after.steps if after and not after.failure else ground.take(step.state)
                outside[step.key] = {(back.key, short(back.cost)) for back in steps}
            if (visit.key, short(step.cost)) not in outside[step.key]:
                yield Breach(
                    at=visit,
                    then=(ground.action_text(step.action),),
                    expected=f"a step of cost {step.cost} back from {ground.text(step.state)}, as "
                    "undirected = True promises",
                    found=_found(visit.key, outside[step.key]),
                    blame=("undirected", "successors"),
                )
                break
    return None


def _found(key: Hashable, back: set[tuple[Hashable, str]]) -> str:
    costs = sorted(cost for after, cost in back if after == key)
    return f"steps back cost {', '.join(costs)}" if costs else "no step leads back"


LAW = Law(
    "undirected",
    "every step can be taken back by one of the same cost",
    check,
    needs,
    relies_on=(successors.LAW,),
)
