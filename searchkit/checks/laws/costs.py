"""Steps cost what `costs` promises, and no cycle costs 0."""

from __future__ import annotations

from graphlib import CycleError, TopologicalSorter

from searchkit.checks.ground import Breach, Ground, Visit
from searchkit.checks.law import Findings, Law
from searchkit.problem import Costs
from searchkit.running.task import whole_cost

MOST = {Costs.UNIT: 1, Costs.ZERO_ONE: 1, Costs.INTEGER: None}
WORDS = {Costs.UNIT: "a cost of 1", Costs.ZERO_ONE: "a cost of 0 or 1", Costs.INTEGER: "0 or more"}


def check(ground: Ground) -> Findings:
    """Look at the cost of every step, then for cycles of steps that cost 0. O(steps)."""
    promised = ground.problem.costs
    if not isinstance(promised, Costs):
        yield Breach("one of Costs", f"costs = {promised!r}", "costs")
        return None
    most, least = MOST[promised], 1 if promised is Costs.UNIT else 0
    for visit in ground.visits():
        for step in visit.steps:
            cost = whole_cost(step.cost)
            if cost is None or cost < least or (most is not None and cost > most):
                yield Breach(
                    f"{WORDS[promised]}, as costs = {promised} promises",
                    f"a cost of {step.cost!r}",
                    "cost successors costs",
                    then=ground.action_text(step.action),
                )
                break
    if least == 0:
        cycle = _free_cycle(ground)
        if cycle is not None:
            found = " to ".join(ground.text(visit.state) for visit in cycle)
            expected = "no cycle of steps that all cost 0"
            yield Breach(expected, found, "cost successors", at=cycle[0])
    return None


def _free_cycle(ground: Ground) -> list[Visit] | None:
    """A cycle of steps that cost 0. O(steps)."""
    into: dict[Visit, list[Visit]] = {visit: [] for visit in ground.visited}
    for visit in ground.visits():
        for step in visit.steps:
            if whole_cost(step.cost) == 0 and step.key in ground.number:
                into[ground.number[step.key]].append(visit)
    try:
        TopologicalSorter(into).prepare()
    except CycleError as error:
        cycle: list[Visit] = error.args[1]
        return cycle
    return None


LAW = Law(__name__, __doc__, check)
