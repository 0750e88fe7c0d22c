"""Predecessors are the successors seen from the other end."""

from __future__ import annotations

from collections.abc import Hashable

from searchkit.capabilities import HasPredecessors
from searchkit.checks.ground import Breach, Ground
from searchkit.checks.law import Findings, Law
from searchkit.checks.multisets import missing, repeated
from searchkit.premises.asking import Met


def needs(ground: Ground) -> str | None:
    """A method `predecessors`."""
    return None if isinstance(ground.problem, HasPredecessors) else "no method predecessors"


def check(ground: Ground) -> Findings:
    """Look for each step among the predecessors of its end, and the other way round. O(steps)."""
    known: dict[Hashable, list[Met]] = {}
    forward: dict[Hashable, list[Met]] = {}
    # States that were not visited are looked at as well, but no more than were.
    for visit in ground.visits():
        here = visit.key
        for step in visit.steps:
            if step.key not in known:
                if step.key not in ground.number and len(known) > ground.most:
                    continue
                known[step.key] = ground.take(step.state, "predecessors")
            back = [(each.action, each.key, each.cost) for each in known[step.key]]
            if missing([(step.action, here, step.cost)], back) is not None:
                action = ground.action_text(step.action)
                yield Breach(
                    at=visit,
                    then=(action,),
                    expected=f"predecessors({ground.text(step.state)}) has {action} from "
                    f"{ground.text(visit.state)} at cost {step.cost}",
                    found=_listed(ground, known[step.key]),
                    blame=("predecessors",),
                )
                break
        if here not in known:
            known[here] = ground.take(visit.state, "predecessors")
        for step in known[here]:
            if step.key not in forward:
                before = ground.number.get(step.key)
                is_known = before is not None and before.failure is None
                if not is_known and len(forward) > ground.most:
                    continue
                forward[step.key] = (
                    before.steps if before is not None and is_known else ground.take(step.state)
                )
            ahead = [(each.action, each.key, each.cost) for each in forward[step.key]]
            if missing([(step.action, here, step.cost)], ahead) is not None:
                action = ground.action_text(step.action)
                yield Breach(
                    at=visit,
                    expected=f"{action} leads here from {ground.text(step.state)} at cost "
                    f"{step.cost}, as predecessors says",
                    found=f"successors there has {_listed(ground, forward[step.key])}",
                    blame=("predecessors",),
                )
                break
        twice = repeated([(each.action, each.key) for each in known[here]])
        if twice is not None:
            yield Breach(
                at=visit,
                expected="each step is listed once",
                found=f"predecessors has {ground.action_text(twice[0])} twice",
                blame=("predecessors",),
            )
    return None


def _listed(ground: Ground, steps: list[Met]) -> str:
    told = [
        f"{ground.action_text(step.action)} with {ground.text(step.state)} at cost {step.cost}"
        for step in steps[:4]
    ]
    return "; ".join(told) + ("; ..." if len(steps) > 4 else "") or "nothing"


LAW = Law("predecessors", "predecessors are the successors seen from the other end", check, needs)
